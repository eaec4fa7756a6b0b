"""Events have the times of their kind, in a known zone, and end after they start; so do programs."""

from collections.abc import Iterator
from typing import Any

from generator.diagnostic import suggestion
from generator.kinds import event
from generator.kinds.frame import Frame, Kind
from generator.load import Fault

_FIELDS = ("opens", "closes", "due", "starts", "ends")


def check_record(kind: Kind, record: Any, frame: Frame) -> Iterator[Fault]:
    if kind.collection == "events":
        yield from _event(record)
    elif kind.collection == "programs" and record.starts and record.ends and record.ends < record.starts:
        what = f"ends: {record.ends} lies before starts, {record.starts}"
        yield Fault("end-before-start", what, ("ends",), "correct one of them")


def _event(record: event.Event) -> Iterator[Fault]:
    first, last = event.TIMES[record.kind]
    good = True
    clock = False
    for name in _FIELDS:
        text = getattr(record, name)
        if text is None:
            continue
        if name not in (first, last):
            what = f"{name}: an event of kind {record.kind} has no such time"
            yield Fault("misplaced-field", what, (name,), "it takes " + " and ".join(dict.fromkeys((first, last))), on_key=True)
            continue
        try:
            clock |= event.local(text).clock is not None
        except ValueError:
            good = False
            what = f'{name}: "{text}" is no time from 1800 to 2200'
            yield Fault("invalid-time", what, (name,), "write YYYY-MM-DD or YYYY-MM-DD HH:MM, with the zone in timezone")
    needed = event.REQUIRED[record.kind]
    if getattr(record, needed) is None:
        good = False
        yield Fault("missing-field", f"{needed} is required of kind {record.kind}", (needed,), f"add {needed}: YYYY-MM-DD")
    if record.timezone is None:
        if clock:
            hint = "add timezone: an IANA zone like Europe/Paris, or AoE for anywhere on earth"
            yield Fault("timezone-required", "a time of day needs a time zone", (needed,), hint)
            good = False
    elif record.timezone != "AoE" and record.timezone not in event.zones():
        good = False
        what = f'timezone: there is no zone "{record.timezone}"'
        hint = suggestion(record.timezone, {"AoE", *event.zones()}) or "use an IANA zone like Europe/Paris, or AoE"
        yield Fault("unknown-timezone", what, ("timezone",), hint)
    if good:
        when = event.times(record)
        if when.starts_at is not None and when.ends_at < when.starts_at:
            what = f"{last}: {getattr(record, last)} lies before {first}, {getattr(record, first)}"
            yield Fault("end-before-start", what, (last,), "correct one of them")
