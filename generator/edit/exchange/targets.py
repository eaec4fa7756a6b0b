"""What a map asks for, held against the fields of the registry and the columns of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from generator.dialect.folder import take
from generator.edit.exchange.cells import Target
from generator.edit.exchange.columns import Column, link
from generator.edit.exchange.mapping import Map, Source
from generator.edit.exchange.sheet import Row, Table
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic, suggestion
from generator.problems.faults import Fault, cut

#: Fields of which columns have parts.
_BRANCHES = ("tags", "links", "fields")


class Asked(NamedTuple):
    """What an import is asked to do; see `generator.edit.exchange.mapping.Map`.  With `exact` the
    table was exported: its columns are fields.
    """

    targets: Sequence[Target]
    key: str
    slugs: Mapping[str, str]
    empty: str
    exact: bool = False


def read_map(path: str) -> tuple[Map | None, list[Diagnostic]]:
    """The map in a file, and what is wrong with it.  Raises OSError."""
    raw = take(path).raw
    read, faults, document = read_model(raw, Map)
    return read, diagnose(path, raw, faults, document)


def of_map(
    path: str, said: Map, known: Mapping[str, Column], table: Table
) -> tuple[Asked, list[Diagnostic]]:
    """What a map asks for, and what the registry or the table has nothing of.  Raises OSError."""
    faults: list[Fault] = []
    targets = []
    for name, source in said.fields.items():
        column = known.get(name) or link(name)
        if column is None:
            what = f'records have no field "{cut(name)}"'
            mend = suggestion(name, known, most=0)
            faults.append(Fault("unknown-field", what, ("fields", name), mend, on_key=True))
            continue
        faults += _wrong(name, source, table)
        targets.append(Target(column, source))
    key = said.key or ("slug" if "slug" in said.fields else "name")
    if key != "slug" and key not in said.fields:
        what = f'key: no column is mapped to "{cut(key)}"'
        faults.append(Fault("unknown-field", what, ("key",), suggestion(key, said.fields)))
    problems = diagnose(path, take(path).raw, faults) if faults else []
    ordered = sorted(targets, key=lambda target: _rank(target, known))
    return Asked(ordered, key, said.slugs or {}, said.empty), problems


def _rank(target: Target, known: Mapping[str, Column]) -> int:
    names = list(known)
    return names.index(target.column.name) if target.column.name in known else len(names)


def _wrong(name: str, source: Source, table: Table) -> Iterator[Fault]:
    loc = ("fields", name)
    if (source.column is None) == (source.value is None):
        what = f"{name} must have either a column or a value for all rows"
        yield Fault("invalid-map", what, loc, "write the name of a column after it")
    if source.column is not None and table.rows and source.column not in table.columns:
        what = f'the table has no column "{cut(source.column)}"'
        place = (*loc, "column")
        yield Fault("unknown-column", what, place, suggestion(source.column, table.columns))
    if source.date is not None:
        try:
            day = datetime(2026, 12, 31, 23, 59, 58)
            read = datetime.strptime(day.strftime(source.date), source.date)
        except ValueError:
            read = None
        if read is None or read.year != day.year:
            what = f'"{cut(source.date)}" is not a date format'
            hint = "use %Y for the year, %m for the month and %d for the day, like %d.%m.%Y"
            yield Fault("invalid-map", what, (*loc, "date"), hint)


def of_columns(
    known: Mapping[str, Column], table: Table, empty: str
) -> tuple[Asked, list[Diagnostic]]:
    """What a table asks for whose columns are called like fields."""
    targets, problems = [], []
    nested = not table.delimiter
    for name in table.columns:
        column = known.get(name) or link(name)
        if column is not None:
            targets.append(Target(column, Source(column=name)))
        elif name and not (nested and (name in _BRANCHES or _within(name))):
            row = next((row for row in table.rows if name in row.values), Row(1, 1, {}))
            place = (
                table.place(Row(1, table.head, {}), name) if table.delimiter else table.place(row)
            )
            what = f'records have no field "{cut(name)}"'
            mend = suggestion(name, known, most=0)
            hint = f"{mend or ''} Write a map that says what the columns mean: --map FILE".lstrip()
            problems.append(Diagnostic(table.path, *place, "unknown-column", what, hint))
    key = "slug" if "slug" in table.columns else "name"
    if table.rows and key not in table.columns:
        what = 'the table has neither a column "slug" nor a column "name"'
        hint = "Write a map that says what the columns mean: --map FILE"
        problems.append(Diagnostic(table.path, table.head, 1, "unknown-column", what, hint))
    return Asked(targets, key, {}, empty, exact=True), problems


def _within(name: str) -> bool:
    """Whether a name is that of something within a field that has no parts."""
    head, dot, _ = name.partition(".")
    return bool(dot) and head not in _BRANCHES
