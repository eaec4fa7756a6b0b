"""`registry fix`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from generator.cli._where import content_option, option, path_in_content
from generator.cli.edit._edit import carry_out, dry_run

if TYPE_CHECKING:
    from generator.problems.diagnostic import Diagnostic


@click.command("fix", short_help="Fix the problems that can be fixed safely, and show each fix.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@option("--check", "Change nothing; status 1 if something can be fixed.")
@dry_run
def command(files: tuple[str, ...], content: str, check: bool, dry_run: bool) -> int:
    """Fix problems that have only one possible fix, in all content or in some files: a date in
    another order, a text without quotes, tabs, a slug in capitals.

    Every fix is shown, and nothing else changes.  You decide about all other problems; the exit
    status is 1 if an error is left.
    """
    from datetime import UTC, datetime

    from generator.dialect.folder import scan
    from generator.edit.changes import Plan
    from generator.edit.fix import plan_fixes
    from generator.problems.diagnostic import is_error, printable
    from generator.published.check import check as check_content
    from generator.published.content.load import file_checker

    paths = [path_in_content(content, file) for file in files]
    today = datetime.now(UTC).date()

    def problems() -> list[Diagnostic]:
        return check_content(content, today, files=paths).problems

    found: list[Diagnostic] = []
    fixed = False

    def worked_out() -> Plan:
        nonlocal fixed
        found[:] = problems()
        held = scan(content)
        changes, mends = plan_fixes(held, found, file_checker(held, today), paths)
        for problem, lines in mends:
            at = f"{problem.path}:{problem.line}:{problem.column}: {problem.code}"
            shown = [f"  {line.mark} {printable(line.text)}".rstrip() for line in lines]
            click.echo("\n".join([at, *shown]), err=dry_run)
        fixed = bool(changes.changes)
        return changes

    status = carry_out(content, worked_out, "", dry=dry_run or check, told=check)
    if dry_run or check:
        return status
    left = problems() if fixed else found
    click.echo(_next_step(left, fixed))
    return int(any(map(is_error, left)))


def _next_step(left: Sequence[Diagnostic], fixed: bool) -> str:
    if not left:
        return "No problem is left."
    from generator.cli._report import count_sentence

    first = "" if fixed else "Nothing could be fixed automatically. "
    kinds = [text for text in count_sentence(left) if not text.startswith("0 ")]
    be = "is" if len(left) == 1 else "are"
    return f"{first}{' and '.join(kinds)} {be} left: run `registry check`."
