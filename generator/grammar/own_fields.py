"""Fields that a registry declares for its own records, beyond those that every registry has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

OwnType = Literal["text", "number", "boolean", "date", "url", "choice"]
TYPES: tuple[OwnType, ...] = ("text", "number", "boolean", "date", "url", "choice")

#: Before the key of a field, in the names of its filter and of its sorts.
PREFIX = "field_"
#: Types whose filter has prepared pages, those that take ranges and sorts, those of which a record
#: may have several values.
CHOSEN, ORDERED, SEVERAL = ("choice", "boolean"), ("number", "date"), ("text", "url", "choice")


@dataclass(frozen=True, slots=True)
class OwnField:
    """One declared field of one collection.

    `many`: a record has a list of it.  `unit` is told beside a number ("" for none).  `summary`,
    `filter`, `sort`: lists show it, can be narrowed and ordered by it.  `values` maps each slug of
    a closed choice to its label; it is empty where any slug will do.
    """

    label: str
    type: OwnType
    many: bool = False
    unit: str = ""
    summary: bool = False
    filter: bool = False
    sort: bool = False
    required: bool = False
    values: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def words(self) -> str:
        """The label, with the unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    def spelled(self, value: Any) -> str:
        """One value in words."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        word = self.values.get(value, str(value)) if isinstance(value, str) else str(value)
        return f"{word} {self.unit}" if self.unit else word

    def published(self) -> dict[str, Any]:
        """The declaration as index.json has it."""
        return {**asdict(self), "unit": self.unit or None, "values": dict(self.values)}

    @classmethod
    def read(cls, published: Mapping[str, Any]) -> OwnField:
        """What `published` gave."""
        known: dict[str, Any] = {one.name: published[one.name] for one in fields(cls)}
        return cls(**known | {"unit": published["unit"] or ""})
