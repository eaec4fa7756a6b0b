"""Values that fit their fields and are hardly meant.  They may be true, so this only warns."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from generator.model.symbols import Kind, Symbols
from generator.problems.faults import Fault, Loc

_TEAM = 20_000  # people who work on a project at most
_PAST = 30  # days after which it is known whether an event took place
_FAR = 10  # years that an end is ahead at most
_OLDER = 20  # years that a project is older than its cohort at most


def turns(collection: str, record: Any) -> str:
    """The days, or years, from which another is said of a record, or nothing any more."""
    year = record.__dict__.get("year")
    of_year = _text(year - _ahead(collection)) if year is not None else ""
    if collection not in ("events", "programs"):
        return of_year
    days = [of_year] if of_year else []
    days += [str(int(text[:4]) - _FAR) for _, text in _ends(record)]
    if collection == "events" and record.status == "tentative" and (end := _over(record)):
        days.append(end)
    return " ".join(days)


_text = lru_cache(maxsize=1024)(str)  # one object for all records of a year


def _ahead(collection: str) -> int:
    """Years that a record's year may be ahead: a cohort is announced in the year before."""
    return 1 if collection == "programs" else 0


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    year = getattr(record, "year", None)
    today = int(symbols.today[:4]) if symbols.today is not None else None
    if today is not None and year is not None and year > today + _ahead(kind.collection):
        yield _warning("year", f"year: {year} is in the future")
    if kind.collection in ("events", "programs"):
        yield from list(_far(record, today)) or (_long(record) if record.kind != "program" else ())
    if kind.collection == "events":
        yield from _undecided(record, symbols.today)
    if kind.collection == "projects" and (record.team_size or 0) > _TEAM:
        yield from _large(record)
    if year is None:
        return
    if (
        kind.collection == "programs"
        and record.kind == "cohort"
        and record.starts
        and int(record.starts[:4]) != year
    ):
        yield _warning("year", f"year: {year}, but the cohort starts on {record.starts}")
    for i, slug in enumerate(record.programs or () if kind.collection == "projects" else ()):
        cohort = symbols.programs[slug].year if slug in symbols.programs else None
        if cohort is not None and year <= cohort - _OLDER:
            yield _warning(
                "year",
                f"year: {year} is decades before its cohort {slug} ({cohort})",
                ("programs", i),
            )


def _large(record: Any) -> Iterator[Fault]:
    if record.status in (None, "active"):
        yield _warning(
            "team_size", f"team_size: {record.team_size:,} people are too many for a start-up"
        )


def _undecided(record: Any, today: str | None) -> Iterator[Fault]:
    """An event that is long over and may still take place."""
    end = _over(record) if record.status == "tentative" else None
    if today is not None and end is not None and end <= today:
        name, text = next(_ends(record))
        what = f"status: still tentative, but {name}, {text}, was more than {_PAST} days ago"
        hint = "write confirmed, extended or cancelled"
        yield Fault("implausible-value", what, ("status",), hint, severity="warning")


def _over(record: Any) -> str | None:
    """The day from which an event is long over; None where its times are none."""
    text = next((text for _, text in _ends(record)), "")
    try:
        return str(date.fromisoformat(text[:10]) + timedelta(_PAST + 1))
    except (ValueError, OverflowError):
        return None


def _ends(record: Any) -> Iterator[tuple[str, str]]:
    """The times of an event or a program that begin with a year, by their fields."""
    for field in ("closes", "due", "ends", "starts"):
        text = getattr(record, field, None)
        if text is not None and text[:4].isdecimal():
            yield field, text


def _far(record: Any, today: int | None) -> Iterator[Fault]:
    for field, text in _ends(record):
        if today is not None and int(text[:4]) > today + _FAR:
            yield _warning(field, f"{field}: {text} is more than {_FAR} years away")
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
    hint = "correct the year or the programs" if other else "if this is a mistake, correct it"
    return Fault("implausible-value", what, (field,), hint, severity="warning")
