"""Writes data files: the tables of a registry as CSV, NDJSON, Parquet and SQLite, with a Data
Package (datapackage.org, version 2.0) that describes them.

The rows come
from the record files, a batch at a time; only the files of one collection and the database are in
memory.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact, encode_json
from generator.contract.lock import locked_schemas, type_name
from generator.contract.manifest import sha256_hex
from generator.features.data_files import DATABASE, PACKAGE, data_table
from generator.grammar.headers import media_type
from generator.kinds.declare import COUNTS, OWN_FIELDS, Declared, Field
from generator.model.settings.registry import Settings

_FIRST = ("slug", "name", "summary", "website")
#: Type of a field -> the type of its column; of others, string.
_TYPES = {
    "number": "number", "integer": "integer", "year": "integer", "boolean": "boolean",
    "date": "date", "instant": "datetime",
}  # fmt: skip
#: Type of a field -> the members of the objects that a record has; of an object, first its keys.
_MEMBERS = {"links": ("name", "url"), "places": ("country", "region", "city", "slug")}


class TableColumn(NamedTuple):
    """A column: `path` has the keys that lead to its value in a record.

    `type` is a word of Table Schema: string, integer, number, boolean, date or datetime.  With
    `many` the value is a list of these; with `members` a list of objects that have these texts.
    `refers` is the collection whose slugs the values are.
    """

    name: str
    path: tuple[str, ...]
    type: str = "string"
    many: bool = False
    members: tuple[str, ...] = ()
    refers: str | None = None
    description: str = ""


def table_columns(collection: str, settings: Settings) -> list[TableColumn]:
    """The columns of a collection, in the order of its schema; `slug`, the key, is the first."""
    kinds = settings.kinds
    kind = kinds[collection]
    shape = locked_schemas(kinds)["$defs"][f"{type_name(kind.kind)}Record"]["properties"]
    names = dict.fromkeys((*(name for name in _FIRST if name in shape), *shape))
    columns: list[TableColumn] = []
    for name in names:
        field = kind.fields.get(name)
        if name == OWN_FIELDS:
            columns += map(_column, kind.own)
        elif name == COUNTS:
            columns += [_column(f)._replace(name=f.path[-1]) for f in kind.counters]
        elif field is None:
            columns.append(TableColumn(name, (name,), description=shape[name]["description"]))
        elif field.type == "tags":
            for family, declared in settings.families.items():
                path = (name, family)
                column = TableColumn(
                    f"tag_{family}", path, "string", True, (), None, declared.label
                )
                columns.append(column)
        elif field.type != "breakdown":
            columns.append(_column(field))
    return columns


def _column(field: Field) -> TableColumn:
    members = field.added.members if field.added else _MEMBERS.get(field.type, ())
    return TableColumn(
        field.name,
        field.path,
        _TYPES.get(field.type, "string"),
        field.many or bool(members),
        members,
        field.refers or None,
        field.words.text,
    )


def row(record: Mapping[str, Any], columns: list[TableColumn]) -> list[Any]:
    """The values of a record, as in its file, by column: None, plain values and lists."""
    return [_value(record, column) for column in columns]


def _value(record: Mapping[str, Any], column: TableColumn) -> Any:
    value: Any = record
    for key in column.path:
        value = value.get(key)
        if value is None:
            return [] if column.many else None
    if column.refers:
        return [one["slug"] for one in value] if column.many else value["slug"]
    return _objects(value, column) if column.members else value


def _objects(value: Any, column: TableColumn) -> list[dict[str, Any]]:
    """The items of a column with members.  Those of an object have its keys as first members."""
    key, *others = column.members
    if isinstance(value, dict):
        pairs = {k: v if isinstance(v, list) else [{others[0]: v}] for k, v in value.items()}
        value = [{key: name, **item} for name, items in pairs.items() for item in items]
    return [{member: item[member] for member in column.members} for item in value]


#: Records that are read at a time, and rows of a row group of Parquet.
_BATCH, _ROW_GROUP = 1_000, 50_000

_SQLITE_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL"}

Rows = Sequence[Sequence[Any]]


def render_data_files(
    read: Callable[[str], bytes],
    settings: Settings,
    formats: Sequence[str],
    versions: Mapping[str, str],
    paths: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    """The data files, the package last.  `read` gives the bytes of record files, `paths` has those
    of each collection, sorted by slug.
    """
    kinds = settings.kinds
    tables = {
        name: table_columns(name, settings)
        for name in dict.fromkeys((*reversed(kinds.referred), *kinds))
    }
    database, indexes = sqlite3.connect(":memory:"), list[str]()
    database.execute("PRAGMA page_size = 4096")
    for name, columns in tables.items():
        indexes += _create(database, kinds[name], columns)
    resources = []
    for name, columns in tables.items():
        parts: dict[str, list[Any]] = {form: [] for form in formats if form != "sqlite"}
        for start in range(0, len(paths[name]), _BATCH):
            batch = paths[name][start : start + _BATCH]
            rows = [row(orjson.loads(read(path))["data"], columns) for path in batch]
            for form, written in parts.items():
                written.append(_PARTS[form](columns, rows))
            if "sqlite" in formats:
                _insert(database, name, columns, rows)
        for form, written in parts.items():
            if form == "csv":
                written.insert(0, _csv(columns, [[column.name for column in columns]]))
            data = _parquet_file(columns, written) if form == "parquet" else b"".join(written)
            artifact = Artifact(data_table(name, form), data)
            yield artifact
            resources.append(_table_resource(artifact, name, form, columns))
    if "sqlite" in formats:
        # Indexes last: it is faster, and their pages are full.
        for statement in indexes:
            database.execute(statement)
        database.commit()
        artifact = Artifact(DATABASE, database.serialize())
        yield artifact
        resources.append(_resource(artifact, "registry", "sqlite"))
    database.close()
    yield Artifact(PACKAGE, encode_json(_package(settings, versions, resources)))


# --- rows of one table as a part of its file ---


def _csv(columns: Sequence[TableColumn], rows: Rows) -> bytes:
    """Values as the API has them: lists are JSON, null is empty, and nothing is escaped for
    spreadsheets (`registry export` does that).
    """
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(
        [orjson.dumps(v).decode() if isinstance(v, list | bool) else v for v in values]
        for values in rows
    )
    return text.getvalue().encode()


def _ndjson(columns: Sequence[TableColumn], rows: Rows) -> bytes:
    names = [column.name for column in columns]
    return b"".join(encode_json(dict(zip(names, values, strict=True))) for values in rows)


def _parquet(columns: Sequence[TableColumn], rows: Rows) -> Any:
    pa, schema = import_module("pyarrow"), _parquet_schema(columns)
    arrays = []
    for values, field in zip(zip(*rows, strict=True), schema, strict=True):
        is_temporal = pa.types.is_temporal(field.type)
        array = pa.array(values, pa.string() if is_temporal else field.type)
        arrays.append(array.cast(field.type))
    return pa.record_batch(arrays, schema=schema)


_PARTS: Mapping[str, Callable[[Sequence[TableColumn], Rows], Any]] = {
    "csv": _csv,
    "ndjson": _ndjson,
    "parquet": _parquet,
}


def _parquet_schema(columns: Sequence[TableColumn]) -> Any:
    """Dates and instants have types of their own; an object is a struct."""
    pa = import_module("pyarrow")
    plain = {
        "string": pa.string(), "integer": pa.int64(), "number": pa.float64(),
        "boolean": pa.bool_(), "date": pa.date32(), "datetime": pa.timestamp("ms", "UTC"),
    }  # fmt: skip
    fields = []
    for column in columns:
        members = [(member, pa.string()) for member in column.members]
        kind = pa.struct(members) if members else plain[column.type]
        fields.append((column.name, pa.list_(kind) if column.many else kind))
    return pa.schema(fields)


def _parquet_file(columns: Sequence[TableColumn], batches: Sequence[Any]) -> bytes:
    data, schema = io.BytesIO(), _parquet_schema(columns)
    with import_module("pyarrow.parquet").ParquetWriter(data, schema) as writer:
        if batches:
            table = import_module("pyarrow").Table.from_batches(batches, schema)
            writer.write_table(table, row_group_size=_ROW_GROUP)
    return data.getvalue()


# --- the database ---


def _create(
    database: sqlite3.Connection, kind: Declared, columns: Sequence[TableColumn]
) -> list[str]:
    """Create the table of a collection, and one for each of its columns with lists,
    `<collection>_<column>`, whose rows name the record, the position in the list and the value.

    Returns the statements for their indexes.
    """
    name, owner, plain, indexes = kind.name, kind.kind, [], []
    for column in columns:
        table, indexed = name, column.name
        declared = _SQLITE_TYPES.get(column.type, "TEXT")
        refers = f' REFERENCES "{column.refers}" ("slug")' if column.refers else ""
        if column.many:
            table, indexed = f"{name}_{column.name}", (*column.members, "value")[0]
            values = [f'"{member}" TEXT' for member in column.members]
            values = values or [f'"value" {declared} NOT NULL{refers}']
            database.execute(
                f'CREATE TABLE "{table}" ("{owner}" TEXT NOT NULL REFERENCES "{name}" '
                f'("slug"), "position" INTEGER NOT NULL, {", ".join(values)}, '
                f'PRIMARY KEY ("{owner}", "position")) WITHOUT ROWID'
            )
        else:
            key = " PRIMARY KEY NOT NULL" if column.name == "slug" else ""
            plain.append(f'"{column.name}" {declared}{key}{refers}')
        if column.many or column.refers:
            # Tables begin with a collection, so no table has the name of an index.
            index = f"by_{indexed}_of_{table}"
            indexes.append(f'CREATE INDEX "{index}" ON "{table}" ("{indexed}")')
    database.execute(f'CREATE TABLE "{name}" ({", ".join(plain)})')
    return indexes


def _insert(
    database: sqlite3.Connection, name: str, columns: Sequence[TableColumn], rows: Rows
) -> None:
    plain = [i for i, column in enumerate(columns) if not column.many]
    tables = {name: [[values[i] for i in plain] for values in rows]}
    for i, column in enumerate(columns):
        if column.many:
            tables[f"{name}_{column.name}"] = [
                [values[0], position, *(item.values() if column.members else [item])]
                for values in rows
                for position, item in enumerate(values[i], 1)
            ]
    for table, inserted in tables.items():
        if inserted:
            marks = ", ".join("?" * len(inserted[0]))
            database.executemany(f'INSERT INTO "{table}" VALUES ({marks})', inserted)


# --- the package ---


def _package(
    settings: Settings, versions: Mapping[str, str], resources: list[dict[str, Any]]
) -> dict[str, Any]:
    package: dict[str, Any] = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "title": settings.name,
        "description": settings.description,
    }
    if settings.release:
        package["version"] = settings.release.version
    if settings.base_url:
        package["homepage"] = settings.base_url
    if settings.license:
        package["licenses"] = [{"name": settings.license, "path": settings.license_url}]
    return {**package, "libraries": versions, "resources": resources}


def _resource(artifact: Artifact, name: str, form: str) -> dict[str, Any]:
    is_text = form in ("csv", "ndjson")
    return {
        "name": name,
        "path": artifact.path.rpartition("/")[2],
        "format": form,
        "mediatype": media_type(artifact.path).partition(";")[0],
        **({"encoding": "utf-8"} if is_text else {}),
        "bytes": len(artifact.data),
        "hash": f"sha256:{sha256_hex(artifact.data)}",
    }


def _table_resource(
    artifact: Artifact, collection: str, form: str, columns: list[TableColumn]
) -> dict[str, Any]:
    fields, keys = [], []
    for column in columns:
        kind = "array" if column.many else column.type
        fields.append({"name": column.name, "type": kind, "description": column.description})
        if column.refers and not column.many:
            other = {"resource": f"{column.refers}_{form}"} if column.refers != collection else {}
            keys.append({"fields": [column.name], "reference": {**other, "fields": ["slug"]}})
    schema: dict[str, Any] = {"fields": fields, "primaryKey": ["slug"]}
    if keys:  # the profile wants at least one
        schema["foreignKeys"] = keys
    resource = _resource(artifact, f"{collection}_{form}", form)
    if form == "parquet":
        # Tools for Data Packages read no lists in Parquet files: it is a file there, not a table.
        resource["format"] = "apache-parquet"
    else:
        resource["type"] = "table"
    resource["schema"] = schema
    return resource
