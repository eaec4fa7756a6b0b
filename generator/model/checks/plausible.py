"""Warns about values that fit their field but are probably mistakes: days and years in the future,
amounts below zero, texts that are something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Any

from generator.model.kind import Kind
from generator.model.kinds.spans import ahead, implausible
from generator.model.settings.own_fields import currencies
from generator.model.symbols import Symbols
from generator.problems.faults import Fault, Loc, describe_field, shorten
from generator.text.characters import split_list
from generator.text.numbers import CURRENCY_SIGNS

#: Few records have an earlier year, such as old universities.
_EARLY = 1600


@lru_cache(maxsize=1024)
def _day_before(day: str) -> str:
    """The day from which a record may be verified on `day`: in another time zone it has begun."""
    return str(date.fromisoformat(day) - timedelta(1))


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    yield from _check_texts(kind, record)
    yield from _check_amounts(kind, record)
    year: Any = getattr(record, "year", None)
    this_year = int(symbols.today[:4]) if symbols.today is not None else None
    if this_year and year is not None and year > this_year + kind.years_ahead:
        yield ahead("year", f"year: {year} is in the future")
    if year is not None and year < _EARLY:
        message, hint = f"year: {year} is before {_EARLY}", "if this is a mistake, correct the year"
        hint += "; if not, write accept: [early-year]"
        yield Fault("early-year", message, ("year",), hint, severity="warning")
    if symbols.today and record.verified and _day_before(record.verified) > symbols.today:
        yield ahead("verified", f"verified: {record.verified} is in the future")


@cache
def is_money(unit: str) -> bool:
    """Whether a unit names a currency by its sign or its code: "EUR", "Mio. €", "US$ per year"."""
    words = [*re.split(r"[\s/().,]+", unit), *unit]
    return any(word in currencies() or word.casefold() in CURRENCY_SIGNS for word in words)


def _check_amounts(kind: Kind, record: Any) -> Iterator[Fault]:
    """Warn about an amount of money below zero in an own field."""
    for f in (f for f in kind.declared.own if f.unit and is_money(f.unit)):
        value = getattr(record, f.name)
        if value is not None and value < 0:
            message = f"{'.'.join(f.place)}: {value:,} {f.unit} is less than nothing"
            yield implausible(f.place, message)


_ADDRESS = re.compile(r"\s*(?:https?://|www\.)\S+\s*", re.I)
_UNWRITTEN = re.compile(
    r"\W*(?:to ?do|fix ?me|x{3,}|coming soon|(?:beispiel|example|sample|dummy) ?text|folgt"
    r"|(?:short |one.line )?(?:description|summary)|(?:kurz)?beschreibung|zusammenfassung)\W*"
    r"|\W*lorem ipsum\b.*|\W*(?:todo|fixme)\s*:.*",
    re.I | re.S,
)
#: Field, what its text must not be, the message and the hint.
_TEXTS = (
    ("name", _ADDRESS, "is a web address", "write the name here, and the address under website"),
    ("name", _UNWRITTEN, "is no name", "write the name"),
    ("summary", _ADDRESS, "is only a web address", "write one line, and the address under website"),
    ("summary", _UNWRITTEN, "is not written yet", "write it, or leave the line out"),
    ("description", _UNWRITTEN, "is not written yet", "write it, or leave the line out"),
)
#: First letters, in lower case, of all texts that a pattern may match.
_FIRST = frozenset("htwfxlcbedszok([{<.*-_!? \n")
#: Words for "and" that mean something else in other languages, and so divide only names.
_split_people = re.compile(" (?:a|i|in|і|un|ir) ").split
_PERSON = re.compile(r"(?:[^\W\d_][\w'’.-]*)(?: (?:[^\W\d_][\w'’.-]*)){1,4}").fullmatch
_is_particle = re.compile(
    r"v[ao]n|vom|zur?|d(?:e[lrn]?|ella|[iau]|os?|as)|l[ae]|[ea]l|ibn|bin|ben|te[rn]|a[fv]"
).fullmatch


def _check_texts(kind: Kind, record: Any) -> Iterator[Fault]:
    """Warn about a name that is an address, a summary that nobody has written yet, and several
    people in one item of a list.
    """
    for field, pattern, message, hint in _TEXTS:
        text: str | None = getattr(record, field)
        if text and text[0].lower() in _FIRST and pattern.fullmatch(text):
            yield _fault((field,), f'{field}: "{shorten(text)}" {message}', hint)
    founders = record.founders if "founders" in kind.declared.common else None
    for i, name in enumerate(founders or ()):
        if name.count(" ") > 3 or ";" in name or "\u3001" in name:
            yield from _check_people(name, ("founders", i))


def _check_people(text: str, loc: Loc) -> Iterator[Fault]:
    people = [name for part in split_list(text) for name in _split_people(part)]
    if len(people) > 1 and all(map(_is_person, people)):
        message = f'{describe_field(loc)}: "{shorten(text)}" has {len(people)} names'
        yield _fault(loc, message, f"write each name as an item: [{', '.join(people)}]")


def _is_person(name: str) -> bool:
    """Whether a text has the form of a first and a last name, or is in a script without spaces."""
    if name[0].lower() == name[0].upper():
        return True
    return _PERSON(name) is not None and all(
        word[0].isupper() or _is_particle(word) for word in name.split()
    )


def _fault(loc: Loc, message: str, hint: str) -> Fault:
    return Fault("implausible-value", message, loc, hint, severity="warning")
