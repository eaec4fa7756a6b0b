"""`registry search`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from generator.cli._rows import formatted, print_answer, print_line, usual
from generator.cli._where import (
    filter_and_sort_options,
    option,
    page_options,
    registry,
    source_options,
)
from generator.cli.ask._show import print_list, show_rows, show_suggestions
from generator.grammar.paths import SEARCH

#: The fields of a CSV of several collections.
_FIELDS = ("collection", "slug", "name", "summary", "href")


@click.command("search", short_help="Search records by words.")
@click.argument("words", nargs=-1, required=True)
@option("--in COLLECTION", "The collection to search.  [default: all]", name="collection")
@filter_and_sort_options
@page_options
@formatted
@source_options
def command(
    words: tuple[str, ...], collection: str | None, form: str | None, **options: Any
) -> int:
    """Print the records that have all WORDS, best matches first: at most five of each collection,
    or with --in one page of a collection.

    A word of three letters or more also matches the beginning of a word.
    """
    q = " ".join(words)
    if not q.strip():
        raise click.UsageError("Write a word to search for, like: registry search solar")
    if collection is not None:
        return print_list(collection, q=q, form=form, **options)
    narrowed = [options.pop(name) for name in ("filters", "sort", "every")]
    if any(narrowed) or options.pop("page") != 1:
        raise click.UsageError("--filter, --sort, --page and --all need --in COLLECTION.")
    with registry(**options) as client:
        raw = client.ask(SEARCH, [("q", q)])
        document = json.loads(raw)
        if not print_answer(form or usual(), raw, _rows(document), _FIELDS):
            for name, found in document["data"].items():
                if found["total_items"]:
                    print_line(f"{name}: {found['total_items']:,}")
                    show_rows(client, name, found["data"])
            click.echo(f"{document['total_items']:,} found")
            show_suggestions(document)
    return 0


def _rows(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The records of all collections, each with the name of its collection."""
    for name, found in document["data"].items():
        yield from ({"collection": name, **row} for row in found["data"])
