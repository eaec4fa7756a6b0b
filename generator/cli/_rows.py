"""Prints rows in the format of `--format`: as a table, CSV or NDJSON, or the answer as JSON."""

from __future__ import annotations

import io
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click

from generator.cli._where import option

Document = Mapping[str, Any]

formatted = option(
    "--format",
    "[default: table on a terminal, else json, with --all ndjson]",
    click.Choice(["table", "json", "ndjson", "csv"]),
    name="form",
)

#: Where a spreadsheet would take what follows for a formula: at the beginning of a text, or of a
#: part of it where it is cut at another separator or a line break.
_FORMULA = "(^|[,;|\t\r\n])(?=[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20])"
_NUMBER = r"-[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?"


def usual(every: bool = False) -> str:
    """The format if none is given; `every` is whether all pages are printed."""
    return "table" if sys.stdout.isatty() else "ndjson" if every else "json"


def print_bytes(data: bytes) -> None:
    """Write bytes to standard output; on a terminal without control characters."""
    if sys.stdout.isatty():
        data = visible(data.decode(errors="replace").replace("\r\n", "\n")).encode(
            sys.stdout.encoding, "replace"
        )
    click.echo(data, nl=False)


def print_line(text: str) -> None:
    """Write a line of text, without control characters, to standard output."""
    print_bytes(f"{visible(text)}\n".encode())


def json_line(row: Document) -> bytes:
    import orjson

    return orjson.dumps(row) + b"\n"


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


class RowPrinter:
    """Prints rows, batch by batch: as they are in NDJSON, else the cells that `flat` makes of them.

    CSV is that of RFC 4180 with a header line; a text that a spreadsheet would take for a formula
    gets an apostrophe in front, negative numbers do not.  The columns of a table are as wide as the
    first batch needs, within the width of the terminal.
    """

    def __init__(
        self,
        form: str,
        columns: Sequence[str],
        flat: Callable[[Document], Document] = dict,
        *,
        head: bool = True,
    ):
        self.form, self.columns, self.flat = form, columns, flat
        self._head = [[name.removesuffix("_local") for name in columns]] if head else []
        self._widths: list[int] = []
        if form == "csv":
            self._write_csv([columns])

    def put(self, rows: Iterable[Document]) -> None:
        """Print some rows."""
        if self.form == "ndjson":
            print_bytes(b"".join(map(json_line, rows)))
            return
        cells = map(self.flat, rows)
        if self.form == "csv":
            self._write_csv([_safe(row.get(name, "")) for name in self.columns] for row in cells)
        else:
            self._write_table([[_shown(n, row.get(n)) for n in self.columns] for row in cells])

    @staticmethod
    def _write_csv(rows: Iterable[Sequence[Any]]) -> None:
        import csv

        text = io.StringIO()
        csv.writer(text).writerows(rows)
        print_bytes(text.getvalue().encode())

    def _write_table(self, rows: list[list[str]]) -> None:
        if not self._widths:
            import shutil

            rows = [*self._head, *rows]
            self._widths = widths(rows, shutil.get_terminal_size((120, 0)).columns)
        print_bytes("".join(line(row, self._widths) for row in rows).encode())


def print_answer(
    form: str,
    raw: bytes,
    rows: Iterable[Document],
    columns: Sequence[str],
    flat: Callable[[Document], Document] = dict,
) -> bool:
    """Print an answer as JSON, or its rows as NDJSON or CSV; False for a table."""
    if form == "json":
        print_bytes(raw)
    elif form != "table":
        RowPrinter(form, columns, flat).put(rows)
    return form != "table"


def _safe(value: Any) -> Any:
    """A cell of CSV."""
    if isinstance(value, bool):
        return str(value).lower()
    formula = isinstance(value, str) and not re.fullmatch(_NUMBER, value)
    return re.sub(_FORMULA, r"\1'", value) if formula else value


def _shown(name: str, value: Any) -> str:
    """A cell of a table: times as days, shares as per cent."""
    if value is None:
        return ""
    if isinstance(value, float) and name == "share":
        return f"{value:.1%}"
    text = str(value)
    return visible(text[:10] if name.endswith("_local") else text.replace("\n", " "))


# --- text in columns that fit a terminal ----------------------------------------------------------

_GAP = "  "
_LEAST = 10  # shorter texts are useless
#: What steers a terminal: control characters, and marks that turn the direction of the text around
#: them.
_HIDDEN = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"


def visible(text: str) -> str:
    """The text with control characters escaped as in JSON, except line breaks."""
    return re.sub(_HIDDEN, lambda match: f"\\u{ord(match[0]):04x}", text)


def width(text: str) -> int:
    """The terminal cells of a text: none for combining marks, two for wide characters (Unicode
    Standard Annex 11).
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )


def cut_to_width(text: str, room: int) -> str:
    """A text cut to `room` cells, with an ellipsis if something was left out."""
    if width(text) <= room:
        return text
    end = used = 0
    for end, c in enumerate(text):  # noqa: B007
        used += width(c)
        if used > room - 1:
            break
    return text[:end] + "…"


def widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Column widths for a line that fits `room` cells. The widest columns get narrower, but never
    the first, which has slugs. Columns at the end that would be too narrow are left out.
    """
    columns = [max(map(width, column)) for column in zip(*rows, strict=True)]
    room -= columns[0]
    least = 0
    for count, wanted in enumerate(columns[1:], 1):
        least += len(_GAP) + min(wanted, _LEAST)
        if least > room:
            del columns[count:]
            break
    over = sum(columns[1:]) + len(_GAP) * (len(columns) - 1) - room
    for _ in range(over if len(columns) > 1 else 0):
        columns[max(range(1, len(columns)), key=columns.__getitem__)] -= 1
    return columns


def line(row: Sequence[str], columns: Sequence[int]) -> str:
    cells = [(cut_to_width(text, room), room) for text, room in zip(row, columns, strict=False)]
    return _GAP.join(text + " " * (room - width(text)) for text, room in cells).rstrip() + "\n"
