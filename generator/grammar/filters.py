"""Filters: what their values look like, and what may be asked of one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from generator.grammar.refusals import QueryError
from generator.grammar.text import SLUG

MAX_VALUE = 210  # a location is a country, a region and a city
#: Different values that one parameter may ask for.
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
#: Forms whose values have an order that ranges go by, each with an example of a range.
RANGED = {
    "year": "2019..2024",
    "month": "2024-01..2024-06",
    "date": "2024-01-31..2024-06-30",
    "number": "10..250",
}
#: Forms with too many values for pages of each: only the query tier answers filters of them.
UNPREPARED = ("date", "number")
BETWEEN_ENDS, BETWEEN_VALUES = "..", ","

_MONTHS = ("January", "February", "March", "April", "May", "June", "July",
           "August", "September", "October", "November", "December")  # fmt: skip
_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?")


def plain_number(text: str) -> str:
    """A number as it is echoed: of several spellings of one, such as 1.50 and 1.5, the shortest."""
    parts = _NUMBER.fullmatch(text)
    assert parts is not None
    sign, whole, fraction, exponent_sign, exponent = (part or "" for part in parts.groups())
    digits = whole + (f".{fraction}" if fraction else "")
    if digits == "0":
        return "0"
    minus = "-" if exponent_sign == "-" else ""
    return sign + digits + (f"e{minus}{exponent}" if exponent else "")


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a query asks of one filter: any, all or none of some values, or a value of a range.

    `values` are different and sorted.  The ends of a range belong to it; one may be None, never
    both.
    """

    how: Literal["any", "all", "not", "range"]
    values: tuple[str, ...] = ()
    low: str | None = None
    high: str | None = None

    @property
    def one(self) -> str | None:
        """The value, where it is asked for alone: what the page tier answers."""
        return self.values[0] if self.how == "any" and len(self.values) == 1 else None

    @property
    def text(self) -> str:
        """As a canonical query and the echo of it have it."""
        if self.how == "range":
            return f"{self.low or ''}{BETWEEN_ENDS}{self.high or ''}"
        values = BETWEEN_VALUES.join(self.values)
        return values if self.how == "any" else f"{self.how}:{values}"


@dataclass(frozen=True, slots=True)
class Filter:
    """One query parameter that narrows a collection.  `form` names the pattern its values have.

    `refers` is the collection whose records are its values; `vocabulary` is where the registry
    declares them, if it does; `labels` are of values that the filter itself is declared with.
    """

    name: str
    label: str
    form: str = "slug"
    refers: str = ""
    vocabulary: str = ""
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def pattern(self) -> str:
        return PATTERNS[self.form]

    @property
    def prepared(self) -> bool:
        """Whether there are pages of each value, and a document that lists the values."""
        return self.form not in UNPREPARED

    @property
    def ranges(self) -> str:
        """How the ends of its ranges are spelled and compared; "" where it takes none."""
        return self.form if self.form in RANGED else ""

    @property
    def constraint_pattern(self) -> str:
        """What any constraint of it looks like, but for how many values there are and whether a
        range ends before it begins.
        """
        one = self.pattern
        return f"(?:(?:all:|not:)?{one}(?:,{one})*{self._range_pattern})"

    @property
    def several_pattern(self) -> str:
        """The same without a single value that is asked for."""
        one = self.pattern
        return f"(?:(?:all:|not:){one}(?:,{one})*|{one}(?:,{one})+{self._range_pattern})"

    @property
    def _range_pattern(self) -> str:
        one = self.pattern
        return rf"|{one}\.\.(?:{one})?|\.\.{one}" if self.ranges else ""

    def has_form(self, value: str) -> bool:
        """Whether a record may have this value."""
        return len(value) <= MAX_VALUE and re.fullmatch(self.pattern, value, re.ASCII) is not None

    def constraint(self, text: str) -> Constraint:
        """What a parameter's value asks, in one spelling.  Raises QueryError."""
        if BETWEEN_ENDS in text and self.ranges:
            return self._range(text)
        how: Literal["any", "all", "not"] = "any"
        if text.startswith("all:"):
            how, text = "all", text[4:]
        elif text.startswith("not:"):
            how, text = "not", text[4:]
        values = tuple(sorted({self._plain(value) for value in text.split(BETWEEN_VALUES)}))
        if len(values) > MAX_VALUES:
            raise self._refused(f"takes at most {MAX_VALUES} different values")
        return Constraint("any" if how == "all" and len(values) == 1 else how, values)

    def _range(self, text: str) -> Constraint:
        low, _, high = text.partition(BETWEEN_ENDS)
        if not low and not high:
            raise self._refused("has a range with no start and no end")
        first, last = (self._plain(end) if end else None for end in (low, high))
        if first is not None and last is not None and self._after(first, last):
            raise self._refused("has a range that ends before it begins")
        return Constraint("range", (), first, last)

    def _plain(self, value: str) -> str:
        if not self.has_form(value):
            raise self._refused(f"has an invalid value{self._example}", value)
        return plain_number(value) if self.form == "number" else value

    @property
    def _example(self) -> str:
        """How a value is written, where that is more than a word."""
        between = RANGED.get(self.form, "")
        one = between.partition(BETWEEN_ENDS)[0]
        return between and f": write {one}, or a range such as {between}"

    def _refused(self, how: str, value: str = "") -> QueryError:
        about = (self.name, value) if value else None
        return QueryError("invalid-parameter", f'"{self.name}" {how}.', about=about)

    def _after(self, first: str, last: str) -> bool:
        return float(first) > float(last) if self.form == "number" else first > last

    def spelled(self, value: str) -> str:
        """A value in words, where nothing has declared better."""
        if value in self.labels:
            return self.labels[value]
        if self.form == "month":
            return f"{_MONTHS[int(value[5:]) - 1]} {value[:4]}"
        if self.form == "boolean":
            return "yes" if value == "true" else "no"
        return value if self.ranges else value.replace("-", " ")
