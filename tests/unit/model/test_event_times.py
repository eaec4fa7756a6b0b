"""Times of events: local times, time zones, instants, and the problems of invalid times."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from generator.grammar.grammar import Grammar
from generator.grammar.text import format_utc
from generator.model.checks import fixed_zones
from generator.model.checks import times as check
from generator.model.kinds import event
from generator.model.kinds.event import KIND, Event, event_times, parse_time
from generator.model.link import link
from generator.model.settings.registry import Settings

FRAME = link(
    Settings(name="R", description="R"),
    Grammar({}),
    {},
    {},
    {"organizations": set(), "programs": set()},
)


def made(kind: str, **fields: Any) -> Event:
    return Event.model_validate({"name": "E", "kind": kind, **fields})


def span(record: Event) -> tuple[str | None, str]:
    """Start and end in UTC, as documents show them."""
    when = event_times(record)
    return format_utc(when.starts_at) if when.starts_at is not None else None, format_utc(
        when.ends_at
    )


def window(**fields: Any) -> Event:
    return made("application_window", **fields)


def deadline(due: str, timezone: str | None = None) -> Event:
    return made("deadline", due=due, timezone=timezone)


def meeting(starts: str, ends: str | None = None, timezone: str | None = None) -> Event:
    return made("event", starts=starts, ends=ends, timezone=timezone)


# --- forms ----------------------------------------------------------------------------------------


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


BAD = [
    "",
    "2026",
    "2026-11",
    "2026-11-31",
    "2026-02-30",
    "2026-11-21 9:05",
    "2026-11-21 09",
    "2026-11-21 24:00",
    "2026-11-21 09:60",
    "2026-11-21 09:05:60",
    "2026-11-21 09:05:30.5",
    "2026-11-21  09:05",
    "2026-11-21t09:05",
    "2026-11-21T",
    "2026-11-21 ",
    " 2026-11-21",
    "2026-11-21Z",
    "2026-11-21T09:05Z",
    "2026-11-21T09:05+01:00",
    "2026-11-21 09:05 Europe/Oslo",
    "2026-11-21 9am",
    "21.11.2026",
    "1799-12-31",
    "2201-01-01",
    "٢٠٢٦-١١-٢١",
    "20261121",
    "2026-W47-6",
    "tomorrow",
]


@pytest.mark.parametrize("text", BAD)
def test_invalid_times_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_time(text)


@pytest.mark.parametrize("text", [text for text in BAD if text])
def test_invalid_times_are_reported_at_their_field(text: str) -> None:
    (fault,) = check.check_record(KIND, window(closes=text, timezone="AoE"), FRAME)
    assert (fault.code, fault.loc) == ("invalid-time", ("closes",))
    assert fault.message.startswith(f'closes: "{text}" ')


@pytest.mark.parametrize(
    ("text", "why", "hint"),
    [
        (
            "2026-02-30",
            "is not a real date",
            "February 2026 has 28 days",
        ),
        (
            "2026-02-28 25:00",
            "has an impossible time of day",
            "write a time of day from 00:00 to 23:59",
        ),
        (
            "1066-10-14",
            "is not between 1800 and 2200",
            "write it like 2026-05-31, or with a time, like 2026-05-31 09:30",
        ),
        (
            "May",
            "is not a date or time",
            "write it like 2026-05-31, or with a time, like 2026-05-31 09:30",
        ),
        (
            "2026-02-28T10:00Z",
            "is not a date or time",
            "write the time without a zone, and the zone under timezone",
        ),
        (
            "2026-02-28 10:00 UTC",
            "is not a date or time",
            "write the time without a zone, and the zone under timezone",
        ),
        (
            "2026-02-28 10:00 -0800",
            "is not a date or time",
            "write the time without a zone, and the zone under timezone",
        ),
    ],
)
def test_the_message_explains_an_invalid_time(text: str, why: str, hint: str) -> None:
    (fault,) = check.check_record(KIND, deadline(text, "UTC"), FRAME)
    assert (fault.message, fault.hint) == (f'due: "{text}" {why}', hint)


# --- instants -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "instants"),
    [
        # A bare date is in AoE (UTC-12): the first or the last second of its day.
        (deadline("2026-05-01"), ("2026-05-02T11:59:59Z", "2026-05-02T11:59:59Z")),
        (deadline("2026-05-01", "AoE"), ("2026-05-02T11:59:59Z", "2026-05-02T11:59:59Z")),
        (deadline("2026-05-01", "UTC"), ("2026-05-01T23:59:59Z", "2026-05-01T23:59:59Z")),
        (deadline("2026-05-01 17:00", "AoE"), ("2026-05-02T05:00:00Z", "2026-05-02T05:00:00Z")),
        (deadline("2026-05-01T17:00:30", "UTC"), ("2026-05-01T17:00:30Z", "2026-05-01T17:00:30Z")),
        (
            window(opens="2026-05-01", closes="2026-05-31"),
            ("2026-05-01T12:00:00Z", "2026-06-01T11:59:59Z"),
        ),
        (window(closes="2026-05-31"), (None, "2026-06-01T11:59:59Z")),
        (
            window(opens="2026-05-01", closes="2026-05-31 12:00", timezone="Europe/Paris"),
            ("2026-04-30T22:00:00Z", "2026-05-31T10:00:00Z"),
        ),
        # An event without an end ends with its day, or at once.
        (meeting("2026-05-01"), ("2026-05-01T12:00:00Z", "2026-05-02T11:59:59Z")),
        (
            meeting("2026-05-01 10:00", timezone="UTC"),
            ("2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z"),
        ),
        (
            meeting("2026-05-01 10:00", "2026-05-01", "UTC"),
            ("2026-05-01T10:00:00Z", "2026-05-01T23:59:59Z"),
        ),
        (
            meeting("2026-05-01", "2026-05-03 16:00", "Asia/Tokyo"),
            ("2026-04-30T15:00:00Z", "2026-05-03T07:00:00Z"),
        ),
        # Summer time begins and ends between the two, or on the day itself.
        (
            meeting("2026-03-28", "2026-03-29", "Europe/Paris"),
            ("2026-03-27T23:00:00Z", "2026-03-29T21:59:59Z"),
        ),
        (
            meeting("2026-10-25", timezone="Europe/Paris"),
            ("2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z"),
        ),
        (
            deadline("2026-03-08 03:00", "America/New_York"),
            ("2026-03-08T07:00:00Z", "2026-03-08T07:00:00Z"),
        ),
        # 02:30 twice: the first; 02:30 never: as if the clock had not been put forward yet (PEP
        # 495, fold=0).
        (
            deadline("2026-10-25 02:30", "Europe/Paris"),
            ("2026-10-25T00:30:00Z", "2026-10-25T00:30:00Z"),
        ),
        (
            deadline("2026-03-29 02:30", "Europe/Paris"),
            ("2026-03-29T01:30:00Z", "2026-03-29T01:30:00Z"),
        ),
        # Zones with parts of an hour, beyond UTC+12, and before zones were.
        (
            deadline("2026-05-01 12:00", "Asia/Kathmandu"),
            ("2026-05-01T06:15:00Z", "2026-05-01T06:15:00Z"),
        ),
        (
            deadline("2026-05-01", "Pacific/Kiritimati"),
            ("2026-05-01T09:59:59Z", "2026-05-01T09:59:59Z"),
        ),
        (
            deadline("1850-01-01 12:00", "Europe/Paris"),
            ("1850-01-01T11:50:39Z", "1850-01-01T11:50:39Z"),
        ),
        (deadline("2200-12-31"), ("2201-01-01T11:59:59Z", "2201-01-01T11:59:59Z")),
    ],
)
def test_times_are_instants(record: Event, instants: tuple[str | None, str]) -> None:
    assert list(check.check_record(KIND, record, FRAME)) == []
    assert span(record) == instants


def test_times_are_shown_as_written() -> None:
    when = event_times(
        window(opens="2026-05-01", closes="2026-05-31 12:00", timezone="Europe/Paris")
    )
    assert (when.starts_local, when.ends_local, when.all_day) == (
        "2026-05-01",
        "2026-05-31T12:00",
        False,
    )
    when = event_times(window(closes="2026-05-31"))
    assert (when.starts_local, when.ends_local, when.all_day) == (None, "2026-05-31", True)
    when = event_times(meeting("2026-05-01", "2026-05-02"))
    assert (when.starts_local, when.ends_local, when.all_day) == ("2026-05-01", "2026-05-02", True)
    when = event_times(meeting("2026-05-01 10:00", timezone="UTC"))
    assert (when.starts_local, when.ends_local, when.all_day) == (
        "2026-05-01T10:00",
        "2026-05-01T10:00",
        False,
    )
    when = event_times(deadline("2026-05-01"))
    assert (when.starts_local, when.ends_local, when.all_day) == ("2026-05-01", "2026-05-01", True)


@pytest.mark.parametrize(
    ("record", "month"),
    [
        # The last second of May anywhere on earth is June in UTC, and still May in its own zone.
        (window(opens="2026-04-01", closes="2026-05-31"), "2026-05"),
        (deadline("2025-12-31 23:00", "America/Los_Angeles"), "2025-12"),
        (deadline("2026-01-01 01:00", "Pacific/Auckland"), "2026-01"),
        (meeting("2026-01-31"), "2026-01"),
        (meeting("2026-01-31", "2026-02-01"), "2026-02"),
    ],
)
def test_month_and_year_are_those_of_the_end_in_its_own_zone(record: Event, month: str) -> None:
    assert {f"month/{month}", f"year/{month[:4]}"} < {*KIND.facets(record, FRAME)}


# --- order ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        window(opens="2026-05-02", closes="2026-05-01"),
        window(opens="2026-05-01 10:00", closes="2026-05-01 09:59", timezone="AoE"),
        meeting("2026-05-02", "2026-05-01"),
        meeting("2026-05-01 10:00", "2026-05-01T09:59:59", "Europe/Oslo"),
        meeting("2026-05-02 00:00", "2026-05-01", "UTC"),
        # In the repeated hour, the end is in the first pass as well.
        meeting("2026-10-25 02:30", "2026-10-25 02:10", "Europe/Paris"),
    ],
)
def test_an_end_before_its_start_is_an_error_at_the_end(record: Event) -> None:
    (fault,) = check.check_record(KIND, record, FRAME)
    assert fault.code == "end-before-start"
    assert fault.loc in (("closes",), ("ends",))


@pytest.mark.parametrize(
    "record",
    [
        meeting("2026-05-01 10:00", "2026-05-01 10:00", "UTC"),
        meeting("2026-05-01", "2026-05-01"),
        meeting("2026-05-01 23:00", "2026-05-01", "UTC"),
        window(opens="2026-05-01", closes="2026-05-01"),
    ],
)
def test_an_end_may_be_its_start(record: Event) -> None:
    assert list(check.check_record(KIND, record, FRAME)) == []


# --- zones ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (deadline("2026-05-01 10:00"), "due"),
        (window(opens="2026-05-01 10:00", closes="2026-05-31"), "opens"),
        (window(opens="2026-05-01", closes="2026-05-31 10:00"), "closes"),
        (window(opens="2026-05-01 10:00", closes="2026-05-31 10:00"), "opens"),
        (meeting("2026-05-01", "2026-05-02 10:00"), "ends"),
    ],
)
def test_a_time_of_day_needs_a_zone(record: Event, field: str) -> None:
    (fault,) = check.check_record(KIND, record, FRAME)
    assert (fault.code, fault.loc) == ("timezone-required", (field,))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Europe/Pris", 'did you mean "Europe/Paris"?'),
        ("europe/paris", 'did you mean "Europe/Paris"?'),
        ("Paris", 'did you mean "Europe/Paris"?'),
        ("new york", 'did you mean "America/New_York"?'),
        ("America/New York", 'did you mean "America/New_York"?'),
        ("EST5EDT ", 'did you mean "EST5EDT"?'),
        ("aoe", 'did you mean "AoE"?'),
        ("AOE", 'did you mean "AoE"?'),
        ("+02:00", "offsets change with summer time: write a zone like Europe/Paris"),
        ("UTC+2", "offsets change with summer time: write a zone like Europe/Paris"),
        ("../../etc/passwd", "write a zone like Europe/Paris, or AoE (anywhere on Earth)"),
        *(
            (zone, "write a zone like Europe/Paris, or AoE (anywhere on Earth)")
            for zone in (
                "America/Boston",
                "Asia/Bangalore",
                "Europe/Hamburg",
                "Europe/Kiel",
                "Kiel",
            )
        ),
        ("America/London", 'did you mean "Europe/London"?'),
        ("Mars/Olympus_Mons", "write a zone like Europe/Paris, or AoE (anywhere on Earth)"),
    ],
)
def test_an_unknown_zone_gets_the_nearest_name(name: str, hint: str) -> None:
    (fault,) = check.check_record(KIND, deadline("2026-05-01 10:00", name), FRAME)
    assert (fault.code, fault.loc, fault.hint) == ("unknown-timezone", ("timezone",), hint)
    with pytest.raises(ValueError):
        event.zone(name)


def test_every_zone_can_be_used() -> None:
    assert {
        "UTC",
        "Europe/Paris",
        "America/Argentina/Buenos_Aires",
        "EST5EDT",
        "Etc/GMT+12",
    } <= event.zone_names()
    for name in event.zone_names():
        assert event.zone(name).utcoffset(datetime(2026, 5, 1)) is not None


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
    assert span(deadline("2026-05-01 12:00", "Europe/Paris")) == (
        "2026-05-01T10:00:00Z",
        "2026-05-01T10:00:00Z",
    )
    assert span(deadline("2026-05-01 12:00", "Asia/Tokyo")) == (
        "2026-05-01T03:00:00Z",
        "2026-05-01T03:00:00Z",
    )


def test_aoe_is_twelve_hours_behind_utc() -> None:
    assert event.zone(None) == event.zone("AoE")
    assert event.zone("AoE").utcoffset(None) == timedelta(hours=-12)


# --- fields ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "found"),
    [
        (made("deadline"), [("missing-field", "due")]),
        (made("application_window", opens="2026-05-01"), [("missing-field", "closes")]),
        (made("event", ends="2026-05-01"), [("missing-field", "starts")]),
        (
            made("deadline", closes="2026-05-01"),
            [("misplaced-field", "closes"), ("missing-field", "due")],
        ),
        (made("event", starts="2026-05-01", due="2026-05-02"), [("misplaced-field", "due")]),
        (made("event", starts="2026-05-01", due="whenever"), [("misplaced-field", "due")]),
        (
            made("application_window", closes="2026-05-01", ends="2026-05-02"),
            [("misplaced-field", "ends")],
        ),
        (
            made("event", starts="May", ends="June", timezone="Mars"),
            [
                ("invalid-time", "starts"),
                ("invalid-time", "ends"),
                ("unknown-timezone", "timezone"),
            ],
        ),
    ],
)
def test_a_kind_has_only_its_own_times(record: Event, found: list[tuple[str, str]]) -> None:
    assert [
        (fault.code, fault.loc[0]) for fault in check.check_record(KIND, record, FRAME)
    ] == found


BERGEN, PERTH = {"country": "NO", "city": "Bergen"}, {"country": "AU", "city": "Perth"}


@pytest.mark.parametrize(
    ("zone", "due", "locations", "hint"),
    [
        ("EST", "2027-01-31", [], "America/New_York"),
        ("MST", "2027-07-31", [PERTH], "Australia/Perth"),
        ("HST", "2027-07-31", [], "Pacific/Honolulu"),
        ("Etc/GMT-1", "2027-07-31", [BERGEN], "Europe/Oslo"),
        # A country with several zones, or two places in different zones: the city is not certain.
        ("Etc/GMT+5", "2027-07-31", [{"country": "US", "city": "Boston"}], "Europe/Paris"),
        ("Etc/GMT-1", "2027-07-31", [BERGEN, PERTH], "Europe/Paris"),
        ("Etc/GMT+12", "2027-07-31", [], "AoE"),
        # GMT is the time of London in winter, and of Accra all year.
        ("GMT", "2027-07-31", [], "Europe/London"),
        ("Etc/Greenwich", "2027-07-31", [], "Europe/London"),
        ("GMT", "2027-01-31", [], None),
        ("GMT", "2027-07-31", [{"country": "GH", "city": "Kumasi"}], None),
        ("UTC", "2027-07-31", [], None),
        ("AoE", "2027-07-31", [], None),
        ("Africa/Nairobi", "2027-07-31", [], None),
        ("GMT", "soon", [], None),
    ],
)
def test_a_fixed_offset_gets_a_warning_with_the_zone_of_the_city(
    zone: str, due: str, locations: list[dict[str, str]], hint: str | None
) -> None:
    record = made("deadline", due=due, timezone=zone, locations=locations or None)
    faults = [*fixed_zones.check_record(KIND, record, FRAME)]
    assert [(fault.code, fault.severity) for fault in faults] == [("fixed-offset", "warning")] * (
        hint is not None
    )
    assert all(hint in (fault.hint or "") for fault in faults if hint)


def test_utc_is_written_to_the_second() -> None:
    assert format_utc(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) == "2026-01-02T03:04:05Z"
