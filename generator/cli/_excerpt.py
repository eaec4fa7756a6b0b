"""The line of a file that a problem is about, with a mark below the place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from generator.problems.diagnostic import Diagnostic, printable
from generator.text.characters import split_lines

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


_ROOM = 96  # cells of an excerpt
_LONGEST = 2000  # characters of the marked text
_NEAR = 300  # characters before and after the place
_DELIMITERS = (",", ";", "\t")
_QUOTED = r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'"""
_invisible_break = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]").search
#: The marked text: a quoted text, or all before the next special character of YAML.
_in_brackets = re.compile(
    rf"{_QUOTED}|[^\s,\[\]{{}}#][^,\[\]{{}}#]*?(?=\s*(?:[,\[\]{{}}#]|:\s|:$|$))"
).match
_in_block = re.compile(
    rf"{_QUOTED}|[^\s,\[\]{{}}#](?:[^\s]|\s(?!#))*?(?=\s*(?:\s#|:\s|:$|$))"
).match


def excerpts(read: Callable[[str], bytes] | None = None) -> Callable[[Diagnostic], str]:
    """A function that returns the excerpt of a problem, or "" if the file has no such line. It
    reads each file once.
    """
    lines = lru_cache(maxsize=4)(lambda path: lines_of(path, read or _bytes))

    def excerpt(problem: Diagnostic) -> str:
        if (problem.line, problem.column) == (1, 1):
            return ""  # the problem is about the whole file
        held = lines(problem.path)
        if problem.line > len(held):
            return ""
        line, column = held[problem.line - 1], problem.column
        if end_of_line := _invisible_break(line, column - 1):
            line = line[: end_of_line.start()]
        end = end_of(problem)
        if end is None and problem.path.lower().endswith((".csv", ".tsv")):
            end = _end_of_cell(line, column, max(_DELIMITERS, key=held[0].count))
        return _shown(line, problem.line, column, end)

    return excerpt


def _bytes(path: str) -> bytes:
    from generator.dialect.folder import read_file

    return read_file(path)


def lines_of(path: str, read: Callable[[str], bytes] = _bytes) -> list[str]:
    """The lines of a file, or none if it cannot be read."""
    try:
        lines = split_lines(read(path).decode().removeprefix("\ufeff"))
        return lines if lines[-1] else lines[:-1]
    except (OSError, UnicodeDecodeError, ValueError):
        return []


def end_of(problem: Diagnostic) -> int | None:
    """The column after the place of a problem, if its fix says where that ends."""
    if problem.fix is None or problem.fix.action != "text":
        return None
    line, column, last, end, _ = problem.fix.replacement[0]
    here = (line, column) == (problem.line, problem.column)
    return end if here and last == line and end > column else None


def _end_of_cell(line: str, column: int, delimiter: str) -> int | None:
    """The column after a cell of CSV."""
    cell = re.compile(rf'"(?:[^"]|"")*"|[^{re.escape(delimiter)}]+').match(line, column - 1)
    return cell.end() + 1 if cell else None


def _shown(line: str, number: int, column: int, end: int | None) -> str:
    """Two lines: an extract of the line around the place, and the mark."""
    before, meant, after = _parts(line, column - 1, end and end - 1)
    while width(before) > _ROOM // 2:
        before = f"…{before[len(before) // 8 + 2 :]}"
    meant = cut_to_width(meant, _ROOM - width(before))
    after = cut_to_width(after, max(0, _ROOM - width(before + meant)))
    gutter = " " * len(str(number))
    mark = " " * width(before) + "^" * max(1, width(meant))
    return f"{number} | {before}{meant}{after}\n{gutter} | {mark}"


def span(line: str, at: int) -> int:
    """The end of the value or word that begins at an index of a line."""
    before, after = (
        sum(part.count(sign) for sign in "[{") - sum(part.count(sign) for sign in "]}")
        for part in (line[:at], line[at:])
    )
    brackets = before > 0 or after < 0 or line.rstrip().endswith(",")
    found = (_in_brackets if brackets else _in_block)(line[: at + _LONGEST], at)
    return found.end() if found else at + 1


def _parts(line: str, at: int, end: int | None) -> tuple[str, str, str]:
    begin = max(0, at - _NEAR)
    end = (end if end is not None else span(line, at)) - begin
    line, at, cut = line[begin : at + _NEAR], at - begin, "…" if begin else ""
    return cut + printable(line[:at]), printable(line[at:end]), printable(line[end:].rstrip())
