"""The result of examining a file: its data, its faults, and the position of every node."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generator.dialect.parse import BOM
from generator.grammar.text import slugify
from generator.problems.faults import Fault, Loc


@dataclass(slots=True)
class Document:
    """A file examined: its data as far as it could be read, its dialect faults, and the line and
    column of values and keys, 1-based.
    """

    data: Any = None
    faults: list[Fault] = field(default_factory=list)
    values: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    #: The source text of scalars that are not text, and the lines of scalars on several lines.
    source_texts: dict[Loc, str] = field(default_factory=dict)
    lines: dict[Loc, list[str]] = field(default_factory=dict)
    #: The faults of texts with lines that begin with "-", if their fields take a list.
    list_faults: dict[Loc, Fault] = field(default_factory=dict)

    def locate(self, fault: Fault, raw: bytes = b"") -> tuple[int, int]:
        """Line and column, 1-based, of the fault's field, else of the nearest node around it.

        If the fault is about a part of the field's text (`sought`), that is found in `raw`.
        """
        if fault.at is not None:
            return fault.at
        place = self._place_of(fault)
        if fault.search_text:
            text = raw.removeprefix(BOM).decode()
            at = text.find(fault.search_text, offset_of_place(text, place))
            if at >= 0:
                return place_after(text[: at + len(fault.search_text) - 1])
        return place

    def _place_of(self, fault: Fault) -> tuple[int, int]:
        loc, first, second = fault.loc, self.values, self.keys
        if fault.item_slug:
            loc = (*loc, *self._item(loc, fault.item_slug))
        if fault.on_key:
            first, second = second, first
        while True:
            place = first.get(loc) or second.get(loc)
            if place or not loc:
                return place or (1, 1)
            loc = loc[:-1]

    def _item(self, loc: Loc, slug: str) -> Loc:
        """The location, within a list, of the tag or of the last part of the place with a slug."""
        items = self.data
        for part in loc:
            items = items[part]
        for number, item in enumerate(items):
            if item == slug:
                return (number,)
            parts = [p for p in ("region", "city") if isinstance(item, dict) and item.get(p)]
            if parts and "-".join(slugify(item[part]) for part in parts) == slug:
                return number, parts[-1]
        return ()


def offset_of_place(text: str, place: tuple[int, int]) -> int:
    """The number of characters before a place."""
    line, column = place
    return sum(len(before) + 1 for before in text.split("\n", line - 1)[: line - 1]) + column - 1


def place_after(text: str) -> tuple[int, int]:
    """Line and column of the character after `text`."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")
