"""`registry check`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import click

from generator.cli._where import (
    WholeNumber,
    content_option,
    option,
    path_in_content,
)

if TYPE_CHECKING:
    from generator.model.symbols import Symbols
    from generator.problems.diagnostic import Diagnostic
    from generator.published.report import Report


@click.command("check", short_help="Report every problem of the content, or of some files.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@option(
    "--format",
    "github prints workflow commands, gitlab a Code Quality report, sarif a SARIF 2.1.0 log, "
    "markdown a comment for a pull request.",
    click.Choice(["text", "json", "github", "gitlab", "markdown", "sarif"]),
    name="form",
    default="text",
)
@option("--jobs N", "Processes to use.", WholeNumber(1, 256))
@option("--out DIR", "The last build, to compare with.", default="build")
@option("--allow-loss", "No error of the guards about losses.")
@option("--strict", "Treat warnings as errors, except those that depend on the day.")
@option("--statistics", "Only the number of problems of each code.")
@option("--all", "Show accepted warnings too, with the reason.", name="every")
def command(
    files: tuple[str, ...],
    content: str,
    form: str,
    jobs: int | None,
    out: str,
    allow_loss: bool,
    strict: bool,
    statistics: bool,
    every: bool,
) -> int:
    """Report every problem of the content, or of some files; write nothing.

    Each FILE is checked with the whole registry.  Of other files, only problems of registry.yaml
    are reported.
    """
    from datetime import UTC, datetime
    from pathlib import Path

    from generator.cli._report import discard_output, show_problems
    from generator.disk.output_state import recover_output
    from generator.problems.diagnostic import sort_diagnostics
    from generator.published.check import check
    from generator.published.content.guards import Guard, last_state

    paths = [path_in_content(content, file) for file in files]
    if not files:
        recover_output(out)
    known = None if files else last_state(content, Path(out), surely=True)
    guard = Guard(known, "allow" if allow_loss else "stop")
    today = datetime.now(UTC).date()
    report = check(content, today, guard, jobs=jobs, strict=strict, files=paths)
    problems = report.problems
    if every:
        problems = sort_diagnostics([*problems, *report.accepted])
    try:
        if statistics:
            click.echo(_counts_by_code(problems), nl=False)
        elif form == "text":
            show_problems(problems, content=content, publishes=not strict)
            _print_report(report, len(set(paths)))
        else:
            from generator.cli._report import safe_mends
            from generator.cli.publishing._formats import render

            mends = {}
            if form in ("json", "sarif"):
                mends = safe_mends(content, problems)
            click.echo(render(problems, form, mends), nl=False)
    except BrokenPipeError:
        discard_output()  # the reader of the output closed it, as `head` does; the status stays
    if not files and report.symbols is not None:
        _report_old_files(content, report.symbols)
    return 1 if report.failed else 0


def _report_old_files(content: str, symbols: Symbols) -> None:
    """Name the files that features wrote into the repository and that no longer fit the registry,
    such as issue forms.

    This is no problem of the content: a new organization, a choice of a form, must not stop a
    publish.
    """
    from contextlib import suppress
    from pathlib import Path

    from generator.feature import Hook
    from generator.problems.diagnostic import printable

    outdated_files: Hook[Callable[[str, Symbols], Iterable[str]]]
    outdated_files = Hook("repository", "outdated", "repository, symbols")
    repository = str(Path(content).resolve().parent)
    with suppress(OSError):  # not for us to read
        for line in (line for of in outdated_files for line in of(repository, symbols)):
            click.echo(printable(line), err=True)


def _counts_by_code(problems: Sequence[Diagnostic]) -> str:
    """A line for each code: the number of its problems, how grave they are, and the code."""
    from collections import Counter

    counts = Counter[tuple[str, str]]()
    for problem in problems:
        counts[problem.severity, problem.code] += problem.count
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    wide = max((len(f"{number:,}") for _, number in ranked), default=0)
    return "".join(f"{number:>{wide},}  {grave:<8} {code}\n" for (grave, code), number in ranked)


def _print_report(report: Report, files: int) -> None:
    """Report the number of files checked, or that all were, and the changed numbers."""
    from generator.published.content.guards import describe_changed_counts

    if not report.problems:
        count, what = (files, "file") if files else (sum(report.records.values()), "record")
        click.echo(f"{count:,} {what}{'s' * (count != 1)}, no problem.")
    if report.elsewhere:
        click.echo(
            f"Other files have {report.elsewhere:,} problem{'s' * (report.elsewhere != 1)}: "
            "registry check",
            err=True,
        )
    changed = describe_changed_counts(report.earlier, report.records)
    for line in (*([changed] if changed is not None else []), *report.notes):
        click.echo(line)
