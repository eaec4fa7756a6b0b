"""Metadata of pages: JSON-LD, Open Graph, canonical addresses."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from generator.site import meta
from generator.site.drawing import card
from support import commands, markup, registries

BASE = "https://registry.example/data"
EVENTS: dict[str, dict[str, Any]] = {
    # Summer time in New York begins at 2 o'clock on 14 March 2027, and ends on 7 November.
    "across": {"name": "Across a change", "kind": "event", "timezone": "America/New_York",
               "starts": "2027-03-13 22:00", "ends": "2027-03-14 10:30",
               "locations": [{"country": "US", "region": "New York", "city": "Ithaca"}],
               "organization": "north-college"},
    "half": {"name": "Half an hour", "kind": "deadline", "timezone": "Asia/Kolkata",
             "due": "2027-01-05 09:15"},
    "anywhere": {"name": "Anywhere", "kind": "deadline", "due": "2027-01-05"},
    "whole-day": {"name": "A day in Oslo", "kind": "event", "timezone": "Europe/Oslo",
                  "starts": "2027-07-01"},
    "open": {"name": "Since always", "kind": "application_window", "closes": "2027-02-01 17:00",
             "timezone": "Pacific/Auckland", "status": "cancelled",
             "website": "https://apply.example/"},
}  # fmt: skip
PROJECTS: dict[str, dict[str, Any]] = {
    "aurora": {"name": "Aurora", "summary": "Heat pumps for fjords.", "year": 2019,
               "website": "https://aurora.example/", "links": {"code": "https://git.example/a"},
               "former_names": ["Fjord Heat"], "founders": ["Ada", "Bo"], "team_size": 12,
               "programs": ["launch-2025"], "organizations": ["harbour-fund"],
               "locations": [{"country": "NO", "city": "Bergen"}]},
    "bare": {"name": "Bare", "aliases": ["was-bare"]},
}  # fmt: skip


def build(folder: Path, **settings: Any) -> Path:
    records = registries.content(events=EVENTS, projects=PROJECTS, registry=settings)
    records["organizations"]["north-college"]["year"] = 1825
    content = registries.write(folder / "content", records)
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("meta"), base_url=BASE)


@pytest.fixture(scope="module")
def relative(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("relative"))


def read(out: Path, path: str) -> markup.Page:
    return markup.parse((out / path.strip("/") / "index.html").read_bytes())


def test_a_project_is_an_organization_with_the_data_of_its_record(out: Path) -> None:
    thing = read(out, "/projects/aurora/").things["Organization"]
    assert thing == {
        "@type": "Organization",
        "name": "Aurora",
        "description": "Heat pumps for fjords.",
        "@id": f"{BASE}/projects/aurora/#record",
        "mainEntityOfPage": f"{BASE}/projects/aurora/",
        "url": "https://aurora.example/",
        "sameAs": ["https://git.example/a"],
        "alternateName": ["Fjord Heat"],
        "location": [
            {
                "@type": "Place",
                "address": {
                    "@type": "PostalAddress",
                    "addressCountry": "NO",
                    "addressLocality": "Bergen",
                },
            }
        ],
        "founder": [{"@type": "Person", "name": "Ada"}, {"@type": "Person", "name": "Bo"}],
        "numberOfEmployees": {"@type": "QuantitativeValue", "value": 12},
        "memberOf": [
            {"@type": "Organization", "name": "Launch 2025"},
            {"@type": "Organization", "name": "Harbour Fund"},
        ],
    }


@pytest.mark.parametrize(
    ("path", "canonical"),
    [("/projects/bare/", "/projects/bare/"), ("/projects/was-bare/", "/projects/bare/")],
)
def test_a_page_has_one_canonical_link(out: Path, path: str, canonical: str) -> None:
    html = (out / path.strip("/") / "index.html").read_text()
    assert re.findall(r'rel="canonical" href="([^"]*)"', html) == [f"{BASE}{canonical}"]


def test_only_an_organization_has_a_founding_date(out: Path) -> None:
    """The year of a project may be that of its first cohort."""
    assert read(out, "/organizations/north-college/").things["Organization"]["foundingDate"] == (
        "1825"
    )
    assert "foundingDate" not in read(out, "/projects/aurora/").things["Organization"]


@pytest.mark.parametrize(
    ("slug", "start", "end"),
    [
        ("across", "2027-03-13T22:00:00-05:00", "2027-03-14T10:30:00-04:00"),
        ("half", "2027-01-05T09:15:00+05:30", "2027-01-05T09:15:00+05:30"),
        ("anywhere", "2027-01-05", "2027-01-05"),
        ("whole-day", "2027-07-01", "2027-07-01"),
        ("open", None, "2027-02-01T17:00:00+13:00"),
    ],
)
def test_an_event_has_times_with_offsets_and_days_as_dates(
    out: Path, slug: str, start: str | None, end: str
) -> None:
    thing = read(out, f"/calendar/{slug}/").things["Event"]
    assert (thing.get("startDate"), thing["endDate"]) == (start, end)
    record = json.loads((out / f"api/calendar/events/slug/{slug}.json").read_bytes())["data"]
    for written, edge in ((start, "starts"), (end, "ends")):
        instant, local = record[f"{edge}_at"], record[f"{edge}_local"]
        if local and "T" in local:
            assert datetime.fromisoformat(written or "") == datetime.fromisoformat(instant)
        else:
            assert written == local


def test_an_event_has_a_status_and_a_place(out: Path) -> None:
    across = read(out, "/calendar/across/").things["Event"]
    assert across["eventStatus"] == "https://schema.org/EventScheduled"
    assert across["organizer"] == {"@type": "Organization", "name": "North College"}
    assert across["location"][0]["address"]["addressLocality"] == "Ithaca"
    cancelled = read(out, "/calendar/open/").things["Event"]
    assert cancelled["eventStatus"] == "https://schema.org/EventCancelled"
    assert cancelled["url"] == "https://apply.example/"


def test_the_home_page_is_a_data_set(out: Path) -> None:
    assert read(out, "/").things["Dataset"] == {
        "@type": "Dataset",
        "name": "Small Registry",
        "description": "Three projects and what they came from.",
        "inLanguage": "en",
        "isAccessibleForFree": True,
        "license": "https://spdx.org/licenses/CC0-1.0.html",
        "url": f"{BASE}/",
        "@id": f"{BASE}/#dataset",
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": "application/json",
                "contentUrl": f"{BASE}/api/index.json",
            }
        ],
    }


def test_breadcrumbs_have_absolute_addresses(out: Path) -> None:
    trail = read(out, "/projects/aurora/").things["BreadcrumbList"]["itemListElement"]
    assert [(item["position"], item["name"], item["item"]) for item in trail] == [
        (1, "Small Registry", f"{BASE}/"),
        (2, "Projects", f"{BASE}/projects/"),
        (3, "Aurora", f"{BASE}/projects/aurora/"),
    ]


def test_previews_have_an_address_a_text_and_the_card(out: Path) -> None:
    page = read(out, "/projects/aurora/")
    assert page.one("link", rel="canonical").attributes["href"] == f"{BASE}/projects/aurora/"
    assert {name: page.meta(name) for name in ("og:url", "og:title", "og:description",
                                               "og:site_name", "description")} == {
        "og:url": f"{BASE}/projects/aurora/",
        "og:title": "Aurora",
        "og:description": "Heat pumps for fjords.",
        "og:site_name": "Small Registry",
        "description": "Heat pumps for fjords.",
    }  # fmt: skip
    image = page.meta("og:image") or ""
    assert image.startswith(f"{BASE}/assets/card-")
    data = (out / image.removeprefix(BASE).lstrip("/")).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert (page.meta("og:image:width"), page.meta("og:image:height")) == (
        str(int.from_bytes(data[16:20])),
        str(int.from_bytes(data[20:24])),
    )


def test_without_a_base_url_there_are_no_relative_addresses_in_metadata(relative: Path) -> None:
    """Addresses in canonical links, Open Graph and JSON-LD are absolute or absent."""
    pages = [markup.parse(path.read_bytes()) for path in relative.rglob("index.html")]
    assert len(pages) > 20
    for page in pages:
        for thing in page.things.values():
            for address in _addresses(thing):
                assert urlsplit(address).scheme in ("http", "https"), address
        assert "BreadcrumbList" not in page.things
        assert not page.all("link", rel="canonical")
        assert page.meta("og:url") is page.meta("og:image") is None
    assert not list((relative / "assets").glob("card-*"))


def _addresses(value: Any) -> list[str]:
    """The values of all keys that take an address."""
    found = []
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(entry, dict | list):
            found += _addresses(entry)
        elif key in ("@id", "url", "item", "contentUrl", "license", "mainEntityOfPage"):
            found.append(entry)
    return found


def test_nothing_in_a_text_ends_a_script() -> None:
    hostile = "</script><!-- <script>\u2028\u2029&amp;"
    data = str(meta.json_ld([{"name": hostile}]))
    assert not set("<>&\u2028\u2029") & set(data)
    assert json.loads(data)["@graph"] == [{"name": hostile}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One\n two", "One two"),
        ("word " * 60, "word " * 39 + "word…"),
        ("x" * 300, "x" * 199 + "…"),
        ("", ""),
    ],
)
def test_a_description_is_a_short_line(text: str, expected: str) -> None:
    assert meta.clip_text(text) == expected
    assert len(expected) <= meta.MAX_DESCRIPTION


# --- the card -------------------------------------------------------------------------------------


#: Hides Pillow from a command whose module path starts with this folder.
_WITHOUT = """
import sys
sys.modules["PIL"] = None
"""


def test_without_pillow_there_is_no_card_and_a_full_build_warns_once(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_WITHOUT)
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(commands.ROOT)])}
    records = registries.content(registry={"base_url": BASE})
    content = registries.write(tmp_path / "content", records)
    out = tmp_path / "out"
    command = ("build", "--content", content, "--out", out, "--as-of", commands.TODAY)
    first = commands.run(*command, env=env)
    assert "pip install 'pillow>=11,<14'" in first.out
    assert "warning" not in first.err
    assert read(out, "/").meta("og:image") is None
    assert not list((out / "assets").glob("card-*"))
    (content / "projects" / "cairn.yaml").write_text("name: Cairn on the hill")
    assert "Pillow would draw" not in commands.run(*command, env=env).out
    assert "Pillow would draw" not in commands.run(*command, "--no-site", env=env).out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zürich, Łódź", "Zürich, Łódź"),
        ("Ελλάδα и Россия", "Ελλάδα и Россия"),
        ("Rocket 🚀 lab", "Rocket lab"),
        ("Cafe\u0301", "Café"),
        ("a\u200fb", "ab"),
        ("日本", ""),
        ("שלום", ""),
        ("<b>&</b>", "<b>&</b>"),
    ],
)
def test_a_card_shows_only_whole_names_that_its_fonts_support(text: str, expected: str) -> None:
    assert card.drawable_text(text) == expected


@pytest.mark.parametrize("name", ["A", "x" * 200, "日本", "two words " * 19])
def test_a_card_can_be_drawn_for_any_name_and_is_reproducible(name: str) -> None:
    from generator.model.settings.registry import Settings

    settings = Settings(name=name, description="long " * 1000, base_url=BASE)
    data = card.draw(settings)
    assert data == card.draw(settings)
    assert len(data) < 40_000
    assert card.path(settings) != card.path(settings.model_copy(update={"name": "Another"}))
