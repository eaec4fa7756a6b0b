"""The cells of a column that a guess looks at, and what it makes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from generator.edit.tables.sheet import SheetRow, as_text, value_of
from generator.text.numbers import is_placeholder

SEPARATORS = ("|", ";", ",")
LONGEST_LINE = 300
is_url = re.compile(r"https?://[^\s/.]+(?:\.[^\s/.]+)+(?:/(?:(?![|;,]https?:)\S)*)?").fullmatch
#: What is beside the number in a text.
unit_of = partial(re.compile(r"[\d\s.,'’+-]").sub, "")
is_domain = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?", re.I).fullmatch


@dataclass
class Column:
    """A column of a table: `texts` has its values, without words for a missing value, which
    `missing` has; `cells` a text for each row, "" without a value, with the items of a list joined
    by `|`.  `around` is set for what is around nested rows.
    """

    name: str
    cells: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    is_list: bool = False
    around: bool = False

    @classmethod
    def of(cls, rows: Sequence[SheetRow], name: str, *, around: bool = False) -> Column | None:
        """None for a column of mappings; one of lists of mappings or of lists has no texts."""
        column = cls(name, around=around)
        for row in rows:
            value = value_of(row, name)
            if isinstance(value, dict):
                return None
            parts = value if isinstance(value, list) else [value]
            if any(isinstance(part, dict | list) for part in parts):
                return cls(name, [""] * len(rows))
            column.is_list |= isinstance(value, list)
            texts = [text for text in map(as_text, parts) if text]
            if missing := [text for text in texts if is_placeholder(text)]:
                column.missing += missing
                texts = [text for text in texts if text not in missing]
            column.texts += texts
            column.cells.append("|".join(texts))
        return column


@dataclass
class Guess:
    """How cells are read as a field: the share of cells that are values of it, the words for what
    they look like, how a map reads them, and what is unsure.

    `settings` are those of the declaration of an own field.
    """

    share: float
    words: str
    source: Mapping[str, Any] = field(default_factory=dict)
    doubt: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


def share(texts: Sequence[str], is_value: Callable[[str], Any]) -> float:
    """The share of texts that are values; 0 without texts."""
    return sum(bool(is_value(text)) for text in texts) / max(len(texts), 1)


def separator_of(
    texts: Sequence[str], is_value: Callable[[str], Any], separators: Sequence[str] = SEPARATORS
) -> str:
    """The separator that leaves most values; "" if none is better."""
    return max(("", *separators), key=lambda each: share(parts_of(texts, each), is_value))


def divided(separator: str) -> dict[str, Any]:
    """How a map reads several values in a cell."""
    return {"split": separator} if separator else {}


def parts_of(cells: Iterable[str], separator: str) -> list[str]:
    """The values of cells, which a separator divides; "" for one value in each cell."""
    parts = (cell.split(separator) if separator else [cell] for cell in cells)
    return [part.strip() for of in parts for part in of if part.strip()]
