"""`registry search`."""

from __future__ import annotations

from typing import Any

import click

from generator.cli._show import formatted
from generator.cli._where import filtered, from_where, option, paged


@click.command("search", short_help="Print one page of the records that have all WORDS.")
@click.argument("words", nargs=-1, required=True)
@option("--in COLLECTION", "Where to look.", name="collection", default="projects")
@filtered
@paged
@formatted
@from_where
def command(
    words: tuple[str, ...],
    collection: str,
    filters: tuple[str, ...],
    sort: str,
    page: int,
    every: bool,
    form: str | None,
    **where: Any,
) -> int:
    """Print one page of the records that have all WORDS, the most relevant first.

    A word of three letters or more counts as the beginning of a word too.
    """
    from generator.cli._show import show_list
    from generator.cli._where import asked, registry
    from generator.cli._where import collection as named

    with registry(**where) as client:
        query = asked(
            client, named(client, collection), filters, page, every, sort, q=" ".join(words)
        )
        show_list(client, query, form, every)
    return 0
