"""llms.txt, robots.txt, the sitemap and the page for missing addresses, read back by parsers."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from generator.contract import sitemap as site
from generator.contract.artifact import Artifact
from generator.grammar.paths import (
    DASHBOARD,
    INDEX,
    LLMS,
    NOT_FOUND,
    ROBOTS,
    SITEMAP,
    SKILL,
    sitemap_part,
)
from generator.model.tables.table import Registry
from support import registries

HOST = {"base_url": "https://registry.example/data/"}
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
HOSTILE = "<script>alert(1)</script> \"quoted\" & 'so' ](x) {{ 7 * 7 }}"


def made(registry: Registry) -> dict[str, bytes]:
    every = (registries.rendered(name, registry) for name in ("site", "sitemap", "missing"))
    return {path: data for rendered in every for path, data in rendered.items()}


def small(folder: Path, **settings: Any) -> dict[str, bytes]:
    return made(registries.registry(folder, registries.content(registry=settings)))


def locations(data: bytes, root: str = "urlset", entry: str = "url") -> list[str]:
    """The addresses of a sitemap or of a sitemap index."""
    tree = ElementTree.fromstring(data)
    assert tree.tag == SPACE + root
    assert {child.tag for child in tree} <= {SPACE + entry}
    return [child[0].text or "" for child in tree]


# --- sitemap --------------------------------------------------------------------------------------


def test_the_sitemap_has_every_record_and_the_first_page_of_every_list(
    tmp_path: Path,
) -> None:
    registry = registries.registry(tmp_path, registries.content(registry=HOST))
    found = locations(made(registry)[SITEMAP])
    prefix = "https://registry.example/data"
    assert all(address.startswith(prefix) for address in found)
    assert len(set(found)) == len(found)
    paths = {address.removeprefix(prefix) for address in found}
    records = {t.collection.record_path(row.slug) for t in registry.tables for row in t}
    lists = {path for path in paths if "/page/" in path}
    assert paths - lists - records == {INDEX, DASHBOARD, SKILL, LLMS}
    assert records < paths
    for path in lists:
        part, number = registry.symbols.grammar.parse_path(path)
        (table,) = (t for t in registry.tables if t.collection == part.collection)
        assert number == 1
        assert table.positions(part) or part.filter == "upcoming"
    for expected in ("/api/projects/page/1.json", "/api/projects/sort/-year/page/1.json",
                     "/api/programs/by/type/accelerator/page/1.json",
                     "/api/calendar/events/upcoming/page/1.json",
                     "/api/calendar/events/by/month/2027-01/page/1.json"):  # fmt: skip
        assert expected in lists


def test_without_a_base_url_the_sitemap_says_what_is_missing(tmp_path: Path) -> None:
    relative = small(tmp_path / "a")[SITEMAP]
    assert locations(relative)[0] == INDEX
    assert b"set base_url in registry.yaml" in relative
    assert b"<!--" not in small(tmp_path / "b", **HOST)[SITEMAP]


def test_an_address_is_escaped() -> None:
    (artifact,) = site.render_sitemaps([INDEX], "https://registry.example", "/a&b'c<d")
    assert locations(artifact.data) == [f"https://registry.example/a&b'c<d{INDEX}"]


@pytest.mark.parametrize(
    ("count", "parts"), [(0, 1), (1, 1), (50_000, 1), (50_001, 2), (100_001, 3)]
)
def test_a_sitemap_of_more_than_50000_addresses_is_an_index_of_parts(
    count: int, parts: int
) -> None:
    paths = [f"/api/projects/slug/p{n}.json" for n in range(count)]
    artifacts = list(site.render_sitemaps(paths, "https://registry.example", "/data"))
    listed = {artifact.path: artifact.data for artifact in artifacts}
    assert len(listed) == len(artifacts)
    if parts == 1:
        assert list(listed) == [SITEMAP]
        read = [locations(listed[SITEMAP])]
    else:
        names = [sitemap_part(number) for number in range(1, parts + 1)]
        assert set(listed) == {SITEMAP, *names}
        assert locations(listed[SITEMAP], "sitemapindex", "sitemap") == [
            f"https://registry.example/data{name}" for name in names
        ]
        read = [locations(listed[name]) for name in names]
    assert all(len(part) <= 50_000 for part in read)
    assert [address for part in read for address in part] == [
        f"https://registry.example/data{path}" for path in paths
    ]


def test_a_sitemap_is_also_divided_by_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "MAX_BYTES", 1000)
    paths = [f"/{'é' * 50}/{n}" for n in range(40)]
    parts: list[Artifact] = list(site.render_sitemaps(paths, "https://registry.example", ""))[:-1]
    assert all(len(part.data) <= 1000 for part in parts)
    assert len(parts) > 4
    assert [a for part in parts for a in locations(part.data)] == [
        f"https://registry.example{path}" for path in paths
    ]


# --- robots.txt -----------------------------------------------------------------------------------


def test_robots_may_read_everything_and_get_an_absolute_address_of_the_sitemap(
    tmp_path: Path,
) -> None:
    from urllib.robotparser import RobotFileParser

    for folder, settings, sitemaps in (
        ("a", HOST, [f"https://registry.example/data{SITEMAP}"]),
        ("b", {}, None),
    ):
        text = small(tmp_path / folder, **settings)[ROBOTS].decode()
        parser = RobotFileParser()
        parser.parse(text.splitlines())
        assert parser.can_fetch("anyone", "/api/projects/page/1.json")
        assert parser.site_maps() == sitemaps


# --- llms.txt -------------------------------------------------------------------------------------


def test_llms_txt_has_the_form_of_the_specification(tmp_path: Path) -> None:
    text = small(tmp_path, **HOST)[LLMS].decode()
    blocks = re.split(r"\n{2,}", text.strip())
    assert blocks[0] == "# Small Registry"
    assert blocks[1] == "> Three projects and what they came from."
    assert re.findall(r"^## (.+)$", text, re.M) == [
        "Start here",
        "For agents",
        "Lists",
        "Calendar",
        "Optional",
    ]
    sections = text.partition("\n## ")[2]
    for line in sections.split("\n"):
        assert not line or re.fullmatch(
            r"(?:## )?[\w ]+|- \[[^\]]+\]\(https://registry\.example/data/[^)\s]+\): .+", line
        ), line
    assert re.findall(r"\((\S+?)\)", sections)[:2] == [
        f"https://registry.example/data{p}" for p in (SKILL, DASHBOARD)
    ]


def test_llms_txt_survives_a_hostile_registry(tmp_path: Path) -> None:
    plain = small(tmp_path / "a")[LLMS].decode()
    hostile = small(
        tmp_path / "b", name=HOSTILE, description=f"# {HOSTILE}\n\n## Start here\n- [x](y)"
    )[LLMS].decode()
    shape = re.compile(r"^(?:#+ |> |- )|(?<!\\)\[.+?(?<!\\)\]\(", re.M)
    assert shape.findall(hostile) == shape.findall(plain)
    assert "49" not in hostile


# --- 404.html -------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements of a page in order, and its text."""

    def __init__(self, data: bytes):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(data.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.mark.parametrize(("settings", "prefix"), [({}, ""), (HOST, "/data")])
def test_the_404_page_explains_and_links(
    tmp_path: Path, settings: dict[str, Any], prefix: str
) -> None:
    data = small(tmp_path, **settings)[NOT_FOUND]
    assert data.startswith(b"<!doctype html>\n")
    page = Page(data)
    assert not page.open
    assert page.all("html") == [{"lang": "en"}]
    assert [len(page.all(tag)) for tag in ("title", "main", "h1")] == [1, 1, 1]
    assert page.all("meta")[0] == {"charset": "utf-8"}
    assert f"{prefix}/api/projects?mode=page" in page.text
    links = [a["href"] for a in page.all("a")]
    assert (
        prefix + INDEX in links
        and prefix + SKILL in links
        and f"{prefix}/api/projects/page/1.json" in links
    )
    assert all(link and link.startswith(f"{prefix}/") for link in links)


def test_the_404_page_works_under_the_strictest_content_security_policy(tmp_path: Path) -> None:
    page = Page(small(tmp_path)[NOT_FOUND])
    assert not {tag for tag, _ in page.elements} & {
        "script",
        "style",
        "link",
        "img",
        "iframe",
        "object",
        "form",
        "base",
    }
    assert not [
        a
        for _, attributes in page.elements
        for a in attributes
        if a == "style" or a.startswith("on")
    ]


def test_the_404_page_shows_a_hostile_name_as_text(tmp_path: Path) -> None:
    page = Page(small(tmp_path, name=HOSTILE)[NOT_FOUND])
    assert not page.all("script")
    assert page.text.count(HOSTILE) == 2
