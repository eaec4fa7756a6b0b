"""`registry rename`."""

from __future__ import annotations

import click

from generator.cli._where import content_option
from generator.cli.edit._edit import carry_out, dry_run, kind_argument
from generator.kinds import COLLECTION_OF


@click.command("rename", short_help="Change the slug of a record; the old slug redirects.")
@kind_argument
@click.argument("old")
@click.argument("new")
@content_option
@dry_run
def command(kind: str, old: str, new: str, content: str, dry_run: bool) -> int:
    """Change the slug of a record from OLD to NEW.

    Its file is renamed, and the old slug becomes an alias, so old links still work.  References to
    it are rewritten; nothing else in those files changes.
    """
    from generator.edit.rename import rename

    return carry_out(
        content,
        lambda: rename(content, COLLECTION_OF[kind], old, new),
        f"{old} is {new}",
        dry=dry_run,
    )
