"""The settings of an import, of a map or of the column names of a table, checked against the
fields of the registry and the columns of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from generator.dialect import values
from generator.dialect.folder import read_file
from generator.dialect.values import PLACE_ORDER
from generator.edit.spreadsheet import date_in_format
from generator.edit.tables.columns import CellColumn, named
from generator.edit.tables.sheet import REASON, Sheet, SheetRow
from generator.features.tables.map_model import NUMBER, Map, ValueSource, placeholders
from generator.kinds import Kinds
from generator.model.field_words import meant_word
from generator.model.validate import diagnose
from generator.problems.diagnostic import Diagnostic, Severity, suggest_word
from generator.problems.faults import Fault, Loc, shorten
from generator.text.words import fold

#: How an import treats rows in conflict: "refuse" writes nothing, "skip" leaves the rows out,
#: and "new" makes records of rows that have the name or the website of another record.
Conflicts = Literal["refuse", "skip", "new"]
_WRITE_MAP = "Write a map that says what the columns mean: --map FILE"


class MappedField(NamedTuple):
    """A column of records, and the source of its values in the table."""

    column: CellColumn
    source: ValueSource

    @property
    def table_column(self) -> str:
        """The column of the table, "" for a value of the map."""
        return next(iter(self.source.columns_used), "")


class ImportSettings(NamedTuple):
    """The settings of an import; see `Map`.

    `slug` has the fields, or columns without a field, that slugs are made of.  `exact` is set if no
    map names the columns: the table is an export, and its columns are fields.  `create` has the
    collections and fields whose unknown words are created, with fields of new records.  With
    `takes_rest` the description takes the rest of a text that is cut.
    """

    targets: Sequence[MappedField]
    key: tuple[str, ...]
    slugs: Mapping[str, str]
    empty: str
    slug: tuple[str, ...] = ()
    exact: bool = False
    number: str = ""
    date: tuple[str, ...] = ()
    create: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    takes_rest: bool = False
    header: int = 1
    collection: str = ""
    kind: str = ""
    conflicts: Conflicts = "refuse"


def settings_from_map(
    path: str, import_map: Map, known: Mapping[str, CellColumn], table: Sheet, kinds: Kinds
) -> tuple[ImportSettings, list[Diagnostic]]:
    """The settings of a map, and its problems; `known` are all columns.  Raises OSError."""
    faults: list[Fault] = []
    problems: list[Diagnostic] = []
    sources = dict(import_map.fields or {})
    parts = import_map.slug or []
    if "slug" in sources and (sources["slug"].columns or sources["slug"].text):
        source = sources.pop("slug")
        parts = source.columns or [source.text or ""]
    if import_map.fields is None:
        found, problems = settings_from_columns(known, table, kinds)
        targets = list(found.targets)
        sources = {target.column.name: target.source for target in targets}
    else:
        targets = _targets(sources, known, table, kinds, faults)
    if import_map.header > 1 and table.rows and not table.delimiter:
        message = "header: only a table in CSV has a row that names the columns"
        faults.append(Fault("invalid-map", message, ("header",), "remove it"))
    for date_format in import_map.date or ():
        faults += _date_faults(date_format, ("date",))
    slug = _field_names("slug", parts, sources, table.has, faults)
    if parts or "slug" in sources:
        sources["slug"] = ValueSource()
    key = _field_names("key", import_map.key or [], sources, lambda _: False, faults)
    problems += diagnose(path, read_file(path), faults) if faults else []
    key = key or (("slug",) if "slug" in sources else ("name",))
    asked = ImportSettings(targets, key, import_map.slugs or {}, import_map.empty, slug)
    cuts = any(source.cut for source in sources.values())
    return asked._replace(
        exact=import_map.fields is None,
        number=import_map.number or "",
        date=tuple(import_map.date or ()),
        header=import_map.header,
        takes_rest=cuts and "description" in known and "description" not in sources,
    ), problems


def _targets(
    sources: Mapping[str, ValueSource],
    known: Mapping[str, CellColumn],
    table: Sheet,
    kinds: Kinds,
    faults: list[Fault],
) -> list[MappedField]:
    """The columns of records with their sources, in the order of fields."""
    targets = []
    for name, source in sources.items():
        column = known.get(name) or named(name, kinds)
        if column is None:
            message = f'records have no field "{shorten(name)}"'
            hint = _field_hint(name, source.column, known, kinds)
            faults.append(Fault("unknown-field", message, ("fields", name), hint, on_key=True))
            continue
        faults += _source_faults(name, source, table)
        targets.append(MappedField(column, source))
    parts = [name for name in ("locations.region", "locations.city") if name in sources]
    if "locations" in sources and parts:
        message = f"locations and {parts[0]} both give places"
        hint = "keep locations, alone or with locations.country, or its three parts"
        faults.append(Fault("invalid-map", message, ("fields", parts[0]), hint, on_key=True))
    ranks = {name: number for number, name in enumerate(known)}
    return sorted(targets, key=lambda target: ranks.get(target.column.name, len(ranks)))


def _field_hint(
    name: str, column: str | None, known: Mapping[str, CellColumn], kinds: Kinds
) -> str | None:
    """A hint for a field that records do not have: the map may be written the wrong way round."""
    if column is not None and (column in known or named(column, kinds)):
        line = f"{values.scalar(column)}: {values.scalar(name)}"
        return f"a map has the field first: exchange the sides, {line}"
    return _near_field(name, known, len(known))


def _near_field(name: str, known: Mapping[str, CellColumn], most: int) -> str | None:
    """A hint for a word that is no field: a field with this label or part, or in another language,
    or the nearest, or all of at most `most`.
    """
    labelled = [key for key, of in known.items() if of.label and fold(of.label) == fold(name)]
    if labelled:
        return f'did you mean "{labelled[0]}"?'
    part = name.partition(".")[2] or name
    with_part = [k for k in known if part == k or part in k.split(".")]
    meant = meant_word(name, (*known, *PLACE_ORDER))
    if with_part or meant in PLACE_ORDER:
        return f"did you mean {' or '.join(with_part or [f'locations.{meant}'])}?"
    if meant is not None:
        return f'did you mean "{meant}"?'
    return suggest_word(name, known, max_words=most)


def _field_names(
    name: str,
    given: Sequence[str],
    fields: Mapping[str, ValueSource],
    is_column: Callable[[str], bool],
    faults: list[Fault],
) -> tuple[str, ...]:
    """The fields that `key` or `slug` names, also by their columns, or other columns."""
    by_column = {source.column or "": field for field, source in fields.items()}
    words = [(number, word) for number, each in enumerate(given)
             for word in placeholders(each) or [each] if word != NUMBER]  # fmt: skip
    for number, word in words:
        if word not in fields and word not in by_column and not is_column(word):
            message = f'{name}: no column is mapped to "{shorten(word)}"'
            hint = suggest_word(word, fields)
            faults.append(Fault("unknown-field", message, (name, number), hint))
    return tuple(word if word in fields else by_column.get(word, word) for word in given)


def _source_faults(name: str, source: ValueSource, table: Sheet) -> Iterator[Fault]:
    loc = ("fields", name)
    if source.columns is not None:
        message = f"{name} must have one column"
        yield Fault("invalid-map", message, loc, "only slug can be made of several columns")
    elif [source.column, source.text, source.value].count(None) != 2:
        message = f"{name} must have either a column, a text or a value for all rows"
        many = [source.column, source.text, source.value].count(None) < 2
        hint = "keep one of them" if many else "write the name of a column after it"
        yield Fault("invalid-map", message, loc, hint)
    for column in source.columns_used if table.rows else ():
        if table.has(column):
            continue
        message = f'the table has no column "{shorten(column)}"'
        column_hint = suggest_word(column, table.columns)
        # A key that no object of a JSON file has is an empty cell in all rows.
        severity: Severity = "error" if table.delimiter else "warning"
        place = (*loc, "column" if source.text is None else "text")
        yield Fault("unknown-column", message, place, column_hint, severity=severity)
    for date_format in source.date or ():
        yield from _date_faults(date_format, (*loc, "date"))


def _date_faults(date_format: str, loc: Loc) -> Iterator[Fault]:
    day = datetime(2026, 12, 31, 23, 59, 58)
    read_back = date_in_format(day.strftime(date_format), date_format)
    if read_back is None or read_back.year != day.year:
        message = f'"{shorten(date_format)}" is not a date format'
        hint = "use %Y for the year, %m for the month and %d for the day, like %d.%m.%Y"
        yield Fault("invalid-map", message, loc, hint)


def settings_from_columns(
    known: Mapping[str, CellColumn], table: Sheet, kinds: Kinds
) -> tuple[ImportSettings, list[Diagnostic]]:
    """The settings for a table whose columns have the names of fields, and its problems."""
    targets, problems = [], []
    for name in (name for name in table.columns if name != REASON):
        column = known.get(name) or named(name, kinds)
        if column is not None:
            targets.append(MappedField(column, ValueSource(column=name)))
            continue
        field, dot, _ = name.partition(".")
        if not name or (not table.delimiter and (field in kinds.keyed) != bool(dot)):
            continue  # an object that holds values, or a value inside a field without parts
        row = SheetRow(1, table.head, {}, table.files[0])
        if not table.delimiter:
            row = next((row for row in table.rows if name in row.values), row)
        place = table.place(row, name if table.delimiter else "")
        message = f'records have no field "{shorten(name)}"'
        similar = _near_field(name, known, 0)
        hint = f"{similar or ''} {_WRITE_MAP}".lstrip()
        problems.append(Diagnostic(table.path, *place, "unknown-column", message, hint))
    key = "slug" if "slug" in table.columns else "name"
    if table.rows and key not in table.columns:
        message = 'the table has neither a column "slug" nor a column "name"'
        place = table.head, 1
        problems.append(Diagnostic(table.path, *place, "unknown-column", message, _WRITE_MAP))
    return ImportSettings(targets, (key,), {}, "keep", exact=True), problems
