"""Filters: the patterns of their values, and of what a query may ask of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from generator.kinds.declare import Declared, Field
from generator.text.words import SLUG

#: The fields of one query, and the fields without the parameter.
MAX_FIELDS, DEFAULT_FIELDS = 8, ("name",)
#: The rows of one answer, and their number without the parameter.
MAX_ROWS, DEFAULT_ROWS = 50, 10

#: The field of queries with words that names the fields with these (generator.search.found_in).
FOUND_IN = "found_in"

#: What a field's values are: `slugs` is a sorted list, `texts` a list as the record has it, `found`
#: the list of FOUND_IN.
Type = Literal["text", "number", "boolean", "slugs", "texts", "found"]

_EVERYWHERE = ("slug", "name", "summary", "website", "href")
_TYPES: Mapping[str, Type] = {"number": "number", "year": "number", "boolean": "boolean"}


@dataclass(frozen=True, slots=True)
class RowField:
    """A field of rows.

    `path` has the keys that lead to its value in a summary; it is empty if only the index has the
    value, in the column of this name, and for FOUND_IN.
    """

    name: str
    path: tuple[str, ...] = ()
    type: Type = "text"


def row_fields(
    declared: Declared, families: Iterable[str], own: Mapping[str, Field]
) -> dict[str, RowField]:
    """The fields of the rows of a kind by name: of a registry with these tag families and own
    fields.
    """
    plain = {f.name: f for f in declared.listed if f.in_rows and f.is_plain and not f.many}
    fields = {name: RowField(name, (name,)) for name in _EVERYWHERE}
    for f in declared.filtered:
        if f.type == "tags":
            for family in families:
                path: tuple[str, ...] = () if f.name in declared.inherited else (f.name, family)
                fields[f"tag_{family}"] = RowField(f"tag_{family}", path, "slugs")
        else:
            path = (f.name,) if f.listed and f.filter == f.name else ()
            fields[f.filter] = RowField(f.filter, path, _type(f))
    for name in declared.in_order(plain, declared.rows):
        fields.setdefault(name, RowField(name, (name,), _type(plain[name])))
    for f in own.values():
        if f.listed or f.filter or f.sorts.queries:
            fields[f.attribute] = RowField(f.attribute, f.path if f.listed else (), _type(f))
    return {**fields, FOUND_IN: RowField(FOUND_IN, type="found")}


def _type(f: Field) -> Type:
    if f.many:
        return "texts" if f.own and f.type != "choice" else "slugs"
    return _TYPES.get(f.type, "text")


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
