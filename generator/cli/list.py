"""`registry list`."""

from __future__ import annotations

from typing import Any

import click

from generator.cli._show import formatted
from generator.cli._where import filtered, from_where, paged


@click.command("list")
@click.argument("collection")
@filtered
@paged
@formatted
@from_where
def command(
    collection: str,
    filters: tuple[str, ...],
    sort: str,
    page: int,
    every: bool,
    form: str | None,
    **where: Any,
) -> int:
    """Print one page of projects, programs, organizations or events.

    Several filters are joined with AND.
    """
    from generator.cli._show import show_list
    from generator.cli._where import asked, registry
    from generator.cli._where import collection as named

    with registry(**where) as client:
        show_list(
            client,
            asked(client, named(client, collection), filters, page, every, sort),
            form,
            every,
        )
    return 0
