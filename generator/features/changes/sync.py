"""Keep the records of a published registry in a folder or in an SQLite file.

The manifest decides what differs: all entries are read, and of the records those whose hash the
target does not have.  So a target equals a fresh copy, however old it is, also after a killed sync.
Bins, and files of former slugs, stay among the downloads, so that only changed ones are fetched.
Pages of changes tell what happened since.

    <parent>/.registry/<target>/sync/seen                 the latest root that was trusted
                                    /fetched/<SHA-256>    files of the manifest and of former slugs,
                                                          and downloads of an unfinished sync
    <folder>/sync.json, <folder>/<collection>/<slug>.json
    tables state(key, value) and <collection>(slug, name, record), state_(slug, name, record) for a
    collection of this name

The state has the base URL, the last page of changes, and the collections of the registry.  Of a
target, `load` returns it, None for a new target, and raises OutputError for something else; `held`
returns the SHA-256 of each record of some collections by its key, `projects/acme`; `apply` adds,
replaces and removes records, then notes the state.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.contract.files import ReadFiles
from generator.contract.manifest import ManifestEntry, Root, sha256_hex
from generator.disk.output_state import OutputError, OutputState, explain_errors
from generator.features.changes.addresses import change_page
from generator.grammar.paths import INDEX
from generator.kinds import Kinds
from generator.reader.copying import (
    CopyOptions,
    Downloads,
    Progress,
    check_losses,
    copy_trusted,
    record_folders,
    record_key,
)
from generator.reader.documents import Unreadable, parse_document, published_kinds
from generator.reader.verified import Trust, TrustedManifest, Untrusted
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

    def held(self, collections: Iterable[str]) -> dict[str, str]:
        return {
            f"{collection}/{file.stem}": sha256_hex(file.read_bytes())
            for collection in collections
            for file in (self.path / collection).glob("*.json")
            if is_slug(file.stem)
        }

    def apply(self, records: Iterable[SyncedRecord], gone: Iterable[str], state: State) -> None:
        for collection in ("", *state["collections"]):
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

    def held(self, collections: Iterable[str]) -> dict[str, str]:
        with self._open() as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
            return {
                f"{collection}/{slug}": sha256_hex(str(record).encode())
                for collection in collections
                if (table := _table(collection)) in tables
                for slug, record in database.execute(f'SELECT slug, record FROM "{table}"')
            }

    def apply(self, records: Iterable[SyncedRecord], gone: Iterable[str], state: State) -> None:
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            columns = "slug TEXT PRIMARY KEY, name TEXT, record TEXT"
            tables = dict.fromkeys(map(_table, state["collections"]), columns)
            for table, of in {**tables, "state": "key TEXT PRIMARY KEY, value TEXT"}.items():
                database.execute(f'CREATE TABLE IF NOT EXISTS "{table}" ({of})')
            for record in records:
                collection, _, slug = record.key.partition("/")
                values = slug, record.name, record.raw.decode()
                database.execute(f'REPLACE INTO "{_table(collection)}" VALUES (?, ?, ?)', values)
            for key in gone:
                collection, _, slug = key.partition("/")
                database.execute(f'DELETE FROM "{_table(collection)}" WHERE slug = ?', (slug,))
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


def _table(collection: str) -> str:
    return f"{collection}_" if collection == "state" else collection


_is_page = re.compile(re.escape(change_page("@")).replace("@", "[1-9][0-9]{0,8}")).fullmatch


class SyncResult(NamedTuple):
    """The trusted root, numbers of records, the downloads, and the changes since the last sync:
    None if the history was rewritten or is no longer published.
    """

    root: Root
    records: int
    added: int
    changed: int
    removed: int
    downloads: Downloads
    changes: list[dict[str, Any]] | None


def sync(
    read: ReadFiles,
    options: CopyOptions,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> SyncResult:
    """Bring a folder or an .sqlite file up to date; after an error the next sync continues."""
    with explain_errors(options.out), OutputState(options.out, waiting) as state:
        form = Database if state.out.suffix == ".sqlite" else Folder
        target = form(state.out)
        noted = target.load()
        if noted is None:
            noted = {"base": options.base, "collections": []}
            target.apply([], [], noted)  # what a killed first sync leaves is ours
        base, had = noted.get("base"), noted.get("collections", [])
        if not isinstance(base, str) or not isinstance(had, list) or not all(map(is_slug, had)):
            raise OutputError("The target has no valid state: choose another target.")
        if base != options.base:
            raise OutputError(f"{options.out} is a copy of {base}; choose another target.")
        place = state.subfolder("sync")

        def copy(root: Root, raw: bytes) -> SyncResult:
            downloads = Downloads(place / "fetched", read)
            return _Sync(root, downloads).bring(target, options, noted, progress)

        return copy_trusted(read, Trust(options.keys, place / "seen"), copy)


class _Sync:
    """The work of one sync with one root."""

    def __init__(self, root: Root, downloads: Downloads):
        self.root, self.downloads = root, downloads
        self.manifest = TrustedManifest(root, downloads.read, downloads.find)
        #: The files of records by key, and the pages of changes by number.
        self.files: dict[str, ManifestEntry] = {}
        self.pages: dict[int, ManifestEntry] = {}

    def bring(
        self, target: Folder | Database, options: CopyOptions, noted: State, progress: Progress
    ) -> SyncResult:
        """Compare, download and apply.  Raises Untrusted, ClientError, OutputError."""
        root, downloads, kinds = self.root, self.downloads, self.manifest.kinds()
        kept = set[str]()
        for entries in self.manifest.all_entries():
            for entry in entries:
                folder, _, name = entry.path.rpartition("/")
                if folder in record_folders(kinds):
                    key = record_key(entry.path, kinds)
                    if key is None:
                        raise Untrusted(f"{entry.path}: no record can have this address")
                    self.files[key] = entry
                elif entry.path == INDEX:
                    kept.add(entry.sha256)
                elif _is_page(entry.path):
                    self.pages[int(name.removesuffix(".json"))] = entry
        options.check_size(sum(e.size for e in (*self.files.values(), *self.pages.values())))
        page, changes = self._read_changes(noted.get("page"))
        # A copy of an earlier version does not say what it has.
        before = noted.get("collections", published_kinds(None))
        held = target.held(dict.fromkeys((*before, *kinds)))
        missing = {key: e for key, e in self.files.items() if held.get(key) != e.sha256}
        names = self._fetch(missing, kinds, progress)
        moved = missing.keys() - names.keys()
        keys = self.files.keys() - moved
        if not options.allow_loss:
            check_losses(held.keys(), keys, self.files)
        records = (
            SyncedRecord(key, name, self._raw(self.files[key])) for key, name in names.items()
        )
        gone = held.keys() - keys
        state = {"base": options.base, "page": page, "collections": [*kinds]}
        target.apply(records, gone, state)
        downloads.keep({
            *kept,
            *(node.sha256 for node in self.manifest.nodes),
            *(file.sha256 for file in self.manifest.bins(range(1 << root.layout.bits)).values()),
            *(self.files[key].sha256 for key in moved),
        })  # fmt: skip
        added = len(names.keys() - held.keys())
        numbers = len(keys), added, len(names) - added, len(gone)
        return SyncResult(root, *numbers, downloads, changes)

    def _fetch(
        self, missing: Mapping[str, ManifestEntry], kinds: Kinds, progress: Progress
    ) -> dict[str, str]:
        """Download files; key -> name of those that are records.  Raises Untrusted."""
        names = dict[str, str]()
        for done, _ in enumerate(self.manifest.fetch(missing.values()), 1):
            progress(done, len(missing))
        for key, entry in missing.items():
            kind = kinds.kind_of[key.partition("/")[0]]
            document = self._read(entry, kinds, kind, "moved")
            if document["data"]["slug"] != key.partition("/")[2]:
                raise Untrusted(f"{entry.path}: it is another record")
            if document["kind"] == kind:
                names[key] = document["data"]["name"]
        return names

    def _raw(self, entry: ManifestEntry) -> bytes:
        raw = self.downloads.find(entry.path, entry.sha256)
        if raw is None:
            raise OutputError(f"The download of {entry.path} is gone: run the command again.")
        return raw

    def _read(self, entry: ManifestEntry, of: Kinds | None, *kinds: str) -> dict[str, Any]:
        """A downloaded document of one of `kinds`; `of` are the kinds of the registry, if it
        depends on them.  Raises Untrusted.
        """
        try:
            return parse_document(self._raw(entry), *kinds, of=of)
        except Unreadable as error:
            raise Untrusted(f"{entry.path}: {error}") from error

    def _changes(self, number: int) -> list[Any]:
        """The changes of a page, none if there is no such page.  Raises Untrusted."""
        if number not in self.pages:
            return []
        for _ in self.manifest.fetch([self.pages[number]]):
            pass
        changes: list[Any] = self._read(self.pages[number], None, "change_page")["data"]
        return changes

    def _read_changes(self, noted: Any) -> tuple[Sequence[Any], list[dict[str, Any]] | None]:
        """The last page with its last change; the changes since `noted`, None if it is gone."""
        last = max(self.pages, default=0)
        page = [last, *map(_mark, self._changes(last)[-1:])]
        match noted:
            case [int(number), [int(), str()] as mark]:
                later = (self._changes(n) for n in sorted(self.pages) if n >= number)
                since = [*chain.from_iterable(later)]
                marks = [*map(_mark, since)]
                return page, since[marks.index(mark) + 1 :] if mark in marks else None
        return page, []


def _mark(change: dict[str, Any]) -> list[Any]:
    return [change["seq"], change["commit"]]
