"""Reads the cells of a row as values of fields, as the map of an import describes them.

A value that does not fit its field, like "many" for a year, is returned as it is: the check of the
record reports it.  Words of the table are compared with the words of the registry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.dialect.values import PLACE_ORDER
from generator.edit.places import NotAPlace, filled, read_place
from generator.edit.sheet import Sheet, SheetRow, value_of
from generator.edit.words import Choice, Meaning, Vocabulary, country_meaning
from generator.features.tables.columns import CellColumn, Loc, split_cell, unescape_formula
from generator.features.tables.mapping import Target
from generator.features.tables.spreadsheet import in_words, is_date, is_formula, parse_date
from generator.kinds.every import ADDED_KEYED
from generator.kinds.types import COUNTRIES
from generator.model.country_names import find_country, split_parts
from generator.model.kinds.event_times import meant_zone
from generator.model.online import without_online
from generator.problems.diagnostic import Diagnostic
from generator.problems.faults import describe_value, shorten
from generator.text.numbers import in_digits, read_number, readings
from generator.text.placeholders import is_placeholder
from generator.text.words import fold

#: Truth values in any case, also as spreadsheets in German and French write them.
_TRUE = ("true", "yes", "y", "1", "x", "wahr", "ja", "vrai", "oui")
_FALSE = ("false", "no", "n", "0", "falsch", "nein", "faux", "non")
_TIMES = ("", " %H:%M", " %H:%M:%S")


_UNKNOWN = Meaning(None)


class InvalidRow(Exception):
    """No record can be made of a row; the reason is reported already."""


@dataclass(slots=True)
class Cells:
    """Cells of a column with the same problem: the first row, their texts, and their rows.

    For a word of the table `meant` is what the registry has for it.
    """

    row: SheetRow
    column: str
    meant: Meaning = _UNKNOWN
    texts: list[str] = field(default_factory=list)
    rows: list[SheetRow] = field(default_factory=list)

    def add(self, row: SheetRow, text: str) -> None:
        self.texts.append(text)
        self.rows.append(row)


@dataclass(slots=True)
class Reader:
    """Reads rows of a table as fields.

    `words` has the words of the registry by column.  With `exact` the table is an export, and texts
    are not changed.  `problems` collects problems; `differing_words`, by field and text, words that
    the registry writes differently or does not know; `slugs_of_words`, by field and slug, the words
    that became this slug; `prefixed`, by field and value, cells with a prefix of the map;
    `placeholders`, by field and text, words for a missing value that the map does not speak of;
    `formulas`, `dates_without_format` and `unclear_numbers`, by field, cells that look like
    formulas, dates without a format, and numbers with two readings; `notes`, by the number of the
    row, the numbers that were not written in digits.  `number` is the decimal mark, "" if unknown,
    `date` a format for dates in all columns, `language` that of the registry if it declares one.
    """

    table: Sheet
    targets: Sequence[Target]
    words: Mapping[str, Vocabulary]
    places: Mapping[tuple[str, str], Vocabulary]
    exact: bool
    number: str = ""
    date: str = ""
    language: str = ""
    online: str = ""
    differing_words: dict[tuple[str, str], Cells] = field(default_factory=dict)
    slugs_of_words: dict[tuple[str, str], dict[str, Cells]] = field(default_factory=dict)
    prefixed: dict[tuple[str, str], Cells] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    placeholders: dict[tuple[str, str], Cells] = field(default_factory=dict)
    formulas: dict[str, Cells] = field(default_factory=dict)
    dates_without_format: dict[str, Cells] = field(default_factory=dict)
    unclear_numbers: dict[str, Cells] = field(default_factory=dict)
    notes: dict[int, list[str]] = field(default_factory=dict)
    meanings: dict[str, dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.meanings = {
            target.column.name: {fold(word): meaning for word, meaning in source.values.items()}
            for target in self.targets
            if (source := target.source).values
        }

    def _meaning(self, column: CellColumn, word: Any) -> Any:
        """The meaning of a word in the map, in any case; else the word itself.

        The map writes the numbers and truth values of JSON as texts: "1", "true".
        """
        meanings = self.meanings.get(column.name)
        if meanings is None or not isinstance(word, str | int | float):
            return word
        return meanings.get(fold(word if isinstance(word, str) else json.dumps(word)), word)

    def _parts_before(self, target: Target, names: Sequence[str]) -> list[str]:
        """The meanings of the parts of a place before the last.  A word for a country or for a
        whole place is only meant for the last part: CA in "Los Angeles, CA, USA" stays.
        """
        pairs = [(name, self._meaning(target.column, name)) for name in names]
        return [
            str(meaning)
            if isinstance(meaning, str) and "," not in meaning and not find_country(meaning)
            else name
            for name, meaning in pairs
            if meaning is not None
        ]

    def read_row(self, row: SheetRow) -> dict[Loc, Any]:
        """The value of each mapped field in a row, None for an empty cell.

        Parts of places are joined to `locations`.  Raises InvalidRow, after all cells are read.
        """
        values: dict[Loc, Any] = {}
        invalid = None
        for target in self.targets:
            try:
                values[target.column.loc] = self._value(target, row)
            except InvalidRow as error:
                invalid = error
        self._join_places(values, row)
        if invalid is not None:
            raise invalid
        return values

    def _invalid(
        self, target: Target, row: SheetRow, code: str, message: str, hint: str | None = None
    ) -> InvalidRow:
        """Report a cell that cannot be read as a value of its field."""
        message = f"{target.column.name}: {message}"
        self.problems.append(self.table.problem(row, target.table_column, code, message, hint))
        return InvalidRow()

    def _value(self, target: Target, row: SheetRow) -> Any:
        column, source = target
        is_constant = source.column is None
        raw = source.value if is_constant else value_of(row, target.table_column)
        if isinstance(raw, str):
            if self.table.delimiter and not is_constant:
                if raw == "":
                    return None
                text = raw.strip()
                if is_formula(text) and self._meaning(column, text) == text:
                    cells = Cells(row, target.table_column)
                    self.formulas.setdefault(column.name, cells).add(row, text)
                raw = unescape_formula(raw)
            if not self.exact:
                raw = raw.strip() or None
        if raw is None:
            return None
        if not column.many:
            items = self._items(target, row, [raw])
            if len(items) > 1:
                text = shorten(str(raw))
                message = f'"{text}" is {len(items)} values; this field has only one value'
                raise self._invalid(target, row, "wrong-type", message)
            return items[0] if items else None
        if isinstance(raw, str):
            if source.split is not None:
                raw = raw.split(source.split)
            else:
                raw = split_cell(raw) if self.table.delimiter else [raw]
        items = self._items(target, row, raw if isinstance(raw, list) else [raw])
        if column.loc[0] in ADDED_KEYED and len(items) == 1:
            return items[0]
        return items or None

    def _items(self, target: Target, row: SheetRow, parts: Sequence[Any]) -> list[Any]:
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
            meaning = self._meaning(column, part)
            if (
                meaning is part
                and isinstance(part, str)
                and is_placeholder(part)
                and not target.source.prefix
            ):
                cells = Cells(row, target.table_column)
                self.placeholders.setdefault((column.name, part), cells).add(row, part)
            several = isinstance(meaning, list) and meaning is not part
            for meant in meaning if several else [meaning]:
                if meant is None:
                    items += [None] * is_place_part
                    continue
                if column.shape == "place":  # the map's words apply to its parts, but not twice
                    items.append((meant, meant is not part))
                    continue
                value = self._item(target, row, meant)
                if is_place_part or value not in items or self.exact:
                    items.append(value)
        return [] if is_place_part and not any(items) else items

    def _item(self, target: Target, row: SheetRow, part: Any) -> Any:
        """A single value of a field."""
        column, source = target
        if isinstance(part, dict | list):
            message = f"this must be a single value, not {describe_value(part)}"
            raise self._invalid(target, row, "wrong-type", message)
        if isinstance(part, str) and source.date:
            return self._date(target, row, part, (source.date,))
        if isinstance(part, str) and column.dated and self.date:
            formats = [self.date + time for time in _TIMES]
            if any(parse_date(part, each) for each in formats) or _needs_format(part, column):
                return self._date(target, row, part, formats)
        elif isinstance(part, str) and column.dated and _needs_format(part, column):
            cells = Cells(row, target.table_column)
            self.dates_without_format.setdefault(column.name, cells).add(row, part)
            raise InvalidRow
        if column.shape in ("integer", "number"):
            return self._number(target, row, part)
        if column.shape == "boolean":
            return _parse_boolean(part)
        if not isinstance(part, str):
            if self.exact or isinstance(part, bool):
                return part
            part = str(part)
        text = part
        if not self.exact and column.shape != "text":
            text = " ".join(text.split())
        is_url = column.shape == "url" and "://" in text
        if source.prefix and not is_url and not text.startswith(source.prefix):
            cells = Cells(row, target.table_column)
            self.prefixed.setdefault((column.name, source.prefix + text), cells).add(row, text)
            text = source.prefix + text
        words = self.words.get(column.name)
        if words is None:
            return (meant_zone(text) or text) if column.loc == ("timezone",) else text
        return self._word(words.meaning_of(text), text, column.name, target, row)

    def _number(self, target: Target, row: SheetRow, part: Any) -> Any:
        """A number; a text that is none stays.  Raises InvalidRow if it has two readings."""
        column, source = target
        whole = column.shape == "integer"
        if isinstance(part, float) and whole and part.is_integer():
            return int(part)
        if not isinstance(part, str):
            return part
        mark = source.number or self.number
        value = read_number(part, mark, self.language, column.unit, whole=whole)
        if value is None and len(readings(part, mark, column.unit, whole=whole)) > 1:
            cells = Cells(row, target.table_column)
            self.unclear_numbers.setdefault(column.name, cells).add(row, part)
            raise InvalidRow
        if value is None and mark and readings(part, unit=column.unit, whole=whole):
            name = "decimal comma" if mark == "," else "decimal point"
            message = f'the map says number: "{mark}" ({name}); this cell has "{shorten(part)}"'
            raise self._invalid(target, row, "wrong-type", message)
        if value is not None and part not in (in_digits(value), str(value)):
            note = f"{column.name}: {shorten(part)} → {in_digits(value)}"
            self.notes.setdefault(row.number, []).append(note)
        return part if value is None else value

    def _word(self, meant: Meaning, text: str, name: str, target: Target, row: SheetRow) -> Any:
        """The word of the registry for a word of the table; a different spelling is counted."""
        if meant.value != text or meant.nearest is not None or meant.is_new:
            cells = Cells(row, target.table_column, meant)
            self.differing_words.setdefault((name, text), cells).add(row, text)
        if meant.value is None:
            return text
        if (words := self.words.get(name)) is not None and words.free == "slug":
            cells = Cells(row, target.table_column, meant)
            by_text = self.slugs_of_words.setdefault((name, meant.value), {})
            by_text.setdefault(text, cells).add(row, text)
        return meant.value

    def _places(self, items: Sequence[Any] | None, countries: Sequence[Any], row: SheetRow) -> Any:
        """The places in a column of places, from (text or mapping, whether the map says it).

        `countries` are those of another column.
        """
        target = next(t for t in self.targets if t.column.shape == "place")
        if not items:
            known = [{"country": country} for country in countries if country is not None]
            return [self._with_known_words(place, target, row) for place in known] or None
        if len(countries) == 1:
            countries = [countries[0]] * len(items)
        if countries and len(countries) != len(items):
            message = f"{len(countries)} countries for {len(items)} places"
            raise self._invalid(target, row, "invalid-length", message)
        named = countries or [None] * len(items)
        pairs = zip(items, named, strict=True)
        places = [self._place(target, row, part, *rest, by_map=m) for (part, m), *rest in pairs]
        return list(filter(None, places)) or None

    def _place(
        self,
        target: Target,
        row: SheetRow,
        part: Any,
        named: str | None = None,
        *,
        by_map: bool = False,
    ) -> dict[str, Any] | None:
        """A place from a text, as "Oslo, Norway", or from a mapping of its parts.

        `named` is the country as another column names it.  With `by_map` the map gives the text.
        """
        if isinstance(part, dict):
            if part.keys() - set(PLACE_ORDER) or not isinstance(part.get("country"), str):
                message = "a place has a country, and perhaps a region and a city"
                raise self._invalid(target, row, "wrong-type", message)
            if self.exact:  # a part that an exported place lacks is empty, not unknown
                part = dict.fromkeys(PLACE_ORDER) | part
            return self._with_known_words(part, target, row)
        country = named and self._word(country_meaning(named), named, "country", target, row)
        if country and country not in COUNTRIES:
            return {"country": country}
        names, sure = split_parts(str(part)), by_map and "," not in part
        if not by_map:
            *names, last = names
            names = self._parts_before(target, names)
            sure = fold(last) in self.meanings.get(target.column.name, {})
            meaning = self._meaning(target.column, last)
            if isinstance(meaning, dict) and len(names) < 3:
                before = dict(zip(("city", "region"), names, strict=False))
                return self._place(target, row, {"city": None} | before | meaning)
            if meaning is not None:
                names += split_parts(str(meaning))
        if not names:
            return None
        try:
            place = read_place(names, country, sure=sure)
        except NotAPlace as error:
            hint = error.hint
            if len(names) > 3:
                hint = f"{hint}; for several places, set split in the map"
            message = f'"{shorten(part)}": {error}'
            raise self._invalid(target, row, "unmatched-value", message, hint) from None
        parts = {"country": place.country, "region": place.region, "city": place.city}
        if not place.readings:
            return self._with_known_words(filled(parts), target, row)
        choices = []
        for reading in place.readings:
            region = {"country": reading.country, "region": reading.region}
            choices.append(Choice(region if reading.region else reading.country, reading.label))
        self._word(Meaning(None, choices=tuple(choices)), place.country, "locations", target, row)
        return filled(parts | {"country": place.readings[0].country})

    def _with_known_words(
        self, place: Mapping[str, Any], target: Target, row: SheetRow
    ) -> dict[str, Any]:
        """A place with its country as a code, and with regions and cities as records spell them."""
        name = place["country"]
        country = self._word(country_meaning(name), name, "country", target, row)
        result: dict[str, Any] = {"country": country}
        for part in (part for part in ("region", "city") if part in place):
            name = result[part] = place[part]
            if name is not None:
                text = name if self.exact else str(name)
                words = None if self.exact else self.places.get((country, part))
                meant = Meaning(text) if words is None else words.meaning_of(text)
                result[part] = self._word(meant, name, part, target, row)
        return result

    def _take_online(self, values: dict[Loc, Any]) -> None:
        """Replace places such as "Online" by the field that says so, if the records have one."""
        places, found = values.get(("locations",)), []
        for text, by_map in places or () if self.online else ():
            rest = without_online(text) if isinstance(text, str) else None
            if rest is not None and values.get((self.online,)) is None:
                values[self.online,] = True
            found += [(text if rest is None else rest, by_map)] if rest != "" else []
        if self.online and places:
            values["locations",] = found or None

    def _join_places(self, values: dict[Loc, Any], row: SheetRow) -> None:
        """Replace the values of `locations.country`, `.region` and `.city` by those of `locations`.

        Places only have the parts that are mapped.  Raises InvalidRow.
        """
        self._take_online(values)
        parts = {
            loc[1]: values.pop(loc) for loc in list(values) if loc[0] == "locations" and loc[1:]
        }
        loc = ("locations",)
        if loc in values and not parts.keys() - {"country"}:
            values[loc] = self._places(values[loc], parts.get("country") or [], row)
            return
        if not parts:
            return
        by_part = {t.column.loc[1]: t for t in self.targets if t.column.loc[:-1] == ("locations",)}
        count = max((len(names) for names in parts.values() if names), default=0)
        if not count:
            values[loc] = None
            return
        names_of_countries = parts.get("country") or []
        if len(names_of_countries) == 1 and by_part["country"].source.column is None:
            names_of_countries *= count  # the map gives one country to all places
        if len(names_of_countries) != count or None in names_of_countries:
            known = len(list(filter(None, names_of_countries)))
            message = f"locations: {known} countries for {count} places"
            hint = "every place needs a country: map locations.country, or give it a value"
            column = by_part[next(iter(parts))].table_column
            problem = self.table.problem(row, column, "missing-field", message, hint)
            self.problems.append(problem)
            raise InvalidRow
        places = []
        for i, country in enumerate(names_of_countries):
            place = {"country": country}
            for part in ("region", "city"):
                names = parts.get(part) or []
                if names and len(names) != count:
                    message = f"{len(names)} values, but {count} places"
                    hint = "leave the value of a place empty: a||c"
                    raise self._invalid(by_part[part], row, "invalid-length", message, hint)
                if names:
                    place[part] = names[i]
            places.append(self._with_known_words(place, by_part["country"], row))
        values[loc] = places

    def _date(self, target: Target, row: SheetRow, text: str, formats: Sequence[str]) -> Any:
        """A date in the first of these formats that fits; a year for columns of years."""
        column = target.column
        dates = ((date_format, parse_date(text, date_format)) for date_format in formats)
        date_format, date = next((pair for pair in dates if pair[1] is not None), ("", None))
        if date is None:
            if column.shape == "integer" and re.fullmatch(r"\d{4}", text, re.ASCII):
                return int(text)  # a year alone
            message = (
                f"the map says that {shorten(target.table_column or 'it')} is written "
                f'{in_words(formats[0])}; this cell has "{shorten(text)}"'
            )
            raise self._invalid(target, row, "invalid-date", message)
        if column.shape == "integer":
            return date.year
        has_time = any(part in date_format for part in ("%H", "%I", "%X", "%c", "%T"))
        return f"{date:%Y-%m-%d %H:%M:%S}" if has_time else f"{date:%Y-%m-%d}"


def _parse_boolean(part: Any) -> Any:
    word = part.strip().lower() if isinstance(part, str) else None
    return True if word in _TRUE else False if word in _FALSE else part


def _needs_format(text: str, column: CellColumn) -> bool:
    """Whether a text is a date that can only be read with a date format in the map."""
    if column.shape != "integer" and text[4:5] == "-":
        return False  # YYYY-MM-DD or similar: the check of the record reports errors
    return is_date(text)
