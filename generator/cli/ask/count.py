"""`registry count`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from generator.cli._rows import RowPrinter, formatted, print_answer, print_line, usual
from generator.cli._where import (
    filter_option,
    find_collection,
    option,
    registry,
    source_options,
    split_filters,
    without_blanks,
)
from generator.cli.ask._show import show_alternatives

#: Cells of the longest bar.
_BAR = 24
_FIELDS = ("filter", "value", "label", "count", "share", "selected")
_PER_FIELDS = ("per", "per_value", "per_label", "per_count")


@click.command("count", short_help="Count records, in all and by the values of filters.")
@click.argument("collection")
@filter_option
@option("--q WORDS", "Only records that have all of these words.")
@option("--by NAME,…", "Also count the values of these filters, at most three.")
@option("--per NAME", "With one filter in --by: also count the values of this one in each of its.")
@option("--like WORD", "With --by: only values with a word that begins with WORD.")
@formatted
@source_options
def command(
    collection: str,
    filters: tuple[str, ...],
    q: str | None,
    by: str | None,
    per: str | None,
    like: str | None,
    form: str | None,
    **where: Any,
) -> int:
    """Count the records of a COLLECTION, such as projects; with --by, also by values of filters.

    A share is the share of the counted records.  The value of a filter does not narrow the counts
    of that filter, so these counts have no share.  The values that a filter asks for are marked as
    selected; they are always counted, also if no record has them.  With --per, each value has the
    ten most frequent values of another filter among its records; NDJSON and CSV have rows for them.
    """

    for name, given in (("--like", like), ("--per", per)):
        if given is not None and by is None:
            raise click.UsageError(f"{name} needs --by.")
    with registry(**where) as client:
        of = find_collection(client, collection)
        raw, document = client.query(
            of, split_filters(filters), "count", q=q, by=without_blanks(by), per=per, like=like
        )
        fields = (*_FIELDS, *_PER_FIELDS) if per else _FIELDS
        if not print_answer(form or usual(), raw, _rows(document), fields):
            total = document["total_items"]
            print_line(f"{total:,} {of.kind if total == 1 else of.name}")
            show_alternatives(of.name, document["alternatives"])
            _show(document)
    return 0


def _rows(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each value, and with --per for each value in it; without --by, one row for all."""
    if not document["counts"]:
        yield {**dict.fromkeys(_FIELDS, ""), "count": document["total_items"]}
    per = document["query"]["per"]
    for name in document["counts"]:
        for row in _shares(document, name):
            inner = row.pop("per", ())
            if not inner:
                yield row
            for each in inner:
                found = (per, each["value"], each["label"], each["count"])
                yield row | dict(zip(_PER_FIELDS, found, strict=True))


def _shares(document: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """The values of a filter, with their shares of the counted records; then the selected values
    that are not among them.
    """
    total, narrowed = document["total_items"], name in document["query"]["filters"]
    counts = document["counts"][name]
    selected = {value["value"] for value in counts["selected"]}
    values = {value["value"]: value for value in (*counts["values"], *counts["selected"])}
    for value in values.values():
        share = round(value["count"] / total, 4) if total and not narrowed else ""
        yield {"filter": name, **value, "share": share, "selected": value["value"] in selected}


def _show(document: Mapping[str, Any]) -> None:
    """A table for each filter: with bars as long as the counts, or with the values of --per."""
    is_per = document["query"]["per"] is not None

    for name, counts in document["counts"].items():
        print_line(f"\n{counts['label']}")
        rows = list(_shares(document, name))
        most = max((row["count"] for row in rows), default=0) or 1
        for row in rows:
            row["bar"] = "█" * -(-_BAR * row["count"] // most)
            row["mark"] = "selected" if row["selected"] else ""
            row["per"] = ", ".join(f"{of['value']} {of['count']:,}" for of in row.get("per", ()))
        if rows:
            last = ("mark", "per") if is_per else ("bar", "mark")
            RowPrinter("table", ("value", "label", "count", "share", *last), head=False).put(rows)
        else:
            print_line("no values")
        if counts["truncated"]:
            left = counts["total_values"] - len(counts["values"])
            print_line(f"and {left:,} more values")
