"""Reads tables from CSV, JSON or NDJSON files, with the line and column of each cell.

The files may come from anyone and contain anything.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from generator import UserError
from generator.dialect.parse import BOM
from generator.problems.diagnostic import Diagnostic, Severity, printable, suggest_word
from generator.problems.faults import shorten

_FORMATS = ("csv", "json", "ndjson")
MAX_BYTES = 1 << 28  # of a table
MAX_CELL = 1 << 18  # characters of a cell; longer than any record
_DELIMITERS = (",", ";", "\t")
_WHITESPACE = " \t\n\r"
#: The first bytes of spreadsheets: of those of Excel and LibreOffice, and of old Excel.
_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
#: A first line that tells Excel the delimiter; it is not a row.
_delimiter_line = re.compile(r'"?sep=([!#-/:-@[-`{-~]|\t)"?', re.I).fullmatch


class SheetRow(NamedTuple):
    """A row: its number, as spreadsheets and lists count, and its values by column.

    `begin` is the number of its first line in CSV, and the index of its first character in JSON.
    """

    number: int
    begin: int
    values: Mapping[str, Any]


class UnreadableTable(UserError):
    """A file cannot be read as a table, because of `problem`."""

    def __init__(self, problem: Diagnostic):
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows and the columns of a file, with its `text`.

    Only CSV has `lines`, a `delimiter`, and the column names in line `head`.
    """

    path: str
    columns: Sequence[str]
    rows: Sequence[SheetRow]
    text: str
    lines: Sequence[str] = ()
    delimiter: str = ""
    head: int = 1

    def place(self, row: SheetRow, column: str = "") -> tuple[int, int]:
        """Line and column, from 1, of a cell, or of the begin of a row."""
        if not self.delimiter:
            return _place(self.text, self._key(row, column) if column else row.begin)
        if column not in self.columns:
            return row.begin, 1
        line, index = row.begin, 0
        for _ in range(self.columns.index(column)):
            line, index = self._next_cell(line, index)
        return line, index + 1

    def problem(
        self,
        row: SheetRow,
        column: str,
        code: str,
        message: str,
        hint: str | None,
        severity: Severity = "error",
    ) -> Diagnostic:
        """A problem of a cell, or of the whole row if `column` is ""."""
        message = printable(f"row {row.number}: {message}")
        hint = hint and printable(hint)
        return Diagnostic(self.path, *self.place(row, column), code, message, hint, severity)

    def _key(self, row: SheetRow, column: str) -> int:
        following = bisect_right(self.rows, row.begin, key=lambda r: r.begin)
        end = self.rows[following].begin if following < len(self.rows) else len(self.text)
        key = re.escape(json.dumps(column.rpartition(".")[2], ensure_ascii=False))
        found = re.compile(rf"{key}\s*:").search(self.text, row.begin, end)
        return found.start() if found else row.begin

    def _next_cell(self, line: int, index: int) -> tuple[int, int]:
        """The line and the index in it of the cell after the cell at this place."""
        quoted = False
        while True:
            text = self.lines[line - 1]
            for i in range(index, len(text)):
                if text[i] == '"':
                    quoted = not quoted
                elif text[i] == self.delimiter and not quoted:
                    return line, i + 1
            line, index = line + 1, 0


def format_of(path: str) -> str:
    """The format of a file by its name; "" if the name has no known ending."""
    ending = path.lower().rpartition(".")[2]
    return {"jsonl": "ndjson", "tsv": "csv"}.get(ending, ending if ending in _FORMATS else "")


def read(
    path: str, form: str, within: str = "", wanted: Iterable[str] = (), header: int = 1
) -> Sheet:
    """The table in a file of the format `form`.  Raises Unreadable and OSError.

    `within` is the path of the rows in a JSON document.  The delimiter of CSV is the one named in
    its first line, or else the one that finds most of the `wanted` columns in the row `header`.
    """
    with Path(path).open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise _unreadable(path, 1, 1, f"the file is larger than {MAX_BYTES >> 20} MiB",
                              "split it")  # fmt: skip
        raw = file.read(MAX_BYTES + 1)
    text = _decode(path, raw)
    if form == "csv":
        return _read_csv(path, text, set(wanted), header)
    rows = list(_read_json(path, text, within) if form == "json" else _read_ndjson(path, text))
    columns = dict.fromkeys(name for row in rows for name in _column_names(row.values))
    return Sheet(path, list(columns), rows, text)


def value_of(row: SheetRow, column: str) -> Any:
    """The value of a row in a column; in JSON `tags.topic` may be a field of an object."""
    if column in row.values:
        return row.values[column]
    value: Any = row.values
    for part in column.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def _column_names(values: Mapping[str, Any], prefix: str = "", depth: int = 0) -> Iterator[str]:
    for key, value in values.items():
        yield prefix + key
        if isinstance(value, dict) and depth < 3:
            yield from _column_names(value, f"{prefix}{key}.", depth + 1)


def _unreadable(
    path: str, line: int, column: int, message: str, hint: str | None
) -> UnreadableTable:
    problem = Diagnostic(path, line, column, "table-syntax", printable(message), hint)
    return UnreadableTable(problem)


def _decode(path: str, raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise _unreadable(path, 1, 1, "this file is saved as UTF-16", 'save it as "CSV UTF-8"')
    try:
        return raw.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        if raw.startswith(_SPREADSHEETS):
            message = "this is a spreadsheet of Excel or LibreOffice, whatever its name says"
            hint = 'open it there, save it as "CSV UTF-8", and import that file'
            raise _unreadable(path, 1, 1, message, hint) from None
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        message = "this file is not saved as UTF-8"
        hint = 'save it as UTF-8: spreadsheets call that "CSV UTF-8"'
        raise _unreadable(path, line, column, message, hint) from None


def _place(text: str, index: int) -> tuple[int, int]:
    breaks = _line_breaks(text)
    line = bisect_right(breaks, index - 1)
    return line + 1, index - (breaks[line - 1] if line else -1)


@lru_cache(maxsize=2)
def _line_breaks(text: str) -> list[int]:
    return [match.end() - 1 for match in re.finditer("\r\n|\r|\n", text)]


# --- CSV ------------------------------------------------------------------------------------------


def _read_csv(path: str, text: str, wanted: set[str], header: int) -> Sheet:
    lines = list(io.StringIO(text, newline=""))
    csv.field_size_limit(MAX_CELL)
    named = _delimiter_line(lines[0].rstrip("\r\n")) if lines else None
    begin = 1 if named is None else 2
    delimiters = _DELIMITERS if named is None else (named[1],)
    which = "the first row" if header == 1 else f"row {header}"
    head, columns, delimiter = _columns(path, lines, wanted, delimiters, begin, header)
    if not any(columns):
        raise _unreadable(path, head, 1, f"{which} must name the columns", None)
    for i, name in enumerate(columns):
        if name and name in columns[:i]:
            message = f'two columns have the name "{shorten(name)}"'
            raise _unreadable(path, head, 1, message, "give each column its own name")
    rows = []
    for number, (line, cells) in enumerate(_csv_rows(path, lines, delimiter, begin), 1):
        if number <= header or not any(cells):
            continue
        if len(cells) != len(columns):
            noun = "cell" if len(cells) == 1 else "cells"
            message = f"row {number} has {len(cells)} {noun}, but {which} has {len(columns)}"
            hint = f'a text with a "{delimiter}" or a line break must be in quotes'
            raise _unreadable(path, line, 1, message, hint)
        values = {name: value for name, value in zip(columns, cells, strict=True) if name}
        rows.append(SheetRow(number, line, values))
    return Sheet(path, columns, rows, text, lines, delimiter, head)


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


def _csv_rows(
    path: str, lines: Sequence[str], delimiter: str, begin: int
) -> Iterator[tuple[int, list[str]]]:
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
            raise _unreadable(path, line, 1, message, hint) from None
        yield line, cells
        line = reader.line_num + begin


# --- JSON -----------------------------------------------------------------------------------------


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'the key "{shorten(duplicate)}" is there twice')
    return values


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
#: Takes all that is JSON syntax.
_lenient = json.JSONDecoder(parse_int=str)


def _json_value(
    path: str, text: str, index: int, decoder: json.JSONDecoder = _decoder
) -> tuple[Any, int]:
    """The value at an index, and the index of what follows it.  Raises UnreadableTable."""
    try:
        value, end = decoder.raw_decode(text, index)
    except json.JSONDecodeError as error:
        message = f"this is not valid JSON: {error.msg.lower()}"
        raise _unreadable_at(path, text, error.pos, message) from None
    except RecursionError:
        raise _unreadable_at(path, text, index, "this is nested too deeply") from None
    except ValueError as error:  # of `_decoder`, or for numbers of thousands of digits
        raise _unreadable_at(path, text, index, f"in this value, {error}") from None
    return value, _skip_space(text, end)


def _skip_space(text: str, index: int) -> int:
    while index < len(text) and text[index] in _WHITESPACE:
        index += 1
    return index


def _unreadable_at(
    path: str, text: str, index: int, message: str, hint: str | None = None
) -> UnreadableTable:
    return _unreadable(path, *_place(text, index), message, hint)


def _items(path: str, text: str, index: int) -> Iterator[tuple[str, Any, int]]:
    """(key, value, index of the value) of each item of a list or object of valid JSON."""
    begin, key = text[index], ""
    index = _skip_space(text, index + 1)
    while text[index] not in "]}":
        if begin == "{":
            key, index = _json_value(path, text, index)
            index = _skip_space(text, index + 1)
        value, after = _json_value(path, text, index)
        yield key, value, index
        index = _skip_space(text, after + 1) if text[after] == "," else after


def _row(path: str, text: str, number: int, value: Any, begin: int) -> SheetRow:
    if not isinstance(value, dict):
        raise _unreadable_at(path, text, begin, f"row {number} is not an object")
    return SheetRow(number, begin, value)


def _read_json(path: str, text: str, within: str) -> Iterator[SheetRow]:
    """The rows of a document: a list of objects, at the path `within`."""
    index = _skip_space(text, 0)
    _json_value(path, text, index, _lenient)
    for name in filter(None, within.split(".")):
        values = {key: at for key, _, at in _items(path, text, index)} if text[index] == "{" else {}
        if name not in values:
            hint = suggest_word(name, values, max_words=0)
            is_object = "" if text[index] == "{" else ": this is not an object"
            message = f'there is no "{shorten(name)}" here{is_object}'
            raise _unreadable_at(path, text, index, message, hint)
        index = values[name]
    if text[index] == "{":
        lists = [key for key, value, _ in _items(path, text, index) if isinstance(value, list)]
        choices = " or ".join(f'"{".".join(filter(None, (within, name)))}"' for name in lists[:5])
        hint = f"say in the map where the rows are: rows: {choices}" if choices else None
        raise _unreadable_at(path, text, index, "this is one object, not a list of rows", hint)
    if text[index] != "[":
        raise _unreadable_at(path, text, index, "this is not a list of rows")
    for number, (_, value, begin) in enumerate(_items(path, text, index), 1):
        yield _row(path, text, number, value, begin)


def _read_ndjson(path: str, text: str) -> Iterator[SheetRow]:
    next_line = 0
    for number, line in enumerate(text.split("\n"), 1):
        begin = _skip_space(text, next_line)
        next_line += len(line) + 1
        if not line.strip(_WHITESPACE):
            continue
        value, end = _json_value(path, text, begin)
        row = _row(path, text, number, value, begin)
        if end < next_line - 1:
            raise _unreadable_at(path, text, end, f"row {number} goes on after its object")
        yield row
