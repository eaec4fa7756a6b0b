"""`registry check`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from generator.cli._where import below, content_anywhere_option

if TYPE_CHECKING:
    from generator.api.diagnostic import Diagnostic, Edit


@click.command("check", short_help="Report every problem of the content, or of some of its files.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_anywhere_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "gitlab", "sarif"]),
    default="text",
    show_default=True,
    help="github prints workflow commands, gitlab a report of Code Quality, sarif a SARIF 2.1.0 "
    "log.",
)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes to use.")
@click.option(
    "--out",
    default="build",
    show_default=True,
    metavar="DIR",
    help="The last build of it, to be compared with.",
)
@click.option(
    "--allow-loss",
    is_flag=True,
    help="No error if more than a fifth of a collection's records are gone, or all.",
)
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
def command(
    files: tuple[str, ...],
    content: str,
    form: str,
    jobs: int | None,
    out: str,
    allow_loss: bool,
    strict: bool,
) -> int:
    """Report every problem of the content, or of some of its files; write nothing.

    Each FILE is held against the whole registry; of other files only registry.yaml is told of.
    """
    from datetime import UTC, datetime
    from pathlib import Path

    from generator.build.executors import WorkerFailed
    from generator.build.guards import Guard, earlier, in_numbers
    from generator.build.load import check
    from generator.cli._content import content_at
    from generator.cli._formats import render
    from generator.cli._report import hush, show_problems
    from generator.disk.beside import OutputError, settle

    at = content_at(content)
    content = at.folder
    paths = [below(content, file) for file in files]
    try:
        if not files:
            settle(out)
        known = None if files else earlier(content, Path(out), surely=True)
        guard = Guard(known, "allow" if allow_loss else "stop")
        report = check(
            content, datetime.now(UTC).date(), guard, jobs=jobs, strict=strict, files=paths
        )
    except (OutputError, WorkerFailed) as error:
        raise click.ClickException(str(error)) from error
    try:
        if form == "text":
            fixable = 0 if at.fetched is not None else count_fixable(content, report.problems)
            show_problems(*at.told(report.problems), fixable)
        else:
            mends = {}
            if form in ("json", "sarif") and at.fetched is None:
                mends = safe_mends(content, report.problems)
            click.echo(render(at.told(report.problems)[0], form, mends), nl=False)
        if form == "text" and not report.problems:
            count, what = (
                (len(set(paths)), "file") if files else (sum(report.records.values()), "record")
            )
            click.echo(f"{count:,} {what}{'s' * (count != 1)}, no problem.")
        if form == "text" and report.elsewhere:
            click.echo(
                f"Other files have {report.elsewhere:,} problem{'s' * (report.elsewhere != 1)}: "
                "registry check",
                err=True,
            )
        changed = in_numbers(report.earlier, report.records)
        if form == "text" and changed is not None:
            click.echo(changed)
    except BrokenPipeError:
        hush()  # the reader went away, as `head` does; the status is still true
    return 1 if report.failed else 0


def count_fixable(content: str, problems: Sequence[Diagnostic]) -> int:
    """How many of these problems `registry fix` fixes, found by trying."""
    from collections import Counter
    from datetime import UTC, datetime

    from generator.build.load import looking
    from generator.edit.fix import plan
    from generator.records.folder import scan

    if all(problem.fix is None for problem in problems):
        return 0
    held = scan(content)
    _, done = plan(held, problems, looking(held, datetime.now(UTC).date()))
    fixed, reported = (
        Counter((problem.path, problem.code, problem.message) for problem in some)
        for some in ((mend.problem for mend in done), problems)
    )
    return (fixed & reported).total()


def safe_mends(content: str, problems: Sequence[Diagnostic]) -> dict[Diagnostic, list[Edit]]:
    """What `registry fix` would replace, by the problem that it would mend."""
    from datetime import UTC, datetime

    from generator.build.load import looking
    from generator.edit.fix import safe
    from generator.records.folder import scan

    if all(problem.fix is None for problem in problems):
        return {}
    held = scan(content)
    return safe(held, problems, looking(held, datetime.now(UTC).date()))
