"""`registry get`."""

from __future__ import annotations

from typing import Any

import click

from generator.cli._rows import formatted
from generator.cli._where import find_collection, registry, source_options
from generator.cli.ask._show import show_record


@click.command("get", short_help="Print one whole record.")
@click.argument("collection")
@click.argument("slug", required=False)
@formatted
@source_options
def command(collection: str, slug: str | None, form: str | None, **where: Any) -> int:
    """Print the whole record of a COLLECTION, such as projects, with this SLUG.

    You can also write COLLECTION/SLUG.
    """

    if slug is None:
        collection, _, slug = collection.partition("/")
    if not slug:
        raise click.UsageError("Which record? Add its slug, like: registry get projects acme")
    with registry(**where) as client:
        of = find_collection(client, collection)
        raw, document = client.record(of, slug)
        now = document["data"]["slug"]
        if now != slug:
            click.echo(f'The {of.kind} "{slug}" is called "{now}" now.', err=True)
        show_record(client, of.name, document, raw, form)
    return 0
