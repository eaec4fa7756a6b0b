"""What records have, counted."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.records.kinds.event import Event
from generator.records.kinds.project import Project
from generator.tables.coverage import ASPECTS, counted, covers


@pytest.mark.parametrize(
    ("more", "has"),
    [
        ({}, set()),
        ({"website": "https://example.org/"}, {"website"}),
        ({"summary": "One line"}, {"text"}),
        ({"description": "More"}, {"text"}),
        ({"locations": [{"country": "CH"}]}, {"places"}),
        ({"remote": True}, {"places"}),
        ({"remote": False, "locations": []}, set()),
        ({"tags": {"topic": ["ai"]}}, {"tags"}),
        ({"tags": {"topic": []}}, set()),
        ({"sources": ["https://example.org/"], "year": 2024}, {"sources", "year"}),
    ],
)
def test_a_record_covers_what_it_has(more: dict[str, object], has: set[str]) -> None:
    project = Project.model_validate({"name": "Cairn", **more})
    assert {name for name, count in counted({covers(project): 1}).items() if count} == has


def test_an_event_has_no_year_of_its_own() -> None:
    event = Event.model_validate({"name": "Day", "kind": "deadline", "due": "2026-11-21"})
    assert covers(event) == 0


def test_counts_add_up() -> None:
    some = Counter({0: 3, 1: 2, 0b100011: 4, (1 << len(ASPECTS)) - 1: 1})
    assert counted(some) == {
        "website": 7, "text": 5, "places": 1, "tags": 1, "sources": 1, "year": 5
    }  # fmt: skip
