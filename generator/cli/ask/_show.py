"""How commands print answers of a registry: tables, documents as published, NDJSON and CSV."""

from __future__ import annotations

import csv
import io
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import find_collection, option, registry, split_filters

if TYPE_CHECKING:
    from generator.reader.client import Client, Listed

    Document = Mapping[str, Any]

formatted = option(
    "--format",
    "[default: table on a terminal, else json, with --all ndjson]",
    click.Choice(["table", "json", "ndjson", "csv"]),
    name="form",
)

#: Columns of a table, by collection, of the first kinds; other formats have all fields.
_TABLE = {
    "projects": ("slug", "name", "year", "status", "locations", "summary"),
    "programs": ("slug", "name", "kind", "year", "organization", "projects"),
    "organizations": ("slug", "name", "category", "locations", "projects", "programs"),
    "events": ("slug", "starts_local", "ends_local", "status", "kind", "name"),
}


def _table_columns(collection: str) -> Sequence[str]:
    """The columns of a table; of a kind without columns of its own its first fields in lists."""
    if collection in _TABLE:
        return _TABLE[collection]
    from generator.kinds import KINDS

    fields = (f.name for f in KINDS[collection].listed if f.is_plain)
    return "slug", "name", *islice(fields, 4), "summary"


def print_bytes(data: bytes) -> None:
    """Write bytes to standard output; on a terminal without control characters."""
    if sys.stdout.isatty():
        from generator.cli._table import visible

        data = visible(data.decode(errors="replace").replace("\r\n", "\n")).encode(
            sys.stdout.encoding, "replace"
        )
    click.echo(data, nl=False)


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
    """Print one page of a list, or every page, for the options of a command."""
    if every and page != 1:
        raise click.UsageError("Use either --page or --all.")
    with registry(**where) as client:
        asked = {"q": q, "sort": sort or None} | ({} if every else {"page": str(page)})
        of = find_collection(client, collection)
        show_list(client, of, split_filters(filters), asked, form, every)
    return 0


def show_list(
    client: Client,
    of: Listed,
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
    name = of.name
    if form == "ndjson":
        for page in pages:
            print_bytes(b"".join(json_line(row) for row in page["data"]))
    elif form == "csv":
        writer = Csv(_columns(client, f"{of.kind}_list"))
        for page in pages:
            writer.put(_flat(row, client) for row in page["data"])
    else:
        table = TextTable(_table_columns(name))
        for page in pages:
            table.put(_flat(row, client) for row in page["data"])
        number, last, total = (
            page["page"][key] for key in ("number", "total_pages", "total_items")
        )
        items = f"{total:,} {of.kind if total == 1 else name}"
        onward = f"; --page {number + 1} for the next" if number < last else ""
        click.echo(items if every else f"page {number} of {last}, {items}{onward}")
        show_suggestions(page)
        suggested = page.get("suggestions", ())
        others = [one for one in page.get("alternatives", ()) if one["q"] not in suggested]
        show_alternatives(name, others)


def _kept(pages: Iterable[Document], keep: Callable[[Document], bool]) -> Iterator[Document]:
    """Pages with the rows to keep; `total_items` counts these."""
    total = 0
    for page in pages:
        rows = [row for row in page["data"] if keep(row)]
        total += len(rows)
        yield {**page, "data": rows, "page": {**page["page"], "total_items": total}}


def show_rows(client: Client, collection: str, rows: Iterable[Document]) -> None:
    """Print a table of records of a collection."""
    TextTable(_table_columns(collection)).put(_flat(row, client) for row in rows)


def show_suggestions(document: Document) -> None:
    """Print the suggestions of a list or a search that found nothing, if it has any."""
    if near := document.get("suggestions"):
        words = " or ".join(f'"{words}"' for words in near)
        print_bytes(f"Nothing found. Did you mean {words}?\n".encode())


def show_alternatives(collection: str, alternatives: Sequence[Document]) -> None:
    """A table of the queries that a list or a count without records names in its place."""
    if alternatives:
        print_bytes(f"Similar queries that find {collection}:\n".encode())
        TextTable((collection, "filters", "words")).put(
            {
                collection: f"{other['total_items']:,}",
                "filters": " ".join(f"{name}={text}" for name, text in other["filters"].items()),
                "words": other["q"] or "",
            }
            for other in alternatives
        )


def show_record(
    client: Client, collection: str, document: Document, raw: bytes, form: str | None
) -> None:
    form, record = form or usual(), document["data"]
    if form == "json":
        print_bytes(raw)
    elif form == "ndjson":
        print_bytes(json_line(record))
    elif form == "csv":
        kind = client.grammar.collections[collection].kind
        summary = _columns(client, f"{kind}_list")
        Csv(list(dict.fromkeys([*summary, *_columns(client, kind)]))).put([_flat(record, client)])
    else:
        from generator.cli._table import visible

        filled = {
            name: text for name, value in _flat(record, client).items() if (text := str(value))
        }
        wide = max(map(len, filled)) + 2
        indent = "\n" + " " * wide
        for name, text in filled.items():
            text = visible(text).replace("\n", indent)
            print_bytes(f"{visible(name):<{wide}}{text}\n".encode())


def show_dashboard(document: Document, raw: bytes, form: str | None) -> None:
    form = form or usual()
    figures = list(_figures(document["data"]))
    if form == "json":
        print_bytes(raw)
    elif form == "ndjson":
        print_bytes(b"".join(map(json_line, figures)))
    elif form == "csv":
        Csv(list(figures[0])).put(figures)
    else:
        from itertools import groupby

        from generator.cli._table import visible

        print_bytes(visible(f"as of {document['as_of']}\n").encode())
        for section, part in groupby(figures, key=lambda figure: figure["section"]):
            print_bytes(visible(f"\n{section.replace('_', ' ')}\n").encode())
            TextTable(("value", "label", "count", "share", "date"), head=False).put(part)


def usual(every: bool = False) -> str:
    return "table" if sys.stdout.isatty() else "ndjson" if every else "json"


def json_line(row: Document) -> bytes:
    import orjson

    return orjson.dumps(row) + b"\n"


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


def _flat(record: Document, client: Client) -> dict[str, Any]:
    """One cell a field, "" if the field is empty. Each tag family, each own field and each filter
    of a breakdown has a cell of its own.
    """
    cells: dict[str, Any] = {}
    for name, value in record.items():
        if name in _PARTS:
            parts = {_PARTS[name] + key: as_cell(part) for key, part in value.items()}
            families = client.grammar.tag_families if name == "tags" else ()
            cells |= {f"tag_{family}": "" for family in families} | parts
        else:
            cells[name] = as_cell(value)
    return cells


#: Fields with one cell for each part -> the prefix of the names of these cells.
_PARTS = {"tags": "tag_", "fields": "field_", "breakdown": "breakdown_"}


def as_cell(value: Any) -> Any:
    """A value as text: lists joined with `;`, records and places as their slugs, other mappings as
    `key=value`.
    """
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return ";".join(str(as_cell(item)) for item in value)
        case {"slug": slug}:
            return slug
        case {"value": one, "count": count}:
            return f"{one}={count}"
        case dict():
            return ";".join(f"{key}={as_cell(item)}" for key, item in value.items())
    return value


def _columns(client: Client, kind: str) -> list[str]:
    """The fields of a document's `data`, in the order of the published schema."""
    from generator.contract.lock import locked_schemas
    from generator.model.tables.breakdown import counted_filters

    definitions, names = locked_schemas()["$defs"], []
    data = definitions[locked_schemas()["documents"][kind]]["properties"]["data"]
    reference = data.get("items", data)["$ref"]
    (collection,) = (c for c in client.grammar.collections.values() if kind.startswith(c.kind))
    own = client.grammar.fields.get(collection.name, {})
    parts = {
        "tags": client.grammar.tag_families,
        "fields": [key for key, known in own.items() if known.listed or kind == collection.kind],
        "breakdown": [name for name, _ in counted_filters(client.grammar.projects)],
    }
    for name in definitions[reference.rpartition("/")[2]]["properties"]:
        names += [_PARTS[name] + key for key in parts[name]] if name in parts else [name]
    return names


def _figures(data: Document) -> Iterator[dict[str, Any]]:
    """The dashboard as rows: section, name, and the first number."""

    def first(item: Document, *names: str) -> Any:
        return next((item[name] for name in names if item.get(name) is not None), None)

    for section, shown in data.items():
        if section == "tags":
            parts = [(f"tag_{family}", items) for family, items in shown.items()]
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


#: Where a spreadsheet would take what follows for a formula: at the beginning of a text, or of a
#: part of it where it is cut at another separator or a line break.
_formula = re.compile("(^|[,;|\t\r\n])(?=[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20])")
_is_number = re.compile(r"-[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?").fullmatch


def print_answer(form: str, raw: bytes, rows: Iterable[Document], columns: Sequence[str]) -> bool:
    """Print an answer as JSON, or its rows as NDJSON or CSV; False for another form."""
    if form == "json":
        print_bytes(raw)
    elif form == "ndjson":
        print_bytes(b"".join(map(json_line, rows)))
    elif form == "csv":
        Csv(columns).put(rows)
    return form in ("json", "ndjson", "csv")


class Csv:
    """CSV by RFC 4180, with a header line. A text that a spreadsheet would take for a formula gets
    an apostrophe in front; negative numbers do not.
    """

    def __init__(self, columns: Sequence[str]):
        self.columns = columns
        self._write([columns])

    def put(self, rows: Iterable[Document]) -> None:
        self._write([self._safe(row.get(name, "")) for name in self.columns] for row in rows)

    @staticmethod
    def _safe(value: Any) -> Any:
        if isinstance(value, bool):
            return str(value).lower()
        formula = isinstance(value, str) and not _is_number(value)
        return _formula.sub(r"\1'", value) if formula else value

    @staticmethod
    def _write(rows: Iterable[Sequence[Any]]) -> None:
        text = io.StringIO()
        csv.writer(text).writerows(rows)
        print_bytes(text.getvalue().encode())


class TextTable:
    """A table with columns as wide as the first rows need, within the width of the terminal."""

    def __init__(self, columns: Sequence[str], head: bool = True):
        self.columns, self.head = columns, head
        self.widths: list[int] = []

    def put(self, rows: Iterable[Document]) -> None:
        from generator.cli._table import line, visible, widths

        shown = [[visible(_shown(name, row.get(name))) for name in self.columns] for row in rows]
        if not self.widths:
            shown = (
                [[name.removesuffix("_local") for name in self.columns], *shown]
                if self.head
                else shown
            )
            self.widths = widths(shown, shutil.get_terminal_size((120, 0)).columns)
        print_bytes("".join(line(row, self.widths) for row in shown).encode())


def _shown(name: str, value: Any) -> str:
    """A value in a table: times as days, fractions as per cent."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.1%}"
    return str(value)[:10] if name.endswith("_local") else str(value).replace("\n", " ")
