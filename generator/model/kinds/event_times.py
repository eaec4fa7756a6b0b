"""The start and the end of an event, in UTC.

Time zones come from the `tzdata` package and not from the machine, so the same content gives the
same times everywhere.  `AoE` (anywhere on Earth) is UTC-12.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any, NamedTuple

from generator.kinds.event import Event
from generator.kinds.types import package_folder, parse_date
from generator.text.words import format_utc, slugify

#: kind -> (field of the start, field of the end)
TIME_FIELDS = {
    "application_window": ("opens", "closes"),
    "deadline": ("due", "due"),
    "event": ("starts", "ends"),
}
#: kind -> its required time; an application window with `rolling: true` has none
REQUIRED_TIME = {"application_window": "closes", "deadline": "due", "event": "starts"}
#: Sorts after every instant: the end of a rolling window, and its start if it names none.
NEVER = "~"

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?", re.ASCII).fullmatch

_is_aoe = re.compile(
    r"aoe|anywhere on earth|(?:utc|gmt) ?[-\u2010-\u2015\u2212] ?12(?::?00)?", re.I
).fullmatch


class LocalTime(NamedTuple):
    """A time as written: a day, and its time of day or None."""

    day: date
    time_of_day: tuple[int, int, int] | None
    text: str


class Times(NamedTuple):
    """The start and end of an event: in UTC, and as written (ISO 8601 without offset).

    `last_day` is the calendar day of the end in the event's time zone.  A rolling window has no
    end.
    """

    starts_at: datetime | None
    ends_at: datetime | None
    starts_local: str | None
    ends_local: str | None
    all_day: bool
    last_day: date | None


def parse_time(text: str) -> LocalTime:
    """Parse `YYYY-MM-DD`, or `YYYY-MM-DD HH:MM[:SS]` with a space or a T.  Raises ValueError."""
    match = _TIME(text)
    if match is None:
        raise ValueError
    day = parse_date(match[1])
    if match[2] is None:
        return LocalTime(day, None, match[1])
    clock = int(match[2]), int(match[3]), int(match[4] or 0)
    datetime(2000, 1, 1, *clock)  # raises ValueError for an impossible time of day
    return LocalTime(day, clock, text.replace(" ", "T"))


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """The names of all time zones except AoE."""
    return frozenset((package_folder("tzdata") / "zones").read_text("utf-8").split())


@lru_cache(maxsize=1)
def zone_places() -> tuple[tuple[str, str, str], ...]:
    """(country as a slug, city as a slug, zone) of the time zones, which are named after cities."""
    table = (package_folder("tzdata") / "zoneinfo" / "zone.tab").read_text("utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line[:1] != "#"]
    return tuple(
        (country.lower(), slugify(name.rpartition("/")[2]), name) for country, _, name, *_ in rows
    )


def meant_zone(text: str) -> str | None:
    """The zone that is written in other letters, or as the offset of AoE; else None."""
    if _is_aoe(text.strip()):
        return "AoE"
    folded = text.strip().casefold()
    return next((name for name in zone_names() if name.casefold() == folded), None)


@lru_cache(maxsize=1024)
def zone(name: str | None) -> tzinfo:
    """The time zone with this name; None means AoE.  Raises ValueError."""
    if name is None or name == "AoE":
        return timezone(timedelta(hours=-12), "AoE")
    if name not in zone_names():
        raise ValueError(name)
    from zoneinfo import ZoneInfo

    with (package_folder("tzdata") / "zoneinfo" / name).open("rb") as file:
        return ZoneInfo.from_file(file, name)


def _to_utc(time: LocalTime, time_zone: tzinfo, *, last: bool) -> datetime:
    """A time in UTC.  A day is its first second, or with `last` its last."""
    clock = time.time_of_day or ((23, 59, 59) if last else (0, 0, 0))
    day = time.day
    return datetime(day.year, day.month, day.day, *clock, tzinfo=time_zone).astimezone(UTC)


def event_times(record: Event) -> Times:
    """The start and end of an event.

    Raises ValueError if a time or the time zone is invalid, or if the kind or the end is missing.
    """
    time_zone = zone(record.timezone)
    if record.kind not in TIME_FIELDS:
        raise ValueError("the event has no kind")
    first, last = TIME_FIELDS[record.kind]
    start_text, end_text = getattr(record, first), getattr(record, last)
    if record.kind == "event" and end_text is None:
        end_text = start_text
    start = parse_time(start_text) if start_text is not None else None
    if record.rolling and record.kind == "application_window":
        opens = _to_utc(start, time_zone, last=False) if start else None
        all_day = start is not None and start.time_of_day is None
        return Times(opens, None, start.text if start else None, None, all_day, None)
    if end_text is None:
        raise ValueError("the event has no end")
    end = parse_time(end_text)
    ends_at = _to_utc(end, time_zone, last=True)
    due = record.kind == "deadline"
    starts_at = _to_utc(start, time_zone, last=due) if start is not None else None
    all_day = end.time_of_day is None and (start is None or start.time_of_day is None)
    return Times(starts_at, ends_at, start.text if start else None, end.text, all_day, end.day)


def local_and_utc(times: Times) -> dict[str, Any]:
    """The start and the end as summaries have them."""
    start, end = (format_utc(at) if at else None for at in times[:2])
    local = {"starts_local": times.starts_local, "ends_local": times.ends_local}
    return {"starts_at": start, "ends_at": end, **local}
