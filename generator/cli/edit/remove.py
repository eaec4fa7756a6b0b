"""`registry remove`."""

from __future__ import annotations

import click

from generator.cli._where import content_option, option
from generator.cli.edit._edit import carry_out, dry_run, kind_argument
from generator.kinds import COLLECTION_OF


@click.command("remove", short_help="Remove a record for good.")
@kind_argument
@click.argument("slug")
@option(
    "--reason TEXT",
    "Why, in one published line of at most 300 characters.",
    default="",
    show_default=False,
)
@option("--unlink", "Also remove references to it from other records.")
@content_option
@dry_run
def command(kind: str, slug: str, reason: str, unlink: bool, content: str, dry_run: bool) -> int:
    """Remove the record SLUG for good, and note this in removed.yaml.

    No other record can get its slug, and readers with a copy of the registry learn of the removal.
    If other records refer to it, they are listed, and nothing is removed without --unlink.
    """
    from datetime import UTC, datetime

    from generator.edit.remove import remove

    return carry_out(
        content,
        lambda: remove(
            content, COLLECTION_OF[kind], slug, datetime.now(UTC).date(), reason, unlink=unlink
        ),
        f"{slug} is gone for good",
        dry=dry_run,
    )
