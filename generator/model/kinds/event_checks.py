"""An event has the times of its kind, and a known time zone, which is that of a city.

A zone that is an offset from UTC, the same in summer and winter, gets a warning.  GMT is also the
time of London in winter, so it gets one only if London has another time then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from generator.kinds.event import Event
from generator.model.kinds.event_places import event_places
from generator.model.kinds.event_times import (
    REQUIRED_TIME,
    TIME_FIELDS,
    event_times,
    meant_zone,
    parse_time,
    zone,
    zone_names,
    zone_places,
)
from generator.model.kinds.spans import ends, far_ends, implausible, long_spans
from generator.model.symbols import Symbols, finest_places
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Remedy
from generator.problems.one_edit import differ_by_one_edit
from generator.text.numbers import is_placeholder
from generator.text.words import slugify

_FIELDS = ("opens", "closes", "due", "starts", "ends")
_FORMS = "write it like 2026-05-31, or with a time, like 2026-05-31 09:30"
_NO_OFFSET = "write the time without a zone, and the zone under timezone"


def check_times(record: Event) -> Iterator[Fault]:
    """The faults of an event's times and time zone; also if its kind is unknown."""
    faults, timed_field = _check_times(record)
    if record.kind not in TIME_FIELDS:
        yield from (*faults, *_check_zone(record.timezone, timed_field))
        return
    first, last = TIME_FIELDS[record.kind]
    required = REQUIRED_TIME[record.kind]
    if record.rolling:
        faults += _check_rolling(record)
    elif getattr(record, required) is None:
        message = f"{required} is required: this event has kind: {record.kind}"
        hint = f"add {required}: YYYY-MM-DD"
        if required == "closes":
            hint += ", or rolling: true if the window stays open"
        faults.append(Fault("missing-field", message, (required,), hint))
    faults += _check_zone(record.timezone, timed_field)
    yield from faults
    if all(fault.code == "misplaced-field" for fault in faults):
        times = event_times(record)
        if times.starts_at and times.ends_at and times.ends_at < times.starts_at:
            message = f"{last}: {getattr(record, last)} is before {first}, {getattr(record, first)}"
            yield Fault("end-before-start", message, (last,), "correct one of them")


def _check_rolling(record: Event) -> Iterator[Fault]:
    """The faults of `rolling: true`: on another kind, or with an end."""
    if record.kind != "application_window":
        message = "rolling is only for kind: application_window; this event has kind: "
        hint = "remove rolling, or change the kind"
        yield Fault("misplaced-field", message + record.kind, ("rolling",), hint, on_key=True)
    elif record.closes is not None:
        message = "closes: a window with rolling: true has no end"
        hint = "remove closes or rolling"
        yield Fault("misplaced-field", message, ("closes",), hint, on_key=True)


def _check_times(record: Event) -> tuple[list[Fault], str]:
    """The faults of single times, and the first field that has a time of day; "" if none has."""
    faults, timed_field = [], ""
    allowed = TIME_FIELDS.get(record.kind, _FIELDS)
    for field in _FIELDS:
        text = getattr(record, field)
        if text is None:
            continue
        if field not in allowed:
            owner = next(kind for kind, fields in TIME_FIELDS.items() if field in fields)
            message = f"{field} is only for kind: {owner}; this event has kind: {record.kind}"
            hint = f"use {' and '.join(dict.fromkeys(allowed))}, or change the kind"
            faults.append(Fault("misplaced-field", message, (field,), hint, on_key=True))
            continue
        try:
            if parse_time(text).time_of_day is not None:
                timed_field = timed_field or field
        except ValueError as error:
            mend = _mend_time(text, field)
            message = f'{field}: "{text}" {_reason(error)}'
            faults.append(Fault("invalid-time", message, (field,), mend.hint, fix=mend.fix))
    return faults, timed_field


def _mend_time(text: str, field: str) -> Remedy:
    from generator.model import dates

    if is_placeholder(text):
        return Remedy("an event needs its date: add the record when it is known")
    if re.fullmatch(r".*\d *(?:[Zz]|UTC|GMT|[-+]\d\d:?\d\d)", text):
        return Remedy(_NO_OFFSET)
    zoned = re.fullmatch(r".*\d *([A-Za-z]{2,5})", text)
    if zoned is not None and (zone := _ABBREVIATIONS.get(zoned[1].upper())) is not None:
        return Remedy(f"{_NO_OFFSET}, like {zone}")
    span = re.fullmatch(
        r"(.*\d{4}.*?)(?: +(?:-|–|—|to|bis|until|au|hasta|al?) +|\s*[–—/]\s*)(.*\d{4}.*)", text
    )
    days = (
        [dates.guess_times(part.strip()) or [part.strip()] for part in span.groups()]
        if span
        else []
    )
    if days and all(dates.explain(found[0]) is None for found in days):
        names = {"closes": ("opens", "closes"), "opens": ("opens", "closes")}
        first, last = names.get(field, ("starts", "ends"))
        return Remedy(f"write two fields: {first}: {days[0][0]}, {last}: {days[1][0]}")
    return dates.correct_date(
        text, dates.guess_times(text), (field,), dates.explain(text) or _FORMS
    )


def _check_zone(zone: str | None, timed_field: str) -> Iterator[Fault]:
    """The fault of a time zone; an event with a time of day, in `timed_field`, needs a zone."""
    if zone is None:
        if timed_field:
            hint = "add timezone: a zone like Europe/Paris, or AoE (anywhere on Earth)"
            message = f"{timed_field}: a time of day needs a time zone"
            yield Fault("timezone-required", message, (timed_field,), hint)
    elif zone != "AoE" and zone not in zone_names():
        message = f'timezone: there is no time zone "{zone}"'
        hint = _suggest_zone(zone) or "write a zone like Europe/Paris, or AoE (anywhere on Earth)"
        same = meant_zone(zone)
        hint = 'write "AoE" (anywhere on Earth)' if same == "AoE" and len(zone) > 3 else hint
        fix = Fix("value", same, ("timezone",)) if same else None
        yield Fault("unknown-timezone", message, ("timezone",), hint, fix=fix)


def _reason(error: ValueError) -> str:
    """Why a time is invalid.  Errors of `parse_time` say so; errors of Python do not."""
    text = str(error)
    if text.startswith("is "):
        return text
    return "has an impossible time of day" if "must be in" in text else "is not a date or time"


_ABBREVIATIONS = {
    abbreviation: city
    for city, abbreviations in {
        "Europe/Helsinki": "EET EEST", "Europe/Berlin": "CET CEST MEZ MESZ",
        "Europe/Lisbon": "WET WEST", "Europe/London": "BST GMT", "Europe/Moscow": "MSK",
        "America/New_York": "ET EST EDT", "America/Chicago": "CT CST CDT",
        "America/Denver": "MT MST MDT", "America/Los_Angeles": "PT PST PDT",
        "Africa/Nairobi": "EAT", "Asia/Kolkata": "IST", "Asia/Singapore": "SGT",
        "Asia/Tokyo": "JST", "Australia/Sydney": "AEST AEDT", "Pacific/Auckland": "NZST NZDT",
    }.items()
    for abbreviation in abbreviations.split()
}  # fmt: skip


def _suggest_zone(text: str) -> str | None:
    """A hint for an unknown time zone, by its abbreviation or its city.

    Zones are named after few cities, so a city with a similar name is mostly in another zone: Kiel
    is not Kiev.  Only a letter too many, too few or exchanged is surely a slip.
    """
    word = text.strip().replace(" ", "_").casefold()
    if word == "aoe":
        return 'did you mean "AoE"?'
    if re.fullmatch(r"(utc|gmt)?[-+]\d.*", word):
        return "offsets change with summer time: write a zone like Europe/Paris"
    zone = _ABBREVIATIONS.get(word.upper())
    if zone is not None:
        return f'several zones may share an abbreviation: write the zone of a city, like "{zone}"'
    zones = {z.casefold(): z for z in sorted(zone_names(), reverse=True)}
    by_city = {name.rpartition("/")[2]: zone for name, zone in zones.items()}
    words = [word.rpartition("/")[2], *word.split("_")]
    meant = zones.get(word) or next((by_city[each] for each in words if each in by_city), None)
    slips = [
        zones[name]
        for name in zones
        if (len(name) != len(word) or sorted(name) == sorted(word))
        and differ_by_one_edit(name, word)
    ]
    if meant is None and len(slips) == 1:
        meant = slips[0]
    return None if meant is None else f'did you mean "{meant}"?'


_MAX_TENTATIVE = 30  # days after the end of an event that is still tentative


def check_plausible(record: Event, symbols: Symbols) -> Iterator[Fault]:
    """Warn about values that fit their fields but are probably mistakes."""
    yield from list(long_spans(record)) or far_ends(record, symbols.today)
    if record.round is not None and record.program is None:
        message = f"round: {record.round} is a round of no program"
        yield implausible("round", message, "add program, or remove round")
    yield from _undecided(record, symbols.today)


def _undecided(record: Event, today: str | None) -> Iterator[Fault]:
    """Warn about a tentative event that ended long ago."""
    day = _decided_by(record) if record.status == "tentative" else None
    if today is not None and day is not None and day <= today:
        name, text = next(ends(record))
        message = (
            f"status: still tentative, but {name}, {text}, was more than {_MAX_TENTATIVE} days ago"
        )
        hint = "write confirmed, extended or cancelled"
        yield Fault("still-tentative", message, ("status",), hint, severity="warning")


def _decided_by(record: Event) -> str | None:
    """The day from which an event may no longer be tentative; None without a valid end."""
    text = next((text for _, text in ends(record)), "")
    try:
        return str(date.fromisoformat(text[:10]) + timedelta(_MAX_TENTATIVE + 1))
    except (ValueError, OverflowError):
        return None


#: Zone -> the city whose clocks show this time in winter.
_WINTER_CITIES = {
    "EST": "America/New_York",
    "MST": "America/Denver",
    "HST": "Pacific/Honolulu",
    "GMT": "Europe/London",
}
_is_gmt = re.compile(r"(?:Etc/)?(?:GMT|Greenwich)(?:[+-]?0)?").fullmatch
_is_offset = re.compile(r"EST|MST|HST|Etc/GMT[+-][1-9][0-9]?").fullmatch


def check_fixed_offset(record: Event, symbols: Symbols) -> Iterator[Fault]:
    name = record.timezone or ""
    is_gmt = _is_gmt(name)
    if not is_gmt and not _is_offset(name):
        return
    try:
        offset, times = zone(name).utcoffset(datetime(2000, 1, 1)), event_times(record)
    except ValueError:  # reported as a fault of the zone or of a time
        return
    meant = _city_zone(record, symbols) or _WINTER_CITIES.get("GMT" if is_gmt else name)
    at = [time for time in times[:2] if time is not None]
    if is_gmt and all(time.astimezone(zone(meant)).utcoffset() == offset for time in at):
        return
    hours = int(offset.total_seconds()) // 3600 if offset else 0
    utc = f"UTC{hours:+}" if hours else "UTC"
    message = f"timezone: {name} is {utc} in summer and winter"
    if name.startswith("Etc/GMT") and hours:
        message += "; the sign in its name is inverted"
    hint = f"write the zone of the city, like {meant or 'Europe/Paris'}"
    if name == "Etc/GMT+12":
        hint = "write AoE (anywhere on Earth)"
    hint += ", or UTC if that is meant" if not hours else ""
    yield Fault("fixed-offset", message, ("timezone",), hint, severity="warning")


def _city_zone(record: Event, symbols: Symbols) -> str | None:
    """The zone of the places of an event, if all have one: a zone that is named after the city, or
    the only one of the country.
    """
    found = set()
    for place in finest_places(event_places(record, symbols)):
        country, city = place.slug[:2], slugify(place.label.partition(", ")[0])
        zones = [(named, zone) for code, named, zone in zone_places() if code == country]
        found.add(dict(zones).get(city) or (zones[0][1] if len(zones) == 1 else None))
    return found.pop() if len(found) == 1 else None
