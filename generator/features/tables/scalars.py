"""Reads single values of cells: words, numbers, dates.  Those that cannot be read are noted."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from generator.edit.spreadsheet import date_in_format, in_words, is_date
from generator.edit.tables.columns import CellColumn
from generator.edit.tables.ranges import read_range
from generator.edit.tables.sheet import Sheet, SheetRow
from generator.edit.words import NO_MEANING, Meaning, WordList, truth
from generator.features.tables.map_model import ValueSource
from generator.features.tables.mapping import ImportSettings, MappedField
from generator.features.tables.problems import Cells, InvalidRow, RowProblems
from generator.model.kinds.event_times import meant_zone
from generator.model.settings.own_fields import currencies
from generator.problems.faults import describe_value, shorten
from generator.text.numbers import CURRENCY_SIGNS, in_digits, read_number, readings
from generator.text.words import fold

_is_day = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII).fullmatch
_TIMES = ("", " %H:%M", " %H:%M:%S")


class ScalarReader:
    """Reads single values.

    `words` has the words of the registry by column, `places` the regions and cities in use, by
    (country, "region" or "city").  `language` is that of the registry if it declares one, `online`
    the field of records that says that they are online, "" if there is none.

    `problems` collects problems of single cells.  `found` has cells with the same problem, by its
    name and by (field, text): "word" (the registry writes it differently or does not know it),
    "placeholder" (it says that there is no value), "prefix" (an address made by the map); by
    (field, slug) "slug", the words that became it; by (field, "") "formula", "date" (without a
    format) and "number" (with two readings).  `notes` has, by the number of the row, the numbers
    that were not written in digits.
    """

    def __init__(
        self,
        table: Sheet,
        asked: ImportSettings,
        words: Mapping[str, WordList],
        places: Mapping[tuple[str, str], WordList],
        language: str,
        online: str,
    ):
        self.table, self.asked, self.words, self.places = table, asked, words, places
        self.language, self.online = language, online
        self.problems = RowProblems(table)
        #: (number of the row, field) of cells that give no value although they have a text, and of
        #: wrong cells that the map leaves out.
        self.left_out = set[tuple[int, str]]()
        self.found: defaultdict[str, dict[tuple[str, str], Cells]] = defaultdict(dict)
        #: (field, slug) -> words of the table for it, with how often they come.
        self.spoken: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.notes: defaultdict[int, list[str]] = defaultdict(list)
        self.meanings: dict[str, dict[str, Any]] = {
            column.name: {fold(word): meaning for word, meaning in source.values.items()}
            for column, source in asked.targets
            if source.values
        }

    @property
    def created(self) -> set[str]:
        """The fields whose unknown words are created."""
        asked = self.asked.create
        return {c.name for c, _ in self.asked.targets if c.name in asked or c.of in asked}

    def note(
        self,
        what: str,
        key: tuple[str, str],
        target: MappedField,
        row: SheetRow,
        text: str,
        meant: Meaning = NO_MEANING,
    ) -> None:
        """Add a cell to those of `found` with the same problem."""
        cells = Cells(target.table_column, target.column.name, meant)
        self.found[what].setdefault(key, cells).add(row, text)

    def meaning(self, column: CellColumn, word: Any) -> Any:
        """The meaning of a word in the map, in any case; else the word itself."""
        meanings = self.meanings.get(column.name)
        if meanings is None or not isinstance(word, str | int | float):
            return word
        return meanings.get(fold(word if isinstance(word, str) else json.dumps(word)), word)

    def invalid(
        self, target: MappedField, row: SheetRow, code: str, message: str, hint: str | None = None
    ) -> InvalidRow:
        """Report a cell that cannot be read as a value of its field."""
        name = target.column.name
        if not target.source.leaves_out_errors:
            problem = code, f"{name}: {message}", hint
            self.problems.add(row, name, target.table_column, *problem)
        return InvalidRow()

    def unclear(self, what: str, target: MappedField, row: SheetRow, text: str) -> InvalidRow:
        """Note a cell that can be read only if the map says how."""
        if not target.source.leaves_out_errors:
            self.note(what, (target.column.name, ""), target, row, text)
        return InvalidRow()

    def item(self, target: MappedField, row: SheetRow, part: Any) -> Any:
        """A single value of a field."""
        column, source = target
        if isinstance(part, dict | list):
            message = f"this must be a single value, not {describe_value(part)}"
            raise self.invalid(target, row, "wrong-type", message, _parts_hint(source, part))
        if isinstance(part, str) and (source.date or source.range or column.dated):
            general = [date + t for date in self.asked.date for t in _TIMES]
            formats = source.date or general
            if source.range is not None:
                return self._end_of_range(target, row, part, formats)
            is_written = any(date_in_format(part, each) for each in formats)
            if source.date or is_written or _needs_format(part, column):
                return self._date(target, row, part, formats)
        if column.shape in ("integer", "number"):
            return self._number(target, row, part)
        if column.shape == "boolean":
            return truth(part)
        if not isinstance(part, str):
            if self.asked.exact or isinstance(part, bool):
                return part
            part = str(part)
        text = part if self.asked.exact or column.shape == "text" else " ".join(part.split())
        is_url = column.shape == "url" and "://" in text
        if source.prefix and not is_url and not text.startswith(source.prefix):
            self.note("prefix", (column.name, source.prefix + text), target, row, text)
            text = source.prefix + text
        words = self.words.get(column.name)
        if words is None:
            return (meant_zone(text) or text) if column.loc == ("timezone",) else text
        return self.word(words.meaning_of(text), text, column.name, target, row)

    def word(self, meant: Meaning, text: str, name: str, target: MappedField, row: SheetRow) -> Any:
        """The word of the registry for a word of the table; a different spelling is noted.

        Raises InvalidRow for an unknown word that the map leaves out.
        """
        if meant.value is None and target.source.leaves_out_errors:
            raise InvalidRow
        if meant != Meaning(text):
            self.note("word", (name, text), target, row, text, meant)
        if meant.value is None:
            return text
        if name in self.words and self.words[name].free == "slug":
            self.note("slug", (name, meant.value), target, row, text)
        return meant.value

    def _number(self, target: MappedField, row: SheetRow, part: Any) -> Any:
        """A number; a text that is none stays.  Raises InvalidRow if it has two readings."""
        column, source = target
        whole = column.shape == "integer"
        if isinstance(part, float) and whole and part.is_integer():
            return int(part)
        if not isinstance(part, str):
            return part
        if part.isascii() and part.isdigit() and part[0] != "0" and len(part) < 16:
            return int(part)
        mark = source.number or self.asked.number
        value = read_number(part, mark, self.language, column.unit, whole=whole)
        if value is not None:
            if part not in (in_digits(value), str(value)):
                note = f"{column.name}: {shorten(part)} → {in_digits(value)}"
                self.notes[row.number].append(note)
            return value
        if len(readings(part, mark, column.unit, whole=whole)) > 1:
            raise self.unclear("number", target, row, part)
        if mark and readings(part, unit=column.unit, whole=whole):
            name = "decimal comma" if mark == "," else "decimal point"
            message = f'the map says number: "{mark}" ({name}); this cell has "{shorten(part)}"'
            raise self.invalid(target, row, "wrong-type", message)
        if other := _other_currency(part, mark, column.unit):
            message = f'"{shorten(part)}" is in {other}, but the field in {column.unit}'
            hint = "convert the amount, or leave such cells out with on_error: null in the map"
            raise self.invalid(target, row, "wrong-type", message, hint)
        return part

    def _end_of_range(
        self, target: MappedField, row: SheetRow, text: str, formats: Sequence[str]
    ) -> Any:
        """The first or the last day of a text like "January 20 - 27, 2026"."""
        found = read_range(text, formats)
        if found is None:
            message = f'"{shorten(text)}" names no days'
            hint = "write it like January 20 - 27, 2026, or 2026-01-20 - 2026-01-27"
            raise self.invalid(target, row, "invalid-date", message, hint)
        day = found[target.source.range == "end"]
        return day.year if target.column.shape == "integer" else f"{day:%Y-%m-%d}"

    def _date(self, target: MappedField, row: SheetRow, text: str, formats: Sequence[str]) -> Any:
        """A date in the first of these formats that fits; a year for columns of years."""
        column = target.column
        if not formats:
            raise self.unclear("date", target, row, text)
        dates = ((date_format, date_in_format(text, date_format)) for date_format in formats)
        date_format, date = next((pair for pair in dates if pair[1] is not None), ("", None))
        if date is None and _is_day(text):
            date_format, date = "%Y-%m-%d", date_in_format(text, "%Y-%m-%d")
        if date is None:
            if column.shape == "integer" and re.fullmatch(r"\d{4}", text, re.ASCII):
                return int(text)  # a year alone
            message = (
                f"the map says that {shorten(target.table_column or 'it')} is written "
                f'{in_words(formats[0])}; this cell has "{shorten(text)}"'
            )
            raise self.invalid(target, row, "invalid-date", message)
        if column.shape == "integer":
            return date.year
        has_time = any(part in date_format for part in ("%H", "%I", "%X", "%c", "%T"))
        return f"{date:%Y-%m-%d %H:%M:%S}" if has_time else f"{date:%Y-%m-%d}"


def _other_currency(text: str, mark: str, unit: str) -> str:
    """The currency of an amount that is not in that of the field; "" if there is none."""
    if unit not in currencies():
        return ""
    words = re.findall(r"[^\W\d_]+\$?|[^\w\s.,'’+-]", text)
    codes = [CURRENCY_SIGNS.get(word.casefold(), word.upper()) for word in words]
    found = (code for code in codes if code in currencies() and readings(text, mark, code))
    return next((code for code in found if code != unit), "")


def _parts_hint(source: ValueSource, value: Any) -> str | None:
    """A hint at the columns inside a value of a document."""
    inner, mark = (value, "") if isinstance(value, dict) else (next(iter(value), None), "[]")
    if not isinstance(inner, dict) or source.column is None:
        return None
    names = [f"{source.column}{mark}.{key}" for key in inner]
    return f"map one of its parts: {', '.join(names[:5])}" if names else None


def _needs_format(text: str, column: CellColumn) -> bool:
    """Whether a text is a date that can only be read with a date format in the map."""
    if column.shape != "integer" and text[4:5] == "-":
        return False  # YYYY-MM-DD or similar: the check of the record reports errors
    return is_date(text)
