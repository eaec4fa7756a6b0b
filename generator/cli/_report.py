"""How commands print problems, with the line that a problem is about, and progress."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import click

from generator.cli._rows import cut_to_width, width
from generator.problems.diagnostic import (
    Diagnostic,
    Edit,
    is_accepted,
    is_error,
    printable,
    stops_publish,
)
from generator.text.characters import split_lines

if TYPE_CHECKING:
    from generator.dialect.folder import Content
    from generator.edit.fix import FileCheck

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


def colour() -> bool:
    """Whether standard error shows colours (no-color.org)."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")


def show_problems(
    problems: Sequence[Diagnostic],
    excerpt: Callable[[Diagnostic], str] | None = None,
    *,
    content: str = "",
    is_build: bool = False,
    publishes: bool = False,
) -> None:
    """Print problems to standard error, with a count at the end.

    With `content`, their folder, the number that `registry fix` can fix follows.  A build tries
    none, and says how many have a fix.  With `publishes`, the number of warnings that keep the
    workflows from publishing follows.
    """
    if not problems:
        return
    coloured = colour()
    for problem, rest in problem_lines(problems, excerpt):
        head = str(problem).partition("\n")[0]
        tint = "red" if is_error(problem) else "green" if is_accepted(problem) else "yellow"
        click.echo(click.style(head, fg=tint) if coloured else head, err=True)
        click.echo(rest, err=True)
    fixable = count_fixable(content, problems) if content else 0
    if is_build:
        fixable = sum(problem.fix is not None for problem in problems)
    can = "may" if is_build else "can"
    fix = f"; `registry fix` {can} fix {fixable:,}" if fixable else ""
    left = sum(not is_error(problem) and stops_publish(problem) for problem in problems)
    publish = f"; the workflows publish only without warnings: {left:,}" if left else ""
    counts = ", ".join(count_sentence(problems))
    click.echo(f"{counts}{fix}{publish if publishes else ''}", err=True)


def count_sentence(problems: Sequence[Diagnostic]) -> list[str]:
    """The numbers of errors, of warnings and, if there are any, of accepted warnings, in words."""
    errors, accepted = sum(map(is_error, problems)), sum(map(is_accepted, problems))
    warnings = len(problems) - errors - accepted
    counts = [
        f"{count:,} {name}{'s' * (count != 1)}"
        for count, name in ((errors, "error"), (warnings, "warning"))
    ]
    return [*counts, f"{accepted:,} accepted"] if accepted else counts


def problem_lines(
    problems: Iterable[Diagnostic], excerpt: Callable[[Diagnostic], str] | None = None
) -> Iterator[tuple[Diagnostic, str]]:
    """Each problem with its lines: the message, the excerpt of the file, and the hint."""

    excerpt = excerpt or excerpts()
    for problem in problems:
        message, *hint = str(problem).split("\n")[1:]
        other = (excerpt(place) for place in _before(problem))
        lines = [
            f"    {line}"
            for text in (*other, excerpt(problem))
            for line in text.split("\n")
            if line
        ]
        yield problem, "\n".join([message, *lines, *hint])


def _before(problem: Diagnostic) -> Iterator[Diagnostic]:
    """The other places of the same problem in the file."""
    for place in problem.also:
        if place.path == problem.path:
            yield replace(problem, line=place.line, column=place.column, fix=None)


def unchanged_sentence(out: str) -> str:
    """A sentence about an output that nothing was written to."""
    return f"{out} is as it was" if os.path.lexists(out) else "there is no build yet"


def discard_output(*streams: int) -> None:
    """Discard output that is still buffered; Python would try to write it again at exit."""
    for stream in streams or (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda name, done, total: None
        return
    with click.progressbar(length=1, label="records", file=sys.stderr, show_eta=False) as shown:

        def progress(name: str, done: int, total: int) -> None:
            shown.length = max(total, 1)
            shown.update(min(done, total) - shown.pos)

        yield progress


# --- what `registry fix` would do -----------------------------------------------------------------


def count_fixable(content: str, problems: Sequence[Diagnostic]) -> int:
    """The number of problems of a content folder that `registry fix` fixes, found by trying."""
    if all(problem.fix is None for problem in problems):
        return 0
    from generator.edit.fix import count_fixed, plan_fixes

    found, look = _rechecker(content)
    return count_fixed(problems, plan_fixes(found, problems, look)[1])


def safe_mends(content: str, problems: Sequence[Diagnostic]) -> dict[Diagnostic, list[Edit]]:
    """The replacements that `registry fix` would make in a content folder, by problem."""
    if all(problem.fix is None for problem in problems):
        return {}
    from generator.edit.fix import safe_fixes

    found, look = _rechecker(content)
    return safe_fixes(found, problems, look)


def _rechecker(content: str) -> tuple[Content, FileCheck]:
    """The content, and a function that checks a file again."""
    from datetime import UTC, datetime

    from generator.dialect.folder import scan
    from generator.published.content.load import file_checker

    found = scan(content)
    return found, file_checker(found, datetime.now(UTC).date())
