"""Lists and counts by continent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.kinds.continents import CONTINENTS
from support import commands, registries


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("continents")
    places = [("KE", "Nairobi"), ("XK", None), ("NO", "Oslo"), ("US", None), ("AQ", None)]
    content = registries.content(
        projects={
            f"p{n}": {
                "name": f"P{n}",
                "organizations": ["lab"],
                "locations": [{"country": country} | ({"city": city} if city else {})],
            }
            for n, (country, city) in enumerate(places)
        },
        organizations={"lab": {"name": "Lab", "category": "lab"}},
        programs={
            "school": {
                "name": "School", "kind": "program", "type": "course", "organization": "lab",
                "locations": [{"country": "BR"}, {"country": "PE"}],
            },
        },
        events={
            "day": {
                "name": "Day", "kind": "deadline", "due": "2027-01-31", "program": "school",
            },
        },
        registry={
            "organization_categories": {"lab": "Lab"},
            "program_types": {"course": "Course"},
            "feeds": ["location"],
        },
    )  # fmt: skip
    registries.write(folder / "content", content)
    return commands.build(folder / "content", folder / "build", "--as-of", "2026-06-01")


def data(out: Path, path: str) -> Any:
    return json.loads((out / path).read_bytes())["data"]


def counts(out: Path, collection: str) -> dict[str, tuple[str, int]]:
    values = data(out, f"api/{collection}/filters/location.json")["values"]
    return {v["value"]: (v["label"], v["count"]) for v in values if v["value"] in CONTINENTS}


def test_records_are_listed_and_counted_by_continent(out: Path) -> None:
    assert counts(out, "projects") == {
        "europe": ("Europe", 2),
        "africa": ("Africa", 1),
        "antarctica": ("Antarctica", 1),
        "north-america": ("North America", 1),
    }
    page = data(out, "api/projects/by/location/europe/page/1.json")
    assert [summary["slug"] for summary in page] == ["p1", "p2"]


def test_an_event_has_the_continents_of_its_program(out: Path) -> None:
    assert counts(out, "calendar/events") == {"south-america": ("South America", 1)}
    assert (out / "api/calendar/events/by/location/south-america.ics").is_file()


def test_continents_are_in_no_ranking_of_countries(out: Path) -> None:
    dashboard, lab = data(out, "api/dashboard.json"), data(out, "api/organizations/slug/lab.json")
    for ranked in (dashboard["top_locations"], lab["breakdown"]["location"]):
        assert [value["value"] for value in ranked] == ["aq", "ke", "no", "us", "xk"]


def test_continents_are_no_words_of_a_search(out: Path) -> None:
    answer = commands.run_forked(
        "search", "europe", "--in", "projects", "--from", str(out), "--format", "json"
    )
    assert json.loads(answer.out)["page"]["total_items"] == 0
