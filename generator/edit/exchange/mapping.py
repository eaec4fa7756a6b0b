"""The map of an import: a YAML file that says which field each column of a table is.

The settings of an import are made from a map, or from the column names of the table.  They are
checked against the fields of the registry and the columns of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from generator.dialect.folder import read_file
from generator.edit.exchange.columns import Column, named
from generator.edit.exchange.sheet import Row, Table
from generator.grammar.names import KIND_OF
from generator.model.fields import Input, Line, Slug
from generator.model.models import Before, Limits
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic, suggest_word
from generator.problems.faults import Fault, shorten

#: Fields whose parts have columns of their own.
_WITH_PARTS = ("tags", "links", "identifiers", "fields")
_WRITE_MAP = "Write a map that says what the columns mean: --map FILE"


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_Names = Annotated[list[Line], Limits(min_length=1, max_length=5), Before(_listed)]


class Source(Input):
    """The source of a field's value, and how it is read.

    It is a `column` of the table, or a `value` for all rows.  `split` separates several values;
    `values` maps words of the table to values, null for no value; `prefix` is added to values
    without it; `date` is a date format of Python's strptime.  With `fill` only records without the
    field get the value.  A slug can be made of several `columns`.
    """

    column: Line | None = None
    columns: _Names | None = None
    value: Any = None
    split: Annotated[str, Limits(min_length=1, max_length=20)] | None = None
    values: dict[str, Any] | None = None
    prefix: Line | None = None
    date: Line | None = None
    fill: bool = False


def _source(value: Any) -> Any:
    if isinstance(value, list):
        return {"columns": value}
    return {"column": value} if isinstance(value, str) else value


def _singular(kind: Any) -> Any:
    return KIND_OF.get(kind, kind) if isinstance(kind, str) else kind


class Map(Input):
    """The fields of a map.

    `rows` is the path of the list of rows in a JSON document.  A row and a record with the same
    `key`, a field or several, are the same; `slugs` gives the record of single rows, by the value
    of the first of these fields.  `slug` names the fields or columns that slugs are made of.  With
    `empty: remove` an empty cell removes the field.
    """

    kind: Annotated[Literal["project", "program", "organization", "event"], Before(_singular)]
    rows: Line | None = None
    key: _Names | None = None
    slug: _Names | None = None
    slugs: dict[str, Slug] | None = None
    empty: Literal["keep", "remove"] = "keep"
    fields: dict[Line, Annotated[Source, Before(_source)]]


class Target(NamedTuple):
    """A column of records, and the source of its values in the table."""

    column: Column
    source: Source

    @property
    def table_column(self) -> str:
        """The column of the table, "" for a value of the map."""
        return self.source.column or ""


class ImportSettings(NamedTuple):
    """The settings of an import; see `Map`.

    `slug` has the fields, or columns without a field, that slugs are made of.  `exact` is set if
    there is no map: the table is an export, and its columns are fields.
    """

    targets: Sequence[Target]
    key: tuple[str, ...]
    slugs: Mapping[str, str]
    empty: str
    slug: tuple[str, ...] = ()
    exact: bool = False


def read_map(path: str) -> tuple[Map | None, list[Diagnostic]]:
    """The map in a file, None if it is invalid, and its problems.  Raises OSError."""
    raw = read_file(path).raw
    value, faults, document = read_model(raw, Map)
    return value, diagnose(path, raw, faults, document)


def settings_from_map(
    path: str, import_map: Map, known: Mapping[str, Column], table: Table
) -> tuple[ImportSettings, list[Diagnostic]]:
    """The settings in the map `import_map`, and the problems of the map.  Raises OSError.

    `known` are the columns of the registry.
    """
    faults: list[Fault] = []
    targets = []
    fields = dict(import_map.fields)
    parts = import_map.slug or []
    if "slug" in fields and fields["slug"].columns:
        parts = fields.pop("slug").columns or []
    for name, source in fields.items():
        column = known.get(name) or named(name)
        if column is None:
            message = f'records have no field "{shorten(name)}"'
            hint = suggest_word(name, known, max_words=0)
            faults.append(Fault("unknown-field", message, ("fields", name), hint, on_key=True))
            continue
        faults += _source_faults(name, source, table)
        targets.append(Target(column, source))
    faults += _place_faults(fields)
    slug = _field_names("slug", parts, fields, table.columns, faults)
    if parts or "slug" in fields:
        fields["slug"] = Source()
    key = _field_names("key", import_map.key or [], fields, (), faults)
    problems = diagnose(path, read_file(path).raw, faults) if faults else []
    ranks = {name: number for number, name in enumerate(known)}
    targets.sort(key=lambda target: ranks.get(target.column.name, len(ranks)))
    key = key or (("slug",) if "slug" in fields else ("name",))
    return ImportSettings(targets, key, import_map.slugs or {}, import_map.empty, slug), problems


def _field_names(
    name: str,
    given: Sequence[str],
    fields: Mapping[str, Source],
    others: Sequence[str],
    faults: list[Fault],
) -> tuple[str, ...]:
    """The fields that `key` or `slug` of a map names, by their names or those of their columns, or
    `others`.
    """
    by_column = {source.column or "": field for field, source in fields.items()}
    for number, word in enumerate(given):
        if word not in fields and word not in by_column and word not in others:
            message = f'{name}: no column is mapped to "{shorten(word)}"'
            hint = suggest_word(word, fields)
            faults.append(Fault("unknown-field", message, (name, number), hint))
    return tuple(word if word in fields else by_column.get(word, word) for word in given)


def _place_faults(fields: Mapping[str, Source]) -> Iterator[Fault]:
    """The fault of a map that gives cities or regions twice."""
    parts = [name for name in ("locations.region", "locations.city") if name in fields]
    if "locations" in fields and parts:
        message = f"locations and {parts[0]} both give places"
        hint = "keep locations, alone or with locations.country, or its three parts"
        yield Fault("invalid-map", message, ("fields", parts[0]), hint, on_key=True)


def _source_faults(name: str, source: Source, table: Table) -> Iterator[Fault]:
    loc = ("fields", name)
    if source.columns is not None:
        message = f"{name} must have one column"
        yield Fault("invalid-map", message, loc, "only slug can be made of several columns")
    elif (source.column is None) == (source.value is None):
        message = f"{name} must have either a column or a value for all rows"
        yield Fault("invalid-map", message, loc, "write the name of a column after it")
    if source.column is not None and table.rows and source.column not in table.columns:
        message = f'the table has no column "{shorten(source.column)}"'
        hint = suggest_word(source.column, table.columns)
        yield Fault("unknown-column", message, (*loc, "column"), hint)
    if source.date is not None:
        try:
            day = datetime(2026, 12, 31, 23, 59, 58)
            read_back = datetime.strptime(day.strftime(source.date), source.date)
        except ValueError:
            read_back = None
        if read_back is None or read_back.year != day.year:
            message = f'"{shorten(source.date)}" is not a date format'
            date_hint = "use %Y for the year, %m for the month and %d for the day, like %d.%m.%Y"
            yield Fault("invalid-map", message, (*loc, "date"), date_hint)


def settings_from_columns(
    known: Mapping[str, Column], table: Table
) -> tuple[ImportSettings, list[Diagnostic]]:
    """The settings for a table whose columns have the names of fields, and its problems."""
    targets, problems = [], []
    for name in table.columns:
        column = known.get(name) or named(name)
        if column is not None:
            targets.append(Target(column, Source(column=name)))
            continue
        field, dot, _ = name.partition(".")
        if not name or (not table.delimiter and (field in _WITH_PARTS) != bool(dot)):
            continue  # an object that holds values, or a value inside a field without parts
        row = Row(1, table.head, {})
        if not table.delimiter:
            row = next((row for row in table.rows if name in row.values), Row(1, 1, {}))
        place = table.place(row, name if table.delimiter else "")
        message = f'records have no field "{shorten(name)}"'
        similar = suggest_word(name, known, max_words=0)
        hint = f"{similar or ''} {_WRITE_MAP}".lstrip()
        problems.append(Diagnostic(table.path, *place, "unknown-column", message, hint))
    key = "slug" if "slug" in table.columns else "name"
    if table.rows and key not in table.columns:
        message = 'the table has neither a column "slug" nor a column "name"'
        place = table.head, 1
        problems.append(Diagnostic(table.path, *place, "unknown-column", message, _WRITE_MAP))
    return ImportSettings(targets, (key,), {}, "keep", exact=True), problems
