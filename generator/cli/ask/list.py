"""`registry list`."""

from __future__ import annotations

from typing import Any

import click

from generator.cli._rows import formatted
from generator.cli._where import filter_and_sort_options, page_options, source_options
from generator.cli.ask._show import print_list


@click.command("list")
@click.argument("collection")
@filter_and_sort_options
@page_options
@formatted
@source_options
def command(collection: str, **options: Any) -> int:
    """Print one page of a collection, such as projects.

    Records must match all filters.
    """
    return print_list(collection, **options)
