"""Tables of cells: CSV in its dialects, and sheets of Excel."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import islice
from typing import Any

from generator.edit.tables.sheet import Sheet, SheetFile, SheetRow, UnreadableTable, unreadable
from generator.problems.diagnostic import suggest_word
from generator.problems.faults import shorten

MAX_CELL = 1 << 18  # characters of a cell; longer than any record
_MAX_CELLS = 20_000_000  # of a sheet of Excel, with empty cells
_MAX_UNPACKED = 1 << 27  # bytes of a sheet of Excel
_DELIMITERS = (",", ";", "\t")
#: A first line that tells Excel the delimiter; it is not a row.
_delimiter_line = re.compile(r'"?sep=([!#-/:-@[-`{-~]|\t)"?', re.I).fullmatch

#: The number of the first line of a row, and its cells.
_Line = tuple[int, Sequence[Any]]


def read_csv(path: str, text: str, wanted: set[str], header: int) -> Sheet:
    """The delimiter is the one named in the first line, or else the one that finds most of the
    `wanted` columns in the row `header`.  Raises UnreadableTable.
    """
    lines = list(io.StringIO(text, newline=""))
    csv.field_size_limit(MAX_CELL)
    named = _delimiter_line(lines[0].rstrip("\r\n")) if lines else None
    begin = 1 if named is None else 2
    delimiters = _DELIMITERS if named is None else (named[1],)
    head, columns, delimiter = _columns(path, lines, wanted, delimiters, begin, header)
    file = SheetFile(path, text, columns, lines, delimiter)
    hint = f'a text with a "{delimiter}" or a line break must be in quotes'
    return _sheet(file, _csv_rows(path, lines, delimiter, begin), head, header, hint)


def _sheet(file: SheetFile, lines: Iterable[_Line], head: int, header: int, hint: str) -> Sheet:
    """The table of a file whose columns are known.  Raises UnreadableTable."""
    path, columns = file.path, file.columns
    which = "the first row" if header == 1 else f"row {header}"
    if not any(columns):
        raise unreadable(path, head, 1, f"{which} must name the columns")
    for i, name in enumerate(columns):
        if name and name in columns[:i]:
            message = f'two columns have the name "{shorten(name)}"'
            raise unreadable(path, head, 1, message, "give each column its own name")
    rows = []
    for number, (line, cells) in enumerate(lines, 1):
        if number <= header or not any(cells):
            continue
        if len(cells) != len(columns):
            noun = "cell" if len(cells) == 1 else "cells"
            message = f"row {number} has {len(cells)} {noun}, but {which} has {len(columns)}"
            raise unreadable(path, line, 1, message, hint)
        values = {name: value for name, value in zip(columns, cells, strict=True) if name}
        rows.append(SheetRow(number, line, values, file))
    return Sheet(path, columns, rows, [file], head)


def _columns(
    path: str,
    lines: Sequence[str],
    wanted: set[str],
    delimiters: Iterable[str],
    begin: int,
    header: int,
) -> tuple[int, list[str], str]:
    """Line and names of the row `header`, and the delimiter that finds most `wanted` columns."""
    candidates, errors = [], []
    for delimiter in delimiters:
        rows = islice(_csv_rows(path, lines, delimiter, begin), header - 1, None)
        try:
            line, names = next(rows, (begin, list[str]()))
        except UnreadableTable as error:  # by another delimiter it may be readable
            errors.append(error)
            continue
        candidates.append((line, [name.strip() for name in names], delimiter))
    if not candidates:
        raise errors[0]
    return max(candidates, key=lambda c: (len(wanted & set(c[1])), len(c[1])))


def _csv_rows(path: str, lines: Sequence[str], delimiter: str, begin: int) -> Iterator[_Line]:
    """The rows from line `begin` on, each with the number of its first line."""
    reader, line = csv.reader(lines[begin - 1 :], delimiter=delimiter, strict=True), begin
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message = {
                "unexpected end of data": "this quote is never closed",
                f"field larger than field limit ({MAX_CELL})": "a cell is too long for a record",
            }.get(str(error), f"the row cannot be read: {error}")
            hint = 'write a quote inside a quoted text twice: ""'
            raise unreadable(path, line, 1, message, hint) from None
        yield line, cells
        line = reader.line_num + begin


# --- Excel ----------------------------------------------------------------------------------------


def read_excel(path: str, raw: bytes, within: str, header: int) -> Sheet:
    """The sheet `within` of a workbook, or its only one.  Places are those of the rows and cells in
    its text, which is CSV.  Raises UnreadableTable.
    """
    cells = list(_excel_rows(path, raw, within))
    width = max((len(row) for row in cells), default=0)
    if width * len(cells) > _MAX_CELLS:
        raise unreadable(path, 1, 1, "this sheet has too many cells", "save it as CSV")
    cells = [[*row, *[""] * (width - len(row))] for row in cells]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in cells:  # one line a row, as the spreadsheet counts
        writer.writerow([" ".join(c.split()) if isinstance(c, str) else c for c in row])
    names = cells[header - 1] if header <= len(cells) else []
    columns = [" ".join(str(name).split()) for name in names]
    lines = text.getvalue().splitlines(keepends=True)
    file = SheetFile(path, text.getvalue(), columns, lines, ",")
    return _sheet(file, enumerate(cells, 1), header, header, "")


def sheet_names(path: str, raw: bytes) -> list[str]:
    """The visible sheets of a workbook.  Raises UnreadableTable."""
    with _workbook(path, raw) as book:
        return [each.title for each in book.worksheets if each.sheet_state == "visible"]


def _excel_rows(path: str, raw: bytes, within: str) -> Iterator[list[Any]]:
    visible = sheet_names(path, raw)
    with _workbook(path, raw) as book:
        sheets = {each.title: each for each in book.worksheets}
        if within and within not in sheets:
            hint = suggest_word(within, sheets)
            raise unreadable(path, 1, 1, f'there is no sheet "{shorten(within)}"', hint)
        if not within and len(visible) > 1:
            names = " or ".join(f'"{name}"' for name in visible[:5])
            hint = f"say in the map which: rows: {names}"
            raise unreadable(path, 1, 1, f"this workbook has {len(visible)} sheets", hint)
        left = _MAX_CELLS
        sheet = sheets[within or (visible or list(sheets))[0]]
        sheet.reset_dimensions()  # the file may state wrong ones
        for row in sheet.iter_rows(values_only=True):
            left -= len(row) + 1
            if left < 0:
                raise unreadable(path, 1, 1, "this sheet has too many cells", "save it as CSV")
            yield _trimmed([_plain(cell) for cell in row])


@contextmanager
def _workbook(path: str, raw: bytes) -> Iterator[Any]:
    """A workbook to read.  Raises UnreadableTable for what is none, also while it is read."""
    from xml.etree.ElementTree import ParseError

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            if sum(part.file_size for part in packed.infolist()) > _MAX_UNPACKED:
                raise unreadable(path, 1, 1, "this workbook is too large", "save it as CSV UTF-8")
        yield load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
    except (
        InvalidFileException, zipfile.BadZipFile, ParseError, KeyError, ValueError, TypeError,
        IndexError, AttributeError, OSError, NotImplementedError, RuntimeError,
    ) as error:  # fmt: skip
        message = "this is no workbook of Excel that can be read"
        hint = "open it there, save it as .xlsx or as CSV UTF-8, and import that file"
        raise unreadable(path, 1, 1, message, hint) from error


def _trimmed(cells: list[Any]) -> list[Any]:
    while cells and cells[-1] == "":
        cells.pop()
    return cells


def _plain(cell: Any) -> Any:
    """A cell as plain data: "" if it is empty, dates as YYYY-MM-DD."""
    match cell:
        case None:
            return ""
        case bool() | int() | str():
            return cell[:MAX_CELL] if isinstance(cell, str) else cell
        case float():
            return int(cell) if cell.is_integer() else cell
        case datetime():
            is_day = (cell.hour, cell.minute, cell.second) == (0, 0, 0)
            return f"{cell:%Y-%m-%d}" if is_day else f"{cell:%Y-%m-%d %H:%M}"
        case date():
            return f"{cell:%Y-%m-%d}"
        case time():
            return f"{cell:%H:%M}"
    return str(cell)
