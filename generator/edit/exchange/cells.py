"""Rows of a table -> what records say: cells read as the fields that the map makes of them, words
held against those of the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from generator.dialect.values import PLACE
from generator.edit.exchange.cell_words import Meant, Places, Words, countries
from generator.edit.exchange.columns import Column, Loc, split, unguarded
from generator.edit.exchange.mapping import Source
from generator.edit.exchange.sheet import Row, Table, value_of
from generator.edit.exchange.spreadsheet import Cells, in_words, is_date, is_formula
from generator.grammar.text import fold
from generator.problems.faults import cut, show

_TRUE, _FALSE = ("true", "yes", "y", "1", "x"), ("false", "no", "n", "0")
_whole = re.compile(r"[+-]?\d+(?:\.0+)?|\d{1,3}(?:[,' \u00a0\u202f]\d{3})+", re.ASCII).fullmatch
_number = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII).fullmatch
_grouped = re.compile(r"\d{1,3}(?:[,' \u00a0\u202f]\d{3})+(?:\.\d+)?", re.ASCII).fullmatch


class Target(NamedTuple):
    """A column of records, and where in the table it comes from."""

    column: Column
    source: Source


class Unfit(Exception):
    """What a cell holds is not what its field can be."""

    def __init__(self, code: str, message: str, hint: str | None = None):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


class _Undated(Exception):
    """A cell holds a date, and the map does not say how it is written."""

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text


class Fault(NamedTuple):
    """A cell at fault; `column` is that of the table, "" for the row."""

    row: Row
    column: str
    code: str
    message: str
    hint: str | None


@dataclass(slots=True)
class Word:
    """A word of the table that is not as the registry writes it: what it means, if anything, the
    nearest where it is new, the first row that has it, and how many cells do.
    """

    meant: Meant
    row: Row
    column: str
    count: int = 0


@dataclass(slots=True)
class Reader:
    """Reads rows of a table as fields.

    `words` are those of the registry by column.  With `exact` the table is one that was exported:
    text is taken as it stands.  `seen` and `faults` take what is met; `formulas` and `undated` the
    cells, by column, that look like formulas and those with dates that no map describes.
    """

    table: Table
    targets: Sequence[Target]
    words: Mapping[str, Words]
    places: Places
    exact: bool
    seen: dict[tuple[str, str], Word] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    formulas: dict[str, Cells] = field(default_factory=dict)
    undated: dict[str, Cells] = field(default_factory=dict)
    meanings: dict[str, dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.meanings = {
            target.column.name: {fold(word): meaning for word, meaning in source.values.items()}
            for target in self.targets
            if (source := target.source).values
        }

    def _meaning(self, column: Column, word: str) -> Any:
        """What the map says that a word means, whatever its case; else the word."""
        meanings = self.meanings.get(column.name)
        return word if meanings is None else meanings.get(fold(word), word)

    def fields(self, row: Row) -> dict[Loc, Any] | None:
        """What a row says of each mapped field, None where it says nothing; `locations` as one.

        Returns None if a cell cannot be read.
        """
        said: dict[Loc, Any] = {}
        readable, faults = True, len(self.faults)
        for target in self.targets:
            try:
                said[target.column.loc] = self._value(target, row)
            except _Undated as date:
                readable = False
                self._note(self.undated, target, row, date.text)
            except Unfit as unfit:
                column = target.source.column or ""
                message = f"{target.column.name}: {unfit.message}"
                self.faults.append(Fault(row, column, unfit.code, message, unfit.hint))
        self._put_places_together(said, row)
        return said if readable and len(self.faults) == faults else None

    def _note(self, cells: dict[str, Cells], target: Target, row: Row, text: str) -> None:
        column = target.source.column or ""
        cells.setdefault(target.column.name, Cells(row, column)).texts.append(text)

    def _value(self, target: Target, row: Row) -> Any:
        column, source = target
        constant = source.column is None
        raw = source.value if constant else value_of(row, source.column or "")
        if isinstance(raw, str):
            if self.table.delimiter and not constant:
                if raw == "":
                    return None
                if is_formula(raw.strip()) and self._meaning(column, raw.strip()) == raw.strip():
                    self._note(self.formulas, target, row, raw.strip())
                raw = unguarded(raw)
            if not self.exact:
                raw = raw.strip() or None
        if raw is None:
            return None
        if not column.many:
            items = self._items(target, row, [raw])
            if len(items) > 1:
                what = f'"{cut(str(raw))}" is {len(items)} values; this field has only one value'
                raise Unfit("wrong-type", what)
            return items[0] if items else None
        if isinstance(raw, str):
            if source.split is not None:
                raw = raw.split(source.split)
            else:
                raw = split(raw) if self.table.delimiter or not self.exact else [raw]
        parts = raw if isinstance(raw, list) else [raw]
        return self._items(target, row, parts) or None

    def _items(self, target: Target, row: Row, parts: Sequence[Any]) -> list[Any]:
        column = target.column
        of_place = column.loc[0] == "locations" and len(column.loc) > 1
        items: list[Any] = []
        for part in parts:
            if isinstance(part, str) and not self.exact:
                part = part.strip()
            if part == "" and not (self.exact and column.shape == "text"):
                part = None
            said = [part]
            if isinstance(part, str):
                meaning = self._meaning(column, part)
                said = meaning if isinstance(meaning, list) else [meaning]
            for one in said:
                if one is None:
                    items += [None] * of_place
                    continue
                value = self._one(target, row, one)
                if of_place or column.shape == "place" or value not in items or self.exact:
                    items.append(value)
        return [] if of_place and not any(items) else items

    def _one(self, target: Target, row: Row, part: Any) -> Any:
        """One value as the field has it; what cannot be it stays, and is told of the record."""
        column, source = target
        if column.shape == "place":
            return self._place(target, row, part)
        if isinstance(part, dict | list):
            raise Unfit("wrong-type", f"this must be a single value, not {show(part)}")
        if isinstance(part, str) and source.date:
            return _dated(part, source, column)
        if isinstance(part, str) and column.dated and _needs_format(part, column):
            raise _Undated(part)
        if column.shape in ("integer", "number", "boolean"):
            return _counted(part, column.shape)
        if not isinstance(part, str):
            if self.exact or isinstance(part, bool):
                return part
            part = str(part)
        text = part
        if not self.exact and column.shape != "text":
            text = " ".join(text.split())
        whole = column.shape == "url" and "://" in text
        if source.prefix and not whole and not text.startswith(source.prefix):
            text = source.prefix + text
        words = self.words.get(column.name)
        if words is None:
            return text
        meant = words.meant(text)
        return self._meant(meant, text, column.name, target, row, column.where)

    def _meant(
        self, meant: Meant, text: str, name: str, target: Target, row: Row, where: str
    ) -> Any:
        """The word that is meant; every word that is not written so is noted."""
        if meant.value != text or meant.nearest is not None:
            key = name, text
            word = self.seen.get(key)
            if word is None:
                word = self.seen[key] = Word(meant, row, target.source.column or "")
            word.count += 1
        return text if meant.value is None else meant.value

    def _place(self, target: Target, row: Row, part: Any) -> dict[str, Any]:
        """A place from a text, as "Oslo, Norway", or from a mapping of its parts."""
        if isinstance(part, dict):
            if part.keys() - {"country", "region", "city"} or not isinstance(
                part.get("country"), str
            ):
                what = "a place has a country, and perhaps a region and a city"
                raise Unfit("wrong-type", what)
            if self.exact:  # an exported place is whole: a part that it lacks is to be empty
                part = dict.fromkeys(PLACE) | part
            return self._as_known(part, target, row)
        names = [name.strip() for name in str(part).split(",")]
        names = [str(self._meaning(target.column, name)) for name in names]
        if len(names) > 3 or not all(names):
            hint = (
                'write a place as "City, Region, Country"; for several places, set split in the map'
            )
            raise Unfit("unmatched-value", f'"{cut(str(part))}" is not a place', hint)
        keys = {1: ["country"], 2: ["city", "country"], 3: ["city", "region", "country"]}
        return self._as_known(dict(zip(keys[len(names)], names, strict=True)), target, row)

    def _as_known(self, place: Mapping[str, Any], target: Target, row: Row) -> dict[str, Any]:
        said = place["country"]
        country = self._meant(
            countries().meant(said), said, "country", target, row, "the countries of ISO 3166-1"
        )
        known: dict[str, Any] = {"country": country}
        for part in (part for part in ("region", "city") if part in place):
            name = known[part] = place[part]
            if name is not None:
                meant = Meant(name)
                if not self.exact:
                    meant = self.places.meant(country, part, str(name))
                known[part] = self._meant(meant, name, part, target, row, "places in use")
        return known

    def _put_places_together(self, said: dict[Loc, Any], row: Row) -> None:
        """Make places of the columns of their parts; a part without a cell is missing in them."""
        parts = {loc[1]: said.pop(loc) for loc in list(said) if loc[0] == "locations" and loc[1:]}
        if not parts:
            return
        by_part = {t.column.loc[1]: t for t in self.targets if t.column.loc[:-1] == ("locations",)}
        wanted = max((len(held) for held in parts.values() if held), default=0)
        every = parts.get("country") or []
        if len(every) == 1 and by_part.get("country", _NO_TARGET).source.column is None:
            every = every * wanted  # the same for all
        if not wanted or (not every and "country" in by_part and not any(parts.values())):
            said[("locations",)] = None
            return
        column = by_part[next(iter(parts))].source.column or ""
        if len(every) != wanted or None in every:
            what = f"locations: {len([c for c in every if c])} countries for {wanted} places"
            hint = "every place needs a country: map locations.country, or give it a value"
            self.faults.append(Fault(row, column, "missing-field", what, hint))
            return
        places = []
        for i, country in enumerate(every):
            place = {"country": country}
            for part in ("region", "city"):
                held = parts.get(part) or []
                if held and len(held) != wanted:
                    what = f"locations.{part}: {len(held)} values, but {wanted} places"
                    hint = "leave the value of a place empty: a||c"
                    self.faults.append(
                        Fault(row, by_part[part].source.column or "", "invalid-length", what, hint)
                    )
                    return
                if held:
                    place[part] = held[i]
            places.append(self._as_known(place, by_part["country"], row))
        said[("locations",)] = places


_NO_TARGET = Target(Column("", (), "line"), Source(column="-"))


def _counted(part: Any, shape: str) -> Any:
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
    """Whether a text is a date that a column takes only when the map says how it is written."""
    if column.shape != "integer" and text[4:5] == "-":
        return False  # YYYY-MM-DD, or nearly: the record's model reports it
    return is_date(text)


def _dated(text: str, source: Source, column: Column) -> Any:
    form = source.date or ""
    try:
        when = datetime.strptime(text, form)
    except ValueError:
        if column.shape == "integer" and re.fullmatch(r"\d{4}", text, re.ASCII):
            return int(text)  # a year alone
        what = (
            f"the map says that {cut(source.column or 'it')} is written {in_words(form)}; "
            f'this cell has "{cut(text)}"'
        )
        raise Unfit("invalid-date", what) from None
    if column.shape == "integer":
        return when.year
    clock = any(part in form for part in ("%H", "%I", "%X", "%c", "%T"))
    return f"{when:%Y-%m-%d %H:%M:%S}" if clock else f"{when:%Y-%m-%d}"


def in_use(records: Iterable[Mapping[str, Any]], column: Column) -> Words:
    """The slugs that records have in an open column."""
    used: dict[str, str] = {}
    head, key = column.loc
    for data in records:
        held = data.get(head)
        value = held.get(key) if isinstance(held, dict) else None
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str):
                used[one] = one
    return Words.of(used, "slug")
