"""Values that fit their fields and are hardly meant.  They may be true, so this only warns."""

from collections.abc import Iterator
from typing import Any

from generator.records.faults import Fault, Loc
from generator.records.symbols import Kind, Symbols

_FAR = 10  # years that an end is ahead at most
_OLDER = 20  # years that a project is older than its cohort at most


def horizon(collection: str, record: Any) -> int:
    """The year from which nothing is said of what a record has ahead; 0 where that is always so."""
    year = 0 if collection == "events" else (record.year or 1) - 1
    if collection not in ("events", "programs"):
        return year
    return max([year, *(int(text[:4]) - _FAR for _, text in _ends(record))])


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    year, today = getattr(record, "year", None), symbols.this_year
    if today is not None and year is not None and year > today + 1:
        yield _warning("year", f"year: {year} is still to come")
    if kind.collection in ("events", "programs"):
        yield from list(_far(record, today)) or (_long(record) if record.kind != "program" else ())
    if year is None:
        return
    if (
        kind.collection == "programs"
        and record.kind == "cohort"
        and record.starts
        and int(record.starts[:4]) != year
    ):
        yield _warning(
            "year", f"year: {year} is not the year in which the cohort starts, {record.starts}"
        )
    for i, slug in enumerate(record.programs or () if kind.collection == "projects" else ()):
        cohort = symbols.programs[slug].year if slug in symbols.programs else None
        if cohort is not None and year <= cohort - _OLDER:
            yield _warning(
                "year",
                f"year: {year} is decades before its cohort, {slug} of {cohort}",
                ("programs", i),
            )


def _ends(record: Any) -> Iterator[tuple[str, str]]:
    """The times of an event or a program that begin with a year, by their fields."""
    for field in ("closes", "due", "ends", "starts"):
        text = getattr(record, field, None)
        if text is not None and text[:4].isdecimal():
            yield field, text


def _far(record: Any, today: int | None) -> Iterator[Fault]:
    for field, text in _ends(record):
        if today is not None and int(text[:4]) > today + _FAR:
            yield _warning(field, f"{field}: {text} is more than {_FAR} years ahead")
            return


def _long(record: Any) -> Iterator[Fault]:
    """An end so long after its start that one of the two has another century or decade than was
    meant.
    """
    for first, last in (("opens", "closes"), ("starts", "ends")):
        begin, end = getattr(record, first, None), getattr(record, last, None)
        if (
            begin
            and end
            and (begin[:4] + end[:4]).isdecimal()
            and int(end[:4]) > int(begin[:4]) + _FAR
        ):
            yield _warning(last, f"{last}: {end} is more than {_FAR} years after {first}, {begin}")


def _warning(field: str, what: str, other: Loc = ()) -> Fault:
    hint = "correct it, or the programs" if other else "correct it where it is a slip"
    return Fault("implausible-value", what, (field,), hint, severity="warning")
