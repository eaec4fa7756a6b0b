"""Keep the records of a published registry in a folder or in an SQLite file.

The manifest decides what differs: a bin whose hash is as noted lists the same files, so only other
bins are read, and of their records those whose hash the target does not hold.  So a target equals a
fresh copy, however old it is, also after a killed sync.  Pages of changes tell what happened since
the noted page; if that page is another one now, everything is compared again.

    <parent>/.registry/<target>/sync/seen                 the latest root that was trusted
                                    /fetched/<SHA-256>    downloads of an unfinished sync

Nothing that a host sends is trusted (see generator.reader.mirror).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from generator.contract.manifest import Entry, Root, bin_number, sha256_hex
from generator.disk.output_state import OutputError, OutputState, explain_errors
from generator.grammar.grammar import Grammar
from generator.grammar.paths import MANIFEST_ROOT, change_page
from generator.grammar.text import is_slug
from generator.reader.documents import Unreadable, parse_document
from generator.reader.downloads import Downloads, copy_trusted
from generator.reader.location import ReadFiles
from generator.reader.mirror import MAX_FILES, MirrorOptions, Progress
from generator.reader.sync_targets import Database, Folder, Record
from generator.reader.verified import Manifest, Trust, Untrusted
from generator.reader.verify import in_batches

_COLLECTIONS = Grammar({}).collections
_FOLDERS = {c.record_path("").rpartition("/")[0]: name for name, c in _COLLECTIONS.items()}
_is_page = re.compile(re.escape(change_page("@")).replace("@", "([1-9][0-9]{0,8})")).fullmatch


class SyncResult(NamedTuple):
    """The result: the trusted root, the number of records, of those that the target did not have,
    had otherwise, and had too many, the downloads, the changes of the history since the last sync,
    and whether the history was rewritten since.
    """

    root: Root
    records: int
    added: int
    changed: int
    removed: int
    downloads: Downloads
    changes: list[dict[str, Any]]
    rewritten: bool


class _Noted(NamedTuple):
    """The state of a target: the base URL; the hashes of the bins; size and SHA-256 of each file by
    its key, `projects/acme`; the keys of files without a record, which name the present slug of
    another; and the number, the changes and their digest of the last page of changes.
    """

    base: str
    bins: Sequence[str] = ()
    files: Mapping[str, Sequence[Any]] = {}  # noqa: RUF012
    moved: Sequence[str] = ()
    page: Sequence[Any] = (0, 0, "")

    @classmethod
    def load(cls, state: dict[str, Any]) -> _Noted:
        """The state, empty if a part is invalid.  Raises OutputError if it has no base URL."""
        match state:
            case {"base": str(), "bins": list(), "files": dict(files), "moved": list(moved),
                  "page": [int(), int(), str()]} if (
                all(map(_is_file, files.items())) and {*map(type, moved)} <= {str}
            ):  # fmt: skip
                return cls(**state)
            case {"base": str(base)}:
                return cls(base)
        raise OutputError("The target has no valid state: choose another target.")


def _is_file(item: tuple[str, Any]) -> bool:
    collection, _, slug = item[0].partition("/")
    is_key = collection in _COLLECTIONS and is_slug(slug)
    return bool(is_key and isinstance(item[1], list) and [*map(type, item[1])] == [int, str])


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
        is_database = state.out.suffix == ".sqlite"
        target = Database(state.out) if is_database else Folder(state.out)
        noted = _Noted(options.base)
        if (loaded := target.load()) is None:
            target.apply([], [], noted._asdict())  # the files of a killed first sync are ours
        else:
            noted = _Noted.load(loaded)
        if noted.base != options.base:
            raise OutputError(f"{options.out} is a copy of {noted.base}; choose another target.")
        place = state.subfolder("sync")

        def copy(root: Root, raw: bytes) -> SyncResult:
            downloads = Downloads(place / "fetched", read)
            downloads.folder.mkdir(exist_ok=True)
            result = _Sync(target, noted, root, downloads, options.max_bytes).bring(progress)
            shutil.rmtree(downloads.folder, ignore_errors=True)
            return result

        return copy_trusted(read, Trust(options.keys, place / "seen"), copy)


class _Sync:
    """The work of one sync with one root."""

    def __init__(
        self,
        target: Folder | Database,
        noted: _Noted,
        root: Root,
        downloads: Downloads,
        max_bytes: int,
    ):
        self.target, self.noted, self.root, self.downloads = target, noted, root, downloads
        self.max_bytes, self.manifest = max_bytes, Manifest(root, downloads.read, downloads.find)
        #: The files of records, and the pages of changes in bins that are not as noted.
        self.files: dict[str, Entry] = {}
        self.pages: dict[int, Entry] = {}

    def bring(self, progress: Progress) -> SyncResult:
        """Compare, download, and apply."""
        if self.root.files > MAX_FILES:
            raise OutputError(
                f"The registry has {self.root.files:,} files, more than a sync reads."
            )
        self.manifest.files()
        bins = [self.manifest.bin_hash(number) for number in range(1 << self.root.layout.bits)]
        rewritten = self._is_rewritten()
        if rewritten:
            self.noted = _Noted(self.noted.base)
        self._find_files(bins)
        page, changes = self._read_changes()
        files = {key: [entry.size, entry.sha256] for key, entry in self.files.items()}
        moved = {key for key in self.noted.moved if self.noted.files.get(key) == files.get(key)}
        held = self.target.held()
        missing = {
            key: entry
            for key, entry in self.files.items()
            if held.get(key) != entry.sha256 and key not in moved
        }
        names = self._fetch(missing, progress)
        moved |= missing.keys() - names.keys()
        gone = held.keys() - (files.keys() - moved)
        noted = _Noted(self.noted.base, bins, files, sorted(moved), page)
        self.target.apply(self._records(names), gone, noted._asdict())
        added = len(names.keys() - held.keys())
        numbers = len(files) - len(moved), added, len(names) - added, len(gone)
        return SyncResult(self.root, *numbers, self.downloads, changes, rewritten)

    def _find_files(self, bins: Sequence[str]) -> None:
        """Find the files of records, and new pages of changes.  Raises Untrusted, OutputError."""
        layout, noted = self.root.layout, self.noted
        comparable = len(noted.bins) == len(bins)
        same = {n for n, known in enumerate(noted.bins) if comparable and bins[n] == known}
        for key, known in noted.files.items():
            collection, _, slug = key.partition("/")
            path = _COLLECTIONS[collection].record_path(slug)
            if bin_number(path, layout.bits) in same:
                self.files[key] = Entry(path, *known)
        found = 0
        for numbers in layout.batches():
            for entries in self.manifest.entries(n for n in numbers if n not in same).values():
                found += len(entries)
                for entry in entries.values():
                    self._add(entry)
            if found > self.root.files:
                raise Untrusted(f"{MANIFEST_ROOT}: it tells fewer files than its bins have")
        size = sum(entry.size for entry in (*self.files.values(), *self.pages.values()))
        if size > self.max_bytes:
            raise OutputError(
                f"The records have {size / 1e9:,.1f} GB, and a copy may have "
                f"{self.max_bytes / 1e9:,.1f} GB: allow more with --most."
            )

    def _add(self, entry: Entry) -> None:
        folder, _, name = entry.path.rpartition("/")
        slug = name.removesuffix(".json")
        if folder in _FOLDERS:
            if slug == name or not is_slug(slug):
                raise Untrusted(f"{entry.path}: no record can have this address")
            self.files[f"{_FOLDERS[folder]}/{slug}"] = entry
        elif _is_page(entry.path):
            self.pages[int(slug)] = entry

    def _fetch(self, missing: dict[str, Entry], progress: Progress) -> dict[str, str]:
        """Download files, and return the names of those that are records.  Raises Untrusted."""
        names: dict[str, str] = {}
        done = 0
        for batch in in_batches(missing.values()):
            self.downloads.fetch(batch)
            done += len(batch)
            progress(done, len(missing))
        for key, entry in missing.items():
            collection, _, slug = key.partition("/")
            document = self._read(entry, _COLLECTIONS[collection].kind, "moved")
            if document["data"]["slug"] != slug:
                raise Untrusted(f"{entry.path}: it is another record")
            if document["kind"] != "moved":
                names[key] = document["data"]["name"]
        return names

    def _records(self, names: dict[str, str]) -> Iterator[Record]:
        for key, name in names.items():
            raw = self.downloads.find(self.files[key].path, self.files[key].sha256)
            if raw is None:
                raise OutputError(f"The download of {key} is gone: run the command again.")
            yield Record(key, name, raw)

    def _read(self, entry: Entry, *kinds: str) -> dict[str, Any]:
        """A downloaded document of one of these kinds.  Raises Untrusted."""
        try:
            return parse_document(self.downloads.get(entry.sha256) or b"", *kinds)
        except Unreadable as error:
            raise Untrusted(f"{entry.path}: {error}") from error

    # --- changes ---

    def _changes(self, entry: Entry) -> list[Any]:
        """The changes of a page.  Raises Untrusted."""
        self.downloads.fetch([entry])
        changes: list[Any] = self._read(entry, "change_page")["data"]
        return changes

    def _is_rewritten(self) -> bool:
        """Whether the history does not go on from the noted page."""
        number, count, digest = self.noted.page
        if not number:
            return False
        entry = self.manifest.entry(change_page(number))
        return entry is None or _digest(self._changes(entry)[:count]) != digest

    def _read_changes(self) -> tuple[Sequence[Any], list[dict[str, Any]]]:
        """The last page, and the changes since the noted page; none without a noted page."""
        page, found = self.noted.page, list[dict[str, Any]]()
        first = page[0] or max(self.pages, default=0)
        for number in sorted(number for number in self.pages if number >= first):
            changes = self._changes(self.pages[number])
            if self.noted.page[0]:
                found += changes[page[1] if page[0] == number else 0 :]
            page = number, len(changes), _digest(changes)
        return page, found


def _digest(changes: Sequence[Any]) -> str:
    return sha256_hex(orjson.dumps(changes))
