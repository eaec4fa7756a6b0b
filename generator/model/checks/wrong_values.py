"""Warns about texts that fit their field but cannot be right: a name that is an address, a summary
that nobody has written yet, several people in one item of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.faults import Fault, Loc, describe_field, shorten
from generator.text.characters import split_list

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


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    found: list[Fault] = []
    for field, pattern, message, hint in _TEXTS:
        text: str | None = getattr(record, field)
        if text and text[0].lower() in _FIRST and pattern.fullmatch(text):
            found.append(_fault((field,), f'{field}: "{shorten(text)}" {message}', hint))
    for i, name in enumerate(getattr(record, "founders", None) or ()):
        if name.count(" ") > 3 or "\u3001" in name:
            found += _check_people(name, ("founders", i))
    return found


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
