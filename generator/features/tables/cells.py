"""Reads the cells of a row as values of fields, as the map of an import describes them.

A value that does not fit its field, like "many" for a year, is returned as it is: the check of the
record reports it.  Words of the table are compared with the words of the registry.
`generator.features.tables.decisions` reports what is found in the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generator.edit.spreadsheet import is_formula
from generator.edit.tables.columns import split_cell, unescape_formula
from generator.edit.tables.sheet import SheetRow
from generator.features.tables.compose import cleaned, raw_value
from generator.features.tables.mapping import MappedField
from generator.features.tables.problems import InvalidRow
from generator.features.tables.scalars import ScalarReader
from generator.problems.faults import shorten
from generator.text.numbers import is_placeholder
from generator.text.words import word_slug


class CellReader(ScalarReader):
    """Reads cells of a table."""

    def value(self, target: MappedField, row: SheetRow) -> Any:
        """The value of a field in a row; None if it is empty.  Raises InvalidRow."""
        raw = raw_value(target.source, row)
        value = self._value(target, row, raw)
        default = target.source.default
        if value is None and default is not None:
            value = self._value(target, row, default)
        if value is None and raw not in (None, "", [], {}):
            self.left_out.add((row.number, target.column.name))
        return value

    def _value(self, target: MappedField, row: SheetRow, raw: Any) -> Any:
        (column, source), is_csv = target, bool(row.file.delimiter)
        if isinstance(raw, str):
            if is_csv and source.column is not None:
                text = raw.strip()
                if is_formula(text) and self.meaning(column, text) == text:
                    self.note("formula", (column.name, ""), target, row, text)
                raw = unescape_formula(raw) if raw else None
            if raw is not None and not self.asked.exact:
                raw = raw.strip() or None
        if raw is None:
            return None
        parts = [raw]
        if column.many and isinstance(raw, list):
            parts = raw
        elif (
            column.many
            and isinstance(raw, str)
            and ((is_csv and source.text is None) or source.split is not None)
        ):
            parts = split_cell(raw) if source.split is None else raw.split(source.split)
        items = self._items(target, row, parts)
        if column.many and (column.is_list or len(items) != 1):
            return items or None
        if len(items) > 1:
            message = f'"{shorten(str(raw))}" is {len(items)} values; this field has only one value'
            raise self.invalid(target, row, "wrong-type", message)
        return items[0] if items else None

    def _items(self, target: MappedField, row: SheetRow, parts: Sequence[Any]) -> list[Any]:
        """The values of a cell; only parts of places keep empty values and duplicates."""
        (column, source), exact = target, self.asked.exact
        is_place_part = column.loc[0] == "locations" and len(column.loc) > 1
        items: list[Any] = []
        for part in parts:
            if isinstance(part, str):
                part = part.replace("\r\n", "\n")
                part = cleaned(source, part if exact else part.strip())
            if part == "" and not (exact and column.shape == "text"):
                part = None
            meaning = self.meaning(column, part)
            is_word = meaning is part and isinstance(part, str) and not target.source.prefix
            if is_word and is_placeholder(part):
                self.note("placeholder", (column.name, part), target, row, part)
            several = isinstance(meaning, list) and meaning is not part
            for meant in meaning if several else [meaning]:
                if meant is None:
                    items += [None] * is_place_part
                    continue
                if column.shape == "place":  # the map's words apply to its parts, but not twice
                    items.append((meant, meant is not part))
                    continue
                try:
                    value = self.item(target, row, meant)
                except InvalidRow:
                    if not source.leaves_out_errors:
                        raise
                    self.left_out.add((row.number, column.name))
                    continue
                if isinstance(part, str) and (meaning is part or not word_slug(part)):
                    self._note_label(column.name, value, part)
                if is_place_part or value not in items or exact:
                    items.append(value)
        return [] if is_place_part and not any(items) else items

    def _note_label(self, name: str, slug: Any, text: str) -> None:
        """Note the word that may be the label of a slug."""
        if name in self.words and self.words[name].free == "slug" and isinstance(slug, str):
            self.spoken[name, slug][" ".join(text.split())] += 1
