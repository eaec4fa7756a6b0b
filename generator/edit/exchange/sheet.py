"""Tables as files: rows with their places, read from CSV, JSON or NDJSON.

What is read may be anything: each fault is told with its line and column, and nothing of it is
believed.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.dialect.parse import BOM
from generator.problems.diagnostic import Diagnostic, did_you_mean, printable
from generator.problems.faults import cut

FORMS = ("csv", "json", "ndjson")
MAX_BYTES = 1 << 28  # of a table
MAX_CELL = 1 << 18  # of a cell: no record is longer
_DELIMITERS = (",", ";", "\t")
_BLANKS = " \t\n\r"
#: A first line by which Excel knows the delimiter; it is no row.
_tells_delimiter = re.compile(r'"?sep=([!#-/:-@[-`{-~]|\t)"?', re.I).fullmatch


class Row(NamedTuple):
    """One row: its number as spreadsheets and lists count, where it begins in the text (the number
    of its line in CSV, else of its character), and what it holds.
    """

    number: int
    begin: int
    values: Mapping[str, Any]


class Unreadable(Exception):
    """A file is no table; what is wrong is a problem with its place."""

    def __init__(self, problem: Diagnostic):
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file.  `text` is all of it, and `lines` where it is CSV with `delimiter`; its
    head is line `head`.
    """

    path: str
    columns: Sequence[str]
    rows: Sequence[Row]
    text: str
    lines: Sequence[str] = ()
    delimiter: str = ""
    head: int = 1

    def place(self, row: Row, column: str = "") -> tuple[int, int]:
        """Line and column, from 1, of a cell; of a row, of its begin."""
        if not self.delimiter:
            return _place(self.text, self._key(row, column) if column else row.begin)
        if column not in self.columns:
            return row.begin, 1
        line, at = row.begin, 0
        for _ in range(self.columns.index(column)):
            line, at = self._after(line, at)
        return line, at + 1

    def _key(self, row: Row, column: str) -> int:
        """Where the key of a column stands in the object of a row, or where that begins."""
        following = bisect_right(self.rows, row.begin, key=lambda one: one.begin)
        end = self.rows[following].begin if following < len(self.rows) else len(self.text)
        key = re.escape(json.dumps(column.rpartition(".")[2], ensure_ascii=False))
        found = re.compile(rf"{key}\s*:").search(self.text, row.begin, end)
        return found.start() if found else row.begin

    def _after(self, line: int, at: int) -> tuple[int, int]:
        """Where the cell after the one at a place begins."""
        quoted = False
        while True:
            text = self.lines[line - 1]
            while at < len(text):
                if text[at] == '"':
                    quoted = not quoted
                elif text[at] == self.delimiter and not quoted:
                    return line, at + 1
                at += 1
            line, at = line + 1, 0


def form_of(path: str) -> str:
    """The form that a name tells; "" where it tells none."""
    ending = path.lower().rpartition(".")[2]
    return {"jsonl": "ndjson", "tsv": "csv"}.get(ending, ending if ending in FORMS else "")


def read(path: str, form: str, within: str = "", wanted: Iterable[str] = ()) -> Table:
    """The table in a file.  `within` is where in a document of JSON its rows are; CSV has the
    delimiter that its first line tells, or with which its head has most of the columns that are
    `wanted`.  Raises Unreadable,
    OSError.
    """
    with Path(path).open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise _unreadable(path, 1, 1, f"the file is larger than {MAX_BYTES >> 20} MiB",
                              "split it")  # fmt: skip
        raw = file.read(MAX_BYTES + 1)
    text = _decoded(path, raw)
    if form == "csv":
        return _csv(path, text, set(wanted))
    rows = list(_json(path, text, within) if form == "json" else _ndjson(path, text))
    columns = dict.fromkeys(name for row in rows for name in _names(row.values))
    return Table(path, list(columns), rows, text)


def value_of(row: Row, column: str) -> Any:
    """What a row has in a column; in JSON `a.b` may be the `b` of what is in `a`."""
    if column in row.values:
        return row.values[column]
    here: Any = row.values
    for part in column.split("."):
        if not isinstance(here, dict) or part not in here:
            return None
        here = here[part]
    return here


def _names(values: Mapping[str, Any], head: str = "", depth: int = 0) -> Iterator[str]:
    for key, value in values.items():
        yield head + key
        if isinstance(value, dict) and depth < 3:
            yield from _names(value, f"{head}{key}.", depth + 1)


def _unreadable(path: str, line: int, column: int, what: str, hint: str | None) -> Unreadable:
    problem = Diagnostic(path, line, column, "table-syntax", printable(what), hint)
    return Unreadable(problem)


def _decoded(path: str, raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise _unreadable(path, 1, 1, "this file is saved as UTF-16", 'save it as "CSV UTF-8"')
    try:
        return raw.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line, at = before.count(b"\n") + 1, before.rpartition(b"\n")[2].decode("utf-8", "replace")
        what = f"this file is not saved as UTF-8 (byte 0x{raw[error.start]:02X})"
        hint = 'save it as UTF-8: spreadsheets call that "CSV UTF-8"'
        raise _unreadable(path, line, len(at) + 1, what, hint) from None


def _place(text: str, at: int) -> tuple[int, int]:
    line = bisect_right(_breaks(text), at - 1)
    return line + 1, at - (_breaks(text)[line - 1] if line else -1)


@lru_cache(maxsize=2)
def _breaks(text: str) -> list[int]:
    return [match.start() for match in re.finditer("\n", text)]


# --- CSV ------------------------------------------------------------------------------------------


def _csv(path: str, text: str, wanted: set[str]) -> Table:
    lines = list(io.StringIO(text, newline=""))
    csv.field_size_limit(MAX_CELL)
    told = _tells_delimiter(lines[0].rstrip("\r\n")) if lines else None
    begin = 1 if told is None else 2
    delimiters = _DELIMITERS if told is None else (told[1],)
    first, delimiter = _head(path, lines, wanted, delimiters, begin)
    if not any(first):
        what = "the first row must name the columns"
        raise _unreadable(path, begin, 1, what, None)
    for i, name in enumerate(first):
        if name and name in first[:i]:
            what = f'two columns have the name "{cut(name)}"'
            raise _unreadable(path, begin, 1, what, "give each column its own name")
    table = Table(path, first, [], text, lines, delimiter, begin)
    rows = []
    for number, (line, cells) in enumerate(_cells(path, lines, delimiter, begin), 1):
        if number == 1 or not any(cells):
            continue
        if len(cells) != len(first):
            what = f"row {number} has {len(cells)} cells, but the first row has {len(first)}"
            hint = f'a text with a "{delimiter}" or a line break must be in quotes'
            raise _unreadable(path, line, 1, what, hint)
        values = {name: value for name, value in zip(first, cells, strict=True) if name}
        rows.append(Row(number, line, values))
    return replace(table, rows=rows)


def _head(
    path: str, lines: Sequence[str], wanted: set[str], delimiters: Iterable[str], begin: int
) -> tuple[list[str], str]:
    """The names of the columns, and the delimiter, which is one of these."""
    heads = []
    for delimiter in delimiters:
        _, names = next(_cells(path, lines, delimiter, begin), (begin, []))
        heads.append(([name.strip() for name in names], delimiter))
    return max(heads, key=lambda head: (len(wanted & set(head[0])), len(head[0])))


def _cells(
    path: str, lines: Sequence[str], delimiter: str, begin: int
) -> Iterator[tuple[int, list[str]]]:
    """Each row from the line `begin` on, with the number of its first line."""
    reader, line = csv.reader(lines[begin - 1 :], delimiter=delimiter, strict=True), begin
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            what = {
                "unexpected end of data": "this quote is never closed",
                f"field larger than field limit ({MAX_CELL})": "a cell is too long for a record",
            }.get(str(error), f"the row cannot be read: {error}")
            hint = 'write a quote inside a quoted text twice: ""'
            raise _unreadable(path, line, 1, what, hint) from None
        yield line, [text.replace("\r\n", "\n") for text in cells]
        line = reader.line_num + begin


# --- JSON -----------------------------------------------------------------------------------------


class _Twice(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(
            f'the key "{cut(next(n for n in names if names.count(n) > 1))}" is there twice'
        )
    return held


def _constant(name: str) -> Any:
    raise _Twice(f"{name} is not a JSON number")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


class _Reader:
    """A document of JSON, taken apart from the left."""

    def __init__(self, path: str, text: str):
        self.path, self.text = path, text

    def value(self, at: int) -> tuple[Any, int]:
        """The value at a place, and where it ends.  Raises Unreadable."""
        try:
            return _decoder.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self.wrong(error.pos, f"this is not valid JSON: {error.msg.lower()}") from None
        except RecursionError:
            raise self.wrong(at, "this is nested too deeply") from None
        except ValueError as error:  # _Twice, and numbers of thousands of digits
            raise self.wrong(at, f"in this value, {error}") from None

    def skip(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in _BLANKS:
            at += 1
        return at

    def wrong(self, at: int, what: str, hint: str | None = None) -> Unreadable:
        return _unreadable(self.path, *_place(self.text, at), what, hint)

    def items(self, at: int, begin: str, end: str) -> Iterator[tuple[str, Any, int]]:
        """The items of a list, or of an object, with their keys and their places."""
        at = self.skip(at + 1)
        if self.text[at : at + 1] == end:
            return
        while True:
            key = ""
            if begin == "{":
                key, at = self.value(at)
                at = self.skip(at)
                if not isinstance(key, str) or self.text[at : at + 1] != ":":
                    raise self.wrong(at, 'this is not valid JSON: expecting ":" after a key')
                at = self.skip(at + 1)
            value, after = self.value(at)
            yield key, value, at
            at = self.skip(after)
            if self.text[at : at + 1] == end:
                return
            if self.text[at : at + 1] != ",":
                raise self.wrong(at, f'this is not valid JSON: expecting "," or "{end}"')
            at = self.skip(at + 1)


def _json(path: str, text: str, within: str) -> Iterator[Row]:
    """The rows of a document: a list of objects, or the one in it that `within` names."""
    reader = _Reader(path, text)
    at = reader.skip(0)
    for name in filter(None, within.split(".")):
        if text[at : at + 1] != "{":
            raise reader.wrong(at, f'there is no "{cut(name)}" here: this is not an object')
        places = {key: place for key, _, place in reader.items(at, "{", "}")}
        if name not in places:
            raise reader.wrong(at, f'there is no "{cut(name)}" here', _near(name, places))
        at = places[name]
    if text[at : at + 1] == "{":
        lists = [k for k, v, _ in reader.items(at, "{", "}") if isinstance(v, list)]
        some = " or ".join(f'"{".".join(filter(None, (within, name)))}"' for name in lists[:5])
        hint = f"say in the map where the rows are: rows: {some}" if some else None
        raise reader.wrong(at, "this is one object, not a list of rows", hint)
    if text[at : at + 1] != "[":
        reader.value(at)
        raise reader.wrong(at, "this is not a list of rows")
    for number, (_, value, place) in enumerate(reader.items(at, "[", "]"), 1):
        if not isinstance(value, dict):
            raise reader.wrong(place, f"row {number} is not an object")
        yield Row(number, place, value)


def _near(name: str, known: Iterable[str]) -> str | None:
    near = did_you_mean(name, known)
    return f'did you mean "{near}"?' if near else None


def _ndjson(path: str, text: str) -> Iterator[Row]:
    """One object a line."""
    reader, at = _Reader(path, text), 0
    for number, line in enumerate(text.split("\n"), 1):
        begin = reader.skip(at) if line.strip(_BLANKS) else at
        at += len(line) + 1
        if not line.strip(_BLANKS):
            continue
        value, end = reader.value(begin)
        if not isinstance(value, dict):
            raise reader.wrong(begin, f"row {number} is not an object")
        if reader.skip(end) < at - 1:
            raise reader.wrong(reader.skip(end), f"row {number} goes on after its object")
        yield Row(number, begin, value)
