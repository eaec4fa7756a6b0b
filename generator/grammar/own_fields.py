"""Own fields: fields that a registry declares for its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

OwnType = Literal["text", "number", "boolean", "date", "url", "choice"]
TYPES: tuple[OwnType, ...] = ("text", "number", "boolean", "date", "url", "choice")

#: The largest number that is exact in all JSON parsers (RFC 8259 section 6).
MAX_NUMBER = 1 << 53
#: The names of a field's filter and sorts are this and its key.
OWN_FIELD_PREFIX = "field_"
#: Types whose filters have prepared pages; types with ranges and sorts; types that can be lists.
PAGED_TYPES, RANGE_TYPES, LIST_TYPES = (
    ("choice", "boolean"),
    ("number", "date"),
    ("text", "url", "choice"),
)


@dataclass(frozen=True, slots=True)
class OwnField:
    """One declared field of one collection.

    `many`: a record has a list of values.  `unit`: shown after a number, or "".  `summary`: lists
    show the field.  `filter`, `sort`: lists can be filtered and sorted by it.  `values`: slug ->
    label of a closed choice; empty if any slug is valid.
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
    def label_with_unit(self) -> str:
        """The label, with the unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    def value_text(self, value: Any) -> str:
        """One value in words."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        word = self.values.get(value, str(value)) if isinstance(value, str) else str(value)
        return f"{word} {self.unit}" if self.unit else word

    def to_json(self) -> dict[str, Any]:
        """The declaration in index.json."""
        return {**asdict(self), "unit": self.unit or None, "values": dict(self.values)}

    @classmethod
    def from_json(cls, published: Mapping[str, Any]) -> OwnField:
        """The inverse of `to_json`."""
        values: dict[str, Any] = {f.name: published[f.name] for f in fields(cls)}
        return cls(**values | {"unit": published["unit"] or ""})
