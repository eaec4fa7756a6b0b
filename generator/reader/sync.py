"""Keep the records of a published registry in a folder or in an SQLite file.

The manifest decides what differs: a bin whose hash is as noted lists the same files, so only other
bins are read, and of their records those whose hash the target does not hold.  So a target equals a
fresh copy, however old it is, also after a killed sync.  Pages of changes tell what happened since.

    <parent>/.registry/<target>/sync/seen                 the latest root that was trusted
                                    /fetched/<SHA-256>    downloads of an unfinished sync
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import orjson

from generator.contract.manifest import Entry, Root, bin_number, sha256_hex
from generator.disk.output_state import OutputError, OutputState, explain_errors
from generator.grammar.grammar import Grammar
from generator.grammar.paths import MANIFEST_ROOT, change_page
from generator.grammar.text import is_slug
from generator.reader.documents import Unreadable, parse_document
from generator.reader.location import ReadFiles
from generator.reader.mirror import MAX_FILES, Downloads, MirrorOptions, Progress, copy_trusted
from generator.reader.sync_targets import Database, Folder, State
from generator.reader.verified import Manifest, Trust, Untrusted
from generator.reader.verify import in_batches

_COLLECTIONS = {c.record_path("").rpartition("/")[0]: c for c in Grammar({}).collections.values()}
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


class _Noted(NamedTuple):
    """The state of a target: hashes of bins; path -> size and SHA-256 of each file of a record and
    each page of changes; path -> SHA-256 of former slugs; number, length and digest of the last
    page of changes.
    """

    base: str
    bins: Sequence[str] = ()
    files: Mapping[str, Sequence[Any]] = {}
    moved: Mapping[str, str] = {}
    page: Sequence[Any] = (0, 0, "")


def _load(state: State) -> _Noted:
    """The state of a target, empty if it is damaged.  Raises OutputError if it has no base URL."""
    match state:
        case {"base": str(), "bins": list(), "files": dict(files), "moved": dict(),
              "page": [int(), int(), str()]} if (
            all(isinstance(of, list) and [*map(type, of)] == [int, str] for of in files.values())
        ):  # fmt: skip
            return _Noted(**state)
        case {"base": str(base)}:
            return _Noted(base)
    raise OutputError("The target has no valid state: choose another target.")


def sync(
    read: ReadFiles,
    options: MirrorOptions,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> SyncResult:
    """Bring a target up to date: a folder, or a file that ends with .sqlite.

    Raises Untrusted, ClientError and OutputError; the next sync continues.
    """
    with explain_errors(options.out), OutputState(options.out, waiting) as state:
        out, noted = state.out, _Noted(options.base)
        target = Database(out) if out.suffix == ".sqlite" else Folder(out)
        if (loaded := target.load()) is None:
            target.apply([], [], noted._asdict())  # what a killed first sync leaves is ours
        else:
            noted = _load(loaded)
        if noted.base != options.base:
            raise OutputError(f"{options.out} is a copy of {noted.base}; choose another target.")
        place = state.subfolder("sync")

        def copy(root: Root, raw: bytes) -> SyncResult:
            downloads = Downloads(place / "fetched", read)
            result = _Sync(target, noted, root, downloads).bring(options.max_bytes, progress)
            shutil.rmtree(downloads.folder, ignore_errors=True)
            return result

        return copy_trusted(read, Trust(options.keys, place / "seen"), copy)


class _Sync:
    """The work of one sync with one root."""

    def __init__(self, target: Folder | Database, noted: _Noted, root: Root, downloads: Downloads):
        self.target, self.noted, self.root, self.downloads = target, noted, root, downloads
        self.manifest = Manifest(root, downloads.read, downloads.find)
        #: The files of records by key, and the pages of changes by number.
        self.files: dict[str, Entry] = {}
        self.pages: dict[int, Entry] = {}

    def bring(self, max_bytes: int, progress: Progress) -> SyncResult:
        """Compare, download and apply.  Raises Untrusted, ClientError, OutputError."""
        if self.root.files > MAX_FILES:
            raise OutputError(f"{self.root.files:,} files are more than a sync reads.")
        self.manifest.files()
        bins = [self.manifest.bin_hash(number) for number in range(1 << self.root.layout.bits)]
        self._find_files(bins)
        entries = [*self.files.values(), *self.pages.values()]
        size = sum(entry.size for entry in entries)
        if size > max_bytes:
            raise OutputError(f"The records have {size / 1e9:,.1f} GB: allow more with --most.")
        page, changes = self._read_changes()
        held, moved = self.target.held(), self.noted.moved
        kept = {key for key, entry in self.files.items() if held.get(key) == entry.sha256}
        missing = {
            key: entry
            for key, entry in self.files.items()
            if key not in kept and moved.get(entry.path) != entry.sha256
        }
        names = self._fetch(missing, progress)
        keys = kept | names.keys()
        moved = {e.path: e.sha256 for key, e in self.files.items() if key not in keys}
        files = {entry.path: [entry.size, entry.sha256] for entry in entries}
        noted = _Noted(self.noted.base, bins, files, moved, page)
        records = ((key, name, self._raw(self.files[key])) for key, name in names.items())
        gone = held.keys() - keys
        self.target.apply(records, gone, noted._asdict())
        added = len(names.keys() - held.keys())
        numbers = len(keys), added, len(names) - added, len(gone)
        return SyncResult(self.root, *numbers, self.downloads, changes)

    def _find_files(self, bins: Sequence[str]) -> None:
        """Find the files of records and the pages of changes.  Raises Untrusted."""
        layout, known = self.root.layout, self.noted.bins
        same = {n for n, of in enumerate(bins) if len(known) == len(bins) and known[n] == of}
        for path, (size, digest) in self.noted.files.items():
            if bin_number(path, layout.bits) in same:
                self._add(Entry(path, size, digest))
        found = 0
        for numbers in layout.batches():
            bins_read = self.manifest.entries(n for n in numbers if n not in same).values()
            for entry in chain.from_iterable(entries.values() for entries in bins_read):
                self._add(entry)
                found += 1
            if found > self.root.files:
                raise Untrusted(f"{MANIFEST_ROOT}: it tells fewer files than its bins have")

    def _add(self, entry: Entry) -> None:
        folder, _, name = entry.path.rpartition("/")
        slug = name.removesuffix(".json")
        if folder in _COLLECTIONS:
            if slug == name or not is_slug(slug):
                raise Untrusted(f"{entry.path}: no record can have this address")
            self.files[f"{_COLLECTIONS[folder].name}/{slug}"] = entry
        elif _is_page(entry.path):
            self.pages[int(slug)] = entry

    def _fetch(self, missing: Mapping[str, Entry], progress: Progress) -> dict[str, str]:
        """Download files; key -> name of those that are records.  Raises Untrusted."""
        names, done = dict[str, str](), 0
        for batch in in_batches(missing.values()):
            self.downloads.fetch(batch)
            done += len(batch)
            progress(done, len(missing))
        for key, entry in missing.items():
            kind = _COLLECTIONS[entry.path.rpartition("/")[0]].kind
            document = self._read(entry, kind, "moved")
            if document["data"]["slug"] != key.partition("/")[2]:
                raise Untrusted(f"{entry.path}: it is another record")
            if document["kind"] == kind:
                names[key] = document["data"]["name"]
        return names

    def _raw(self, entry: Entry) -> bytes:
        raw = self.downloads.find(entry.path, entry.sha256)
        if raw is None:
            raise OutputError(f"The download of {entry.path} is gone: run the command again.")
        return raw

    def _read(self, entry: Entry, *kinds: str) -> dict[str, Any]:
        """A downloaded document of one of these kinds.  Raises Untrusted."""
        try:
            return parse_document(self._raw(entry), *kinds)
        except Unreadable as error:
            raise Untrusted(f"{entry.path}: {error}") from error

    def _changes(self, number: int) -> list[Any]:
        """The changes of a page, none if there is no such page.  Raises Untrusted."""
        if number not in self.pages:
            return []
        self.downloads.fetch([self.pages[number]])
        changes: list[Any] = self._read(self.pages[number], "change_page")["data"]
        return changes

    def _read_changes(self) -> tuple[Sequence[Any], list[dict[str, Any]] | None]:
        """The last page, and the changes since the noted page; None if it is not as noted."""
        number, length, digest = self.noted.page
        last = max(self.pages, default=0)
        changes = self._changes(last)
        page = last, len(changes), _digest(changes)
        if number == 0:
            return page, []
        since = self._changes(number)
        if _digest(since[:length]) != digest:
            return page, None
        del since[:length]
        for later in sorted(later for later in self.pages if later > number):
            since += self._changes(later)
        return page, since


def _digest(changes: Sequence[Any]) -> str:
    return sha256_hex(orjson.dumps(changes))
