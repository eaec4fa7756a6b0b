"""`registry rows`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from generator.cli._rows import RowPrinter, as_cell, formatted, print_answer, print_line, usual
from generator.cli._where import (
    WholeNumber,
    filter_and_sort_options,
    find_collection,
    option,
    registry,
    source_options,
    split_filters,
    without_blanks,
)
from generator.cli.ask._show import show_alternatives


@click.command("rows", short_help="Print a few fields of the first records.")
@click.argument("collection")
@option("--fields NAME,…", "The fields after the slug, at most eight.", default="name")
@option("--limit N", "How many records, at most 50.", WholeNumber(1, 50), default=10)
@option("--q WORDS", "Only records that have all of these words.", name="-q")
@filter_and_sort_options
@formatted
@source_options
def command(
    collection: str,
    fields: str,
    limit: int,
    q: str | None,
    filters: tuple[str, ...],
    sort: str,
    form: str | None,
    **where: Any,
) -> int:
    """Print a few fields of the first records of a COLLECTION, such as projects.

    A field is slug, name, summary, website, href, year, a filter, or an own field that can be
    filtered, sorted or is in lists; an unknown field gets the list of all.  With --q, found_in says
    which of name, former_names, summary and places have words of the search.
    """
    with registry(**where) as client:
        of = find_collection(client, collection)
        asked = {"q": q, "sort": sort or None, "fields": without_blanks(fields)}
        raw, document = client.query(of, split_filters(filters), "rows", **asked, limit=str(limit))
        columns = document["columns"]
        rows = [dict(zip(columns, row, strict=True)) for row in document["rows"]]
        if not print_answer(form or usual(), raw, rows, columns, _cells):
            RowPrinter("table", columns, _cells).put(rows)
            total = document["total_items"]
            print_line(f"{len(rows)} of {total:,} {of.kind if total == 1 else of.name}")
            show_alternatives(of.name, document["alternatives"])
    return 0


def _cells(row: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(as_cell(value)) for name, value in row.items()}
