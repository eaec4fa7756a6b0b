"""Writes data files: the tables of a registry as CSV, NDJSON, Parquet and SQLite, with a Data
Package (datapackage.org, version 2.0) that describes them.

The files are written again if a record file, registry.yaml or a library changed.  The rows come
from the record files, a batch at a time; only the files of one collection and the database are in
memory.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import orjson

from generator import __version__
from generator.build.cache.store import Cache
from generator.build.limits import limits_of_hosts
from generator.build.output.files import Files
from generator.contract.artifact import Artifact, encode_json
from generator.contract.data_tables import MODELS, Column, row, table_columns
from generator.contract.manifest import sha256_hex
from generator.disk.digests import digest
from generator.grammar.headers import media_type
from generator.grammar.names import KIND_OF
from generator.grammar.paths import DATA_DATABASE, DATA_PACKAGE, data_table
from generator.model.settings.registry import Settings
from generator.model.tables.table import Registry
from generator.problems.faults import Fault

#: Records that are read at a time, and rows of a row group of Parquet.
_BATCH, _ROW_GROUP = 1_000, 50_000
_PARQUET_EXTRA = "pip install 'registry-generator[parquet]'"

Rows = Sequence[Sequence[Any]]


def write_data_files(
    files: Files, registry: Registry, hosts: Iterable[str], settings: bytes, cache: Cache
) -> list[Fault]:
    """Write the data files that registry.yaml asks for, or keep them; faults of registry.yaml.

    `settings` is the digest of registry.yaml.
    """
    data = registry.settings.data or []
    formats = sorted(set(data))
    try:
        versions = _versions(formats)
    except ImportError:
        i = data.index("parquet")
        message = f"data[{i}]: Parquet files need the package pyarrow, which is not installed"
        return [Fault("missing-package", message, ("data", i), f"install it: {_PARQUET_EXTRA}")]
    paths = {
        table.collection.name: [table.collection.record_path(slug) for slug in sorted(table.slugs)]
        for table in registry.tables
    }
    noted = (files.all[path][2] for name in MODELS for path in paths[name])
    key = digest(settings, repr(versions).encode(), *noted)
    last, written = cache.get("data") or (b"", list[str]())
    if last == key and files.has(written):
        for path in written:
            files.keep(_surface(path), [path])
    else:
        written = []
        for artifact in _render(files, registry.settings, formats, versions, paths):
            files.put(_surface(artifact.path), artifact, files.other)
            written.append(artifact.path)
    cache.put("data", (key, written))
    return list(_oversized(files, written, hosts, data))


def _surface(path: str) -> str:
    """The surface of a data file; the package, which the index names, has its own."""
    return path if path == DATA_PACKAGE else "data"


def _versions(formats: Iterable[str]) -> dict[str, str]:
    """The versions of what writes these formats.  Raises ImportError."""
    versions = {"registry-generator": __version__}
    if "sqlite" in formats:
        versions["sqlite"] = sqlite3.sqlite_version
    if "parquet" in formats:
        versions["pyarrow"] = import_module("pyarrow").__version__
    return versions


def _oversized(
    files: Files, written: Iterable[str], hosts: Iterable[str], formats: Sequence[str]
) -> Iterator[Fault]:
    """A fault for each data file that is too large for a host."""
    for host, limits in limits_of_hosts(hosts).items():
        for path in written:
            size, most = files.all[path][1], limits.file_bytes
            if most is not None and size > most:
                form = path.rpartition(".")[2]
                at = ("data", formats.index(form)) if form in formats else ("data",)
                message = f"{path} has {size:,} bytes; {host} takes files of at most {most:,}"
                hint = f"take {form} out of data (Parquet files are the smallest), or use another "
                yield Fault("data-file-limit", message, at, f"{hint}host: docs/hosts.md")


def _render(
    files: Files,
    settings: Settings,
    formats: Sequence[str],
    versions: Mapping[str, str],
    paths: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    """The data files, the package last."""
    tables = {name: table_columns(name, settings) for name in MODELS}
    database = _Database(tables) if "sqlite" in formats else None
    resources = []
    for name, columns in tables.items():
        writers = {form: _WRITERS[form](columns) for form in formats if form != "sqlite"}
        for start in range(0, len(paths[name]), _BATCH):
            batch = paths[name][start : start + _BATCH]
            rows = [row(orjson.loads(files.read(path))["data"], columns) for path in batch]
            for writer in writers.values():
                writer.add(rows)
            if database is not None:
                database.add(name, rows)
        for form, writer in writers.items():
            artifact = Artifact(data_table(name, form), writer.finish())
            yield artifact
            resources.append(_table_resource(artifact, name, form, columns))
    if database is not None:
        artifact = Artifact(DATA_DATABASE, database.finish())
        yield artifact
        resources.append(_resource(artifact, "registry", "sqlite"))
    yield Artifact(DATA_PACKAGE, encode_json(_package(settings, versions, resources)))


# --- files of one table ---


class _Csv:
    """Values as the API has them: lists are JSON, null is empty, and nothing is escaped for
    spreadsheets (`registry export` does that).
    """

    def __init__(self, columns: list[Column]):
        self._text = io.StringIO(newline="")
        self._writer = csv.writer(self._text, lineterminator="\n")
        self._writer.writerow(column.name for column in columns)

    def add(self, rows: Rows) -> None:
        for values in rows:
            self._writer.writerow(
                orjson.dumps(value).decode() if isinstance(value, list | bool) else value
                for value in values
            )

    def finish(self) -> bytes:
        return self._text.getvalue().encode()


class _Ndjson:
    def __init__(self, columns: list[Column]):
        self._names, self._data = [column.name for column in columns], io.BytesIO()

    def add(self, rows: Rows) -> None:
        for values in rows:
            self._data.write(encode_json(dict(zip(self._names, values, strict=True))))

    def finish(self) -> bytes:
        return self._data.getvalue()


class _Parquet:
    """Dates and instants have types of their own; an object is a struct."""

    def __init__(self, columns: list[Column]):
        pa = self._arrow = import_module("pyarrow")
        plain = {
            "string": pa.string(), "integer": pa.int64(), "number": pa.float64(),
            "boolean": pa.bool_(), "date": pa.date32(), "datetime": pa.timestamp("ms", "UTC"),
        }  # fmt: skip
        fields = []
        for column in columns:
            kind = plain[column.type]
            if column.members:
                kind = pa.struct([(member, pa.string()) for member in column.members])
            fields.append((column.name, pa.list_(kind) if column.many else kind))
        self._schema, self._batches = pa.schema(fields), list[Any]()

    def add(self, rows: Rows) -> None:
        pa = self._arrow
        arrays = []
        for values, field in zip(zip(*rows, strict=True), self._schema, strict=True):
            if pa.types.is_temporal(field.type):
                arrays.append(pa.array(values, pa.string()).cast(field.type))
            else:
                arrays.append(pa.array(values, field.type))
        self._batches.append(pa.record_batch(arrays, schema=self._schema))

    def finish(self) -> bytes:
        data, table = io.BytesIO(), self._arrow.Table.from_batches(self._batches, self._schema)
        with import_module("pyarrow.parquet").ParquetWriter(data, self._schema) as writer:
            if self._batches:
                writer.write_table(table, row_group_size=_ROW_GROUP)
        return data.getvalue()


_WRITERS: Mapping[str, Any] = {"csv": _Csv, "ndjson": _Ndjson, "parquet": _Parquet}


# --- the database ---


class _Database:
    """One SQLite file: a table for each collection, and one for each of its columns with lists,
    `<collection>_<column>`, whose rows name the record, the position in the list and the value.
    """

    def __init__(self, tables: Mapping[str, list[Column]]):
        self._database, self._tables = sqlite3.connect(":memory:"), tables
        self._indexes: list[str] = []
        self._database.execute("PRAGMA page_size = 4096")
        for name, columns in tables.items():
            parts = []
            for column in columns:
                if column.many:
                    self._create_list(name, column)
                    continue
                key = " PRIMARY KEY NOT NULL" if column.name == "slug" else ""
                parts.append(f'"{column.name}" {_sqlite_type(column)}{key}{_reference(column)}')
                if column.refers:
                    self._indexes.append(_index(name, column.name))
            self._database.execute(f'CREATE TABLE "{name}" ({", ".join(parts)})')

    def _create_list(self, name: str, column: Column) -> None:
        """Create the table of a column with lists."""
        values = [f'"{member}" TEXT' for member in column.members]
        values = values or [f'"value" {_sqlite_type(column)} NOT NULL{_reference(column)}']
        owner = KIND_OF[name]
        self._database.execute(
            f'CREATE TABLE "{name}_{column.name}" ("{owner}" TEXT NOT NULL REFERENCES "{name}" '
            f'("slug"), "position" INTEGER NOT NULL, {", ".join(values)}, '
            f'PRIMARY KEY ("{owner}", "position")) WITHOUT ROWID'
        )
        self._indexes.append(_index(f"{name}_{column.name}", (*column.members, "value")[0]))

    def add(self, name: str, rows: Rows) -> None:
        columns = self._tables[name]
        plain = [i for i, column in enumerate(columns) if not column.many]
        self._insert(name, [[values[i] for i in plain] for values in rows])
        for i, column in enumerate(columns):
            if column.many:
                self._insert(f"{name}_{column.name}", [
                    [values[0], position, *(item.values() if column.members else [item])]
                    for values in rows for position, item in enumerate(values[i], 1)
                ])  # fmt: skip

    def _insert(self, table: str, rows: Rows) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._database.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)

    def finish(self) -> bytes:
        # Indexes last: it is faster, and their pages are full.
        for statement in self._indexes:
            self._database.execute(statement)
        self._database.commit()
        data = self._database.serialize()
        self._database.close()
        return data


def _sqlite_type(column: Column) -> str:
    return {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL"}.get(column.type, "TEXT")


def _reference(column: Column) -> str:
    return f' REFERENCES "{column.refers}" ("slug")' if column.refers else ""


def _index(table: str, column: str) -> str:
    # Tables begin with a collection, so no table has this name.
    return f'CREATE INDEX "by_{column}_of_{table}" ON "{table}" ("{column}")'


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
    return {
        "name": name,
        "path": artifact.path.rpartition("/")[2],
        "format": form,
        "mediatype": media_type(artifact.path).partition(";")[0],
        "encoding": "utf-8",
        "bytes": len(artifact.data),
        "hash": f"sha256:{sha256_hex(artifact.data)}",
    }


def _table_resource(
    artifact: Artifact, collection: str, form: str, columns: list[Column]
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
