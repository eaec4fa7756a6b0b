"""The result of examining a file: its data, its faults, and the position of every node."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generator.dialect.positions import Lines, Mend
from generator.problems.faults import Fault, Loc
from generator.text.words import slugify

#: Faults of one file that are made; more warnings are counted, and after more errors reading stops.
MAX_FAULTS = 1000


class TooMany(Exception):
    """A file has more faults than are made, so the rest of it is not read."""


@dataclass(slots=True)
class YamlDocument:
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
    #: The text that was examined; empty if the bytes are no text.
    lines_of_text: Lines = field(default_factory=lambda: Lines(""))
    #: The error because of which the rest of the text could not be read.
    stop: Fault | None = None
    #: The number of warnings, and of errors of the model, that were only counted.
    unmade: int = 0
    #: The mend of errors because of which the text itself could not be read.
    mend: Mend | None = None

    def add(self, fault: Fault) -> None:
        """Add a fault.  Raises TooMany after an error if the file has too many faults."""
        if self.is_full and fault.severity != "error":
            self.unmade += 1
            return
        self.faults.append(fault)
        if len(self.faults) > MAX_FAULTS:
            raise TooMany

    @property
    def is_full(self) -> bool:
        """Whether further warnings are only counted."""
        return len(self.faults) >= MAX_FAULTS

    def locate(self, fault: Fault) -> tuple[int, int]:
        """Line and column, 1-based, of the fault's field, else of the nearest node around it.

        If the fault is about a part of the field's text (`search_text`), that is found in the text.
        """
        if fault.at is not None:
            return fault.at
        loc = fault.loc + (self._item(fault.loc, fault.item_slug) if fault.item_slug else ())
        place = self.place_at(loc, on_key=fault.on_key)
        if fault.search_text:
            lines = self.lines_of_text
            at = lines.text.find(fault.search_text, lines.offset(place))
            if at >= 0:
                place = lines.place(at + len(fault.search_text) - 1)
        return self.mend.place_before(place) if self.mend is not None else place

    def place_at(self, loc: Loc, *, on_key: bool = False) -> tuple[int, int]:
        """The place, in the text that was read, of a value or key, else of what is around it."""
        first, second = (self.keys, self.values) if on_key else (self.values, self.keys)
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
