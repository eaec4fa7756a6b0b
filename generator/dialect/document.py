"""A file that was examined: what it says, what is wrong with it, and where everything stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generator.dialect.parse import BOM
from generator.grammar.text import slugify
from generator.problems.faults import Fault, Loc


@dataclass(slots=True)
class Document:
    """A file examined: its data as far as it could be read, its dialect faults, and where
    everything stands.
    """

    data: Any = None
    faults: list[Fault] = field(default_factory=list)
    values: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    #: of scalars that are not text, as they are written; and of those on several lines
    written: dict[Loc, str] = field(default_factory=dict)
    lines: dict[Loc, list[str]] = field(default_factory=dict)

    def locate(self, fault: Fault, raw: bytes = b"") -> tuple[int, int]:
        """Line and column, 1-based, of the fault's field, else of the nearest thing around it.

        Where the fault seeks a part of the field's text, `raw` tells where that stands.
        """
        if fault.at is not None:
            return fault.at
        place = self._locate(fault)
        if fault.sought:
            text = raw.removeprefix(BOM).decode()
            here = offset(text, place)
            at = text.find(fault.sought, here)
            if at >= 0:
                return after(text[: at + len(fault.sought) - 1])
        return place

    def _locate(self, fault: Fault) -> tuple[int, int]:
        loc, first, second = fault.loc, self.values, self.keys
        if fault.item:
            loc = (*loc, *self._item(loc, fault.item))
        if fault.on_key:
            first, second = second, first
        while True:
            place = first.get(loc) or second.get(loc)
            if place or not loc:
                return place or (1, 1)
            loc = loc[:-1]

    def _item(self, loc: Loc, slug: str) -> Loc:
        """Where in a list a tag, or the last part of a place, stands that has this slug."""
        held = self.data
        for part in loc:
            held = held[part]
        for number, one in enumerate(held):
            if one == slug:
                return (number,)
            parts = [p for p in ("region", "city") if isinstance(one, dict) and one.get(p)]
            if parts and "-".join(slugify(one[part]) for part in parts) == slug:
                return number, parts[-1]
        return ()


def offset(text: str, place: tuple[int, int]) -> int:
    """How many characters stand before a place."""
    line, column = place
    return sum(len(before) + 1 for before in text.split("\n", line - 1)[: line - 1]) + column - 1


def after(text: str) -> tuple[int, int]:
    """Line and column of what follows `text`."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")
