"""A table: rows of values, with the file, the line and the column of each cell."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from generator.problems.diagnostic import Diagnostic, Faulty, Severity, printable
from generator.text.numbers import in_digits

#: Columns that every row has: the name of its file without the ending, and that of its folder.
FILE_COLUMNS = ("filename", "folder")
#: The column of a row that says why it was left out; imports ignore it.
REASON = "left_out_because"


@dataclass(frozen=True, slots=True, eq=False)
class SheetFile:
    """A file with rows, and its text.

    Only a table of cells, like CSV, has `columns`, `lines` and a `delimiter`.
    """

    path: str
    text: str = ""
    columns: Sequence[str] = ()
    lines: Sequence[str] = ()
    delimiter: str = ""

    def place(self, index: int) -> tuple[int, int]:
        """Line and column, from 1, of a character."""
        breaks = _line_breaks(self.text)
        line = bisect_right(breaks, index - 1)
        return line + 1, index - (breaks[line - 1] if line else -1)

    def find_key(self, column: str, begin: int, end: int) -> int:
        """The index of the key of a column in a row; else the begin of the row."""
        key = re.escape(column.removesuffix("[]").rpartition(".")[2])
        quoted = re.escape(json.dumps(column.rpartition(".")[2], ensure_ascii=False))
        found = re.compile(rf"{quoted}\s*[:=]|(?<![\w-])['\"]?{key}['\"]?\s*[:=]").search(
            self.text, begin, end
        )
        return found.start() if found else begin

    def cell(self, line: int, column: str) -> tuple[int, int]:
        """Line and column of the cell of a row that begins in a line."""
        if column not in self.columns:
            return line, 1
        index = 0
        for _ in range(self.columns.index(column)):
            line, index = self._next_cell(line, index)
        return line, index + 1

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


class SheetRow(NamedTuple):
    """A row: its number, as spreadsheets and lists count, and its values by column.

    `begin` is the number of its first line in a table of cells, else the index of its first
    character.  `outer` has what is around a nested row, by the name of its level.
    """

    number: int
    begin: int
    values: Mapping[str, Any]
    file: SheetFile
    outer: Mapping[str, Any] = {}


class UnreadableTable(Faulty):
    """A file cannot be read as a table, because of `problem`."""

    def __init__(self, problem: Diagnostic):
        super().__init__([problem])
        self.args = (problem.message,)
        self.problem = problem


def unreadable(
    path: str, line: int, column: int, message: str, hint: str | None = None
) -> UnreadableTable:
    problem = Diagnostic(path, line, column, "table-syntax", printable(message), hint)
    return UnreadableTable(problem)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows and the columns of one file or several, which were given as `path`.

    A table of cells names its columns in the line `head`.
    """

    path: str
    columns: Sequence[str]
    rows: Sequence[SheetRow]
    files: Sequence[SheetFile] = field(default_factory=lambda: [SheetFile("")])
    head: int = 1

    @property
    def delimiter(self) -> str:
        """The separator of cells; "" for rows of a document."""
        return self.files[0].delimiter

    def has(self, column: str) -> bool:
        """Whether a row may have a value in a column."""
        if column in self.columns or column in FILE_COLUMNS:
            return True
        return not self.delimiter and any(value_of(row, column) is not None for row in self.rows)

    def place(self, row: SheetRow, column: str = "") -> tuple[int, int]:
        """Line and column, from 1, of a cell, or of the begin of a row."""
        if row.file.delimiter:
            return row.file.cell(row.begin, column)
        if not column or column.partition(".")[0] in row.outer or column in FILE_COLUMNS:
            return row.file.place(row.begin)
        following = bisect_right(self.rows, row.number, key=lambda r: r.number)
        is_last = following >= len(self.rows) or self.rows[following].file is not row.file
        end = len(row.file.text) if is_last else self.rows[following].begin
        return row.file.place(row.file.find_key(column, row.begin, end))

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
        return Diagnostic(row.file.path, *self.place(row, column), code, message, hint, severity)


def value_of(row: SheetRow, column: str) -> Any:
    """The value of a row in a column; None if it has none.

    `tags.topic` may be a field of a mapping, and `publisher[].name` are the names of all mappings
    in a list.
    """
    if column in row.values:
        return row.values[column]
    if "." in column or "[]" in column:
        for values in (row.values, row.outer):
            value = _inner(values, column.split("."))
            if value is not None:
                return value
    elif column in row.outer:
        return row.outer[column]
    if column in FILE_COLUMNS:
        path = PurePosixPath(row.file.path)
        return path.stem if column == "filename" else path.parent.name
    return None


def _inner(value: Any, parts: Sequence[str]) -> Any:
    for number, part in enumerate(parts):
        name = part.removesuffix("[]")
        value = value.get(name) if isinstance(value, Mapping) else None
        if part != name and isinstance(value, list):
            rest = parts[number + 1 :]
            found = [_inner(item, rest) if rest else item for item in value]
            flat = [each for item in found for each in (item if isinstance(item, list) else [item])]
            return [item for item in flat if item is not None]
    return value


def as_text(value: Any, joint: str = ", ") -> str:
    """A value of a table as text; that of a list has all its texts."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return in_digits(value)
    if isinstance(value, list):
        return joint.join(filter(None, map(as_text, value)))
    return value.strip() if isinstance(value, str) else ""


def column_names(rows: Iterable[SheetRow]) -> list[str]:
    """The columns of rows that are mappings."""
    names = (name for row in rows for name in _column_names(row.values))
    return list(dict.fromkeys(names))


def _column_names(values: Mapping[str, Any], prefix: str = "", depth: int = 0) -> Iterator[str]:
    for key, value in values.items():
        yield prefix + key
        if depth < 3 and isinstance(value, dict):
            yield from _column_names(value, f"{prefix}{key}.", depth + 1)
        elif depth < 3 and isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    yield from _column_names(item, f"{prefix}{key}[].", depth + 1)


@lru_cache(maxsize=4)
def _line_breaks(text: str) -> list[int]:
    return [match.end() - 1 for match in re.finditer("\r\n|\r|\n", text)]
