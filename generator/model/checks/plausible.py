"""Warns about values that fit their fields but are probably mistakes.

A warning that depends on the day has a code of its own (see `codes.depends_on_day`).
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.faults import Fault

_MAX_TEAM = 20_000  # people in an active project
_MAX_TENTATIVE = 30  # days after the end of an event that is still tentative
_MAX_YEARS = 10  # years until an end, or from a start to its end
_MAX_OLDER = 20  # years that a project is older than its cohort


_has_year = re.compile("[0-9]{4}-").match


@lru_cache(maxsize=1024)
def _day_before(day: str) -> str:
    """The day from which a record may be verified on `day`: in another time zone it has begun."""
    return str(date.fromisoformat(day) - timedelta(1))


def _years_ahead(collection: str) -> int:
    """How far a record's year may be ahead: cohorts are announced in the year before."""
    return 1 if collection == "programs" else 0


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    year: Any = getattr(record, "year", None)
    this_year = int(symbols.today[:4]) if symbols.today is not None else None
    if this_year and year is not None and year > this_year + _years_ahead(kind.collection):
        yield _ahead("year", f"year: {year} is in the future")
    if symbols.today and record.verified and _day_before(record.verified) > symbols.today:
        yield _ahead("verified", f"verified: {record.verified} is in the future")
    if kind.collection == "projects":
        size = record.team_size or 0
        if size > _MAX_TEAM and record.status in (None, "active"):
            yield _warning("team_size", f"team_size: {size:,} people are too many for a start-up")
        for slug in record.programs or () if year is not None else ():
            cohort = symbols.programs[slug].year if slug in symbols.programs else None
            if cohort is not None and year <= cohort - _MAX_OLDER:
                message = f"year: {year} is decades before its cohort {slug} ({cohort})"
                yield _warning("year", message, "correct the year or the programs")
    if kind.collection == "events":
        yield from list(_long_spans(record)) or _far_ends(record, this_year)
        yield from _undecided(record, symbols.today)
    if kind.collection == "programs":
        spans = list(_long_spans(record)) if record.kind != "program" else []
        yield from spans or _far_ends(record, this_year)
        is_cohort = record.kind == "cohort" and record.starts and year is not None
        if is_cohort and int(record.starts[:4]) != year:
            yield _warning("year", f"year: {year}, but the cohort starts on {record.starts}")


def _undecided(record: Any, today: str | None) -> Iterator[Fault]:
    """Warn about a tentative event that ended long ago."""
    day = _decided_by(record) if record.status == "tentative" else None
    if today is not None and day is not None and day <= today:
        name, text = next(_ends(record))
        message = (
            f"status: still tentative, but {name}, {text}, was more than {_MAX_TENTATIVE} days ago"
        )
        hint = "write confirmed, extended or cancelled"
        yield Fault("still-tentative", message, ("status",), hint, severity="warning")


def _decided_by(record: Any) -> str | None:
    """The day from which an event may no longer be tentative; None without a valid end."""
    text = next((text for _, text in _ends(record)), "")
    try:
        return str(date.fromisoformat(text[:10]) + timedelta(_MAX_TENTATIVE + 1))
    except (ValueError, OverflowError):
        return None


def _ends(record: Any) -> Iterator[tuple[str, str]]:
    """(field, text) of the times of an event or a program that begin with a year."""
    for field in ("closes", "due", "ends", "starts"):
        text = getattr(record, field, None)
        if text is not None and _has_year(text):
            yield field, text


def _far_ends(record: Any, this_year: int | None) -> Iterator[Fault]:
    for field, text in _ends(record):
        if this_year is not None and int(text[:4]) > this_year + _MAX_YEARS:
            yield _ahead(field, f"{field}: {text} is more than {_MAX_YEARS} years away")
            return


def _long_spans(record: Any) -> Iterator[Fault]:
    """Warn about an end decades after its start: a year is probably mistyped."""
    for first, last in (("opens", "closes"), ("starts", "ends")):
        start, end = getattr(record, first, None) or "", getattr(record, last, None) or ""
        years = start[:4], end[:4]
        if all(y.isdecimal() for y in years) and int(years[1]) > int(years[0]) + _MAX_YEARS:
            message = f"{last}: {end} is more than {_MAX_YEARS} years after {first}, {start}"
            yield _warning(last, message)


def _ahead(field: str, message: str) -> Fault:
    hint = "if this is a mistake, correct it"
    return Fault("in-the-future", message, (field,), hint, severity="warning")


def _warning(field: str, message: str, correct: str = "correct it") -> Fault:
    hint = f"if this is a mistake, {correct}; if not, write accept: [implausible-value]"
    return Fault("implausible-value", message, (field,), hint, severity="warning")
