"""Commands that print records: lists, whole records, rows, search, counts, the dashboard."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from generator.cli._rows import (
    RowPrinter,
    as_cell,
    formatted,
    print_answer,
    print_line,
    usual,
)
from generator.cli._where import (
    WholeNumber,
    filter_and_sort_options,
    filter_option,
    find_collection,
    option,
    page_options,
    registry,
    source_options,
    split_filters,
    without_blanks,
)
from generator.cli.ask._show import (
    print_list,
    show_alternatives,
    show_dashboard,
    show_record,
    show_rows,
    show_suggestions,
)
from generator.grammar.paths import DASHBOARD, SEARCH

# --- registry list --------------------------------------------------------------------------------


@click.command("list")
@click.argument("collection")
@filter_and_sort_options
@page_options
@formatted
@source_options
def list_command(collection: str, **options: Any) -> int:
    """Print one page of a collection, such as projects.

    Records must match all filters.
    """
    return print_list(collection, **options)


# --- registry get ---------------------------------------------------------------------------------


@click.command("get", short_help="Print one whole record.")
@click.argument("collection")
@click.argument("slug", required=False)
@formatted
@source_options
def get_command(collection: str, slug: str | None, form: str | None, **where: Any) -> int:
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


# --- registry rows --------------------------------------------------------------------------------


@click.command("rows", short_help="Print a few fields of the first records.")
@click.argument("collection")
@option("--fields NAME,…", "The fields after the slug, at most eight.", default="name")
@option("--limit N", "How many records, at most 50.", WholeNumber(1, 50), default=10)
@option("--q WORDS", "Only records that have all of these words.", name="-q")
@filter_and_sort_options
@formatted
@source_options
def rows_command(
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


# --- registry search ------------------------------------------------------------------------------

#: The fields of a CSV of several collections.
_FOUND_FIELDS = ("collection", "slug", "name", "summary", "href")


@click.command("search", short_help="Search records by words.")
@click.argument("words", nargs=-1, required=True)
@option("--in COLLECTION", "The collection to search.  [default: all]", name="collection")
@filter_and_sort_options
@page_options
@formatted
@source_options
def search_command(
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
        if not print_answer(form or usual(), raw, _found_rows(document), _FOUND_FIELDS):
            for name, found in document["data"].items():
                if found["total_items"]:
                    print_line(f"{name}: {found['total_items']:,}")
                    show_rows(client, name, found["data"])
            click.echo(f"{document['total_items']:,} found")
            show_suggestions(document)
    return 0


def _found_rows(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The records of all collections, each with the name of its collection."""
    for name, found in document["data"].items():
        yield from ({"collection": name, **row} for row in found["data"])


# --- registry count -------------------------------------------------------------------------------

#: Cells of the longest bar.
_BAR = 24
_COUNT_FIELDS = ("filter", "value", "label", "count", "share", "selected")
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
def count_command(
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
        fields = (*_COUNT_FIELDS, *_PER_FIELDS) if per else _COUNT_FIELDS
        if not print_answer(form or usual(), raw, _count_rows(document), fields):
            total = document["total_items"]
            print_line(f"{total:,} {of.kind if total == 1 else of.name}")
            show_alternatives(of.name, document["alternatives"])
            _show_counts(document)
    return 0


def _count_rows(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each value, and with --per for each value in it; without --by, one row for all."""
    if not document["counts"]:
        yield {**dict.fromkeys(_COUNT_FIELDS, ""), "count": document["total_items"]}
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


def _show_counts(document: Mapping[str, Any]) -> None:
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


# --- registry dashboard ---------------------------------------------------------------------------


@click.command("dashboard", short_help="Print the registry in numbers.")
@formatted
@source_options
def dashboard_command(form: str | None, **where: Any) -> int:
    """Print the registry in numbers: counts, years, the most frequent tags and places, the next
    dates.
    """
    with registry(**where) as client:
        raw, document = client.document(DASHBOARD, "dashboard")
        show_dashboard(document, raw, form)
    return 0
