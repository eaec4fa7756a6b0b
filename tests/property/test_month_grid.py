"""The grid of a month: every day once, in weeks that begin on the first day of the week of the
language, and every event on all of its days in that month.
"""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.site.calendar import agenda, by_day, by_month, start_day
from generator.site.months import weeks

days = st.dates(date(1801, 1, 1), date(2199, 12, 31))
lengths = st.integers(0, 400)
starts = st.one_of(st.none(), lengths)


def event(slug: str, end: date, length: int | None) -> dict[str, Any]:
    """An event that ends on a day; without a length it has no start, like some `window` events."""
    begin = end - timedelta(days=length) if length is not None else None
    return {
        "slug": slug,
        "starts_local": begin.isoformat() if begin else None,
        "ends_local": f"{end.isoformat()}T23:59",
        "starts_at": f"{begin.isoformat()}T00:00:00Z" if begin else None,
        "ends_at": f"{end.isoformat()}T23:59:59Z",
        "rolling": False,
    }


@given(days, st.lists(st.tuples(st.integers(1, 28), starts), max_size=8), st.integers(0, 6))
def test_a_grid_has_every_day_and_every_event_on_its_days(
    day: date, drawn: list[tuple[int, int | None]], begins: int
) -> None:
    month = f"{day:%Y-%m}"
    events = [
        event(f"e{n}", day.replace(day=number), length)
        for n, (number, length) in enumerate(drawn)
    ]  # fmt: skip
    grid = weeks(month, events, begins)
    month_days = [text for week in grid for text in week.days if text is not None]
    assert month_days == sorted(month_days) and {text[:7] for text in month_days} == {month}
    first = date.fromisoformat(month_days[0])
    assert first.day == 1 and (first + timedelta(days=len(month_days))).month != first.month
    for week in grid:
        assert len(week.days) == 7
        for column, text in enumerate(week.days):
            assert text is None or date.fromisoformat(text).weekday() == (begins + column) % 7
    on: dict[str, list[str]] = {entry["slug"]: [] for entry in events}
    for week in grid:
        for bar in week.bars:
            covered = week.days[bar.column - 1 : bar.column - 1 + bar.width]
            assert bar.width >= 1 and None not in covered
            on[bar.event["slug"]] += [text for text in covered if text is not None]
    for entry in events:
        end = entry["ends_local"][:10]
        assert on[entry["slug"]] == [each for each in month_days if start_day(entry) <= each <= end]
        bars = [bar for week in grid for bar in week.bars if bar.event is entry]
        assert [bar.first for bar in bars] == [True] + [False] * (len(bars) - 1)
        assert [bar.last for bar in bars] == [False] * (len(bars) - 1) + [True]
        assert {bar.since for bar in bars} == {start_day(entry) < month_days[0]}


@given(days, st.lists(st.tuples(days, starts), max_size=8))
def test_an_agenda_has_every_event_once(day: date, drawn: list[tuple[date, int | None]]) -> None:
    events = [event(f"e{n}", end, length) for n, (end, length) in enumerate(drawn)]
    events.sort(key=lambda entry: (entry["starts_at"] or entry["ends_at"], entry["slug"]))
    groups = list(agenda(events, day.isoformat()))
    slugs = [entry["slug"] for group in groups for entry in group.events]
    assert sorted(slugs) == sorted(entry["slug"] for entry in events)
    for group in groups:
        if group.month == "over":
            assert all(entry["ends_at"][:10] < day.isoformat() for entry in group.events)
            assert all(a["ends_at"] >= b["ends_at"] for a, b in pairwise(group.events))
        elif group.month:
            assert {start_day(entry)[:7] for entry in group.events} == {group.month}
        else:
            assert all(start_day(entry) <= day.isoformat() for entry in group.events)
            assert all(a["ends_at"] <= b["ends_at"] for a, b in pairwise(group.events))


#: In the order of UTC: the second is on the local day before the first.
EDGES = [
    {"slug": "utc", "starts_local": "2027-06-01T11:59", "starts_at": "2027-06-01T11:59:00Z"},
    {"slug": "aoe", "starts_local": "2027-05-31T23:59", "starts_at": "2027-06-01T11:59:59Z"},
    {"slug": "new-york", "starts_local": "2027-06-01T15:00", "starts_at": "2027-06-01T19:00:00Z"},
    {"slug": "always", "starts_local": None, "starts_at": None},
]


def test_each_month_is_one_heading_in_the_order_of_local_days() -> None:
    long = event("long", date(2027, 8, 1), 120)
    ends = {"rolling": False, "ends_local": None, "ends_at": None}
    events = [long, *(ends | edge for edge in EDGES)]
    wanted = [
        ("2027-04", ["long"]), ("2027-05", ["aoe"]), ("2027-06", ["utc", "new-york"]),
        ("", ["always"]),
    ]  # fmt: skip
    assert [(g.month, [e["slug"] for e in g.events]) for g in by_month(events)] == wanted
    assert [e["slug"] for e in by_day(events)] == ["long", "aoe", "utc", "new-york", "always"]
    assert [g.month for g in agenda(events[:-1], "2027-01-01")] == ["2027-04", "2027-05", "2027-06"]
