"""The map of an import: what the columns of a table are in records."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from generator.grammar.names import KIND_OF
from generator.model.fields import Input, Line, Slug
from generator.model.models import Before, Limits


class Source(Input):
    """Where a field's value comes from, and how it is read.

    `column` names a column, `value` is one for all rows.  `split` parts several values; `values`
    says what words mean, null that they mean nothing; `prefix` stands before a value that does not
    begin with it; `date` is how a date is written, as Python's strptime has it.  With `fill` only
    records without the field get it.
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

    `rows` is where in a document of JSON the rows are; `key` is the field by which a row and a
    record are known to be one, `slugs` says of single rows, by this field, which record they are;
    with `empty: remove` an empty cell takes a field out.
    """

    kind: Annotated[Literal["project", "program", "organization", "event"], Before(_singular)]
    rows: Line | None = None
    key: Line | None = None
    slugs: dict[str, Slug] | None = None
    empty: Literal["keep", "remove"] = "keep"
    fields: dict[Line, Annotated[Source, Before(_source)]]
