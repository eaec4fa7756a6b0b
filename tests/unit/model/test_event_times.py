"""Times of events: local times, time zones and instants.  What is invalid is in
test_bad_content.py.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from generator.grammar.grammar import Grammar
from generator.kinds import built_in
from generator.kinds.event import Event
from generator.kinds.models import model_of
from generator.model.kinds import event_times as event
from generator.model.kinds.event_times import event_times, parse_time
from generator.model.link import link
from generator.text.words import format_utc
from support.kinds import COMPUTED as KINDS
from support.kinds import Settings

NOTHING: dict[str, set[str]] = {"organizations": set(), "programs": set()}
FRAME = link(Settings(name="R", description="R"), Grammar(built_in()), {}, NOTHING)


def made(times: str) -> Event:
    """An event, like `due 2026-05-01 17:00, AoE`; its times decide its kind."""
    fields: dict[str, str] = {}
    for part in times.split(", "):
        name, _, value = part.partition(" ")
        fields |= {name: value} if value else {"timezone": name}
    kind = "deadline" if "due" in fields else "event" if "starts" in fields else ""
    return model_of(Event).model_validate(
        {"name": "E", "kind": kind or "application_window", **fields}
    )


def span(record: Event) -> str:
    """The instants of an event as documents show them: `start .. end`, or one."""
    when = event_times(record)
    start = format_utc(when.starts_at) if when.starts_at is not None else ""
    end = format_utc(when.ends_at)
    return end if start == end else f"{start} .. {end}"


@pytest.mark.parametrize(
    ("text", "clock", "written"),
    [
        ("2026-11-21", None, "2026-11-21"),
        ("2026-11-21 09:05", (9, 5, 0), "2026-11-21T09:05"),
        ("2026-11-21T09:05", (9, 5, 0), "2026-11-21T09:05"),
        ("2026-11-21 23:59:59", (23, 59, 59), "2026-11-21T23:59:59"),
        ("2026-11-21T00:00:00", (0, 0, 0), "2026-11-21T00:00:00"),
    ],
)
def test_a_time_is_a_day_or_a_day_with_a_time_of_day(
    text: str, clock: tuple[int, int, int] | None, written: str
) -> None:
    assert parse_time(text) == (date(2026, 11, 21), clock, written)


@pytest.mark.parametrize(
    ("times", "instants"),
    [
        # A bare date is in AoE (UTC-12): the first or the last second of its day.
        ("due 2026-05-01", "2026-05-02T11:59:59Z"),
        ("due 2026-05-01, AoE", "2026-05-02T11:59:59Z"),
        ("due 2026-05-01, UTC", "2026-05-01T23:59:59Z"),
        ("due 2026-05-01 17:00, AoE", "2026-05-02T05:00:00Z"),
        ("due 2026-05-01T17:00:30, UTC", "2026-05-01T17:00:30Z"),
        ("opens 2026-05-01, closes 2026-05-31", "2026-05-01T12:00:00Z .. 2026-06-01T11:59:59Z"),
        ("closes 2026-05-31", " .. 2026-06-01T11:59:59Z"),
        (
            "opens 2026-05-01, closes 2026-05-31 12:00, Europe/Paris",
            "2026-04-30T22:00:00Z .. 2026-05-31T10:00:00Z",
        ),
        # An event without an end ends with its day, or at once.
        ("starts 2026-05-01", "2026-05-01T12:00:00Z .. 2026-05-02T11:59:59Z"),
        ("starts 2026-05-01 10:00, UTC", "2026-05-01T10:00:00Z"),
        (
            "starts 2026-05-01 10:00, ends 2026-05-01, UTC",
            "2026-05-01T10:00:00Z .. 2026-05-01T23:59:59Z",
        ),
        (
            "starts 2026-05-01, ends 2026-05-03 16:00, Asia/Tokyo",
            "2026-04-30T15:00:00Z .. 2026-05-03T07:00:00Z",
        ),
        # Summer time begins and ends between the two, or on the day itself.
        (
            "starts 2026-03-28, ends 2026-03-29, Europe/Paris",
            "2026-03-27T23:00:00Z .. 2026-03-29T21:59:59Z",
        ),
        ("starts 2026-10-25, Europe/Paris", "2026-10-24T22:00:00Z .. 2026-10-25T22:59:59Z"),
        ("due 2026-03-08 03:00, America/New_York", "2026-03-08T07:00:00Z"),
        # 02:30 twice: the first; 02:30 never: as if the clock had not been put forward yet (PEP
        # 495, fold=0).
        ("due 2026-10-25 02:30, Europe/Paris", "2026-10-25T00:30:00Z"),
        ("due 2026-03-29 02:30, Europe/Paris", "2026-03-29T01:30:00Z"),
        # Zones with parts of an hour, beyond UTC+12, and before zones were.
        ("due 2026-05-01 12:00, Asia/Kathmandu", "2026-05-01T06:15:00Z"),
        ("due 2026-05-01, Pacific/Kiritimati", "2026-05-01T09:59:59Z"),
        ("due 1850-01-01 12:00, Europe/Paris", "1850-01-01T11:50:39Z"),
        ("due 2200-12-31", "2201-01-01T11:59:59Z"),
    ],
)
def test_times_are_instants(times: str, instants: str) -> None:
    assert not list(KINDS["events"].check(made(times), FRAME))
    assert span(made(times)) == instants


@pytest.mark.parametrize(
    ("times", "shown"),
    [
        (
            "opens 2026-05-01, closes 2026-05-31 12:00, Europe/Paris",
            ("2026-05-01", "2026-05-31T12:00", False),
        ),
        ("closes 2026-05-31", (None, "2026-05-31", True)),
        ("starts 2026-05-01, ends 2026-05-02", ("2026-05-01", "2026-05-02", True)),
        ("starts 2026-05-01 10:00, UTC", ("2026-05-01T10:00", "2026-05-01T10:00", False)),
        ("due 2026-05-01", ("2026-05-01", "2026-05-01", True)),
    ],
)
def test_times_are_shown_as_written(times: str, shown: tuple[str | None, str, bool]) -> None:
    when = event_times(made(times))
    assert (when.starts_local, when.ends_local, when.all_day) == shown


@pytest.mark.parametrize(
    ("times", "month"),
    [
        # The last second of May anywhere on earth is June in UTC, and still May in its own zone.
        ("opens 2026-04-01, closes 2026-05-31", "2026-05"),
        ("due 2025-12-31 23:00, America/Los_Angeles", "2025-12"),
        ("due 2026-01-01 01:00, Pacific/Auckland", "2026-01"),
        ("starts 2026-01-31, ends 2026-02-01", "2026-02"),
    ],
)
def test_month_and_year_are_those_of_the_end_in_its_own_zone(times: str, month: str) -> None:
    assert {f"month/{month}", f"year/{month[:4]}"} < {
        facet.text for facet in KINDS["events"].facets(made(times), FRAME)
    }


def test_every_zone_can_be_used() -> None:
    known = {"UTC", "America/Argentina/Buenos_Aires", "EST5EDT", "Etc/GMT+12"}
    assert known <= event.zone_names()
    for name in event.zone_names():
        assert event.zone(name).utcoffset(datetime(2026, 5, 1)) is not None
    assert event.zone(None) == event.zone("AoE")
    assert event.zone("AoE").utcoffset(None) == timedelta(hours=-12)
    with pytest.raises(ValueError):
        event.zone("../../etc/passwd")


@pytest.fixture
def other_zones(tmp_path: Path) -> Iterator[None]:
    """A machine whose time zone database has Paris at UTC."""
    utc_file = Path(next(iter(zoneinfo.TZPATH), "")) / "UTC"
    (tmp_path / "Europe").mkdir()
    if utc_file.is_file():
        (tmp_path / "Europe" / "Paris").write_bytes(utc_file.read_bytes())
    event.zone.cache_clear()
    zoneinfo.ZoneInfo.clear_cache()
    zoneinfo.reset_tzpath([str(tmp_path)])
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()
    event.zone.cache_clear()


@pytest.mark.usefixtures("other_zones")
def test_zones_do_not_depend_on_the_machine() -> None:
    assert span(made("due 2026-05-01 12:00, Europe/Paris")) == "2026-05-01T10:00:00Z"
    assert span(made("due 2026-05-01 12:00, Asia/Tokyo")) == "2026-05-01T03:00:00Z"


def test_utc_is_written_to_the_second() -> None:
    assert format_utc(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) == "2026-01-02T03:04:05Z"
