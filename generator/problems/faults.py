"""A problem of one file, before it is known where in the file that stands, and how its field and
value are spelled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from generator.problems.diagnostic import Fix

Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem of one file, placed by field or, in `at`, by line and column.

    `mend` is the hint, or what finds it: to look for the nearest word takes long, so it is done for
    what is told only. `word` stands where a slug is meant; `sought` is a part of the
    field's text, of which the last character is the place, `item` the slug of the one that is meant
    of a list.  `also` has other places, those of this
    file with the path "", and `fix` the mend where one is safe.
    """

    code: str
    message: str
    loc: Loc = ()
    mend: str | Callable[[], str | None] | None = None
    at: tuple[int, int] | None = None
    on_key: bool = False
    severity: str = "error"
    sought: str = ""
    item: str = ""
    word: str = ""
    also: tuple[tuple[str, int, int], ...] = ()
    fix: Fix | None = None

    @property
    def hint(self) -> str | None:
        return self.mend() if callable(self.mend) else self.mend


class Mend(NamedTuple):
    """What to do about a fault, in words, and as a program may do it where that is safe."""

    hint: str | None
    fix: Fix | None = None


def spell(loc: Loc) -> str:
    """A field as an author says it: `programs[1]`, `tags.topic[0]`."""
    out = ""
    for part in loc:
        out += f"[{part}]" if isinstance(part, int) else f".{cut(part)}" if out else cut(part)
    return out


def show(value: Any) -> str:
    """A value as written, cut to a line."""
    if isinstance(value, str):
        return '"' + cut(value) + '"'
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else '"key: value" entries'
    return str(value)


def cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
