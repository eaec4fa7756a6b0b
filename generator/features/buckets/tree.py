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
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.manifest import MAX_FILE_SIZE, Malformed, ManifestEntry
from generator.features.buckets.local_build import LocalBuild
from generator.features.buckets.messages import TooLarge
from generator.features.buckets.store import Store
from generator.grammar import headers
from generator.grammar.paths import MANIFEST_ROOT, manifest_bin
from generator.reader.verified import TrustedManifest, Untrusted

#: Objects per group of changes.
_GROUP_SIZE = 256


class _Bin(NamedTuple):
    """A bin of the tree: its SHA-256, and its entries; None if it is missing or invalid."""

    digest: str
    entries: dict[str, ManifestEntry] | None


@dataclass
class _Work:
    """A group of changes: reduced bins, new and removed objects, then full bins."""

    reduced_bins: dict[str, bytes] = field(default_factory=dict)
    put: list[ManifestEntry] = field(default_factory=list)
    removed_paths: list[str] = field(default_factory=list)
    bins: list[ManifestEntry] = field(default_factory=list)


_NONE = _Bin("", {})


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
        self._old_manifest: TrustedManifest | None = None
        self._nodes: dict[str, bytes] = {}

    def bring(self) -> None:
        """Make the tree equal to the build. Raises StoreError and OutputError."""
        ready, count = self._ready, 1 << self._ready.root.layout.bits
        self._begin()
        for numbers in ready.root.layout.batches():
            self._bring_bins(numbers)
            self._progress(numbers.stop, count)
        if self._has_unlisted:
            self._sweep()
        apart = {**ready.files_without_bin(), **ready.nodes}
        self._put_all({path: raw for path, raw in apart.items() if self._nodes.get(path) != raw})
        self._put_all({MANIFEST_ROOT: ready.raw})

    def repair(self) -> None:
        """Read every object, send missing and damaged objects, and remove unlisted objects."""
        ready, count = self._ready, 1 << self._ready.root.layout.bits
        for numbers in ready.root.layout.batches():
            entries = [e for known in ready.entries(numbers).values() for e in known.values()]
            entries += [
                ManifestEntry(manifest_bin(n), MAX_FILE_SIZE, ready.bin_hash(n)) for n in numbers
            ]
            self._put_entries(self._damaged(entries))
            self._progress(numbers.stop, count)
        apart = {**ready.files_without_bin(), **ready.nodes, MANIFEST_ROOT: ready.raw}
        entries = [
            ManifestEntry(path, len(raw), manifest.sha256_hex(raw)) for path, raw in apart.items()
        ]
        self._put_all({entry.path: apart[entry.path] for entry in self._damaged(entries)})
        self._sweep()

    def _damaged(self, entries: Sequence[ManifestEntry]) -> list[ManifestEntry]:
        intact = self._store.map_parallel(self._is_intact, entries)
        return [e for e, is_intact in zip(entries, intact, strict=True) if not is_intact]

    def _is_intact(self, entry: ManifestEntry) -> bool:
        """Whether the object matches the entry, whose `size` is the most that it may have."""
        try:
            raw = self._store.read(self._place + entry.path, entry.size)
        except TooLarge:
            return False
        return raw is not None and manifest.sha256_hex(raw) == entry.sha256

    def _begin(self) -> None:
        """Mark the tree as incomplete; remove all bins if their number changes."""
        self._is_empty = not self._store.folders(self._place)
        if self._is_empty:
            return
        old = self._manifest()
        self._has_unlisted = old is None
        self._nodes = old.files() if old is not None else {}
        self._remove([MANIFEST_ROOT])
        if old is None or old.root.layout == self._ready.root.layout:
            self._old_manifest = old
        else:
            self._remove(map(manifest_bin, range(1 << old.root.layout.bits)))
            self._is_empty = self._has_unlisted = True

    def _bring_bins(self, numbers: Sequence[int]) -> None:
        """Update these bins in groups; finished groups are not sent again."""
        ready = self._ready
        old_bins = dict(zip(numbers, self._bins(numbers), strict=True))
        changed = [n for n in numbers if old_bins[n].digest != ready.bin_hash(n)]
        work = _Work()
        for number, entries in ready.entries(changed).items():
            self._has_unlisted |= old_bins[number].entries is None
            old = old_bins[number].entries or {}
            work.put += [entry for path, entry in entries.items() if old.get(path) != entry]
            work.removed_paths += old.keys() - entries.keys()
            unchanged = [entry for path, entry in old.items() if entries.get(path) == entry]
            if len(unchanged) < len(old):
                work.reduced_bins[manifest_bin(number)] = manifest.render_bin(
                    number, unchanged, str
                )
            work.bins.append(ManifestEntry(manifest_bin(number), -1, ready.bin_hash(number)))
            if len(work.put) + len(work.removed_paths) >= _GROUP_SIZE:
                self._apply(work)
                work = _Work()
        self._apply(work)

    def _apply(self, work: _Work) -> None:
        self._put_all(work.reduced_bins)
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
            known.files()
        except (Malformed, Untrusted):
            return None
        return known

    def _bins(self, numbers: Sequence[int]) -> list[_Bin]:
        """The tree's bins; for bins that are equal to the build's, only the hash."""
        if self._is_empty:
            return [_NONE] * len(numbers)
        ready, bits = self._ready, self._ready.root.layout.bits
        bins = {n: _Bin(ready.bin_hash(n), {}) for n in numbers}
        old = self._old_manifest
        changed = [n for n in numbers if old is None or old.bin_hash(n) != bins[n].digest]
        read = self._store.map_parallel(lambda n: self._read_bin(n, bits), changed)
        bins.update(zip(changed, read, strict=True))
        return list(bins.values())

    def _read_bin(self, number: int, bits: int) -> _Bin:
        raw = self._read(manifest_bin(number))
        if raw is None:
            # There may be objects that no bin lists.
            return _Bin("", None)
        try:
            return _Bin(manifest.sha256_hex(raw), manifest.read_bin(raw, number, bits))
        except Malformed:
            return _Bin("", None)

    def _read(self, path: str) -> bytes | None:
        try:
            return self._store.read(self._place + path, MAX_FILE_SIZE)
        except TooLarge:
            return b""

    def _sweep(self) -> None:
        """Remove unlisted objects, such as those of killed publishes."""
        ready, bits = self._ready, self._ready.root.layout.bits
        bin_paths = map(manifest_bin, range(1 << bits))
        manifest_files = {*ready.nodes, *bin_paths, *ready.files_without_bin(), MANIFEST_ROOT}
        bins: dict[int, list[str]] = {}
        unlisted = []
        for name in self._store.names(self._place):
            path = name.removeprefix(self._place)
            if manifest.is_listed(path):
                bins.setdefault(manifest.bin_number(path, bits), []).append(path)
            elif path not in manifest_files:
                unlisted.append(path)
        for number, paths in sorted(bins.items()):
            entries = ready.entries([number])[number]
            unlisted += [path for path in paths if path not in entries]
        self._remove(unlisted)

    # --- changing the tree ---

    def _put_entries(self, entries: Sequence[ManifestEntry]) -> None:
        self._count(
            self._store.map_parallel(lambda e: self._put(e.path, self._ready.read(e)), entries)
        )

    def _put_all(self, files: dict[str, bytes]) -> None:
        self._count(self._store.map_parallel(lambda file: self._put(*file), files.items()))

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
    """The headers of an object. Its path is the path of the file."""
    return {"Content-Type": headers.media_type(path), "Cache-Control": headers.cache_control(path)}
