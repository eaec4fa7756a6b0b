"""Warns about starts and ends that are probably mistakes, of events and of programs.

A warning that depends on the day has a code of its own (see `codes.depends_on_day`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from generator.problems.faults import Fault, Loc

_MAX_YEARS = 10  # years until an end, or from a start to its end
_has_year = re.compile("[0-9]{4}-").match


def ends(record: Any) -> Iterator[tuple[str, str]]:
    """(field, text) of the times of a record that begin with a year."""
    for field in ("closes", "due", "ends", "starts"):
        text = getattr(record, field, None)
        if text is not None and _has_year(text):
            yield field, text


def far_ends(record: Any, today: str | None) -> Iterator[Fault]:
    """Warn about an end that is many years away."""
    latest = int(today[:4]) + _MAX_YEARS if today is not None else None
    for field, text in ends(record):
        if latest is not None and int(text[:4]) > latest:
            yield ahead(field, f"{field}: {text} is more than {_MAX_YEARS} years away")
            return


def long_spans(record: Any) -> Iterator[Fault]:
    """Warn about an end decades after its start: a year is probably mistyped."""
    for first, last in (("opens", "closes"), ("starts", "ends")):
        start, end = getattr(record, first, None) or "", getattr(record, last, None) or ""
        years = start[:4], end[:4]
        if all(y.isdecimal() for y in years) and int(years[1]) > int(years[0]) + _MAX_YEARS:
            message = f"{last}: {end} is more than {_MAX_YEARS} years after {first}, {start}"
            yield implausible(last, message)


def ahead(field: str, message: str) -> Fault:
    hint = "if this is a mistake, correct it"
    return Fault("in-the-future", message, (field,), hint, severity="warning")


def implausible(field: str | Loc, message: str, correct: str = "correct it") -> Fault:
    hint = f"if this is a mistake, {correct}; if not, write accept: [implausible-value]"
    loc = (field,) if isinstance(field, str) else field
    return Fault("implausible-value", message, loc, hint, severity="warning")
