"""Events have tags, places, a stage and a round; a rolling window has no end."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.kinds.event import Event
from generator.kinds.models import model_of
from generator.model.kinds.event_times import event_times
from generator.model.symbols import CITY, COUNTRY
from generator.model.tables.table import upcoming_events
from generator.model.timelines import editions, step_of
from generator.outputs import records
from support import registries
from support.kinds import COMPUTED as KINDS

RECORDS: dict[str, Any] = {
    "registry": {
        "name": "Dates",
        "description": "Dates.",
        "tag_families": {"topic": {"label": "Topic"}, "level": {"label": "Level"}},
        "organization_categories": {"society": "Society", "press": "Press"},
        "program_types": {"conference": "Conference"},
        "event_stages": {"paper": "Full paper"},
    },
    "projects": {},
    "organizations": {
        "host": {"name": "Host", "category": "society"},
        "press": {"name": "Press", "category": "press"},
    },
    "programs": {
        "parent": {
            "name": "Parent", "kind": "program", "type": "conference", "organization": "host",
            "tags": {"topic": ["parents"]},
        },
        "conf": {
            "name": "Conf", "kind": "program", "type": "conference", "organization": "host",
            "parent": "parent", "tags": {"topic": ["vision"], "level": ["open"]},
            "locations": [{"country": "NO", "city": "Bergen"}],
        },
    },
    "events": {},
}  # fmt: skip


def made(folder: Path, **events: dict[str, Any]) -> Any:
    common = {"name": "E", "program": "conf"}
    records = {slug.replace("_", "-"): common | event for slug, event in events.items()}
    return registries.registry(folder, RECORDS | {"events": records})


def facets(registry: Any, slug: str) -> set[str]:
    row = next(row for row in registry.tables["events"] if row.slug == slug)
    return {facet.text for facet in row.facets if facet.filter not in ("kind", "year", "month")}


DUE = {"kind": "deadline", "due": "2027-01-31"}


def test_an_event_has_the_tags_and_places_of_its_program_but_not_of_its_parents(
    tmp_path: Path,
) -> None:
    registry = made(
        tmp_path,
        plain=DUE,
        own={
            **DUE, "organization": "press", "tags": {"topic": ["talks"]}, "status": "extended",
            "locations": [{"country": "IS"}], "online": True, "stage": "paper", "round": 2,
        },
        online={**DUE, "online": True},
    )  # fmt: skip
    of_program = {"program/conf", "tag_topic/vision", "tag_level/open"}
    society = "organization_category/society"
    assert facets(registry, "plain") == {
        *of_program, society, "location/europe", "location/no", "location/no-bergen",
        "status/confirmed",
    }  # fmt: skip
    assert facets(registry, "own") == {
        *of_program, "tag_topic/talks", "organization/press", society,
        "organization_category/press", "location/europe", "location/is", "location/online",
        "status/extended", "stage/paper",
    }  # fmt: skip
    assert facets(registry, "online") == {
        *of_program, society, "location/online", "status/confirmed",
    }  # fmt: skip
    # Of the program, if an event has no places and is not online.
    assert registry.tables["events"].levels == {"no": COUNTRY, "no-bergen": CITY, "is": COUNTRY}
    events = registry.tables["events"]
    summary = orjson.loads(events.summaries[events.slugs.index("own")])
    assert summary["tags"] == {"topic": ["talks"], "level": []}
    assert [place["country"] for place in summary["locations"]] == ["IS"]
    found = {name: summary[name] for name in ("online", "stage", "round", "rolling")}
    assert found == {"online": True, "stage": "paper", "round": 2, "rolling": False}


ROLLING = {"kind": "application_window", "rolling": True}


@pytest.mark.parametrize(
    ("opens", "zone", "starts_at", "all_day"),
    [
        (None, None, None, False),
        ("2026-03-01", None, "2026-03-01T12:00:00+00:00", True),
        ("2026-03-29 02:30", "Europe/Oslo", "2026-03-29T01:30:00+00:00", False),
    ],
)
def test_a_rolling_window_has_no_end(
    opens: str | None, zone: str | None, starts_at: str | None, all_day: bool
) -> None:
    record = model_of(Event).model_validate(
        {"name": "E", **ROLLING, "opens": opens, "timezone": zone}
    )
    times = event_times(record)
    assert (times.starts_at and times.starts_at.isoformat()) == starts_at
    assert times[1:] == (None, opens and opens.replace(" ", "T"), None, all_day, None)


def test_events_are_sorted_by_start_and_have_the_day_of_their_end_in_their_own_zone(
    tmp_path: Path,
) -> None:
    closing = {"kind": "application_window", "closes": "2027-01-31"}
    registry = made(
        tmp_path,
        a=ROLLING,
        a_b={**closing, "closes": "2027-01-30 23:59", "timezone": "UTC"},
        a0=closing,
        due=DUE,
        early={"kind": "deadline", "due": "2027-01-31 00:30", "timezone": "Pacific/Auckland"},
        opened={**ROLLING, "opens": "2027-01-31"},
        talk={"kind": "event", "starts": "2027-01-29", "ends": "2027-02-01 23:30",
              "timezone": "America/Los_Angeles"},
    )  # fmt: skip
    table = registry.tables["events"]
    names = table.collection.numbers
    rows = {row.slug: dict(zip(names, row.numbers, strict=True)) for row in table}
    assert {slug: of["day"] for slug, of in rows.items()} == {
        "a": None, "a-b": "2027-01-30", "a0": "2027-01-31", "due": "2027-01-31",
        "early": "2027-01-31", "opened": None, "talk": "2027-02-01",
    }  # fmt: skip
    latest = sorted(rows, key=lambda slug: rows[slug]["starts"], reverse=True)
    assert latest == ["due", "opened", "early", "talk", "a", "a-b", "a0"]


def test_rolling_windows_are_upcoming_and_in_no_feed(tmp_path: Path) -> None:
    registry = made(
        tmp_path,
        cancelled={**ROLLING, "status": "cancelled"},
        due=DUE,
        endless=ROLLING,
        opened={**ROLLING, "opens": "2020-01-01"},
    )
    order = [row.slug for row in registry.tables["events"]]
    assert order == ["opened", "due", "cancelled", "endless"]
    upcoming = upcoming_events(registry.tables["events"], date(2026, 11, 21))
    assert [order[position] for position in upcoming] == ["opened", "due", "endless"]
    assert not any(
        facet.filter in ("month", "year")
        for row in registry.tables["events"] if row.slug != "due" for facet in row.facets
    )  # fmt: skip
    feed, *_ = records.render_calendar(
        registry.settings, registry.symbols, registry.tables, (), registry.as_of, {}
    )
    assert feed.data.count(b"BEGIN:VEVENT") == 1


def event(slug: str, day: str, **fields: Any) -> dict[str, Any]:
    record = model_of(Event).model_validate({"name": "E", "kind": "deadline", "due": day, **fields})
    return {"slug": slug, **vars(record), **KINDS["events"].computed(record, {})}


STAGES = ("abstract", "paper", "notification", "conference")


def editions_of(*dates: tuple[str, str], stages: tuple[str, ...] = STAGES) -> list[str]:
    """The editions of dated stages, each as the numbers of its dates.  A stage may end with a
    round, like `paper 2`; without a stage it is ""."""
    steps = []
    for number, (day, name) in enumerate(dates):
        stage, _, in_round = name.partition(" ")
        fields = {"stage": stage or None, "round": int(in_round) if in_round else None}
        steps.append(step_of(event(str(number), day, **fields)))
    found = editions(filter(None, steps), stages)
    return [
        " ".join(step.slug for step in sorted(step for steps in one.values() for step in steps))
        for one in found
    ]


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        # More than 400 days.
        ([("2026-01-01", "abstract"), ("2027-02-05", "paper")], ["0 1"]),
        ([("2026-01-01", "abstract"), ("2027-02-06", "paper")], ["0", "1"]),
        # A stage that comes not later, after more than 90 days: the abstract of the next year is
        # the first stage of its edition although the last year had none.
        ([("2026-02-01", "paper"), ("2026-07-01", "conference"), ("2026-12-01", "abstract"),
          ("2027-01-01", "paper")], ["0 1", "2 3"]),
        ([("2026-01-01", "paper"), ("2026-04-01", "paper")], ["0 1"]),  # 90 days
        ([("2026-01-01", "paper"), ("2026-04-02", "paper")], ["0", "1"]),
        ([("2026-01-01", "notification"), ("2026-03-01", "paper")], ["0 1"]),  # the wrong order
        # The longest gap since the last stage: dates without a stage may belong to either.
        ([("2026-02-01", "conference"), ("2026-02-20", ""), ("2026-10-01", ""),
          ("2026-12-01", "abstract")], ["0 1", "2 3"]),
        # The rounds of an edition stay together, also if one of them ends in the next year.
        ([("2026-01-01", "paper 1"), ("2026-04-01", "notification 1"), ("2026-08-01", "paper 2"),
          ("2027-01-10", "notification 2"), ("2027-01-01", "paper 1"), ("2027-08-01", "paper 2")],
         ["0 1 2 3", "4 5"]),
        # Without stages: the same kind more than 180 days later.
        ([("2026-01-01", ""), ("2026-06-30", "")], ["0 1"]),
        ([("2026-01-01", ""), ("2026-07-01", "")], ["0", "1"]),
    ],
)  # fmt: skip
def test_editions_of_a_program(dates: list[tuple[str, str]], expected: list[str]) -> None:
    assert editions_of(*dates) == expected


def test_a_stage_with_the_name_of_a_kind_is_not_that_kind() -> None:
    dates = ("2026-01-01", "paper"), ("2026-08-01", "")
    assert editions_of(*dates, stages=("deadline", "paper")) == ["0 1"]
