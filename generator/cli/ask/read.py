"""Commands that print records: lists, whole records, rows, search, counts, dashboard, calendar."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import click

from generator import UserError
from generator.cli._rows import (
    RowPrinter,
    as_cell,
    formatted,
    print_answer,
    print_bytes,
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
from generator.cli.ask import _show
from generator.grammar.paths import DASHBOARD, SEARCH

if TYPE_CHECKING:
    from generator.reader.client import Client

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
    return _show.print_list(collection, **options)


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
        _show.show_record(client, of.name, document, raw, form)
    return 0


# --- registry rows --------------------------------------------------------------------------------


@click.command("rows", short_help="Print a few fields of some records.")
@click.argument("collection")
@option("--fields NAME,…", "The fields after the slug, at most eight.", default="name")
@option("--limit N", "How many records, at most 50.", WholeNumber(1, 50), default=10)
@option("--start N", "How many records to leave out before the first.", WholeNumber(0))
@option("--q WORDS", "Only records that have all of these words.", name="-q")
@filter_and_sort_options
@formatted
@source_options
def rows_command(
    collection: str,
    fields: str,
    limit: int,
    start: int | None,
    q: str | None,
    filters: tuple[str, ...],
    sort: str,
    form: str | None,
    **where: Any,
) -> int:
    """Print a few fields of some records of a COLLECTION, such as projects.

    A field is slug, name, summary, website, href, year, a filter, or an own field that can be
    filtered, sorted or is in lists; an unknown field gets the list of all.  With --q, found_in says
    which of name, former_names, summary and places have words of the search.
    """
    with registry(**where) as client:
        of = find_collection(client, collection)
        asked = {"q": q, "sort": sort or None, "fields": without_blanks(fields)}
        asked |= {"limit": str(limit), "start": None if start is None else str(start)}
        raw, document = client.query(of, split_filters(filters), "rows", **asked)
        columns = document["columns"]
        rows = [dict(zip(columns, row, strict=True)) for row in document["rows"]]
        if not print_answer(form or usual(), raw, rows, columns, _cells):
            RowPrinter("table", columns, _cells).put(rows)
            total = document["total_items"]
            print_line(f"{len(rows)} of {total:,} {of.kind if total == 1 else of.name}")
            if document["links"]["next"]:
                print_line(f"More: --start {(start or 0) + limit}")
            _show.show_alternatives(of.name, document["alternatives"])
            _show.show_notes(document)
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
        return _show.print_list(collection, q=q, form=form, **options)
    narrowed = [options.pop(name) for name in ("filters", "sort", "every")]
    if any(narrowed) or options.pop("page") != 1:
        raise click.UsageError("--filter, --sort, --page and --all need --in COLLECTION.")
    with registry(**options) as client:
        raw = client.ask(SEARCH, [("q", q)])
        document = json.loads(raw)
        rows = (
            {"collection": name, **row}
            for name, of in document["data"].items()
            for row in of["data"]
        )
    if not print_answer(form or usual(), raw, rows, _FOUND_FIELDS):
        for name, found in document["data"].items():
            if found["total_items"]:
                print_line(f"{name}: {found['total_items']:,}")
                _show.show_rows(client, name, found["data"])
        click.echo(f"{document['total_items']:,} found")
        _show.show_suggestions(document)
        _show.show_notes(document)
    return 0


# --- registry count -------------------------------------------------------------------------------

#: Cells of the longest bar.
_BAR = 24
_COUNT_FIELDS = ("filter", "value", "label", "count", "share", "selected")
_PER_FIELDS = ("per", "per_value", "per_label", "per_count")
_STAT_FIELDS = ("n", "sum", "min", "median", "max")


@click.command("count", short_help="Count records, in all and by the values of filters.")
@click.argument("collection")
@filter_option
@option("--q WORDS", "Only records that have all of these words.")
@option("--by NAME,…", "Also count the values of these filters, at most three.")
@option("--per NAME", "With one filter in --by: also count this filter for each of its values.")
@option("--like WORD", "With --by: only values with a word that begins with WORD.")
@option("--level NAME", "Only places that are a continent, country, region or city.")
@option("--within", "With --by: the values of a filter also narrow the counts of that filter.")
@option("--top N", "With --by: only so many values of each filter.", WholeNumber(1, 50))
@option("--start N", "With one filter in --by: leave out the values before this.", WholeNumber(0))
@option("--stat NAME", "Also the sum, least, median and greatest value of this number.")
@formatted
@source_options
def count_command(
    collection: str,
    filters: tuple[str, ...],
    q: str | None,
    by: str | None,
    per: str | None,
    like: str | None,
    level: str | None,
    within: bool,
    top: int | None,
    start: int | None,
    stat: str | None,
    form: str | None,
    **where: Any,
) -> int:
    """Count the records of a COLLECTION, such as projects; with --by, also by values of filters.

    A share is the share of the counted records.  The value of a filter does not narrow the counts
    of that filter, so these counts have no share.  The values that a filter asks for are marked as
    selected; they are always counted, also if no record has them.  With --per, each value has the
    ten most frequent values of another filter among its records; NDJSON and CSV have rows for them.
    With --stat, n is the number of records that have the number.
    """

    narrowing = {"like": like, "per": per, "level": level, "within": within or None, "top": top}
    for name, given in narrowing.items():
        if given is not None and by is None:
            raise click.UsageError(f"--{name} needs --by.")
    asked = narrowing | {"within": "true" if within else None, "start": start, "stat": stat}
    others = {name: None if given is None else str(given) for name, given in asked.items()}
    with registry(**where) as client:
        of = find_collection(client, collection)
        raw, document = client.query(
            of, split_filters(filters), "count", q=q, by=without_blanks(by), **others
        )
        fields = (*_COUNT_FIELDS, *(_STAT_FIELDS if stat else ()), *(_PER_FIELDS if per else ()))
        if not print_answer(form or usual(), raw, _count_rows(document), fields):
            total = document["total_items"]
            print_line(f"{total:,} {of.kind if total == 1 else of.name}")
            if stat:
                print_line(f"{stat}: " + ", ".join(_stat_cells(document["stat"])))
            _show.show_alternatives(of.name, document["alternatives"])
            _show.show_notes(document)
            _show_counts(document)
    return 0


def _count_rows(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each value, and with --per for each value in it; without --by, one row for all."""
    if not document["counts"]:
        of_all = {"count": document["total_items"], **(document.get("stat") or {})}
        yield {**dict.fromkeys(_COUNT_FIELDS, ""), **of_all}
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
    query, total = document["query"], document["total_items"]
    narrowed = name in query["filters"] and not query["within"]
    counts = document["counts"][name]
    selected = {value["value"] for value in counts["selected"]}
    values = {value["value"]: value for value in (*counts["values"], *counts["selected"])}
    for value in values.values():
        share = round(value["count"] / total, 4) if total and not narrowed else ""
        is_selected = value["value"] in selected
        of_all = value.get("stat") or {}
        yield {"filter": name, **value, **of_all, "share": share, "selected": is_selected}


def _show_counts(document: Mapping[str, Any]) -> None:
    """A table for each filter: with bars as long as the counts, or with the values of --per, or
    with statistics.
    """
    query = document["query"]
    last = ["mark", "per"] if query["per"] else ["bar", "mark"]
    last += ["median"] if query["stat"] else []

    for name, counts in document["counts"].items():
        print_line(f"\n{counts['label']}")
        rows = list(_shares(document, name))
        most = max((row["count"] for row in rows), default=0) or 1
        for row in rows:
            row["bar"] = "█" * -(-_BAR * row["count"] // most)
            row["mark"] = "selected" if row["selected"] else ""
            row["per"] = ", ".join(f"{of['value']} {of['count']:,}" for of in row.get("per", ()))
            row["median"] = "" if query["stat"] is None else _stat_cells(row)[3]
        if rows:
            RowPrinter("table", ("value", "label", "count", "share", *last), head=False).put(rows)
        else:
            print_line("no values")
        if counts["truncated"]:
            left = counts["total_values"] - len(counts["values"]) - (query["start"] or 0)
            print_line(f"and {left:,} more values")


def _stat_cells(stat: Mapping[str, Any]) -> list[str]:
    """Statistics in words, in the order of _STAT_FIELDS."""
    texts = (f"{stat[name]:,}" if stat[name] is not None else "–" for name in _STAT_FIELDS)
    return [f"{name} {text}" for name, text in zip(_STAT_FIELDS, texts, strict=True)]


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
        _show.show_dashboard(document, raw, form)
    return 0


# --- registry calendar ----------------------------------------------------------------------------

_FILTERS = ("kind", "program", "organization", "month", "year")
_is_days = re.compile("([1-9][0-9]{0,3})d").fullmatch


@click.command("calendar", short_help="Print one page of the calendar's events.")
@option("--upcoming", "Only upcoming events.  [default: if no other option is given]")
@option("--kind KIND", "application_window, deadline or event.")
@option("--program SLUG", "Only events of this program.")
@option("--organization SLUG", "Only events of this organization.")
@option("--month YYYY-MM", "Only events that end in this month.")
@option("--year YYYY", "Only events that end in this year.")
@filter_option
@option("--within DAYS", "Only upcoming events that begin or end in so many days, like 30d.")
@option("--ics", "Print the iCalendar feed instead.")
@option("--alarm TIME", "With --ics: an alarm this long before each event, from 1h to 60d.")
@page_options
@formatted
@source_options
def calendar_command(
    upcoming: bool,
    filters: tuple[str, ...],
    within: str | None,
    ics: bool,
    alarm: str | None,
    page: int,
    every: bool,
    **more: Any,
) -> int:
    """Print one page of the calendar's events, sorted by start.

    Without options: upcoming events.  Events must match all options.
    """
    named = {name: more.pop(name) for name in _FILTERS}
    filters = tuple(f"{k}={value}" for k, value in named.items() if value is not None) + filters
    if ics and (every or more["form"] or page != 1 or within):
        raise click.UsageError(
            "--ics prints one feed: leave out --within, --page, --all and the format."
        )
    if alarm and not ics:
        raise click.UsageError("--alarm needs --ics.")
    if alarm and not (filters or upcoming):
        raise click.UsageError("--alarm needs a filter, such as --kind deadline or --upcoming.")
    if upcoming or within or not (filters or ics):
        filters += ("upcoming=true",)
    if within:
        return _print_next(within, filters, page, every, **more)
    if not ics:
        return _show.print_list("", filters=filters, page=page, every=every, **more)
    del more["form"]
    with registry(**more) as client:
        print_bytes(_feed(client, filters, alarm or ""))
    return 0


def _print_next(
    within: str, filters: tuple[str, ...], page: int, every: bool, form: str | None, **where: Any
) -> int:
    days = _is_days(within)
    if days is None:
        raise click.BadParameter("write a number of days, like 30d", param_hint="--within")
    if every or page != 1:
        raise click.UsageError("--within shows all matching events. Leave out --page and --all.")
    with registry(**where) as client:
        of, asked = client.timed, split_filters(filters)
        as_of = client.query(of, asked, "page")[1]["as_of"]
        day = date.fromisoformat(as_of)
        first, last = (f"{at}T00:00:00Z" for at in (day, day + timedelta(int(days[1]))))

        def is_next(event: Mapping[str, Any]) -> bool:
            times = (event["starts_at"], event["ends_at"])
            return any(first <= at <= last for at in times if at is not None)

        _show.show_list(client, of, asked, {}, form, every=True, keep=is_next)
    return 0


def _feed(client: Client, filters: tuple[str, ...], alarm: str) -> bytes:
    """A prepared feed, else that of a selection.  Raises QueryError and ClientError."""
    of, asked = client.timed, split_filters(filters)
    path = _prepared(of.root, asked) if not alarm else None
    feed = client.read([path])[0] if path is not None else None
    if feed is not None:
        return feed
    if not asked and not alarm:
        client.query(of, [], "page")
        raise UserError("There is no feed, because there are no events.")
    selections: str | None = client.table.get("feed")
    if selections is None:
        raise UserError("No feature here answers with feeds of selections.")
    return client.ask(selections, [*asked, *([("alarm", alarm)] if alarm else [])])


def _prepared(root: str, filters: list[tuple[str, str]]) -> str | None:
    """Where the prepared feed of a selection would be; None if there can be none."""
    from generator.text.words import is_slug

    if not filters:
        return f"{root}.ics"
    [(name, value), *others] = filters
    if others or name == "upcoming" or not is_slug(value.replace("_", "-")):
        return None
    return f"{root}/by/{name}/{value}.ics"
