"""Where `registry sync` keeps records, as published: files in a folder, or rows in an SQLite file.

    <folder>/sync.json, <folder>/<collection>/<slug>.json
    tables state(key, value) and <collection>(slug, name, record)

`load` returns the state, None for a new target, and raises OutputError for something else; `held`
returns the SHA-256 of each record by its key, `projects/acme`; `apply` adds, replaces and removes
records, then notes the state.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.contract.manifest import sha256_hex
from generator.disk.output_state import OutputError
from generator.kinds import KIND_OF
from generator.text.words import is_slug


class SyncedRecord(NamedTuple):
    """The key of a record, its name and its file."""

    key: str
    name: str
    raw: bytes


State = dict[str, Any]
_STATE, _NEW = "sync.json", "sync.json.new"


class Folder:
    """Each file is replaced in one step, the state at the end."""

    def __init__(self, path: Path):
        self.path = path

    def load(self) -> State | None:
        if (self.path / _STATE).exists():
            with contextlib.suppress(ValueError):
                return dict(orjson.loads((self.path / _STATE).read_bytes()))
        if self.path.exists() and (not self.path.is_dir() or {*os.listdir(self.path)} - {_NEW}):
            raise OutputError(f"{self.path} holds other files and no copy: choose another target.")
        return None

    def held(self) -> dict[str, str]:
        return {
            f"{collection}/{file.stem}": sha256_hex(file.read_bytes())
            for collection in KIND_OF
            for file in (self.path / collection).glob("*.json")
            if is_slug(file.stem)
        }

    def apply(self, records: Iterable[SyncedRecord], gone: Iterable[str], state: State) -> None:
        for collection in KIND_OF:
            (self.path / collection).mkdir(parents=True, exist_ok=True)
        for record in records:
            self._write(f"{record.key}.json", record.raw)
        for key in gone:
            (self.path / f"{key}.json").unlink()
        self._write(_STATE, orjson.dumps(state))

    def _write(self, name: str, data: bytes) -> None:
        (self.path / _NEW).write_bytes(data)
        (self.path / _NEW).replace(self.path / name)


class Database:
    """A sync is one transaction."""

    def __init__(self, path: Path):
        self.path = path

    def load(self) -> State | None:
        with self._open() as database:
            if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
                return None
            rows = database.execute("SELECT key, value FROM state")
            return {key: orjson.loads(value) for key, value in rows}

    def held(self) -> dict[str, str]:
        with self._open() as database:
            return {
                f"{collection}/{slug}": sha256_hex(str(record).encode())
                for collection in KIND_OF
                for slug, record in database.execute(f"SELECT slug, record FROM {collection}")
            }

    def apply(self, records: Iterable[SyncedRecord], gone: Iterable[str], state: State) -> None:
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            columns = dict.fromkeys(KIND_OF, "slug TEXT PRIMARY KEY, name TEXT, record TEXT")
            for table, of in {**columns, "state": "key TEXT PRIMARY KEY, value TEXT"}.items():
                database.execute(f"CREATE TABLE IF NOT EXISTS {table} ({of})")
            for record in records:
                table, _, slug = record.key.partition("/")
                values = slug, record.name, record.raw.decode()
                database.execute(f"REPLACE INTO {table} VALUES (?, ?, ?)", values)
            for key in gone:
                table, _, slug = key.partition("/")
                database.execute(f"DELETE FROM {table} WHERE slug = ?", (slug,))
            rows = [(key, orjson.dumps(value).decode()) for key, value in state.items()]
            database.execute("DELETE FROM state")
            database.executemany("INSERT INTO state VALUES (?, ?)", rows)
            database.execute("COMMIT")

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as database:
                yield database
        except (sqlite3.Error, ValueError) as error:
            raise OutputError(
                f"{self.path} cannot be used: {error}\nIf it is not a copy, choose another target."
            ) from error
