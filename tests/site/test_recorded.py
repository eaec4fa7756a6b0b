"""Pages of registries of several shapes, recorded in recorded/ as outlines.

`pytest tests/site/test_recorded.py --regenerate` writes them again; read the diff.  Every page of a
registry is in its `pages.txt`, without the pages of records and the further pages of lists.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from generator.kinds import built_in
from support import german, own_kinds, pages, registries, shapes
from support.outline import outline
from support.sites import Publish

HERE = Path(__file__).parent / "recorded"

FIELDS = {
    "funding": {"label": "Total funding", "type": "number", "unit": "USD"},
    "score": {"label": "Score", "type": "number"},
    "open": {"label": "Open source", "type": "boolean", "filter": True},
    "stage": {
        "label": "Stage", "type": "choice", "many": True, "filter": True,
        "values": {"seed": "Seed round", "later": "Later"},
    },
    "pitch": {"label": "Pitch", "type": "url"},
    "met": {"label": "First met", "type": "date"},
    "note": {"label": "Note", "type": "text"},
    "unsaid": {"label": "Never said", "type": "text"},
}  # fmt: skip
#: A project with a value of every field.
AURORA: dict[str, Any] = {
    "name": "Aurora Grid",
    "summary": "Heat pumps for fjords.",
    "description": "Begun on a ferry.\nStill there.\n\n\nNow in two fjords.",
    "website": "https://www.aurora.example/",
    "links": {"source_code": "https://git.example/aurora"},
    "sources": ["https://news.example/aurora?x=1&y=2"],
    "aliases": ["aurora"],
    "year": 2025,
    "status": "acquired",
    "programs": ["launch-2025"],
    "organizations": ["harbour-fund"],
    "tags": {"topic": ["climate"], "technology": ["heat-pumps"]},
    "locations": [{"country": "NO", "city": "Bergen"}, {"country": "DE"}],
    "remote": True,
    "team_size": 1200,
    "founders": ["Ada", "Bo"],
    "former_names": ["Fjord Heat"],
    "fields": {
        "funding": 1250000, "score": -1234.5, "open": True, "stage": ["seed", "later"],
        "pitch": "https://aurora.example/pitch", "met": "2024-02-29", "note": "On a ferry",
    },
}  # fmt: skip
EVENTS: dict[str, dict[str, Any]] = {
    **registries.SMALL["events"],
    # Summer time in New York begins at 2 o'clock on 14 March 2027, and ends on 7 November.
    "across": {"name": "Across a change", "kind": "event", "timezone": "America/New_York",
               "starts": "2027-03-13 22:00", "ends": "2027-03-14 10:30",
               "locations": [{"country": "US", "region": "New York", "city": "Ithaca"}],
               "organization": "north-college", "program": "launch", "online": True},
    "half": {"name": "Half an hour", "kind": "deadline", "timezone": "Asia/Kolkata",
             "due": "2027-01-05 09:15", "program": "launch", "stage": "paper", "round": 2},
    "anywhere": {"name": "Anywhere", "kind": "deadline", "due": "2027-01-05",
                 "status": "tentative"},
    "whole-day": {"name": "A day in Oslo", "kind": "event", "timezone": "Europe/Oslo",
                  "starts": "2027-07-01", "tags": {"topic": ["space"]}},
    "open": {"name": "Since always", "kind": "application_window", "closes": "2027-02-01 17:00",
             "timezone": "Pacific/Auckland", "status": "cancelled",
             "website": "https://apply.example/"},
    "rolling": {"name": "At any time", "kind": "application_window", "rolling": True,
                "program": "launch"},
}  # fmt: skip
LAUNCH = registries.SMALL["programs"]["launch"] | {"tags": {"topic": ["climate"]}}
COHORT = {**LAUNCH, "kind": "cohort", "parent": "launch"}
PROGRAMS = {
    "launch": LAUNCH,
    "launch-2025": registries.SMALL["programs"]["launch-2025"],
    "launch-east": COHORT | {"name": "Launch East", "year": 2024, "organization": "harbour-fund"},
    "launch-east-a": COHORT | {"name": "Launch East A", "year": 2026, "parent": "launch-east"},
    "alike": LAUNCH | {"name": "Alike"},
}
WHOLE: registries.Content = registries.content(
    projects={
        **registries.SMALL["projects"],
        "aurora-grid": AURORA,
        "dune": {"name": "Dune", "programs": ["launch-2025"], "tags": {"topic": ["climate"]},
                 "locations": [{"country": "MT", "city": "Valletta"}], "year": 2019},
    },
    events=EVENTS,
    programs=PROGRAMS,
    registry={
        "base_url": "https://registry.example/data",
        "repository": "https://github.com/acme/registry",
        "contact": "hello@registry.example",
        "release": {"version": "2026.1", "date": "2026-11-20"},
        "fields": {"projects": FIELDS},
        "event_stages": {"paper": "Full paper"},
        "page_size": 10,
    },
)  # fmt: skip
BARE: registries.Content = registries.content(
    registry={
        # Signs that BibTeX and HTML have to escape.
        "name": r"R&D {100 %} a_b ~ \input",
        "description": 'One "quoted" <b>text</b>.',
        "license": None,
        "release": {"version": "2026.1", "date": "2026-11-20"},
        "nouns": {"projects": {"one": "startup", "many": "startups"}},
        "site": {"lead": "organizations"},
    },
)
#: Registry -> its records, and the pages that are recorded.
RECORDED: dict[str, tuple[registries.Content, str]] = {
    "whole": (
        WHOLE,
        """/ /projects/ /projects/aurora-grid/ /projects/cairn/ /projects/aurora/
        /organizations/north-college/ /programs/launch/ /programs/launch-2025/
        /programs/launch-east/ /calendar/ /calendar/across/ /calendar/half/ /calendar/anywhere/
        /calendar/whole-day/ /calendar/open/ /calendar/rolling/ /calendar/month/2027-01/
        /calendar/kind/deadline/ /projects/tag-topic/climate/ /projects/sort/-year/ /map/
        /compare/ /landscape/ /changes/ /404.html /docs/cite/ /embed/years/ /embed/list/""",
    ),
    "bare": (BARE, "/ /docs/cite/ /docs/api/explorer/ /404.html /organizations/"),
    "empty": ({"registry": {"name": "Empty", "description": "It."}}, "/"),
    # Without a project the largest collection leads.
    "conferences": (
        registries.content(shapes.conferences(120), registry={"site": {"lead": "projects"}}),
        """/ /programs/ /programs/distributed-security/ /calendar/distributed-security-2026-11/
        /map/ /404.html""",
    ),
    "tools": (
        shapes.tools(100),
        """/ /organizations/ /organizations/amber-works/ /organizations/basalt-systems/ /projects/
        /projects/page/2/ /landscape/ /compare/""",
    ),
    # Own kinds: beside the first four, and without them, with settings for what is of one kind.
    "investors": (
        own_kinds.INVESTORS,
        """/ /investors/ /investors/birch-capital/ /investors/idle-money/ /rounds/ /projects/bloom/
        /organizations/harbour-fund/ /projects/investor/quay-ventures/ /compare/""",
    ),
    "papers": (
        {
            **own_kinds.TOOLS,
            "registry": {
                **own_kinds.TOOLS["registry"],
                "landscape": {"of": "tools", "size": "stars"},
                "compare": {"of": "papers"},
            },
        },
        """/ /tools/ /tools/parse-it/ /tools/dependency/parse-it/ /papers/ /papers/maps-that-read/
        /landscape/ /compare/ /404.html""",
    ),
    "german": (german.content(), "/ /projects/kite/ /projects/status/active/ /organizations/"),
}


#: Registry -> files beside its records.
FILES: dict[str, dict[str, bytes]] = {
    "german": german.LOGOS,
    "bare": {
        "../templates/site/home.md": b"# Why\n\nBecause of *this* <b>x</b>.",
        "../templates/site/assets/own.css": b":root{--radius:0}",
    },
}


def build(publish: Publish, name: str) -> Path:
    logo = name in ("tools", "german")
    return publish(name, RECORDED[name][0], logo=logo, files=FILES.get(name, {}))


def whole_pages(out: Path) -> list[str]:
    """The addresses of pages, without those of records and the further pages of lists."""
    slugs = (out / "api").glob("**/slug/*.json")
    roots = {of.name: of.pages for of in built_in().values()}
    records = {f"/{roots.get(n := file.parts[-3], n)}/{file.stem}/" for file in slugs}
    return [path for path in pages.read(out) if path not in records and "/page/" not in path]


@pytest.mark.parametrize("name", RECORDED)
def test_pages_are_the_recorded_ones(publish: Publish, name: str, regenerate: bool) -> None:
    out = build(publish, name)
    made = {"pages.txt": "".join(f"{path}\n" for path in whole_pages(out))}
    for path in RECORDED[name][1].split():
        html = (out / pages.file_of(path)).read_text("utf-8")
        file = re.sub(r"[/.]+", "_", path.strip("/").removesuffix(".html")) or "home"
        made[f"{file}.txt"] = outline(html, whole=path == "/")
    sitemap = re.findall("<loc>(.*)</loc>", (out / "sitemap.xml").read_text("utf-8"))
    made["sitemap.txt"] = "".join(f"{address}\n" for address in sitemap)
    folder = HERE / name
    if regenerate:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file, text in made.items():
            (folder / file).write_text(text, "utf-8")
    assert made.keys() == {file.name for file in folder.iterdir()}
    for file, text in made.items():
        assert text == (folder / file).read_text("utf-8"), file
