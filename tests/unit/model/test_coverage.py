"""Counts of filled fields."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import chain
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from generator.contract.artifact import History
from generator.grammar.grammar import Grammar
from generator.kinds import built_in
from generator.kinds.event import Event
from generator.kinds.models import as_declared, model_of
from generator.model.settings.own_fields import record_model
from generator.model.tables.coverage import (
    CountedField,
    count_aspects,
    count_filled,
    count_same_texts,
    coverage_numbers,
    fields_to_count,
    number_fields,
    records_counted,
)
from generator.outputs import state
from support.kinds import KINDS

PROJECT = KINDS["projects"].model
OWN = {"stage": {"label": "Stage", "type": "text"}, "open": {"label": "Open", "type": "boolean"}}
FIELDS = fields_to_count("projects", Grammar(built_in()))
WITH_OWN = Grammar(built_in().having({"projects": OWN}))


def project(**more: Any) -> Any:
    return model_of(PROJECT).model_validate({"name": "Cairn", **more})


NUMBERED = number_fields("projects", Grammar(built_in()))


def covered(record: Any, numbered: list[CountedField] = NUMBERED) -> tuple[int, ...]:
    return coverage_numbers(record, numbered)


def aspects(record: Any, fields: list[str], numbered: list[CountedField] = NUMBERED) -> set[str]:
    return {
        name
        for name, count in count_aspects(Counter(covered(record, numbered)), fields).items()
        if count
    }


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
def test_a_record_covers_its_filled_fields(more: dict[str, object], has: set[str]) -> None:
    assert aspects(project(**more), FIELDS) == has


def test_an_event_has_no_year_of_its_own() -> None:
    event = model_of(Event).model_validate({"name": "Day", "kind": "deadline", "due": "2026-11-21"})
    fields = fields_to_count("events", Grammar(built_in()))
    numbered = number_fields("events", Grammar(built_in()))
    assert aspects(event, fields, numbered) == set()
    assert "year" not in count_aspects({}, fields) and "year" in count_aspects({}, FIELDS)


FULL: dict[str, Any] = {
    "summary": "One line",
    "description": "More",
    "website": "https://example.org/",
    "identifiers": {"wikidata": "Q95"},
    "links": {"blog": "https://example.org/blog"},
    "sources": ["https://example.org/"],
    "verified": "2026-05-31",
    "tags": {"topic": ["ai"]},
    "aliases": ["cairn-labs"],
    "locations": [{"country": "CH"}],
    "year": 2024,
    "status": "active",
    "programs": ["launch"],
    "organizations": ["acme"],
    "remote": False,
    "team_size": 0,
    "founders": ["Ada"],
    "former_names": ["Cairn Labs"],
}


def test_every_field_of_a_kind_is_counted() -> None:
    assert set(FULL) == set(FIELDS), "a new field of projects is to be in FULL"
    assert count_filled(Counter(covered(project(**FULL))), FIELDS) == dict.fromkeys(FIELDS, 1)
    assert not any(count_filled(Counter(covered(project())), FIELDS).values())


@pytest.mark.parametrize("empty", ["description", "links", "sources", "tags", "programs"])
def test_an_empty_field_is_not_counted(empty: str) -> None:
    value: Any = "" if empty == "description" else {} if empty in ("links", "tags") else []
    assert count_filled(Counter(covered(project(**{empty: value}))), FIELDS)[empty] == 0


def test_own_fields_are_counted_by_their_keys() -> None:
    model = record_model(WITH_OWN.kinds["projects"])
    numbered = number_fields("projects", WITH_OWN)
    values = {"name": "A", "fields": {"stage": "Seed", "open": False}}
    first = as_declared(model.model_validate(values))
    second = as_declared(model.model_validate({"name": "B", "year": 2020}))
    counts = count_filled(
        Counter(chain(covered(first, numbered), covered(second, numbered))),
        fields_to_count("projects", WITH_OWN),
    )
    assert {name: count for name, count in counts.items() if count} == {
        "year": 1, "fields.stage": 1, "fields.open": 1,
    }  # fmt: skip


def test_counts_add_up() -> None:
    texts = ["Same"] * 4 + [f"Text {number}" for number in range(3)]
    records = [project(summary=text, year=2020) for text in texts] + [
        project(website="https://a.b/")
    ]
    coverage = Counter(chain.from_iterable(covered(record) for record in records))
    assert records_counted(coverage) == 8
    assert count_aspects(coverage, FIELDS) == {
        "website": 1, "text": 7, "places": 0, "tags": 0, "sources": 0, "year": 7
    }  # fmt: skip
    assert count_filled(coverage, FIELDS)["summary"] == 7
    assert count_same_texts(coverage, FIELDS) == {"summary": 4, "website": 1}


@pytest.mark.parametrize(
    ("days", "count", "share", "median"),
    [
        ([], 0, 0.0, None),
        ([None, None], 0, 0.0, None),
        (["2026-05-31"], 1, 1.0, 0),
        (["2026-06-01"], 1, 1.0, 0),  # in another time zone
        (["2190-01-01", None], 1, 0.5, 0),  # a mistake, of which there is a warning
        (["2025-05-31"], 1, 1.0, 365),
        (["2025-05-30"], 0, 0.0, 366),
        (["1800-01-01", "2026-05-30", None], 1, 0.3333, 1),  # the lower of two
        (["2026-05-29", "2026-05-01", "2020-05-31"], 2, 0.6667, 30),
    ],
)
def test_the_share_verified_within_a_year_and_the_median_age(
    days: list[str | None], count: int, share: float, median: int | None
) -> None:
    masks = Counter(chain.from_iterable(covered(project(verified=day)) for day in days))
    symbols: Any = SimpleNamespace(grammar=Grammar(built_in()))
    (made,) = state.render_coverage(
        symbols, {"projects": masks}, History("none"), date(2026, 5, 31)
    )
    data = orjson.loads(made.data)["data"]["projects"]
    assert data["verified"] == {
        "label": "Verified within a year", "count": count, "share": share,
        "median_age_days": median,
    }  # fmt: skip
    assert data["given"]["verified"] == len(days) - days.count(None)
