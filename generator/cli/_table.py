"""Rows of text in columns that fit a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_GAP = "  "
_LEAST = 10  # what is cut shorter tells nothing
#: What steers a terminal: control characters, and marks that turn the direction of the text around
#: them.
_HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Text without anything that steers a terminal but line breaks; it is escaped as JSON does."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def width(text: str) -> int:
    """The cells that a text takes: none for combining marks, two for wide characters (Unicode
    Standard Annex 11).
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )


def shortened(text: str, room: int) -> str:
    """At most so many cells, with an ellipsis where something was left out."""
    if width(text) <= room:
        return text
    end = used = 0
    for end, c in enumerate(text):  # noqa: B007
        used += width(c)
        if used > room - 1:
            break
    return text[:end] + "…"


def widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of the columns, so that a line fits the room: the widest give of theirs, but the
    first, which is a slug.

    Columns at the end that would tell nothing are left out.
    """
    found = [max(map(width, column)) for column in zip(*rows, strict=True)]
    room -= found[0]
    least = 0
    for count, wanted in enumerate(found[1:], 1):
        least += len(_GAP) + min(wanted, _LEAST)
        if least > room:
            del found[count:]
            break
    over = sum(found[1:]) + len(_GAP) * (len(found) - 1) - room
    for _ in range(over if len(found) > 1 else 0):
        found[max(range(1, len(found)), key=found.__getitem__)] -= 1
    return found


def line(row: Sequence[str], columns: Sequence[int]) -> str:
    cells = [(shortened(text, room), room) for text, room in zip(row, columns, strict=False)]
    return _GAP.join(text + " " * (room - width(text)) for text, room in cells).rstrip() + "\n"
