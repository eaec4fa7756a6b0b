"""Filters: the patterns of their values, and of what a query may ask of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.text.words import SLUG

MAX_VALUE = 210  # a location is a country, a region and a city
#: The different values in one parameter.
MAX_VALUES = 10

PATTERNS = {
    "slug": SLUG,
    "word": r"[a-z0-9]+(?:[-_][a-z0-9]+)*",
    "boolean": "(?:true|false)",
    "year": r"[0-9]{4}",
    "month": r"[0-9]{4}-(?:0[1-9]|1[0-2])",
    "date": r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
    "number": r"-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,3})?",
    "page": r"[1-9][0-9]{0,8}",
    "true": "true",
}
#: Forms whose values have an order and so take ranges, each with an example of a range.
RANGE_EXAMPLES = {
    "year": "2019..2024",
    "month": "2024-01..2024-06",
    "date": "2024-01-31..2024-06-30",
    "number": "10..250",
}
#: Forms with too many values for a list of them.
UNLISTED = ("date", "number")

_MONTHS = ("January", "February", "March", "April", "May", "June", "July",
           "August", "September", "October", "November", "December")  # fmt: skip


class Facet(NamedTuple):
    """One value of one filter: the records that have it are a slice."""

    filter: str
    value: str

    @property
    def text(self) -> str:
        """The facet in files: `filter/value`."""
        return f"{self.filter}/{self.value}"

    @classmethod
    def parse(cls, text: str) -> Facet:
        """The inverse of `text`."""
        name, _, value = text.partition("/")
        return cls(name, value)


@dataclass(frozen=True, slots=True)
class Filter:
    """One query parameter that narrows a collection.  `form` is a key of PATTERNS.

    `refers` is the collection whose records are the values, or "".  `vocabulary` names the place
    where the registry declares the values, or "".  `labels` has the labels of the filter's own
    values.  `unites` names other filters: a record has a value of this one if it has it in any of
    them.  `prepared`: each value has pages; without them only the query tier answers.  `counted`:
    queries count the values.  `sparse`: only values with records are known, not all records that
    it refers to.  `through` is the collection whose records have the values, which those of this
    one have by referring to them.
    """

    name: str
    label: str
    form: str = "slug"
    refers: str = ""
    vocabulary: str = ""
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    unites: tuple[str, ...] = ()
    also: str = ""
    prepared: bool = True
    counted: bool = True
    sparse: bool = False
    through: str = ""

    @property
    def words(self) -> str:
        """The label, and other words for the filter: an unknown name near to them proposes it."""
        return f"{self.label} {self.also}".strip()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the filters of records whose values it takes: itself, if it unites none."""
        return self.unites or (self.name,)

    @property
    def pattern(self) -> str:
        return PATTERNS[self.form]

    @property
    def listed(self) -> bool:
        """Whether a document lists the values."""
        return self.form not in UNLISTED

    @property
    def range_form(self) -> str:
        """The form of the ends of a range; "" if the filter takes no ranges."""
        return self.form if self.form in RANGE_EXAMPLES else ""

    @property
    def constraint_pattern(self) -> str:
        """A pattern of any constraint, without limits on the number of conditions and values."""
        return f"(?:{self._condition_pattern}(?:;{self._condition_pattern})*)"

    @property
    def multi_value_pattern(self) -> str:
        """`constraint_pattern` without a single value."""
        value, more = self.pattern, f"(?:;{self._condition_pattern})"
        several = f"(?:all:|not:){value}(?:,{value})*|{value}(?:,{value})+{self._range_pattern}"
        return f"(?:(?:{several}){more}*|{value}{more}+)"

    @property
    def _condition_pattern(self) -> str:
        value = self.pattern
        return f"(?:(?:all:|not:)?{value}(?:,{value})*{self._range_pattern})"

    @property
    def _range_pattern(self) -> str:
        value = self.pattern
        return rf"|{value}\.\.(?:{value})?|\.\.{value}" if self.range_form else ""

    def is_valid_value(self, value: str) -> bool:
        """Whether a record may have this value."""
        return len(value) <= MAX_VALUE and re.fullmatch(self.pattern, value, re.ASCII) is not None

    def prepares(self, text: str) -> bool:
        """Whether prepared pages answer a query with this text, which may be several values."""
        return self.prepared and self.is_valid_value(text)

    def default_label(self, value: str) -> str:
        """A value in words, if the registry declares no label for it."""
        if value in self.labels:
            return self.labels[value]
        if self.form == "month":
            return f"{_MONTHS[int(value[5:]) - 1]} {value[:4]}"
        if self.form == "boolean":
            return "yes" if value == "true" else "no"
        return value if self.range_form else value.replace("-", " ")
