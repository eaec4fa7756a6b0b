"""`registry rename`."""

from __future__ import annotations

import click

from generator.api.names import COLLECTION_OF
from generator.cli._edit import carry_out, dry_run, kind_argument
from generator.cli._where import content_option


@click.command("rename", short_help="Give a record another slug; the old one leads to it.")
@kind_argument
@click.argument("old")
@click.argument("new")
@content_option
@dry_run
def command(kind: str, old: str, new: str, content: str, dry_run: bool) -> int:
    """Give the record OLD the slug NEW.

    Its file gets the new name, and the old slug becomes an alias, so that readers who ask for it
    are led on. Every reference to it is rewritten, and nothing else in those files.
    """
    from generator.edit.names import rename

    return carry_out(
        content,
        lambda: rename(content, COLLECTION_OF[kind], old, new),
        f"{old} is {new}",
        dry=dry_run,
    )
