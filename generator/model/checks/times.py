"""Events have the times of their kind, in a known zone; they and programs end after they start."""

import re
from collections.abc import Iterator
from typing import Any

from generator.model.kinds import event
from generator.model.symbols import Kind, Symbols
from generator.problems.diagnostic import Fix, suggestion
from generator.problems.faults import Fault, Mend

COLLECTIONS = ("events", "programs")
_FIELDS = ("opens", "closes", "due", "starts", "ends")
_FORMS = "write YYYY-MM-DD, YYYY-MM-DD HH:MM or YYYY-MM-DD HH:MM:SS"
_NO_OFFSET = "write the time without a zone, and the zone under timezone"


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    if kind.collection == "events":
        yield from of_event(record)
    elif (
        kind.collection == "programs"
        and record.starts
        and record.ends
        and record.ends < record.starts
    ):
        what = f"ends: {record.ends} is before starts, {record.starts}"
        yield Fault("end-before-start", what, ("ends",), "correct one of them")


def of_event(record: event.Event) -> Iterator[Fault]:
    """The faults of its times and of its zone."""
    first, last = event.TIMES[record.kind]
    faults, clock = _of_times(record)
    needed = event.REQUIRED[record.kind]
    if getattr(record, needed) is None:
        what = f"{needed} is required: this event has kind: {record.kind}"
        faults.append(Fault("missing-field", what, (needed,), f"add {needed}: YYYY-MM-DD"))
    faults += _of_zone(record.timezone, clock)
    yield from faults
    if all(fault.code == "misplaced-field" for fault in faults):
        when = event.times(record)
        if when.starts_at is not None and when.ends_at < when.starts_at:
            what = f"{last}: {getattr(record, last)} is before {first}, {getattr(record, first)}"
            yield Fault("end-before-start", what, (last,), "correct one of them")


def _of_times(record: event.Event) -> tuple[list[Fault], str]:
    """The faults of single times, and the first field that has a time of day; "" if none has."""
    faults, clock = [], ""
    known = event.TIMES[record.kind]
    for name in _FIELDS:
        text = getattr(record, name)
        if text is None:
            continue
        if name not in known:
            owner = next(kind for kind, names in event.TIMES.items() if name in names)
            what = f"{name} is only for kind: {owner}; this event has kind: {record.kind}"
            hint = f"use {' and '.join(dict.fromkeys(known))}, or change the kind"
            faults.append(Fault("misplaced-field", what, (name,), hint, on_key=True))
            continue
        try:
            if event.local(text).clock is not None:
                clock = clock or name
        except ValueError as error:
            mend = _time_meant(text, name)
            what = f'{name}: "{text}" {_why(error)}'
            faults.append(Fault("invalid-time", what, (name,), mend.hint, fix=mend.fix))
    return faults, clock


def _time_meant(text: str, name: str) -> Mend:
    from generator.model import dates

    if _has_offset(text):
        return Mend(_NO_OFFSET)
    return dates.mend(dates.times_meant(text), (name,), dates.impossible(text) or _FORMS)


def _of_zone(zone: str | None, clock: str) -> Iterator[Fault]:
    """What is wrong with the zone of an event of which `clock` has a time of day."""
    if zone is None:
        if clock:
            hint = "add timezone: a zone like Europe/Paris, or AoE (anywhere on Earth)"
            what = f"{clock}: a time of day needs a time zone"
            yield Fault("timezone-required", what, (clock,), hint)
    elif zone != "AoE" and zone not in event.zones():
        what = f'timezone: there is no time zone "{zone}"'
        hint = _zone_meant(zone) or "write a zone like Europe/Paris, or AoE (anywhere on Earth)"
        same = [z for z in ("AoE", *event.zones()) if z.casefold() == zone.casefold()]
        fix = Fix("value", same[0], ("timezone",)) if same else None
        yield Fault("unknown-timezone", what, ("timezone",), hint, fix=fix)


def _why(error: ValueError) -> str:
    """What is wrong with a time: dates say so themselves, the standard library's hours do not."""
    text = str(error)
    return (
        text
        if text.startswith("is ")
        else "has an impossible time of day"
        if "must be in" in text
        else "is not a date or time"
    )


_ABBREVIATIONS = {
    abbreviation: city
    for city, abbreviations in {
        "Europe/Helsinki": "EET EEST",
        "Europe/Berlin": "CET CEST MEZ MESZ",
        "Europe/Lisbon": "WET WEST",
        "Europe/London": "BST GMT",
        "Europe/Moscow": "MSK",
        "America/New_York": "ET EST EDT",
        "America/Chicago": "CT CST CDT",
        "America/Denver": "MT MST MDT",
        "America/Los_Angeles": "PT PST PDT",
        "Africa/Nairobi": "EAT",
        "Asia/Kolkata": "IST",
        "Asia/Singapore": "SGT",
        "Asia/Tokyo": "JST",
        "Australia/Sydney": "AEST AEDT",
        "Pacific/Auckland": "NZST NZDT",
    }.items()
    for abbreviation in abbreviations.split()
}


def _has_offset(text: str) -> bool:
    return re.fullmatch(r".*\d *(?:[Zz]|UTC|GMT|[-+]\d\d:?\d\d)", text) is not None


def _zone_meant(text: str) -> str | None:
    """A hint for a zone whose city or whose letters are right."""
    word = text.strip().replace(" ", "_").casefold()
    if word == "aoe":
        return 'did you mean "AoE"?'
    if re.fullmatch(r"(utc|gmt)?[-+]\d.*", word):
        return "offsets change with summer time: write a zone like Europe/Paris"
    meant = _ABBREVIATIONS.get(word.upper())
    if meant is not None:
        return f'several zones may share an abbreviation: write the zone of a city, like "{meant}"'
    cities = [z for z in event.zones() if "/" in z]
    same = sorted(
        z for z in event.zones() if word in (z.casefold(), z.rpartition("/")[2].casefold())
    )
    return f'did you mean "{same[0]}"?' if same else suggestion(text, cities)
