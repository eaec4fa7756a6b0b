"""How commands print problems and progress."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from generator.problems.diagnostic import Diagnostic, Edit, is_accepted, is_error, stops_publish

if TYPE_CHECKING:
    from generator.dialect.folder import Content
    from generator.edit.fix import FileCheck


def colour() -> bool:
    """Whether standard error shows colours (no-color.org)."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")


def show_problems(
    problems: Sequence[Diagnostic],
    excerpt: Callable[[Diagnostic], str] | None = None,
    *,
    content: str = "",
    can: str = "can",
    publishes: bool = False,
) -> None:
    """Print problems to standard error, with a count at the end.

    With `content`, their folder, the number that `registry fix` fixes follows; with `publishes`,
    the number of warnings that keep the workflows from publishing.
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
    from generator.cli._excerpt import excerpts

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
