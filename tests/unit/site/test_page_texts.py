"""What pages say of themselves to search engines: titles, descriptions, JSON-LD, the sitemap."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.site import meta
from support import commands, markup, registries
from support.git import git

BASE = "https://registry.example/data"
AT = "2026-11-20T10:00:00Z"

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
        "rise": {"name": "Rise", "kind": "program", "type": "grant", "organization": "fund",
                 "locations": [{"country": "NO", "city": "Oslo"}]},
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
        "lost": {"name": "Lost", "kind": "event", "starts": "2027-03-01", "organization": "fund"},
    },
}  # fmt: skip

ONLINE = {"@type": "VirtualLocation"}
#: Fields of an event of a program in Oslo -> its places in JSON-LD, and how people attend it.
PLACES: dict[str, tuple[dict[str, Any], list[Any], str]] = {
    "there": ({}, ["Oslo"], "Offline"),
    "here": ({"locations": [{"country": "DE", "city": "Berlin"}]}, ["Berlin"], "Offline"),
    "net": ({"online": True}, [ONLINE | {"url": f"{BASE}/calendar/net/"}], "Online"),
    "site": ({"online": True, "website": "https://e.example/"},
             [ONLINE | {"url": "https://e.example/"}], "Online"),
    "both": ({"online": True, "locations": [{"country": "DE", "city": "Bonn"}]},
             ["Bonn", ONLINE | {"url": f"{BASE}/calendar/both/"}], "Mixed"),
}  # fmt: skip
NAMESAKES["events"] |= {
    slug: {"name": f"Day {slug}", "kind": "event", "program": "rise", "starts": "2027-03-01"} | more
    for slug, (more, *_) in PLACES.items()
}

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


@pytest.fixture(scope="module", params=["en", "de"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("namesakes")
    records = NAMESAKES | {"registry": NAMESAKES["registry"] | {"language": request.param}}
    content = registries.write(folder / "content", records)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one", GIT_COMMITTER_DATE=AT, GIT_AUTHOR_DATE=AT)
    return commands.build(content, folder / "out", "--as-of", "2026-11-21", site=True)


Pages = dict[str, markup.Page]


@pytest.fixture(scope="module")
def pages(built: Path) -> Pages:
    files = [file for file in sorted(built.rglob("*.html")) if "/admin/" not in str(file)]
    paths = [f"/{file.relative_to(built)}".removesuffix("index.html") for file in files]
    return {path: markup.parse(file.read_bytes()) for path, file in zip(paths, files, strict=True)}


def title(page: markup.Page) -> str:
    return page.all("title")[0].text


def described(page: markup.Page) -> str:
    return page.meta("description") or ""


def data(page: markup.Page) -> list[dict[str, Any]]:
    """The things of schema.org on a page."""
    scripts = page.all("script", type="application/ld+json")
    return [thing for script in scripts for thing in json.loads(script.text)["@graph"]]


def things(within: Any) -> Iterator[dict[str, Any]]:
    """All things within data."""
    if isinstance(within, dict):
        if "@type" in within:
            yield within
        within = list(within.values())
    if isinstance(within, list):
        for each in within:
            yield from things(each)


def is_english(pages: Pages) -> bool:
    return "in the United States" in title(pages["/projects/location/us/"])


def test_no_two_pages_have_one_title_or_one_description(pages: Pages) -> None:
    titles = Counter(map(title, pages.values()))
    assert [text for text, number in titles.items() if number > 1] == []
    indexed = [page for page in pages.values() if page.meta("robots") != "noindex"]
    texts = Counter(map(described, indexed))
    assert [text for text, number in texts.items() if number > 1] == []


def test_every_page_has_a_short_description_in_plain_words(pages: Pages) -> None:
    for path, page in pages.items():
        assert 0 < len(described(page)) <= meta.MAX_DESCRIPTION and "\n" not in described(page), (
            path
        )
    arc = described(pages["/projects/arc/"])
    assert arc.startswith("It stores heat in sand. It stores") and arc.endswith("…")
    assert described(pages["/projects/arc-2/"]).startswith("Lamps <b>& more. Proje")
    assert described(pages["/"]).endswith("of one name. Records of…")


def test_lists_have_titles_in_words(pages: Pages) -> None:
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
    assert {path: title(pages[path]) for path in expected} == {
        path: f"{text} – Names" for path, text in expected.items()
    }


def test_records_of_one_name_are_told_apart(pages: Pages) -> None:
    if not is_english(pages):
        return
    titles = {path: title(page).removesuffix(" – Names") for path, page in pages.items()}
    assert titles["/organizations/arc/"] == "Arc (Organization)"
    assert titles["/projects/arc/"] == "Arc (2020)"
    assert titles["/projects/arc-3/"] == "Arc (Remote)"
    assert titles["/projects/arc-2/"] == "Arc (2021)"
    assert titles["/calendar/call/"] == "Call (31 January 2027)"


def test_things_of_schema_org_follow_its_rules(pages: Pages) -> None:
    kinds = Counter[str]()
    for path, page in pages.items():
        for thing in things(data(page)):
            kind = thing["@type"]
            kinds[kind] += 1
            needed, allowed = RULES[kind]
            assert needed <= thing.keys() <= allowed | {"@type"}, (path, thing)
    assert {"Organization", "Event", "WebPage", "Dataset", "BreadcrumbList"} <= kinds.keys()


@pytest.mark.parametrize("slug", PLACES)
def test_an_event_is_where_its_calendar_entry_says_and_how_it_is_attended(
    pages: Pages, slug: str
) -> None:
    _, wanted, attended = PLACES[slug]
    (thing,) = (one for one in data(pages[f"/calendar/{slug}/"]) if one["@type"] == "Event")
    assert thing["eventAttendanceMode"] == f"https://schema.org/{attended}EventAttendanceMode"
    assert wanted == [
        place["address"]["addressLocality"] if place["@type"] == "Place" else place
        for place in thing["location"]
    ]


def test_an_event_without_a_place_has_none(pages: Pages) -> None:
    assert not {"location", "eventAttendanceMode"} & data(pages["/calendar/lost/"])[0].keys()


def test_the_history_says_when_pages_were_changed(built: Path, pages: Pages) -> None:
    sitemap = (built / "sitemap.xml").read_text("utf-8")
    for path in ("/", "/projects/", "/projects/arc/", "/calendar/", "/calendar/call/"):
        assert f"<loc>{BASE}{path}</loc><lastmod>{AT}</lastmod>" in sitemap
    assert f"<loc>{BASE}/projects/year/2020/</loc></url>" in sitemap
    (dataset,) = data(pages["/"])
    assert dataset["dateModified"] == AT
