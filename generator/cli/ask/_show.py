"""How commands print answers of a registry: lists, records and the dashboard."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

import click

from generator.cli._rows import (
    RowPrinter,
    as_cell,
    print_answer,
    print_bytes,
    print_line,
    usual,
    visible,
)
from generator.cli._where import find_collection, registry, split_filters

if TYPE_CHECKING:
    from generator.reader.client import Client, ListedCollection

    Document = Mapping[str, Any]


def print_list(
    collection: str,
    *,
    filters: tuple[str, ...],
    page: int,
    every: bool,
    form: str | None,
    sort: str = "",
    q: str | None = None,
    **where: Any,
) -> int:
    """Print one page of a list, that of the calendar without a collection, or every page, for the
    options of a command.
    """
    if every and page != 1:
        raise click.UsageError("Use either --page or --all.")
    with registry(**where) as client:
        asked = {"q": q, "sort": sort or None} | ({} if every else {"page": str(page)})
        of = find_collection(client, collection) if collection else client.timed
        show_list(client, of, split_filters(filters), asked, form, every)
    return 0


def show_list(
    client: Client,
    of: ListedCollection,
    filters: list[tuple[str, str]],
    asked: Mapping[str, str | None],
    form: str | None,
    every: bool,
    keep: Callable[[Document], bool] | None = None,
) -> None:
    """Print a page of a list, or with `every` all its pages, and of these with `keep` only some
    rows. `asked` are other parameters. Raises QueryError and ClientError.
    """
    form = form or usual(every)
    if form == "json" and every:
        raise click.UsageError(
            "--all prints rows, not documents. Use it with --format ndjson, csv or table."
        )
    pages: Iterable[Document]
    if every:
        pages = _counted(client.pages(of, filters, **asked))
    else:
        raw, document = client.query(of, filters, "page", **asked)
        if form == "json":
            print_bytes(raw)
            return
        pages = iter([document])
    if keep is not None:
        pages = _kept(pages, keep)
    columns: Sequence[str] = ()  # rows of NDJSON have all fields
    if form == "csv":
        columns = _columns(client, of.name, f"{of.kind}_list")
    elif form == "table":
        columns = client.grammar.kinds[of.name].columns
    printer = RowPrinter(form, columns, partial(_flat, client=client, of=of.name))
    for page in pages:
        printer.put(page["data"])
    if form == "table":
        number, last, total = (
            page["page"][key] for key in ("number", "total_pages", "total_items")
        )
        items = f"{total:,} {of.kind if total == 1 else of.name}"
        onward = f"; --page {number + 1} for the next" if number < last else ""
        click.echo(items if every else f"page {number} of {last}, {items}{onward}")
        show_suggestions(page)
        suggested = page.get("suggestions", ())
        others = [one for one in page.get("alternatives", ()) if one["q"] not in suggested]
        show_alternatives(of.name, others)
        show_notes(page)


def _kept(pages: Iterable[Document], keep: Callable[[Document], bool]) -> Iterator[Document]:
    """Pages with the rows to keep; `total_items` counts these."""
    total = 0
    for page in pages:
        rows = [row for row in page["data"] if keep(row)]
        total += len(rows)
        yield {**page, "data": rows, "page": {**page["page"], "total_items": total}}


def show_rows(client: Client, collection: str, rows: Iterable[Document]) -> None:
    """Print a table of records of a collection."""
    columns = client.grammar.kinds[collection].columns
    RowPrinter("table", columns, partial(_flat, client=client, of=collection)).put(rows)


def show_suggestions(document: Document) -> None:
    """Print the suggestions of a list or a search that found nothing, if it has any."""
    if near := document.get("suggestions"):
        words = " or ".join(f'"{words}"' for words in near)
        print_bytes(f"Nothing found. Did you mean {words}?\n".encode())


def show_alternatives(collection: str, alternatives: Sequence[Document]) -> None:
    """A table of the queries that a list or a count without records names in its place."""
    if alternatives:
        print_bytes(f"Similar queries that find {collection}:\n".encode())
        RowPrinter("table", (collection, "filters", "words")).put(
            {
                collection: f"{other['total_items']:,}",
                "filters": " ".join(f"{name}={text}" for name, text in other["filters"].items()),
                "words": other["q"] or "",
            }
            for other in alternatives
        )


def show_notes(document: Document) -> None:
    """Print what an answer did not understand of its query."""
    for note in document.get("notes", ()):
        print_line(f"Note: {note['text']}")


def show_record(
    client: Client, collection: str, document: Document, raw: bytes, form: str | None
) -> None:
    """Print a record, as a table with a line for each filled field."""
    form, record = form or usual(), document["data"]
    columns: list[str] = []
    if form == "csv":
        kind = client.grammar.collections[collection].kind
        of_kinds = (_columns(client, collection, of) for of in (f"{kind}_list", kind))
        columns = [*dict.fromkeys(chain.from_iterable(of_kinds))]
    flat = partial(_flat, client=client, of=collection)
    if print_answer(form, raw, [record], columns, flat):
        return
    filled = {name: text for name, cell in flat(record).items() if (text := str(cell))}
    wide = max(map(len, filled)) + 2
    for name, text in filled.items():
        text = visible(text).replace("\n", "\n" + " " * wide)
        print_bytes(f"{visible(name):<{wide}}{text}\n".encode())


def show_dashboard(document: Document, raw: bytes, form: str | None) -> None:
    """Print the dashboard, as a table with a part for each section."""
    figures = list(_figures(document["data"]))
    if not print_answer(form or usual(), raw, figures, list(figures[0])):
        print_line(f"as of {document['as_of']}")
        for section, part in groupby(figures, key=lambda figure: figure["section"]):
            print_line(f"\n{section.replace('_', ' ')}")
            RowPrinter("table", ("value", "label", "count", "share", "date"), head=False).put(part)


def _counted(pages: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The pages, with a progress bar unless rows are printed to the terminal meanwhile."""
    if sys.stdout.isatty() or not sys.stderr.isatty():
        yield from pages
        return
    with click.progressbar(length=1, label="pages", file=sys.stderr) as shown:
        for page in pages:
            shown.length = page["page"]["total_pages"]
            yield page
            shown.update(1)


# --- rows -----------------------------------------------------------------------------------------


def _flat(record: Document, client: Client, of: str) -> dict[str, Any]:
    """One cell a field of a record of the collection `of`, "" if the field is empty. Each tag
    family, each own field, each number of others and each filter of a breakdown has a cell of its
    own.
    """
    cells: dict[str, Any] = {}
    prefixes = _prefixes(client, of)
    for name, value in record.items():
        if name in prefixes:
            parts = {prefixes[name] + key: as_cell(part) for key, part in value.items()}
            families = client.grammar.tag_families if name == "tags" else ()
            cells |= {f"tag_{family}": "" for family in families} | parts
        else:
            cells[name] = as_cell(value)
    return cells


def _prefixes(client: Client, collection: str) -> dict[str, str]:
    """Fields with one cell for each part -> the prefix of the names of these cells."""
    own = "" if client.kinds[collection].is_own else "field_"
    return {"tags": "tag_", "fields": own, "counts": "counts_", "breakdown": "breakdown_"}


def _columns(client: Client, collection: str, kind: str) -> list[str]:
    """The fields of the `data` of a document of this kind, of records of a collection, in the order
    of the published schema.
    """
    from generator.contract.lock import locked_schemas
    from generator.model.tables.breakdown import counted_filters

    locked, names = locked_schemas(client.grammar.kinds), []
    definitions = locked["$defs"]
    data = definitions[locked["documents"][kind]]["properties"]["data"]
    reference = data.get("items", data)["$ref"]
    declared = client.grammar.kinds[collection]
    prefixes = _prefixes(client, collection)
    parts = {
        "tags": client.grammar.tag_families,
        "counts": [f.path[-1] for f in declared.counters],
        "fields": [f.path[-1] for f in declared.own if f.listed or kind == declared.kind],
    }
    if client.grammar.kinds.counted:
        parts["breakdown"] = [f.name for f, _ in counted_filters(client.grammar.counted)]
    for name in definitions[reference.rpartition("/")[2]]["properties"]:
        names += [prefixes[name] + key for key in parts[name]] if name in parts else [name]
    return names


def _figures(data: Document) -> Iterator[dict[str, Any]]:
    """The dashboard as rows: section, name, and the first number."""

    def first(item: Document, *names: str) -> Any:
        return next((item[name] for name in names if item.get(name) is not None), None)

    for section, shown in data.items():
        if section == "tags":
            parts = [(f"tag_{family}", items) for family, items in shown.items()]
        elif section == "kinds":
            parts = [
                (f"top_{collection}_{key}", items)
                for collection, of in shown.items()
                for key, items in of["top"].items()
            ]
        elif isinstance(shown, dict):
            parts = [
                (section, [{"value": value, "count": count} for value, count in shown.items()])
            ]
        else:
            parts = [(section, shown)] if isinstance(shown, list) else []
        for name, items in parts:
            for item in items:
                yield {
                    "section": name,
                    "value": first(item, "value", "tag", "slug", "year"),
                    "label": first(item, "label", "name"),
                    "count": first(item, "count", "organizations", "programs", "projects"),
                    "share": first(item, "share"),
                    "date": first(item, "starts_local", "ends_local"),
                }
