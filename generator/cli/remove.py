"""`registry remove`."""

from __future__ import annotations

import click

from generator.api.names import COLLECTION_OF
from generator.cli._edit import carry_out, dry_run, kind_argument
from generator.cli._where import content_option, option


@click.command("remove", short_help="Take a record out for good; its slug is not given again.")
@kind_argument
@click.argument("slug")
@option("--reason TEXT", "Why; it is published.", default="", show_default=False)
@option("--unlink", "Take the references of other records out too.")
@content_option
@dry_run
def command(kind: str, slug: str, reason: str, unlink: bool, content: str, dry_run: bool) -> int:
    """Remove the record SLUG, and note in removed.yaml that it is gone for good.

    No record gets its slug again, and those who keep a copy of the registry read that it is to go
    there too. Where other records refer to it, they are named, and nothing is done without
    --unlink.
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
