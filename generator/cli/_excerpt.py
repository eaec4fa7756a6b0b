"""The line of a file that a problem is about, with a mark below the place."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from generator.cli._rows import cut_to_width, width
from generator.problems.diagnostic import Diagnostic, printable
from generator.text.characters import split_lines

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
