"""The map of an import: a YAML file that says which field each column of a table is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal

from pydantic_core import PydanticCustomError

from generator.dialect.folder import read_file
from generator.kinds import Kinds
from generator.kinds.marks import After, Before, Limits
from generator.kinds.models import Input, with_fields
from generator.kinds.types import Line, Slug
from generator.model.country_names import find_country
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic

#: In a text for slugs, the number of the row.
NUMBER = "number"

_Names = Annotated[
    list[Line],
    Limits(min_length=1, max_length=5),
    Before(lambda value: [value] if isinstance(value, str) else value),
]
_Formats = _Names
_Mark = Annotated[str, Limits(min_length=1, max_length=20)]


def _pattern(value: str) -> str:
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        message = "is not a regular expression"
        raise PydanticCustomError("invalid-map", message, {"hint": str(error)}) from None
    return value


def _country(value: str) -> str:
    code = find_country(value)
    if code is None:
        raise PydanticCustomError("unknown-country", "is not a country")
    return code


class ValueSource(Input):
    """The source of a field's value, and how it is read.

    It is a `column` of the table, a `text` with columns in braces, or a `value` for all rows;
    `default` stands in for an empty value.  `split` separates several values, `join` makes one text
    of a list; `match` is a pattern whose first group is the value; `values` maps words of the table
    to values, null for no value; `prefix` is added to values without it; `lower`, `strip_html` and
    `cut` (at a number of characters) change texts.  `date` has date formats of Python's strptime,
    `range` the end of a range of days that is meant; `number` is the decimal mark; `country` that
    of places that name none.  With `fill` only records without the field get the value, with
    `on_error: null` a wrong cell is left out.  A slug can be made of several `columns`.
    """

    column: Line | None = None
    columns: _Names | None = None
    text: Line | None = None
    value: Any = None
    default: Any = None
    split: _Mark | None = None
    join: _Mark | None = None
    match: Annotated[str, Limits(min_length=1, max_length=300), After(_pattern)] | None = None
    values: dict[str, Any] | None = None
    prefix: Line | None = None
    lower: bool = False
    strip_html: bool = False
    cut: Annotated[int, Limits(ge=10, le=100_000)] | None = None
    date: _Formats | None = None
    range: Literal["start", "end"] | None = None
    number: Literal[".", ","] | None = None
    country: Annotated[str, After(_country)] | None = None
    fill: bool = False
    on_error: None = None

    @property
    def leaves_out_errors(self) -> bool:
        return "on_error" in self.model_fields_set

    @property
    def columns_used(self) -> Sequence[str]:
        """The columns of the table that give the value."""
        if self.text is not None:
            return placeholders(self.text)
        return (self.column,) if self.column is not None else ()


def placeholders(text: str) -> list[str]:
    """The columns that a text names in braces."""
    return re.findall(r"\{([^{}]+)\}", text)


def _source(value: Any) -> Any:
    if isinstance(value, list):
        return {"columns": value}
    if isinstance(value, str):
        return {"text" if placeholders(value) else "column": value}
    return value


class Map(Input):
    """The fields of a map.

    `rows` is the path of the list of rows in a JSON document.  A row and a record with the same
    `key`, a field or several, are the same; `slugs` gives the record of single rows, by the value
    of the first of these fields.  `slug` names the fields or columns that slugs are made of.  With
    `empty: remove` an empty cell removes the field.  `header` is the row of a table that names the
    columns, `number` the decimal mark, `date` the format of dates in all columns.  `create` names
    kinds and fields whose unknown words are created, with fields of new records.  Without `fields`
    the columns have the names of fields.
    """

    kind: str
    rows: Line | None = None
    key: _Names | None = None
    slug: _Names | None = None
    slugs: dict[str, Slug] | None = None
    empty: Literal["keep", "remove"] = "keep"
    header: Annotated[int, Limits(ge=1, le=1000)] = 1
    number: Literal[".", ","] | None = None
    date: _Formats | None = None
    create: dict[Line, dict[str, Any] | None] | None = None
    fields: dict[Line, Annotated[ValueSource, Before(_source)]] | None = None


@cache
def map_model(kinds: Kinds) -> type[Map]:
    """The model of a map in a registry with these kinds; they may be given as plurals."""

    def singular(kind: Any) -> Any:
        return kinds.kind_of.get(kind, kind) if isinstance(kind, str) else kind

    kind: Any = Annotated[Literal[tuple(kinds.collection_of)], Before(singular)]
    return with_fields(Map, kind=(kind, ...))


def read_map(path: str, kinds: Kinds) -> tuple[Map | None, list[Diagnostic]]:
    """The map in a file, None if it is invalid, and its problems.  Raises OSError."""
    raw = read_file(path)
    value, faults, document = read_model(raw, map_model(kinds))
    return value, diagnose(path, raw, faults, document)
