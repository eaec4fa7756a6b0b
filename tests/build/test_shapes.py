"""Registries of unusual shapes: empty, tiny, exactly full, with odd names, deep folders, or many
words of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import icalendar
import pytest

import generator.build
from generator.build.options import BuildOptions
from generator.disk.output_state import OutputError
from generator.grammar import paths
from generator.published.history.provenance import moment
from support import registries
from support.commands import build, files
from support.lanes import fast_first

COLLECTIONS = {name: f"api/{name}" for name in ("projects", "programs", "organizations")} | {
    "events": "api/calendar/events"
}
BLANK: dict[str, Any] = {"registry": {"name": "Blank", "description": "Nothing yet."}}

Build = Callable[[Any], Path]


@pytest.fixture
def built(tmp_path: Path) -> Build:
    """Build a registry of the given records."""
    return lambda records: build(registries.write(tmp_path / "content", records), tmp_path / "out")


def load(out: Path, path: str) -> Any:
    return json.loads((out / path.removeprefix("/")).read_bytes())


def walk(out: Path, collection: str, folder: str = "") -> list[dict[str, Any]]:
    """Every page of a list, from the first page on, by `links.next`."""
    pages = [load(out, f"{COLLECTIONS[collection]}/{folder}page/1.json")]
    while pages[-1]["links"]["next"]:
        pages.append(load(out, pages[-1]["links"]["next"]))
    return pages


def slugs(pages: list[dict[str, Any]]) -> list[str]:
    return [row["slug"] for page in pages for row in page["data"]]


def values(document: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a document with its key."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from values(value, name)
    elif isinstance(document, list):
        for value in document:
            yield from values(value, key)
    elif isinstance(document, str):
        yield key, document


def documents(out: Path) -> Iterator[tuple[str, Any]]:
    """The registry's own JSON documents; OpenAPI, JSON Schema and the index contain slashes that
    are not addresses.
    """
    for path in sorted(out.rglob("*.json")):
        name = path.relative_to(out).as_posix()
        if name.startswith(("api/", ".well-known/")) and not name.startswith(
            ("api/openapi", "api/schemas/", "api/index/")
        ):
            yield name, json.loads(path.read_bytes())


def addresses(out: Path) -> Iterator[tuple[str, str, str]]:
    """(document, key, root-relative URL) for every URL in a document."""
    for name, document in documents(out):
        if name.startswith("api/manifest/bins/"):
            continue  # these have file paths below the base URL
        # No file has the addresses that match names.
        urls = [(key, value) for key, value in values(document) if value.startswith("/")]
        yield from ((name, *each) for each in urls if "/api/reconcile/" not in each[1])


def assert_nothing_at_bare_addresses(out: Path) -> None:
    """A host without rules must answer 404 at a bare address, and a host with folder indexes must
    have no index to serve.
    """
    for root in COLLECTIONS.values():
        for name in (
            root + end
            for end in ("", ".json", ".html", ".txt", "/index.json", "/index.html", "/index")
        ):
            assert not (out / name).is_file(), name
    for path in (out / "api").rglob("*"):
        place = path.relative_to(out).as_posix()
        if path.is_dir():
            if path.name == "filters" or place == "api/index":
                continue
            assert not path.with_name(path.name + ".json").exists(), (
                f"{place} is a folder and {place}.json a file"
            )
            assert not path.with_name(path.name + ".html").exists(), (
                f"{place} is a folder and {place}.html a file"
            )
        elif (
            path.stem == "index"
            and path.suffix not in (".ics", ".md")
            and path.parent.name not in ("slug", "schemas")
        ):
            assert place == "api/index.json"


# --- few records ---


def test_an_empty_registry_has_every_list_with_one_page(built: Build) -> None:
    out = built(BLANK)
    for collection, root in COLLECTIONS.items():
        for page in [
            out / root / "page",
            *(out / root).glob("sort/*/page"),
            *(out / root).glob("upcoming/page"),
        ]:
            assert [path.name for path in page.iterdir()] == ["1.json"]
            found = json.loads((page / "1.json").read_bytes())
            assert found["data"] == []
            assert found["page"] == {
                "number": 1,
                "size": 50,
                "count": 0,
                "total_items": 0,
                "total_pages": 1,
            }
            assert found["links"]["prev"] is found["links"]["next"] is None
            assert found["links"]["self"] == found["links"]["first"] == found["links"]["last"]
        assert [path.name for path in (out / root).glob("slug/*")] == []
        assert load(out, f"{root}/filters.json")["kind"] == "filter_list", collection
    assert load(out, "api/dashboard.json")["data"]["counts"] == dict.fromkeys(COLLECTIONS, 0)
    assert not [*out.glob("api/**/by/*/*/page")]
    assert not icalendar.Calendar.from_ical(
        (out / "api" / "calendar" / "events.ics").read_bytes()
    ).walk("VEVENT")
    assert_nothing_at_bare_addresses(out)


@pytest.mark.parametrize("size", fast_first(1, [10, 50, 100]))
@pytest.mark.parametrize("count", fast_first(2, [11, 101, 10]))
def test_the_pages_of_a_list_have_every_record(count: int, size: int, built: Build) -> None:
    projects = {f"p{n:03}": {"name": f"Project {n:03}", "year": 2024} for n in range(count)}
    out = built({"registry": {**BLANK["registry"], "page_size": size}, "projects": projects})
    last = -(-count // size)
    for folder in ("", "sort/-year/", "by/year/2024/"):
        pages = walk(out, "projects", folder)
        assert slugs(pages) == sorted(projects)
        assert [page["page"]["count"] for page in pages] == [size] * (last - 1) + [
            count - size * (last - 1)
        ]
        assert {page["page"]["total_pages"] for page in pages} == {last}
        folder_of_pages = out / "api" / "projects" / folder / "page"
        assert sorted(path.name for path in folder_of_pages.iterdir()) == sorted(
            f"{n}.json" for n in range(1, last + 1)
        )
        back = [page["links"]["prev"] for page in pages]
        assert back == [None, *(page["links"]["self"] for page in pages[:-1])]
        assert {page["links"]["last"] for page in pages} == {pages[-1]["links"]["self"]}
        assert {page["links"]["first"] for page in pages} == {pages[0]["links"]["self"]}


# --- words that occur in addresses ---

WORDS = (
    "page", "slug", "by", "sort", "filters", "upcoming", "index", "build", "dashboard", "api",
    "projects", "events", "calendar", "null", "true", "no", "1", "012", "2024", "1e3", "con",
    "json", "name", "mode", "a-1-b", "a" * 100,
)  # fmt: skip


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every word as a slug of every kind, as a tag, a category and a type; other records refer to
    it."""
    folder = tmp_path_factory.mktemp("words")
    records = {
        "registry": {
            **BLANK["registry"],
            "page_size": 10,
            "tag_families": {"word": {"label": "Word"}, "page": {"label": "Page"}},
            "organization_categories": {w: w for w in WORDS},
            "program_types": {w: w for w in WORDS},
        },
        "organizations": {w: {"name": w, "category": w} for w in WORDS},
        "programs": {
            w: {"name": w, "kind": "program", "type": w, "organization": w} for w in WORDS
        },
        "projects": {
            w: {"name": w, "programs": [w], "tags": {"word": [w], "page": [w]}} for w in WORDS
        },
        "events": {
            w: {"name": w, "kind": "deadline", "due": "2026-12-01", "program": w, "organization": w}
            for w in WORDS
        },
    }
    return build(registries.write(folder / "content", records), folder / "out")


def test_a_slug_may_be_a_word_of_addresses(words: Path) -> None:
    for collection, root in COLLECTIONS.items():
        for word in WORDS:
            found = load(words, f"{root}/slug/{word}.json")
            assert (found["data"]["slug"], found["links"]["self"]) == (
                word,
                f"/{root}/slug/{word}.json",
            )
        assert sorted(slugs(walk(words, collection))) == sorted(WORDS)


@pytest.mark.parametrize(
    ("collection", "filters"),
    [
        ("projects", ("tag_word", "tag_page", "program", "organization", "organization_category")),
        ("programs", ("organization", "organization_category", "type")),
        ("organizations", ("category",)),
        ("events", ("program", "organization")),
    ],
)
def test_a_filter_value_may_be_a_word_of_addresses(
    collection: str, filters: tuple[str, ...], words: Path
) -> None:
    for name in filters:
        for word in WORDS:
            assert slugs(walk(words, collection, f"by/{name}/{word}/")) == [word]


def test_no_word_gives_a_file_at_a_bare_address(words: Path) -> None:
    assert_nothing_at_bare_addresses(words)


# --- names ---

NAMES = {
    "colon": "Acme: the company",
    "quotes": "“Acme”, \"so called\", 'really'",
    "backslash": "C:\\new\\table",
    "emoji": "🚀 Rocket 👩‍🚀 and 🏳️‍🌈",
    "arabic": "شركة الفضاء",
    "hebrew": "חברה (ישראל)",
    "han": "北京科技有限公司",
    "combining": "Cafe\u0301 Zürich",
    "long": "x" * 200,
    "long-and-wide": "😀" * 200,
    "markup": "<script>alert(1)</script> & <b>",
    "template": "{{ 7 * 7 }} {% raw %} ${x} %s %(a)s {0}",
    "markdown": "[a](javascript:alert) `code` **b** | c",
    "comma": "One, two; three\\n",
    "percent": "100% #1 @home ?a=b&c=d",
    "yaml": "- a: [b] # c",
    "yes": "yes",
    "number": "012",
    "nothing": "null",
    "tilde": "~",
}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every odd name as the name of a record of every kind."""
    folder = tmp_path_factory.mktemp("named")
    records = {
        "registry": {
            **BLANK["registry"],
            "name": NAMES["markup"],
            "organization_categories": {"fund": NAMES["quotes"]},
            "program_types": {"school": NAMES["template"]},
            "base_url": "https://registry.example",
        },
        "organizations": {
            s: {"name": n, "category": "fund", "summary": n} for s, n in NAMES.items()
        },
        "programs": {
            s: {"name": n, "kind": "program", "type": "school", "organization": s}
            for s, n in NAMES.items()
        },
        "projects": {
            s: {"name": n, "organizations": [s], "description": f"{n}\n\n{n}", "founders": [n]}
            for s, n in NAMES.items()
        },
        "events": {
            s: {"name": n, "kind": "deadline", "due": "2026-12-01", "program": s, "summary": n}
            for s, n in NAMES.items()
        },
    }
    return build(registries.write(folder / "content", records), folder / "out")


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_any_name_is_published_unchanged(collection: str, named: Path) -> None:
    listed = {row["slug"]: row["name"] for page in walk(named, collection) for row in page["data"]}
    whole = {
        slug: load(named, f"{COLLECTIONS[collection]}/slug/{slug}.json")["data"]["name"]
        for slug in NAMES
    }
    assert listed == whole == NAMES


def test_any_name_is_unchanged_in_referring_documents(named: Path) -> None:
    for slug, name in NAMES.items():
        document = load(named, f"api/projects/slug/{slug}.json")["data"]
        assert document["organizations"] == [
            {"slug": slug, "name": name, "href": f"/api/organizations/slug/{slug}.json"}
        ]
        assert (document["description"], document["founders"]) == (f"{name}\n\n{name}", [name])
    labels = {
        v["value"]: v["label"]
        for v in load(named, "api/projects/filters/organization.json")["data"]["values"]
    }
    assert labels == NAMES


def test_any_name_is_unchanged_in_the_feeds(named: Path) -> None:
    feed = icalendar.Calendar.from_ical((named / "api" / "calendar" / "events.ics").read_bytes())
    assert sorted(str(event["SUMMARY"]) for event in feed.walk("VEVENT")) == sorted(NAMES.values())


# --- the base URL ---


@pytest.mark.parametrize(
    ("base", "prefix"),
    fast_first(
        2,
        [
            (None, ""),
            ("https://example.org:8443/a/b-c/", "/a/b-c"),
            ("https://registry.example", ""),
            ("https://registry.example/", ""),
            ("https://example.github.io/registry", "/registry"),
        ],
    ),
)
def test_addresses_begin_with_the_path_of_the_base_url_and_files_do_not(
    base: str | None, prefix: str, built: Build
) -> None:
    out = built(registries.content(registry={"base_url": base}))
    found = list(addresses(out))
    assert len(found) > 100
    for document, key, url in found:
        inside = url.removeprefix(prefix)
        assert url.startswith(prefix + "/") and inside.startswith(
            ("/api/", "/.well-known/", "/skill.md", "/llms.txt", "/sitemap.xml")
        ), (document, key, url)
        if "{" not in url and "?" not in url and key not in ("template", "url_template"):
            assert (out / inside[1:]).is_file(), f"{document}: {key} {url} is no file"
    assert {path.name for path in out.iterdir()} >= {"api", "skill.md"}
    assert not prefix or not (out / prefix.split("/")[1]).exists()


@pytest.mark.parametrize("base", ["https://registry.example", "https://example.github.io/registry"])
def test_feeds_and_calendars_have_absolute_addresses(base: str, built: Build) -> None:
    out = built(registries.content(registry={"base_url": base}))
    texts = {
        name: (out / name).read_text()
        for name in ("skill.md", "llms.txt", "robots.txt", "sitemap.xml", "api/calendar/events.ics")
    }
    for name, text in texts.items():
        text = text.replace("\n ", "").replace("\r", "")  # unfold lines by RFC 5545 §3.1
        links = re.findall(
            r"\]\(([^)]*)\)|<loc>([^<]*)|^(?:URL|SOURCE)[^:]*:(.*)$|^Sitemap: (.*)$", text, re.M
        )
        for link in ("".join(found) for found in links):
            assert link.startswith((f"{base}/", "https://launch.example/")), f"{name}: {link}"
        assert base in text, name
    catalog = json.loads((out / ".well-known" / "api-catalog").read_bytes())
    assert {
        url.startswith(f"{base}/") for key, url in values(catalog) if key in ("href", "anchor")
    } == {True}


# --- renamed records ---


def test_a_former_slug_has_a_file_with_the_new_slug_and_is_in_no_list(built: Build) -> None:
    records = registries.content(registry={"base_url": "https://registry.example/data"})
    for collection, members in list(records.items())[1:]:
        members[min(members)] = {
            **members[min(members)],
            "aliases": ["page", f"former-{collection}", "former"],
        }
    out = built(records)
    for collection, root in COLLECTIONS.items():
        now = min(records[collection])
        for alias in ("page", f"former-{collection}", "former"):
            moved = load(out, f"{root}/slug/{alias}.json")
            assert moved["kind"] == "moved"
            assert moved["links"] == {
                "self": f"/data/{root}/slug/{alias}.json",
                "replaced_by": f"/data/{root}/slug/{now}.json",
            }
        assert sorted(slugs(walk(out, collection))) == sorted(records[collection])
        assert load(out, "api/build.json")["counts"][collection] == len(records[collection])


# --- many words, deep folders ---


@pytest.mark.slow
def test_the_dashboard_stays_small_whatever_the_registry_declares(built: Build) -> None:
    families = {
        f"family_{n}": {"label": f"Family {n}", "description": "d" * 300} for n in range(300)
    }
    categories = {f"category-{n}": f"Category number {n}" for n in range(3000)}
    tags = [{f: [f"{f.replace('_', '-')}-{n}" for n in (p, p + 1)] for f in families}
            for p in range(3)]  # fmt: skip
    program = {"name": "x" * 200, "kind": "program", "type": "school", "organization": "one"}
    event = {"name": "😀" * 200, "summary": "y" * 300, "kind": "deadline", "due": "2027-01-01"}
    out = built({
        "registry": {**BLANK["registry"], "tag_families": families,
                     "organization_categories": categories, "program_types": {"school": "School"}},
        "organizations": {"one": {"name": "One", "category": "category-2999"}},
        "programs": {"one": program},
        "projects": {f"p{n}": {"name": "x" * 200, "year": 1800 + n * 200, "tags": tags[n]}
                     for n in range(3)},
        "events": {f"e{n}": event for n in range(20)},
    })  # fmt: skip
    assert (out / "api" / "dashboard.json").stat().st_size <= 64 * 1024
    found = load(out, "api/dashboard.json")["data"]
    assert found["counts"] == {"projects": 3, "programs": 1, "organizations": 1, "events": 20}
    assert [row["year"] for row in found["projects_by_year"]] == [1800, 2000, 2200]
    assert len(found["upcoming"]) == 10
    assert found["truncated"] is True
    assert load(out, "api/organizations/by/category/category-0/page/1.json")["data"] == []
    assert slugs(walk(out, "organizations", "by/category/category-2999/")) == ["one"]


def test_folders_may_be_twenty_deep_and_files_may_end_in_yml(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", BLANK)
    deep = content.joinpath("projects", *(f"level-{n}" for n in range(20)))
    deep.mkdir(parents=True)
    (deep / "deep.yml").write_text("name: Deep\n")
    (deep.parent / "less-deep.yaml").write_text("name: Less deep\n")
    out = build(content, tmp_path / "out")
    assert slugs(walk(out, "projects")) == ["deep", "less-deep"]
    assert load(out, "api/projects/slug/deep.json")["data"]["slug"] == "deep"


def test_this_registrys_own_build_has_nothing_at_a_bare_address(built_content: Path) -> None:
    assert_nothing_at_bare_addresses(built_content)
    for name in ("dashboard", "calendar/events", "calendar", "calendar.json", "index.html"):
        assert not (built_content / "api" / name).is_file(), name


def test_every_address_in_this_registrys_own_build_is_a_file(built_content: Path) -> None:
    """But that of the MCP server, which a function answers."""
    published = {f"/{path}" for path in files(built_content)} | {paths.MCP}
    broken = {
        (d, url)
        for d, key, url in addresses(built_content)
        if url not in published and not re.search(r"[{?]", url)
    }
    assert broken == set()


def test_no_hidden_character_of_a_description_is_published(built: Build) -> None:
    """Characters removed from a description are in no document, text, feed or page."""
    hidden = "one\x80 \x9b two\x9d \u202eeerht\u2069 \ufefffour\x85five"
    records = registries.content(
        registry={"description": hidden},
        projects={"odd": {"name": "Odd", "description": hidden, "programs": ["launch"]}},
        programs={"launch": {**registries.SMALL["programs"]["launch"], "description": hidden}},
        events={
            "day": {
                "name": "Day",
                "kind": "deadline",
                "due": "2026-12-01",
                "program": "launch",
                "description": hidden,
            }
        },
    )
    out = built(records)
    assert (
        load(out, "api/projects/slug/odd.json")["data"]["description"]
        == "one\u20ac › two eerht four\nfive"
    )
    numbers = re.compile(r"api/index/[a-z]+/(?:keys|names|columns/[^/]+)/[^/]+")
    for path, raw in files(out).items():
        texts = (".json", ".md", ".txt", ".ics", ".html", ".xml")
        if path.endswith(texts) and not numbers.fullmatch(path):
            assert not re.search(
                "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]",
                raw.decode(),
            ), path


def test_a_build_without_enough_memory_stops_with_a_message_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, out = str(registries.write(tmp_path / "content", BLANK)), tmp_path / "out"
    options = BuildOptions(jobs=1, site=False)

    def rebuild(name: str, memory: int) -> None:
        monkeypatch.setattr("generator.published.history.provenance.memory", lambda: memory)
        (tmp_path / "content/projects").mkdir(exist_ok=True)
        (tmp_path / "content/projects/one.yaml").write_text(f"name: {name}\n")
        assert not generator.build.build(content, out, moment(content, None), options).failed

    rebuild("One", 8_000)
    before = files(out)
    with pytest.raises(OutputError, match="Build on a machine with more memory"):
        rebuild("Two", 7_999)
    assert files(out) == before
    rebuild("Two", 8_000)
    assert files(out) != before
