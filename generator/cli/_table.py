"""Rows of text in columns that fit a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_GAP = "  "
_LEAST = 10  # shorter texts are useless
#: What steers a terminal: control characters, and marks that turn the direction of the text around
#: them.
_HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """The text with control characters escaped as in JSON, except line breaks."""
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def width(text: str) -> int:
    """The terminal cells of a text: none for combining marks, two for wide characters (Unicode
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


def cut_to_width(text: str, room: int) -> str:
    """A text cut to `room` cells, with an ellipsis if something was left out."""
    if width(text) <= room:
        return text
    end = used = 0
    for end, c in enumerate(text):  # noqa: B007
        used += width(c)
        if used > room - 1:
            break
    return text[:end] + "…"


def widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Column widths for a line that fits `room` cells. The widest columns get narrower, but never
    the first, which has slugs. Columns at the end that would be too narrow are left out.
    """
    columns = [max(map(width, column)) for column in zip(*rows, strict=True)]
    room -= columns[0]
    least = 0
    for count, wanted in enumerate(columns[1:], 1):
        least += len(_GAP) + min(wanted, _LEAST)
        if least > room:
            del columns[count:]
            break
    over = sum(columns[1:]) + len(_GAP) * (len(columns) - 1) - room
    for _ in range(over if len(columns) > 1 else 0):
        columns[max(range(1, len(columns)), key=columns.__getitem__)] -= 1
    return columns


def line(row: Sequence[str], columns: Sequence[int]) -> str:
    cells = [(cut_to_width(text, room), room) for text, room in zip(row, columns, strict=False)]
    return _GAP.join(text + " " * (room - width(text)) for text, room in cells).rstrip() + "\n"
