"""`registry fix`."""

from __future__ import annotations

import click

from generator.cli._edit import carry_out, dry_run
from generator.cli._where import below, content_option


@click.command("fix", short_help="Make the mends of problems that are safe, and say which.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@click.option(
    "--check", is_flag=True, help="Change nothing, and end with status 1 if a mend would be made."
)
@dry_run
def command(files: tuple[str, ...], content: str, check: bool, dry_run: bool) -> int:
    """Mend what can mean one thing only, in all of the content or in some files: a date in another
    order, a text that wants quotes, tabs, a slug in capitals.

    Every mend is shown, and nothing else changes. What a person has to decide stays as it is:
    registry check tells it.
    """
    from datetime import UTC, datetime

    from generator.api.diagnostic import printable
    from generator.build import load
    from generator.edit.changes import Plan
    from generator.edit.fix import plan
    from generator.records.folder import scan

    paths = [below(content, file) for file in files]

    def worked_out() -> Plan:
        today = datetime.now(UTC).date()
        problems = load.check(content, today, files=paths).problems
        held = scan(content)
        changes, mends = plan(held, problems, load.looking(held, today), paths)
        for problem, before, after in mends:
            at = f"{problem.path}:{problem.line}:{problem.column}: {problem.code}"
            lines = [f"  {mark} {printable(line)}" for mark, line in (("-", before), ("+", after))
                     if line]  # fmt: skip
            click.echo("\n".join([at, *lines]), err=dry_run)
        return changes

    done = "Nothing is left that a program may mend"
    return carry_out(content, worked_out, done, dry=dry_run or check, told=check)
