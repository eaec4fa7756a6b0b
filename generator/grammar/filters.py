"""Filters: the patterns of their values, and the constraints that a query puts on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from generator.grammar.refusals import QueryError
from generator.text.words import SLUG

MAX_VALUE = 210  # a location is a country, a region and a city
#: The different values in one parameter.
MAX_VALUES = 10

PATTERNS = {
    "slug": SLUG,
    "listed": SLUG,
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
#: Forms without pages: only the query tier answers these filters.
UNPREPARED = ("listed", *UNLISTED)
RANGE_SEPARATOR, VALUE_SEPARATOR = "..", ","

_MONTHS = ("January", "February", "March", "April", "May", "June", "July",
           "August", "September", "October", "November", "December")  # fmt: skip
_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?")


def shortest_number(text: str) -> str:
    """A number in its shortest spelling: 1.5 for 1.50."""
    match = _NUMBER.fullmatch(text)
    assert match is not None
    sign, whole, fraction, exponent_sign, exponent = match.groups("")
    digits = whole + (f".{fraction}" if fraction else "")
    if digits == "0":
        return "0"
    minus = "-" if exponent_sign == "-" else ""
    return sign + digits + (f"e{minus}{exponent}" if exponent else "")


@dataclass(frozen=True, slots=True)
class Constraint:
    """The condition on one filter: any, all or none of some values, or a range of values.

    `values` are different and sorted.  A range includes its ends; at most one end is None.
    """

    operator: Literal["any", "all", "not", "range"]
    values: tuple[str, ...] = ()
    low: str | None = None
    high: str | None = None

    @property
    def single_value(self) -> str | None:
        """The value if it is the only one, as in queries that the page tier answers."""
        return self.values[0] if self.operator == "any" and len(self.values) == 1 else None

    @property
    def text(self) -> str:
        """The spelling in a canonical query and in its echo."""
        if self.operator == "range":
            return f"{self.low or ''}{RANGE_SEPARATOR}{self.high or ''}"
        values = VALUE_SEPARATOR.join(self.values)
        return values if self.operator == "any" else f"{self.operator}:{values}"


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
    them.
    """

    name: str
    label: str
    form: str = "slug"
    refers: str = ""
    vocabulary: str = ""
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    unites: tuple[str, ...] = ()
    also: str = ""

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
    def prepared(self) -> bool:
        """Whether each value has pages."""
        return self.form not in UNPREPARED

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
        """A pattern of any constraint, without limits on the number of values."""
        value = self.pattern
        return f"(?:(?:all:|not:)?{value}(?:,{value})*{self._range_pattern})"

    @property
    def multi_value_pattern(self) -> str:
        """`constraint_pattern` without a single value."""
        value = self.pattern
        return f"(?:(?:all:|not:){value}(?:,{value})*|{value}(?:,{value})+{self._range_pattern})"

    @property
    def _range_pattern(self) -> str:
        value = self.pattern
        return rf"|{value}\.\.(?:{value})?|\.\.{value}" if self.range_form else ""

    def is_valid_value(self, value: str) -> bool:
        """Whether a record may have this value."""
        return len(value) <= MAX_VALUE and re.fullmatch(self.pattern, value, re.ASCII) is not None

    def parse_constraint(self, text: str) -> Constraint:
        """The constraint that a parameter's value spells.  Raises QueryError."""
        if RANGE_SEPARATOR in text and self.range_form:
            return self._range(text)
        how: Literal["any", "all", "not"] = "any"
        if text.startswith("all:"):
            how, text = "all", text[4:]
        elif text.startswith("not:"):
            how, text = "not", text[4:]
        values = tuple(sorted({*self._plain(text.split(VALUE_SEPARATOR))}))
        if len(values) > MAX_VALUES:
            raise self._refused(f"takes at most {MAX_VALUES} different values")
        return Constraint("any" if how == "all" and len(values) == 1 else how, values)

    def _range(self, text: str) -> Constraint:
        low, _, high = text.partition(RANGE_SEPARATOR)
        if not low and not high:
            raise self._refused("has a range with no start and no end")
        ends = iter(self._plain(end for end in (low, high) if end))
        first, last = (next(ends) if end else None for end in (low, high))
        if first is not None and last is not None and self._is_after(first, last):
            raise self._refused("has a range that ends before it begins")
        return Constraint("range", (), first, last)

    def _plain(self, values: Iterable[str]) -> list[str]:
        """The values in their canonical spelling.  Raises QueryError."""
        values = list(values)
        invalid = [value for value in dict.fromkeys(values) if not self.is_valid_value(value)]
        if invalid:
            raise self._refused(f"has an invalid value{self._example()}", invalid)
        return [*map(shortest_number, values)] if self.form == "number" else values

    def _example(self) -> str:
        """The end of a message, with an example if the form takes ranges."""
        if not self.range_form:
            return ""
        example = RANGE_EXAMPLES[self.form]
        return f": write {example.partition(RANGE_SEPARATOR)[0]}, or a range such as {example}"

    def _refused(self, problem: str, values: Iterable[str] = ()) -> QueryError:
        written = tuple(filter(None, values))[:MAX_VALUES]
        about = (self.name, written) if written else None
        return QueryError("invalid-parameter", f'"{self.name}" {problem}.', about=about)

    def _is_after(self, first: str, last: str) -> bool:
        return float(first) > float(last) if self.form == "number" else first > last

    def default_label(self, value: str) -> str:
        """A value in words, if the registry declares no label for it."""
        if value in self.labels:
            return self.labels[value]
        if self.form == "month":
            return f"{_MONTHS[int(value[5:]) - 1]} {value[:4]}"
        if self.form == "boolean":
            return "yes" if value == "true" else "no"
        return value if self.range_form else value.replace("-", " ")
