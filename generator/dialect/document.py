"""The result of examining a file: its data, its faults, and the position of every node."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from generator.dialect.parse import BOM
from generator.dialect.positions import Mend, offset_of_place, place_after
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault, Loc
from generator.text.words import slugify


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
    #: The mends of errors because of which the text itself could not be read, the first first, and
    #: the faults of these errors.
    mends: list[Mend] = field(default_factory=list)
    mended_faults: list[Fault] = field(default_factory=list)

    def locate(self, fault: Fault, raw: bytes = b"") -> tuple[int, int]:
        """Line and column, 1-based, of the fault's field, else of the nearest node around it.

        If the fault is about a part of the field's text (`search_text`), that is found in `raw`.
        """
        if fault.at is not None:
            return fault.at
        place = self._place_of(fault)
        if fault.search_text:
            text = self.mends[-1].text if self.mends else raw.removeprefix(BOM).decode()
            at = text.find(fault.search_text, offset_of_place(text, place))
            if at >= 0:
                place = place_after(text[: at + len(fault.search_text) - 1])
        return self.original_place(place)

    def original_place(self, place: tuple[int, int]) -> tuple[int, int]:
        """The place in the file of a place in the mended text."""
        for mend in reversed(self.mends):
            place = mend.place_before(place)
        return place

    def original_fault(self, fault: Fault) -> Fault:
        """A fault of the mended text with its places in the file."""
        at = self.original_place(fault.at) if fault.at is not None else None
        also = tuple(
            place if place.path else Position("", *self.original_place((place.line, place.column)))
            for place in fault.also
        )
        fix = fault.fix
        if fix is not None and fix.action == "text":
            edits = tuple(
                (*self.original_place(edit[:2]), *self.original_place(edit[2:4]), edit[4])
                for edit in fix.replacement
            )
            fix = fix._replace(replacement=edits)
        return replace(fault, at=at, also=also, fix=fix)

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
