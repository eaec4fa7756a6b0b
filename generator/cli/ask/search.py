"""`registry search`."""

from __future__ import annotations

from typing import Any

import click

from generator.cli._where import filter_and_sort_options, option, page_options, source_options
from generator.cli.ask._show import formatted, print_list


@click.command("search", short_help="Search records by words.")
@click.argument("words", nargs=-1, required=True)
@option("--in COLLECTION", "The collection to search.", name="collection", default="projects")
@filter_and_sort_options
@page_options
@formatted
@source_options
def command(words: tuple[str, ...], collection: str, **options: Any) -> int:
    """Print one page of the records that have all WORDS, best matches first.

    A word of three letters or more also matches the beginning of a word.
    """
    return print_list(collection, q=" ".join(words), **options)
