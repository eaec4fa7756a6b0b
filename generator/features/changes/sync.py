"""Keep the records of a published registry in a folder or in an SQLite file.

The manifest decides what differs: all entries are read, and of the records those whose hash the
target does not have.  So a target equals a fresh copy, however old it is, also after a killed sync.
Bins, and files of former slugs, stay among the downloads, so that only changed ones are fetched.
Pages of changes tell what happened since.

    <parent>/.registry/<target>/sync/seen                 the latest root that was trusted
                                    /fetched/<SHA-256>    files of the manifest and of former slugs,
                                                          and downloads of an unfinished sync
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from generator.contract.files import ReadFiles
from generator.contract.manifest import ManifestEntry, Root, sha256_hex
from generator.disk.output_state import OutputError, OutputState, explain_errors
from generator.features.changes.addresses import change_page
from generator.features.changes.targets import Database, Folder, SyncedRecord
from generator.reader.copying import (
    RECORD_FOLDERS,
    CopyOptions,
    Downloads,
    Progress,
    check_losses,
    copy_trusted,
    record_key,
)
from generator.reader.documents import Unreadable, parse_document
from generator.reader.verified import Trust, TrustedManifest, Untrusted

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
    """Bring a target up to date: a folder, or a file that ends with .sqlite.

    Raises Untrusted, TooManyLost, ClientError and OutputError; the next sync continues.
    """
    with explain_errors(options.out), OutputState(options.out, waiting) as state:
        target = Database(state.out) if state.out.suffix == ".sqlite" else Folder(state.out)
        noted = target.load()
        if noted is None:
            noted = {"base": options.base}
            target.apply([], [], noted)  # what a killed first sync leaves is ours
        base = noted.get("base")
        if not isinstance(base, str):
            raise OutputError("The target has no valid state: choose another target.")
        if base != options.base:
            raise OutputError(f"{options.out} is a copy of {base}; choose another target.")
        place, page = state.subfolder("sync"), noted.get("page")

        def copy(root: Root, raw: bytes) -> SyncResult:
            downloads = Downloads(place / "fetched", read)
            return _Sync(root, downloads).bring(target, options, page, progress)

        return copy_trusted(read, Trust(options.keys, place / "seen"), copy)


class _Sync:
    """The work of one sync with one root."""

    def __init__(self, root: Root, downloads: Downloads):
        self.root, self.downloads = root, downloads
        #: The files of records by key, and the pages of changes by number.
        self.files: dict[str, ManifestEntry] = {}
        self.pages: dict[int, ManifestEntry] = {}

    def bring(
        self, target: Folder | Database, options: CopyOptions, noted_page: Any, progress: Progress
    ) -> SyncResult:
        """Compare, download and apply.  Raises Untrusted, ClientError, OutputError."""
        root, downloads = self.root, self.downloads
        manifest_files = TrustedManifest(root, downloads.read, downloads.find)
        for entries in manifest_files.all_entries():
            for entry in entries.values():
                self._add(entry)
        options.check_size(sum(e.size for e in (*self.files.values(), *self.pages.values())))
        page, changes = self._read_changes(noted_page)
        held = target.held()
        missing = {key: e for key, e in self.files.items() if held.get(key) != e.sha256}
        names = self._fetch(missing, progress)
        moved = missing.keys() - names.keys()
        keys = self.files.keys() - moved
        if not options.allow_loss:
            check_losses(held.keys(), keys, self.files)
        records = (
            SyncedRecord(key, name, self._raw(self.files[key])) for key, name in names.items()
        )
        gone = held.keys() - keys
        target.apply(records, gone, {"base": options.base, "page": page})
        downloads.keep({
            *map(sha256_hex, manifest_files.files().values()),
            *map(manifest_files.bin_hash, range(1 << root.layout.bits)),
            *(self.files[key].sha256 for key in moved),
        })  # fmt: skip
        added = len(names.keys() - held.keys())
        numbers = len(keys), added, len(names) - added, len(gone)
        return SyncResult(root, *numbers, downloads, changes)

    def _add(self, entry: ManifestEntry) -> None:
        if entry.path.rpartition("/")[0] in RECORD_FOLDERS:
            key = record_key(entry.path)
            if key is None:
                raise Untrusted(f"{entry.path}: no record can have this address")
            self.files[key] = entry
        elif _is_page(entry.path):
            self.pages[int(entry.path.rpartition("/")[2].removesuffix(".json"))] = entry

    def _fetch(self, missing: Mapping[str, ManifestEntry], progress: Progress) -> dict[str, str]:
        """Download files; key -> name of those that are records.  Raises Untrusted."""
        names = dict[str, str]()
        self.downloads.fetch(missing.values(), progress)
        for key, entry in missing.items():
            kind = RECORD_FOLDERS[entry.path.rpartition("/")[0]].kind
            document = self._read(entry, kind, "moved")
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

    def _read(self, entry: ManifestEntry, *kinds: str) -> dict[str, Any]:
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

    def _read_changes(self, noted: Any) -> tuple[Sequence[Any], list[dict[str, Any]] | None]:
        """The number of the last page with its last change; and the changes since the noted one,
        None if that is not where it was.
        """
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
