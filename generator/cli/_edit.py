"""What the commands that change the content have in common: they say what they will do, and do it
whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from generator.edit.names import Plan

kind_argument = click.argument(
    "kind", type=click.Choice(["project", "program", "organization", "event"])
)
dry_run = click.option(
    "--dry-run", is_flag=True, help="Show every change as a diff, and make none."
)


def carry_out(content: str, plan: Callable[[], Plan], done: str, *, dry: bool) -> int:
    """Make the changes of a plan, or show them; `done` says what has been done then."""
    from generator.api.diagnostic import printable
    from generator.edit.changes import Moved, apply, difference, settle
    from generator.edit.names import Refused

    try:
        settle(content)
        changes, left = plan()
        if dry:
            click.echo(difference(changes), nl=False)
        else:
            apply(content, changes)
    except (Refused, Moved) as error:
        raise click.ClickException(printable(str(error))) from error
    verb = "would be changed" if dry else "changed"
    written = [change for change in changes if change.after is not None]
    for change in changes:
        what = "removed" if change.after is None else "written"
        click.echo(f"{what}  {printable(change.path)}", err=dry)
    for path in left:
        click.echo(
            f"{printable(path)} has faults and was left alone: it may name the record. Mend what "
            "registry check tells of it.",
            err=True,
        )
    click.echo(f"{done}: {len(written):,} files {verb}.", err=dry)
    return 0


def collection_of(kind: str) -> Any:
    from generator.api.names import COLLECTION_OF

    return COLLECTION_OF[kind]
