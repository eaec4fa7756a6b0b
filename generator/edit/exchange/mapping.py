"""The map of an import: a YAML file that says which field each column of a table is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from generator.grammar.names import KIND_OF
from generator.model.fields import Input, Line, Slug
from generator.model.models import Before, Limits


class Source(Input):
    """The source of a field's value, and how it is read.

    It is a `column` of the table, or a `value` for all rows.  `split` separates several values;
    `values` maps words of the table to values, null for no value; `prefix` is added to values
    without it; `date` is a date format of Python's strptime.  With `fill` only records without the
    field get the value.
    """

    column: Line | None = None
    value: Any = None
    split: Annotated[str, Limits(min_length=1, max_length=20)] | None = None
    values: dict[str, Any] | None = None
    prefix: Line | None = None
    date: Line | None = None
    fill: bool = False


def _source(value: Any) -> Any:
    return {"column": value} if isinstance(value, str) else value


def _singular(kind: Any) -> Any:
    return KIND_OF.get(kind, kind) if isinstance(kind, str) else kind


class Map(Input):
    """The fields of a map.

    `rows` is the path of the list of rows in a JSON document.  A row and a record with the same
    `key` field are the same; `slugs` gives the record of single rows, by the value of this field.
    With `empty: remove` an empty cell removes the field.
    """

    kind: Annotated[Literal["project", "program", "organization", "event"], Before(_singular)]
    rows: Line | None = None
    key: Line | None = None
    slugs: dict[str, Slug] | None = None
    empty: Literal["keep", "remove"] = "keep"
    fields: dict[Line, Annotated[Source, Before(_source)]]
