"""Faults: problems of one file before their position is known; fields and values in messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from generator.problems.diagnostic import Cause, Fix, Position

# --- a file that is refused -----------------------------------------------------------------------
#
# The reason why a file beside a record is refused.


class RefusedFile(Exception):
    """A file is refused: a code of `problems/codes`, the message, the hint, and the line and column
    in the file.  `others` are further faults of the same file.
    """

    def __init__(self, code: str, message: str, hint: str, line: int = 1, column: int = 1):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint
        self.line, self.column = line, column
        self.others: list[RefusedFile] = []


# --- faults of a file -----------------------------------------------------------------------------


Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem of one file.  Its place is the field `loc` (its key if `on_key`), or the line and
    column `at`.

    `hint_source` is the hint, or a function that finds it, for slow searches of the nearest word:
    only reported faults need them.  `given_slug` is a text in the place of a slug, which is at
    `slug_loc` if a list is meant there.  `search_text` is a part of the field's text whose last
    character is the place.  `item_slug` is the slug of one item of a list. `also` has other places,
    with the path "" in this file.  `fix` is a safe change, if there is one.  `other` is a field of
    another record of the collection, with its slug.  `cause` is what many records may lack
    together.
    """

    code: str
    message: str
    loc: Loc = ()
    hint_source: str | Callable[[], str | None] | None = None
    at: tuple[int, int] | None = None
    on_key: bool = False
    severity: str = "error"
    search_text: str = ""
    item_slug: str = ""
    given_slug: str = ""
    slug_loc: Loc = ()
    also: tuple[Position, ...] = ()
    fix: Fix | None = None
    other: tuple[str, Loc] | None = None
    cause: Cause | None = None

    @property
    def hint(self) -> str | None:
        return self.hint_source() if callable(self.hint_source) else self.hint_source


def accept_fault(fault: Fault, reasons: Mapping[str, str]) -> Fault:
    """The fault; if it is a warning and `reasons` has its code, as an accepted one."""
    if fault.severity != "warning" or fault.code not in reasons:
        return fault
    return replace(fault, severity="accepted", hint_source=reasons[fault.code], fix=None)


class Remedy(NamedTuple):
    """The remedy of a fault: a hint for people, and a fix if a program can do it safely."""

    hint: str | None
    fix: Fix | None = None


def describe_field(loc: Loc) -> str:
    """A field as authors write it: `programs[1]`, `tags.topic[0]`."""
    field = ""
    for part in loc:
        field += (
            f"[{part}]"
            if isinstance(part, int)
            else f".{shorten(part)}"
            if field
            else shorten(part)
        )
    return field


def describe_value(value: Any) -> str:
    """A value as written, cut to one line."""
    if isinstance(value, str):
        return '"' + shorten(value) + '"'
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "a list"
    return '"key: value" entries' if isinstance(value, dict) else str(value)


def shorten(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."
