"""Pages of lists as a build writes them, and single rows."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.contract.listing import render_list
from generator.grammar.grammar import Grammar, Query, Slice
from generator.reader.site import Site as Built
from generator.site import paths
from generator.site.lists import VISIBLE_VALUES, encoded_rows, parse_head
from generator.site.page_context import Site
from generator.site.rows import RowRenderer
from support import commands, drawings, registries

MOST = 30 * 1024  # bytes of a list page, compressed


class Page(HTMLParser):
    """The texts and links of a page: `texts` has each text with the classes and ids around it and
    its link.
    """

    def __init__(self, html: str):
        super().__init__()
        self.open: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[tuple[str, ...], str, str]] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.links += [known["href"]] if tag == "a" else []
        if tag not in ("input", "meta", "link", "img", "br"):
            self.open.append((tag, known))

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self.open.pop()
        assert opened == tag

    def handle_data(self, data: str) -> None:
        names = tuple(
            name
            for _, attributes in self.open
            for name in (attributes.get("id", ""), *attributes.get("class", "").split())
        )
        href = next(
            (attributes["href"] for tag, attributes in reversed(self.open) if tag == "a"), ""
        )
        self.texts.append((names, href, data))

    def texts_in(self, name: str) -> list[str]:
        return [text for names, _, text in self.texts if name in names and text.strip()]


def page(built: Path, path: str) -> Page:
    return Page((built / paths.file(path)[1:]).read_text())


def prepared(built: Path) -> Iterator[tuple[Slice, int, dict[str, Any]]]:
    grammar = Built.open(built).grammar
    for name in ("projects", "programs", "organizations"):
        for file in sorted((built / f"api/{name}").rglob("page/*.json")):
            document = json.loads(file.read_bytes())
            part, number = grammar.parse_path(f"/{file.relative_to(built)}")
            if document["kind"] != "moved":
                yield part, number, document


def test_a_page_has_the_records_of_its_list_and_links_to_its_neighbours(
    built_content: Path,
) -> None:
    seen = 0
    for part, number, document in prepared(built_content):
        path = paths.list_page(part, number)
        empty = part.filter is not None and not document["data"]
        if empty or not paths.visited(part):
            assert not (built_content / paths.file(path)[1:]).exists()
            continue
        parsed = page(built_content, path)
        names = [text for names, _, text in parsed.texts if "name" in names and "rows" in names]
        assert names == [row["name"] for row in document["data"]]
        last = document["page"]["total_pages"]
        beside = [paths.list_page(part, n) for n in (number - 1, number + 1) if 1 <= n <= last]
        assert {*beside, document["links"]["self"]} <= {*parsed.links}
        seen += 1
    assert seen > 300


def test_the_first_page_of_a_whole_list_has_the_counts_of_filters_json(built_content: Path) -> None:
    filters = json.loads((built_content / "api/projects/filters.json").read_bytes())["data"]
    parsed = page(built_content, "/projects/")
    for name, listed in filters.items():
        counts = parsed.texts_in(f"filter-{name}")
        for row in listed["values"]:
            if name not in ("status", "year"):
                # A place is within the larger place that its label names.
                label = row["label"].partition(", ")[0] if name == "location" else row["label"]
                at = counts.index(label)
                assert counts[at + 1] == f"{row['count']:,}"
        assert sum(text.isdigit() for text in counts) >= len(listed["values"])
    linked = {
        (names, text): href for names, href, text in parsed.texts if "filter-location" in names
    }
    by_label = {text: href for (_, text), href in linked.items()}
    assert by_label["United States"] == "/projects/location/us/"
    assert by_label["California"] == ""
    assert f"{len(filters['tag_topic']['values']) - VISIBLE_VALUES} more" in parsed.texts_in(
        "filter-tag_topic"
    )


@pytest.mark.parametrize(
    "path",
    ["/projects/page/2/", "/projects/sort/-year/", "/projects/tag-topic/climate/"],
)
def test_other_pages_have_no_counts_of_filters(built_content: Path, path: str) -> None:
    parsed = page(built_content, path)
    assert not any(text.isdigit() for text in parsed.texts_in("filters"))
    assert "/projects/#filters" in parsed.links


def test_a_slice_has_a_title_and_a_link_back(built_content: Path) -> None:
    parsed = page(built_content, "/projects/tag-topic/climate/")
    assert parsed.texts_in("crumbs") == ["Projects", "Topic", "Climate"]
    assert parsed.texts_in("lead") == ["9 projects"]
    assert parsed.texts_in("chosen") == ["Topic: Climate", "×"] and "/projects/" in parsed.links
    program = page(built_content, "/projects/program/yc-winter-2009/")
    assert "/programs/yc-winter-2009/" in program.links
    assert program.texts_in("crumbs")[2] == "Y Combinator Winter 2009"


TWO_TAGS: dict[str, Any] = {
    "registry": {
        "name": "Own",
        "description": "Own.",
        "base_url": "https://registry.example/of/",
        "page_size": 10,
        "tag_families": {"topic": {"label": "Topic & more"}},
    },
    "projects": {f"p{n}": {"name": f"P{n}", "tags": {"topic": ["red", "blue"]}} for n in range(25)},
}


def test_every_page_of_a_list_has_its_own_title(tmp_path: Path) -> None:
    registries.write(tmp_path / "content", TWO_TAGS)
    built = commands.build(tmp_path / "content", tmp_path / "out", site=True)
    pages = 0
    for file in sorted((built / "projects").rglob("index.html")):
        html = file.read_text("utf-8")
        assert "\0" not in html
        if 'id="rows"' not in html:
            continue
        pages += 1
        own = f"https://registry.example/of/{file.relative_to(built).parent}/"
        (address,) = re.findall(r'<link rel="canonical" href="([^"]*)">', html)
        (title,) = re.findall(r"<title>(.*)</title>", html)
        (og_title,) = re.findall(r'<meta property="og:title" content="(.*)">', html)
        (data,) = re.findall(r'<script type="application/ld\+json">(.*)</script>', html)
        way = json.loads(data)["@graph"][-1]["itemListElement"][-1]
        assert address == way["item"] == own
        assert title.startswith(f"{og_title} – ")
        assert way["name"] == unescape(og_title)
    assert pages == 3 * 5  # two orders, two tags and a status, of three pages each


def test_a_custom_template_is_used_for_each_page(tmp_path: Path) -> None:
    registries.write(tmp_path / "content", TWO_TAGS)
    own = tmp_path / "templates/site/list.html.j2"
    own.parent.mkdir(parents=True)
    own.write_text(
        '{% extends "original/list.html.j2" %}'
        "{% block main %}<b>{{ shown.heading }}</b>{{ super() }}{% endblock %}"
    )
    built = commands.build(tmp_path / "content", tmp_path / "out", site=True)
    for tag in ("red", "blue"):
        html = (built / f"projects/tag-topic/{tag}/index.html").read_text("utf-8")
        assert f"<b>{tag}</b>" in html
        assert 'href="/of/projects/p1/"' in html


def test_a_registry_without_records_says_so_and_has_no_lists(tmp_path: Path) -> None:
    registries.write(tmp_path / "content", {"registry": {"name": "Empty", "description": "It."}})
    built = commands.build(tmp_path / "content", tmp_path / "out", site=True)
    assert "There are no projects yet" in page(built, "/").texts_in("empty")
    assert not (built / "projects").exists()
    assert json.loads((built / "api/projects/page/1.json").read_bytes())["data"] == []


def test_a_page_of_a_hundred_long_rows_is_small(tmp_path: Path) -> None:
    content: dict[str, Any] = {
        "registry": {
            "name": "Long",
            "description": "Long rows.",
            "page_size": 100,
            "tag_families": {"topic": {"label": "Topic"}},
        },
        "projects": {},
    }
    words = [f"{word}{n}" for word in ("solar", "panel", "robot", "market") for n in range(60)]
    for n in range(100):
        chosen = [words[(n * k) % len(words)] for k in range(3, 45, 2)]
        content["projects"][f"long-{n}"] = {
            "name": " ".join(chosen[:4]),
            "summary": " ".join(chosen)[:300],
            "year": 1990 + n % 30,
            "tags": {"topic": sorted({*chosen[:8]})},
            "locations": [{"country": "DE", "city": chosen[5].title()}],
        }
    registries.write(tmp_path / "content", content)
    built = commands.build(tmp_path / "content", tmp_path / "out", site=True)
    data = (built / "projects/index.html").read_bytes()
    assert len(Page(data.decode()).texts_in("rows")) > 500
    assert len(gzip.compress(data)) < MOST


def summary(**more: Any) -> dict[str, Any]:
    return {
        "slug": "one", "name": "One", "summary": None, "status": "active", "year": None,
        "tags": {"topic": []}, "programs": [], "organizations": [], "locations": [],
        "remote": False, "website": None, "former_names": [], "fields": {}, **more,
    }  # fmt: skip


def rows(site: Site) -> RowRenderer:
    return RowRenderer(site, site.grammar.projects)


def test_texts_of_records_stay_texts() -> None:
    hostile = summary(name=drawings.HOSTILE, summary=drawings.HOSTILE)
    html = rows(drawings.site()).html[orjson.dumps(hostile)].decode()
    (row,) = drawings.elements(html).iter("li")
    assert {element.tag for element in row.iter()} == {"li", "div", "a", "p", "span"}
    assert [element.text for element in row.iter()].count(drawings.HOSTILE) == 2
    assert all(
        set(element.keys()) <= {"class", "dir", "href", "aria-hidden"} for element in row.iter()
    )


def test_a_row_is_rendered_once() -> None:
    encoded, known = orjson.dumps(summary()), rows(drawings.site())
    assert known.html[encoded] is known.html[bytes(bytearray(encoded))] != b""


def test_a_status_is_in_the_language_of_the_site() -> None:
    encoded = orjson.dumps(summary(status="acquired", year=1999))
    made = [rows(drawings.site(language)).html[encoded] for language in ("en", "de")]
    pages = [Page(html.decode()) for html in made]
    assert [parsed.texts_in("aside") for parsed in pages] == [
        ["Acquired", "1999"],
        ["Übernommen", "1999"],
    ]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_page_is_divided_into_its_head_and_its_rows(count: int) -> None:
    grammar = Grammar({})
    rows = [orjson.dumps({"name": f"}},\n{{{number}"}) for number in range(count)]
    page = render_list(Query(grammar.projects), rows, count, 50, grammar, None)
    assert encoded_rows(page) == [row + b"," for row in rows]
    assert parse_head(page) == orjson.loads(page) | {"data": []}
