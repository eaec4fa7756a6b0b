"""What pages say of themselves to search engines: titles, descriptions, JSON-LD, the sitemap."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from generator.site import meta
from support import commands, registries
from support.git import git

BASE = "https://registry.example/data"

#: A program, its cohorts and dates, and several records of one name.
NAMESAKES: dict[str, Any] = {
    "registry": {
        "name": "Names",
        "description": "Records of one name. " * 20,
        "base_url": BASE,
        "tag_families": {
            "topic": {"label": "Topic", "tags": {"climate": "Climate"}},
            "field": {"label": "Field", "tags": {"climate": "Climate"}},
        },
        "organization_categories": {"investor": "Investor"},
        "program_types": {"grant": "Grant"},
    },
    "organizations": {
        "arc": {"name": "Arc", "category": "investor"},
        "fund": {"name": "Fund", "category": "investor"},
    },
    "programs": {
        "rise": {"name": "Rise", "kind": "program", "type": "grant", "organization": "fund"},
        "rise-1": {"name": "Rise one", "kind": "cohort", "type": "grant", "organization": "fund",
                   "parent": "rise"},
    },
    "projects": {
        "arc": {"name": "Arc", "year": 2020, "programs": ["rise"],
                "tags": {"topic": ["climate"], "field": ["climate"]},
                "locations": [{"country": "US", "city": "Austin"}],
                "description": "It *stores* [heat](https://heat.example/) in `sand`. " * 9},
        "arc-2": {"name": "Arc", "year": 2021, "summary": "Lamps <b>& more"},
        "arc-3": {"name": "Arc", "year": 2021, "remote": True},
    },
    "events": {
        "call": {"name": "Call", "kind": "deadline", "program": "rise", "due": "2027-01-31"},
        "call-2": {"name": "Call", "kind": "deadline", "program": "rise", "due": "2027-02-28"},
        "open": {"name": "Window", "kind": "application_window", "program": "rise",
                 "opens": "2027-01-01", "closes": "2027-01-31"},
        "fair": {"name": "Fair", "kind": "event", "program": "rise", "starts": "2027-03-01",
                 "locations": [{"country": "DE", "city": "Berlin"}]},
    },
}  # fmt: skip

#: Type of schema.org -> the properties that it must have, and those that it may have.
_ANY = {"name", "description", "@id", "url"}
_THING = _ANY | {"mainEntityOfPage", "sameAs", "location"}
RULES: dict[str, tuple[set[str], set[str]]] = {
    "Organization": (
        {"name"},
        _THING
        | {"logo", "alternateName", "foundingDate", "founder", "numberOfEmployees", "memberOf",
           "parentOrganization", "event", "email"},
    ),
    "Event": (
        {"name", "startDate", "eventStatus"},
        _THING | {"startDate", "endDate", "eventStatus", "eventAttendanceMode", "organizer"},
    ),
    "WebPage": (set(), _ANY | {"about", "lastReviewed"}),
    "Dataset": (
        {"name", "description", "creator", "distribution"},
        _ANY
        | {"creator", "dateModified", "datePublished", "distribution", "inLanguage", "license",
           "isAccessibleForFree", "version"},
    ),
    "DataDownload": (
        {"encodingFormat", "contentUrl"}, {"encodingFormat", "contentUrl", "contentSize"}
    ),
    "BreadcrumbList": ({"itemListElement"}, {"itemListElement"}),
    "ListItem": ({"position", "name", "item"}, {"position", "name", "item"}),
    "Place": ({"address"}, {"address"}),
    "PostalAddress": (set(), {"addressCountry", "addressRegion", "addressLocality"}),
    "VirtualLocation": (set(), {"url"}),
    "Person": ({"name"}, {"name"}),
    "QuantitativeValue": ({"value"}, {"value"}),
}  # fmt: skip


class Texts(NamedTuple):
    """The texts of a page; `data` are its things of schema.org."""

    path: str
    title: str
    description: str
    canonical: str
    indexed: bool
    data: list[dict[str, Any]]


def read_page(path: str, html: str) -> Texts:
    html = html.partition("</head>")[0]
    (title,) = re.findall(r"<title>(.*?)</title>", html, re.S)
    (description,) = re.findall(r'<meta name="description" content="(.*?)">', html, re.S)
    canonical = re.findall(r'<link rel="canonical" href="(.*?)">', html)
    data = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    return Texts(
        path,
        unescape(title),
        unescape(description),
        unescape(canonical[0]) if canonical else "",
        'name="robots" content="noindex"' not in html,
        [thing for one in data for thing in json.loads(one)["@graph"]],
    )


def read_pages(built: Path) -> dict[str, Texts]:
    found = {}
    for file in sorted(built.rglob("*.html")):
        path = f"/{file.relative_to(built)}".removesuffix("index.html")
        if not path.startswith("/admin/"):
            found[path] = read_page(path, file.read_text("utf-8"))
    return found


@pytest.fixture(scope="module", params=["en", "de"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("namesakes")
    records = NAMESAKES | {"registry": NAMESAKES["registry"] | {"language": request.param}}
    content = registries.write(folder / "content", records)
    return commands.build(content, folder / "out", "--as-of", "2026-11-21", site=True)


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[str, Texts]:
    return read_pages(built)


def things(data: Any) -> Iterator[dict[str, Any]]:
    """All things within data."""
    if isinstance(data, dict):
        if "@type" in data:
            yield data
        data = list(data.values())
    if isinstance(data, list):
        for each in data:
            yield from things(each)


def is_english(pages: dict[str, Texts]) -> bool:
    return "in the United States" in pages["/projects/location/us/"].title


def test_no_two_pages_have_one_title_or_one_description(pages: dict[str, Texts]) -> None:
    titles = Counter(page.title for page in pages.values())
    assert [title for title, number in titles.items() if number > 1] == []
    texts = Counter(page.description for page in pages.values() if page.indexed)
    assert [text for text, number in texts.items() if number > 1] == []


def test_every_page_has_a_short_description_in_plain_words(pages: dict[str, Texts]) -> None:
    for page in pages.values():
        assert 0 < len(page.description) <= meta.MAX_DESCRIPTION, page
        assert "\n" not in page.description
    arc = pages["/projects/arc/"].description
    assert arc.startswith("It stores heat in sand. It stores") and arc.endswith("…")
    assert pages["/projects/arc-2/"].description.startswith("Lamps <b>& more. Proje")
    assert pages["/"].description.endswith("of one name. Records of…")


def test_lists_have_titles_in_words(pages: dict[str, Texts]) -> None:
    expected = {
        "/projects/": "Projects",
        "/projects/location/us/": "Projects in the United States",
        "/projects/location/remote/": "Remote projects",
        "/projects/year/2021/": "Projects from 2021",
        "/projects/status/active/": "Active projects",
        "/projects/program/rise/": "Projects of Rise",
        "/projects/tag-topic/climate/": "Climate projects (Topic)",
        "/projects/tag-field/climate/": "Climate projects (Field)",
        "/programs/type/grant/": "Grant programs",
        "/programs/kind/cohort/": "Programs, Kind: Cohort",
        "/calendar/year/2027/": "Dates in 2027",
    }
    if not is_english(pages):
        expected = {
            "/projects/location/us/": "Projekte in den Vereinigten Staaten",
            "/projects/location/remote/": "Ortsunabhängige Projekte",
            "/projects/status/active/": "Projekte, Status: Aktiv",
            "/calendar/year/2027/": "Termine 2027",
        }
    assert {path: pages[path].title for path in expected} == {
        path: f"{title} – Names" for path, title in expected.items()
    }


def test_records_of_one_name_are_told_apart(pages: dict[str, Texts]) -> None:
    if not is_english(pages):
        return
    titles = {path: page.title.removesuffix(" – Names") for path, page in pages.items()}
    assert titles["/organizations/arc/"] == "Arc (Organization)"
    assert titles["/projects/arc/"] == "Arc (2020)"
    assert titles["/projects/arc-3/"] == "Arc (Remote)"
    assert titles["/projects/arc-2/"] == "Arc (2021)"
    assert titles["/calendar/call/"] == "Call (31 January 2027)"


def test_an_order_of_a_list_names_the_list_as_canonical(
    pages: dict[str, Texts], built: Path
) -> None:
    sorts = [page for path, page in pages.items() if "/sort/" in path]
    assert sorts
    for page in sorts:
        assert page.canonical == f"{BASE}{page.path.partition('sort/')[0]}"
    sitemap = (built / "sitemap.xml").read_text("utf-8")
    assert "/sort/" not in sitemap and f"<loc>{BASE}/projects/</loc>" in sitemap


def test_things_of_schema_org_follow_its_rules(pages: dict[str, Texts]) -> None:
    kinds = Counter[str]()
    for page in pages.values():
        for thing in things(page.data):
            kind = thing["@type"]
            kinds[kind] += 1
            needed, allowed = RULES[kind]
            assert needed <= thing.keys() <= allowed | {"@type"}, (page.path, thing)
    assert {"Organization", "Event", "WebPage", "Dataset", "BreadcrumbList"} <= kinds.keys()


def test_deadlines_and_windows_are_no_events(pages: dict[str, Texts]) -> None:
    for path in ("/calendar/call/", "/calendar/open/"):
        assert {thing["@type"] for thing in things(pages[path].data)}.isdisjoint({"Event"})
        assert pages[path].data[0]["about"]["name"] == "Rise"
    assert pages["/calendar/fair/"].data[0]["@type"] == "Event"
    (rise,) = (one for one in pages["/programs/rise/"].data if one["@type"] == "Organization")
    assert [event["name"] for event in rise["event"]] == ["Fair"]


def test_a_program_begins_with_the_date_that_ends_next(built: Path) -> None:
    text = (built / "programs/rise/index.html").read_text("utf-8")
    begins = text[text.index('<div class="sheet">') :]
    assert 0 < begins.index("<h2") < begins.index('id="next"') < begins.index("</h2>")
    assert "/calendar/call/" in begins.partition("</section>")[0]  # 31 January, as the window
    assert 'id="next"' not in (built / "programs/rise-1/index.html").read_text("utf-8")


ONLINE = {"@type": "VirtualLocation"}
#: Fields of an event of a program in Oslo -> its places in JSON-LD, and how people attend it.
#: `page` is the address of its page.
PLACES: dict[str, tuple[dict[str, Any], list[Any], str]] = {
    "there": ({}, ["Oslo"], "Offline"),
    "here": ({"locations": [{"country": "DE", "city": "Berlin"}]}, ["Berlin"], "Offline"),
    "net": ({"online": True}, [ONLINE | {"url": "page"}], "Online"),
    "site": ({"online": True, "website": "https://e.example/"},
             [ONLINE | {"url": "https://e.example/"}], "Online"),
    "both": ({"online": True, "locations": [{"country": "DE", "city": "Bonn"}]},
             ["Bonn", ONLINE | {"url": "page"}], "Mixed"),
}  # fmt: skip


@pytest.mark.parametrize("base", [BASE, ""])
def test_an_event_is_where_its_calendar_entry_says_and_how_it_is_attended(
    tmp_path: Path, base: str
) -> None:
    common = {"name": "Day", "kind": "event", "program": "rise", "starts": "2027-03-01"}
    events = {slug: common | fields for slug, (fields, *_) in PLACES.items()}
    events["lost"] = {k: v for k, v in common.items() if k != "program"} | {"organization": "fund"}
    rise = NAMESAKES["programs"]["rise"] | {"locations": [{"country": "NO", "city": "Oslo"}]}
    registry = NAMESAKES["registry"] | {"base_url": base or None}
    content = registries.write(
        tmp_path / "content",
        {**NAMESAKES, "registry": registry, "programs": {"rise": rise}, "events": events,
         "projects": {}},
    )  # fmt: skip
    built = commands.build(content, tmp_path / "out", "--as-of", "2026-11-21", site=True)
    for slug, (_, wanted, attended) in PLACES.items():
        path = f"/calendar/{slug}/"
        (thing,) = (
            one
            for one in read_page(path, (built / path[1:] / "index.html").read_text("utf-8")).data
            if one["@type"] == "Event"
        )
        assert thing["eventAttendanceMode"] == f"https://schema.org/{attended}EventAttendanceMode"
        found = [
            place["address"]["addressLocality"] if place["@type"] == "Place" else place
            for place in thing.get("location", ())
        ]
        page = {"url": f"{BASE}{path}"}
        assert found == [
            place if "url" not in place or place["url"] != "page" else place | page
            for place in wanted
            if base or "page" not in str(place)
        ]
    lost = read_page("/calendar/lost/", (built / "calendar/lost/index.html").read_text("utf-8"))
    assert not {"location", "eventAttendanceMode"} & lost.data[0].keys()


def test_the_dataset_says_who_made_it_and_where_it_is(pages: dict[str, Texts]) -> None:
    (dataset,) = (one for one in pages["/"].data if one["@type"] == "Dataset")
    assert dataset["creator"] == {"@type": "Organization", "name": "Names"}
    assert "dateModified" not in dataset  # no history
    assert dataset["distribution"][0]["contentUrl"] == f"{BASE}/api/index.json"


def test_the_history_says_when_pages_were_changed(tmp_path: Path) -> None:
    content, at = registries.write(tmp_path / "content", NAMESAKES), "2026-11-20T10:00:00Z"
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one", GIT_COMMITTER_DATE=at, GIT_AUTHOR_DATE=at)
    built = commands.build(content, tmp_path / "out", "--as-of", "2026-11-21", site=True)
    sitemap = (built / "sitemap.xml").read_text("utf-8")
    for path in ("/", "/projects/", "/projects/arc/", "/calendar/", "/calendar/call/"):
        assert f"<loc>{BASE}{path}</loc><lastmod>{at}</lastmod>" in sitemap
    assert f"<loc>{BASE}/projects/year/2020/</loc></url>" in sitemap
    (dataset,) = read_page("/", (built / "index.html").read_text("utf-8")).data
    assert dataset["dateModified"] == at


def test_initials_have_a_colour_but_not_in_a_list_of_one_series(built: Path) -> None:
    cohorts = (built / "programs/index.html").read_text("utf-8")
    assert 'id="rows" class="series"' in cohorts
    projects = (built / "projects/index.html").read_text("utf-8")
    assert 'class="series"' not in projects
    assert len(set(re.findall(r'class="face (hue-[0-7])"', projects))) == 1  # all are called Arc


def test_every_page_has_icons_and_the_colour_of_the_bar(built: Path) -> None:
    for file in built.rglob("*.html"):
        html = file.read_text("utf-8")
        if "/admin/" in str(file):
            continue
        (icon,) = re.findall(r'<link rel="apple-touch-icon" href="/data(/assets/[^"]+)">', html)
        assert (built / icon[1:]).read_bytes().startswith(b"\x89PNG")
        assert html.count('<meta name="theme-color"') == 2
