"""Update a tree of a store to a build.

The manifest of a tree lists the objects that the tree has, correctly at every moment. So before an
object changes, its bin is reduced to the unchanged entries, and the full bin is written when all of
its objects are there. The root is removed first and written last: it says that the tree is
complete. After an interruption, completed bins are not sent again. If the number of bins changes,
everything is sent again.

The objects of a tree may have been written by anyone. They only decide what is not sent again and
what is removed, inside the tree, and are bounded and checked like any manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from generator.contract import manifest
from generator.contract.manifest import MAX_FILE_SIZE, Malformed, ManifestEntry
from generator.disk.output_state import OutputError, recover_output
from generator.features.buckets.store import Store, TooLarge
from generator.grammar import headers
from generator.grammar.paths import BUILD, MANIFEST_ROOT, NOT_FOUND, manifest_bin
from generator.reader.location import FolderReader
from generator.reader.verified import TrustedManifest, Untrusted, find_fault

#: Objects per group of changes.
_GROUP_SIZE = 256


class LocalBuild:
    """The build in `folder`. `top` is the root of its manifest, `known` the manifest, and `apart`
    are the other files that are in no bin. Raises OutputError if there is no build or it is
    incomplete, and ClientError if the folder cannot be read.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        recover_output(folder)
        raw = None
        if folder.is_dir():
            self._files = FolderReader(folder, stay=True)
            [raw] = self._files([MANIFEST_ROOT])
        if raw is None:
            raise OutputError(
                f"There is no build in {folder}: it has no {MANIFEST_ROOT[1:]}. Run `registry "
                "build`, or name the folder of a build."
            )
        self.raw, self.top = raw, _entry(MANIFEST_ROOT, raw)
        try:
            self.root = manifest.read_root(raw)
        except Malformed as error:
            self._refuse(error)
        self.known = TrustedManifest(self.root, self._files, report=self._refuse)
        others = (BUILD, NOT_FOUND)
        found = zip(others, self._files(others), strict=True)
        self.apart = [*self.known.nodes, *(_entry(path, data) for path, data in found if data)]

    def read(self, entry: ManifestEntry) -> bytes:
        """A file of the manifest. Raises OutputError if the file differs from it."""
        [data] = self._files([entry.path])
        if data is None or manifest.sha256_hex(data) != entry.sha256:
            self._refuse(f"{entry.path}: {find_fault(entry, data)}")
        return data

    def _refuse(self, problem: object) -> NoReturn:
        raise OutputError(
            f"{self.folder} is no whole build: {problem}\n"
            "Another build may be running. Build again, then publish."
        )


def _entry(path: str, data: bytes) -> ManifestEntry:
    return ManifestEntry(path, len(data), manifest.sha256_hex(data))


@dataclass
class _Work:
    """A group of changes: reduced bins, new and removed objects, then full bins."""

    reduced_bins: dict[str, bytes] = field(default_factory=dict)
    put: list[ManifestEntry] = field(default_factory=list)
    removed_paths: list[str] = field(default_factory=list)
    bins: list[ManifestEntry] = field(default_factory=list)


class BucketTree:
    """The objects below `place`. `alive` is called before each change and may raise."""

    def __init__(
        self,
        ready: LocalBuild,
        store: Store,
        place: str,
        alive: Callable[[], None],
        progress: Callable[[int, int], None],
    ):
        self.put = self.bytes = self.removed = 0
        self._ready, self._store, self._place = ready, store, place
        self._alive, self._progress = alive, progress
        self._is_empty, self._has_unlisted = True, False
        self._old: TrustedManifest | None = None

    def bring(self) -> None:
        """Make the tree equal to the build. Raises StoreError and OutputError."""
        ready, count = self._ready, 1 << self._ready.root.layout.bits
        old_nodes = self._begin()
        for numbers in ready.root.layout.batches():
            self._bring_bins(numbers)
            self._progress(numbers.stop, count)
        if self._has_unlisted:
            self._sweep()
        self._put_entries([entry for entry in ready.apart if entry not in old_nodes])
        self._put_entries([ready.top])

    def repair(self) -> None:
        """Read every object, send missing and damaged objects, and remove unlisted objects."""
        ready, count = self._ready, 1 << self._ready.root.layout.bits
        for numbers in ready.root.layout.batches():
            entries = [e for known in ready.known.entries(numbers).values() for e in known.values()]
            self._put_damaged([*entries, *ready.known.bins(numbers).values()])
            self._progress(numbers.stop, count)
        self._put_damaged([*ready.apart, ready.top])
        self._sweep()

    def _put_damaged(self, entries: Sequence[ManifestEntry]) -> None:
        intact = self._store.map_parallel(self._is_intact, entries)
        self._put_entries(
            [e for e, is_intact in zip(entries, intact, strict=True) if not is_intact]
        )

    def _is_intact(self, entry: ManifestEntry) -> bool:
        """Whether the object matches the entry, whose `size` is the most that it may have."""
        try:
            raw = self._store.read(self._place + entry.path, entry.size)
        except TooLarge:
            return False
        return raw is not None and manifest.sha256_hex(raw) == entry.sha256

    def _begin(self) -> list[ManifestEntry]:
        """Mark the tree as incomplete, without bins of another layout; its old nodes."""
        self._is_empty = not self._store.folders(self._place)
        if self._is_empty:
            return []
        old = self._manifest()
        self._has_unlisted = old is None
        self._remove([MANIFEST_ROOT])
        if old is None or old.root.layout == self._ready.root.layout:
            self._old = old
        else:
            self._remove(map(manifest_bin, range(1 << old.root.layout.bits)))
            self._is_empty = self._has_unlisted = True
        return old.nodes if old is not None else []

    def _bring_bins(self, numbers: Sequence[int]) -> None:
        """Update these bins in groups; finished groups are not sent again."""
        known = self._ready.known
        old_bins, bins, work = self._changed_bins(numbers), known.bins(numbers), _Work()
        for number, entries in known.entries(old_bins).items():
            old = old_bins[number]
            work.put += [entry for path, entry in entries.items() if old.get(path) != entry]
            work.removed_paths += old.keys() - entries.keys()
            unchanged = [entry for path, entry in old.items() if entries.get(path) == entry]
            if len(unchanged) < len(old):
                path = manifest_bin(number)
                work.reduced_bins[path] = manifest.render_bin(number, unchanged, str)
            work.bins.append(bins[number])
            if len(work.put) + len(work.removed_paths) >= _GROUP_SIZE:
                self._apply(work)
                work = _Work()
        self._apply(work)

    def _apply(self, work: _Work) -> None:
        reduced = self._store.map_parallel(lambda file: self._put(*file), work.reduced_bins.items())
        self._count(reduced)
        self._put_entries(work.put)
        self._remove(work.removed_paths)
        self._put_entries(work.bins)

    # --- reading the tree ---

    def _manifest(self) -> TrustedManifest | None:
        """The manifest of the tree; None if the tree is incomplete."""
        raw = self._read(MANIFEST_ROOT)
        try:
            root = manifest.read_root(raw or b"")
            known = TrustedManifest(root, lambda paths: self._store.map_parallel(self._read, paths))
            known.bins(range(1 << root.layout.bits))
        except (Malformed, Untrusted):
            return None
        return known

    def _changed_bins(self, numbers: Sequence[int]) -> dict[int, dict[str, ManifestEntry]]:
        """The entries in the tree of each bin that differs from the build's."""
        if self._is_empty:
            return {number: {} for number in numbers}
        bits, bins = self._ready.root.layout.bits, self._ready.known.bins(numbers)
        old = self._old.bins(numbers) if self._old is not None else {}
        differing = [number for number in numbers if old.get(number) != bins[number]]
        raws = self._store.map_parallel(lambda n: self._read(manifest_bin(n)), differing)
        changed = {}
        for number, raw in zip(differing, raws, strict=True):
            if raw is None or manifest.sha256_hex(raw) != bins[number].sha256:
                try:
                    changed[number] = manifest.read_bin(raw or b"", number, bits)
                except Malformed:  # there may be objects that no bin lists
                    changed[number], self._has_unlisted = {}, True
        return changed

    def _read(self, path: str) -> bytes | None:
        try:
            return self._store.read(self._place + path, MAX_FILE_SIZE)
        except TooLarge:
            return b""

    def _sweep(self) -> None:
        """Remove unlisted objects, such as those of killed publishes."""
        known = self._ready.known
        listed = {entry.path for entry in (*self._ready.apart, self._ready.top)}
        for numbers in known.root.layout.batches():
            listed.update(entry.path for entry in known.bins(numbers).values())
            for entries in known.entries(numbers).values():
                listed.update(entries)
        names = self._store.names(self._place)
        paths = (name.removeprefix(self._place) for name in names)
        self._remove([path for path in paths if path not in listed])

    # --- changing the tree ---

    def _put_entries(self, entries: Sequence[ManifestEntry]) -> None:
        self._count(
            self._store.map_parallel(lambda e: self._put(e.path, self._ready.read(e)), entries)
        )

    def _put(self, path: str, data: bytes) -> int:
        self._alive()
        self._store.put(self._place + path, data, object_headers(path))
        return len(data)

    def _count(self, sizes: Sequence[int]) -> None:
        self.put, self.bytes = self.put + len(sizes), self.bytes + sum(sizes)

    def _remove(self, paths: Iterable[str]) -> None:
        def remove(path: str) -> None:
            self._alive()
            self._store.remove(self._place + path)

        self.removed += len(self._store.map_parallel(remove, paths))


def object_headers(path: str) -> dict[str, str]:
    return {"Content-Type": headers.media_type(path), "Cache-Control": headers.cache_control(path)}
