"""`registry merge`."""

from __future__ import annotations

import click

from generator.api.names import COLLECTION_OF
from generator.cli._edit import carry_out, dry_run, kind_argument
from generator.cli._where import content_option


@click.command("merge", short_help="Remove a record that is another one too.")
@kind_argument
@click.argument("old", metavar="FROM")
@click.argument("into")
@content_option
@dry_run
def command(kind: str, old: str, into: str, content: str, dry_run: bool) -> int:
    """Remove the record FROM, which is the record INTO as well.

    Its slugs become aliases of INTO, and every reference to it is one to INTO. What FROM says of
    itself goes with it: move what is worth keeping by hand before.
    """
    from generator.edit.names import merge

    return carry_out(
        content,
        lambda: merge(content, COLLECTION_OF[kind], old, into),
        f"{old} is part of {into}",
        dry=dry_run,
    )
