"""Reads the cells of a row as values of fields, as the map of an import describes them.

A value that does not fit its field, like "many" for a year, is returned as it is: the check of the
record reports it.  Words of the table are compared with the words of the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from generator.dialect.values import PLACE_ORDER
from generator.edit.exchange.cell_words import Meaning, Places, Vocabulary, countries
from generator.edit.exchange.columns import Column, Loc, split_cell, unescape_formula
from generator.edit.exchange.mapping import Source
from generator.edit.exchange.sheet import Row, Table, value_of
from generator.edit.exchange.spreadsheet import Cells, in_words, is_date, is_formula
from generator.grammar.text import fold
from generator.problems.faults import describe_value, shorten

_TRUE, _FALSE = ("true", "yes", "y", "1", "x"), ("false", "no", "n", "0")
_whole = re.compile(r"[+-]?\d+(?:\.0+)?|\d{1,3}(?:[,' \u00a0\u202f]\d{3})+", re.ASCII).fullmatch
_number = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII).fullmatch
_grouped = re.compile(r"\d{1,3}(?:[,' \u00a0\u202f]\d{3})+(?:\.\d+)?", re.ASCII).fullmatch


class Target(NamedTuple):
    """A column of records, and the source of its values in the table."""

    column: Column
    source: Source


class InvalidCell(Exception):
    """A cell cannot be read as a value of its field."""

    def __init__(self, code: str, message: str, hint: str | None = None):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


class _Undated(Exception):
    """A cell has this date, and the map has no date format for it."""


class Fault(NamedTuple):
    """A problem of a cell; `column` is that of the table, "" for a problem of the row."""

    row: Row
    column: str
    code: str
    message: str
    hint: str | None


@dataclass(slots=True)
class Word:
    """A word of the table that the registry writes differently or does not know.

    `row` is the first row that contains the word, `count` the number of its cells.
    """

    meant: Meaning
    row: Row
    column: str
    count: int = 0


@dataclass(slots=True)
class Reader:
    """Reads rows of a table as fields.

    `words` has the words of the registry by column.  With `exact` the table is an export, and texts
    are not changed.  `differing_words` collects words by field and text, and `faults` problems;
    `formulas` and `dates_without_format` collect, by column, cells that look like formulas and
    dates without a format.
    """

    table: Table
    targets: Sequence[Target]
    words: Mapping[str, Vocabulary]
    places: Places
    exact: bool
    differing_words: dict[tuple[str, str], Word] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    formulas: dict[str, Cells] = field(default_factory=dict)
    dates_without_format: dict[str, Cells] = field(default_factory=dict)
    meanings: dict[str, dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.meanings = {
            target.column.name: {fold(word): meaning for word, meaning in source.values.items()}
            for target in self.targets
            if (source := target.source).values
        }

    def _meaning(self, column: Column, word: str) -> Any:
        """The meaning of a word in the map, in any case; else the word itself."""
        meanings = self.meanings.get(column.name)
        return word if meanings is None else meanings.get(fold(word), word)

    def read_row(self, row: Row) -> dict[Loc, Any] | None:
        """The value of each mapped field in a row, None for an empty cell.

        Parts of places are joined to `locations`.  Returns None if a cell cannot be read.
        """
        values: dict[Loc, Any] = {}
        readable, fault_count = True, len(self.faults)
        for target in self.targets:
            try:
                values[target.column.loc] = self._value(target, row)
            except _Undated as date:
                readable = False
                self._collect(self.dates_without_format, target, row, str(date))
            except InvalidCell as unfit:
                column = target.source.column or ""
                message = f"{target.column.name}: {unfit.message}"
                self.faults.append(Fault(row, column, unfit.code, message, unfit.hint))
        self._join_places(values, row)
        return values if readable and len(self.faults) == fault_count else None

    def _collect(self, cells: dict[str, Cells], target: Target, row: Row, text: str) -> None:
        column = target.source.column or ""
        cells.setdefault(target.column.name, Cells(row, column)).texts.append(text)

    def _value(self, target: Target, row: Row) -> Any:
        column, source = target
        is_constant = source.column is None
        raw = source.value if is_constant else value_of(row, source.column or "")
        if isinstance(raw, str):
            if self.table.delimiter and not is_constant:
                if raw == "":
                    return None
                if is_formula(raw.strip()) and self._meaning(column, raw.strip()) == raw.strip():
                    self._collect(self.formulas, target, row, raw.strip())
                raw = unescape_formula(raw)
            if not self.exact:
                raw = raw.strip() or None
        if raw is None:
            return None
        if not column.many:
            items = self._items(target, row, [raw])
            if len(items) > 1:
                message = (
                    f'"{shorten(str(raw))}" is {len(items)} values; this field has only one value'
                )
                raise InvalidCell("wrong-type", message)
            return items[0] if items else None
        if isinstance(raw, str):
            if source.split is not None:
                raw = raw.split(source.split)
            else:
                raw = split_cell(raw) if self.table.delimiter or not self.exact else [raw]
        items = self._items(target, row, raw if isinstance(raw, list) else [raw])
        if column.loc[0] == "identifiers" and len(items) == 1:
            return items[0]
        return items or None

    def _items(self, target: Target, row: Row, parts: Sequence[Any]) -> list[Any]:
        """The values of the parts of a cell, without empty values and duplicates.

        Parts of places keep these: the position of a region says to which place it belongs.
        """
        column = target.column
        is_place_part = column.loc[0] == "locations" and len(column.loc) > 1
        items: list[Any] = []
        for part in parts:
            if isinstance(part, str) and not self.exact:
                part = part.strip()
            if part == "" and not (self.exact and column.shape == "text"):
                part = None
            meaning = self._meaning(column, part) if isinstance(part, str) else [part]
            for meant in meaning if isinstance(meaning, list) else [meaning]:
                if meant is None:
                    items += [None] * is_place_part
                    continue
                value = self._item(target, row, meant)
                if is_place_part or column.shape == "place" or value not in items or self.exact:
                    items.append(value)
        return [] if is_place_part and not any(items) else items

    def _item(self, target: Target, row: Row, part: Any) -> Any:
        """A single value of a field."""
        column, source = target
        if column.shape == "place":
            return self._place(target, row, part)
        if isinstance(part, dict | list):
            raise InvalidCell(
                "wrong-type", f"this must be a single value, not {describe_value(part)}"
            )
        if isinstance(part, str) and source.date:
            return _parse_date(part, source, column)
        if isinstance(part, str) and column.dated and _needs_format(part, column):
            raise _Undated(part)
        if column.shape in ("integer", "number", "boolean"):
            return _parse_number(part, column.shape)
        if not isinstance(part, str):
            if self.exact or isinstance(part, bool):
                return part
            part = str(part)
        text = part
        if not self.exact and column.shape != "text":
            text = " ".join(text.split())
        is_url = column.shape == "url" and "://" in text
        if source.prefix and not is_url and not text.startswith(source.prefix):
            text = source.prefix + text
        words = self.words.get(column.name)
        return (
            text
            if words is None
            else self._word(words.meaning_of(text), text, column.name, target, row)
        )

    def _word(self, meant: Meaning, text: str, name: str, target: Target, row: Row) -> Any:
        """The word of the registry for a word of the table; a different spelling is counted."""
        if meant.value != text or meant.nearest is not None:
            key = name, text
            word = self.differing_words.get(key)
            if word is None:
                word = self.differing_words[key] = Word(meant, row, target.source.column or "")
            word.count += 1
        return text if meant.value is None else meant.value

    def _place(self, target: Target, row: Row, part: Any) -> dict[str, Any]:
        """A place from a text, as "Oslo, Norway", or from a mapping of its parts."""
        if isinstance(part, dict):
            if part.keys() - {"country", "region", "city"} or not isinstance(
                part.get("country"), str
            ):
                message = "a place has a country, and perhaps a region and a city"
                raise InvalidCell("wrong-type", message)
            if self.exact:  # a part that an exported place lacks is empty, not unknown
                part = dict.fromkeys(PLACE_ORDER) | part
            return self._with_known_words(part, target, row)
        names = [name.strip() for name in str(part).split(",")]
        names = [str(self._meaning(target.column, name)) for name in names]
        if len(names) > 3 or not all(names):
            hint = (
                'write a place as "City, Region, Country"; for several places, set split in the map'
            )
            raise InvalidCell("unmatched-value", f'"{shorten(str(part))}" is not a place', hint)
        keys = {1: ["country"], 2: ["city", "country"], 3: ["city", "region", "country"]}
        return self._with_known_words(dict(zip(keys[len(names)], names, strict=True)), target, row)

    def _with_known_words(
        self, place: Mapping[str, Any], target: Target, row: Row
    ) -> dict[str, Any]:
        """A place with its country as a code, and with regions and cities as records spell them."""
        name = place["country"]
        country = self._word(countries().meaning_of(name), name, "country", target, row)
        result: dict[str, Any] = {"country": country}
        for part in (part for part in ("region", "city") if part in place):
            name = result[part] = place[part]
            if name is not None:
                meant = Meaning(name)
                if not self.exact:
                    meant = self.places.meaning_of(country, part, str(name))
                result[part] = self._word(meant, name, part, target, row)
        return result

    def _join_places(self, values: dict[Loc, Any], row: Row) -> None:
        """Replace the values of `locations.country`, `.region` and `.city` by those of `locations`.

        Places only have the parts that are mapped.
        """
        parts = {
            loc[1]: values.pop(loc) for loc in list(values) if loc[0] == "locations" and loc[1:]
        }
        if not parts:
            return
        by_part = {t.column.loc[1]: t for t in self.targets if t.column.loc[:-1] == ("locations",)}
        count = max((len(names) for names in parts.values() if names), default=0)
        if not count:
            values[("locations",)] = None
            return
        names_of_countries = parts.get("country") or []
        if len(names_of_countries) == 1 and by_part["country"].source.column is None:
            names_of_countries = (
                names_of_countries * count
            )  # the map gives one country to all places
        column = by_part[next(iter(parts))].source.column or ""
        if len(names_of_countries) != count or None in names_of_countries:
            known = len(list(filter(None, names_of_countries)))
            message = f"locations: {known} countries for {count} places"
            hint = "every place needs a country: map locations.country, or give it a value"
            self.faults.append(Fault(row, column, "missing-field", message, hint))
            return
        places = []
        for i, country in enumerate(names_of_countries):
            place = {"country": country}
            for part in ("region", "city"):
                names = parts.get(part) or []
                if names and len(names) != count:
                    message = f"locations.{part}: {len(names)} values, but {count} places"
                    hint = "leave the value of a place empty: a||c"
                    column = by_part[part].source.column or ""
                    self.faults.append(Fault(row, column, "invalid-length", message, hint))
                    return
                if names:
                    place[part] = names[i]
            places.append(self._with_known_words(place, by_part["country"], row))
        values[("locations",)] = places


def _parse_number(part: Any, shape: str) -> Any:
    if isinstance(part, float) and shape == "integer" and part.is_integer():
        return int(part)
    if not isinstance(part, str):
        return part
    text = part.strip()
    if shape == "boolean":
        return True if text.lower() in _TRUE else False if text.lower() in _FALSE else part
    if shape == "integer" and _whole(text):
        return int(re.sub(r"\D", "", text.partition(".")[0])) * (-1 if text[0] == "-" else 1)
    if shape == "number":
        if _grouped(text):
            text = re.sub("[,' \u00a0\u202f]", "", text)
        if _number(text):
            return int(text) if re.fullmatch(r"[+-]?\d{1,300}", text) else float(text)
    return part


def _needs_format(text: str, column: Column) -> bool:
    """Whether a text is a date that can only be read with a date format in the map."""
    if column.shape != "integer" and text[4:5] == "-":
        return False  # YYYY-MM-DD or similar: the check of the record reports errors
    return is_date(text)


def _parse_date(text: str, source: Source, column: Column) -> Any:
    date_format = source.date or ""
    try:
        date = datetime.strptime(text, date_format)
    except ValueError:
        if column.shape == "integer" and re.fullmatch(r"\d{4}", text, re.ASCII):
            return int(text)  # a year alone
        message = (
            f"the map says that {shorten(source.column or 'it')} is written "
            f"{in_words(date_format)}; "
            f'this cell has "{shorten(text)}"'
        )
        raise InvalidCell("invalid-date", message) from None
    if column.shape == "integer":
        return date.year
    has_time = any(part in date_format for part in ("%H", "%I", "%X", "%c", "%T"))
    return f"{date:%Y-%m-%d %H:%M:%S}" if has_time else f"{date:%Y-%m-%d}"


def used_slugs(records: Iterable[Mapping[str, Any]], column: Column) -> Vocabulary:
    """The slugs that records use in a column without a fixed vocabulary."""
    used: dict[str, str] = {}
    field, key = column.loc
    for data in records:
        values = data.get(field)
        value = values.get(key) if isinstance(values, dict) else None
        for slug in value if isinstance(value, list) else [value]:
            if isinstance(slug, str):
                used[slug] = slug
    return Vocabulary.from_labels(used, "slug")
