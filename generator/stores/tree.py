"""A tree of a store, brought to what a build says.

A tree tells by its manifest what it holds: the objects that a bin of the manifest has are as it
says, at every moment.  So before an object is touched its bin is cut to those that stay as they
are, and it has the others when all of them are there; the root is removed first and put last, and
says whether the tree is whole.  Wherever it ends, what was sent in bins that were done is not sent
again.

What lies there may be anyone's.  It decides what is not sent again and what is removed, below the
tree alone, and is bounded and checked as any manifest is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.manifest import MAX_NODE, Entry, Malformed
from generator.grammar import headers
from generator.grammar.paths import MANIFEST_ROOT, manifest_bin
from generator.reader.verified import Manifest, Untrusted
from generator.stores.local_build import Ready
from generator.stores.messages import TooLarge
from generator.stores.store import Store

#: Objects that are changed before the bins that have them are put.
_MANY = 256


class _Bin(NamedTuple):
    """A bin of the tree: its SHA-256, and its entries, where it lies there and can be read."""

    digest: str
    entries: dict[str, Entry] | None


@dataclass
class _Work:
    """What is done together, in this order: bins are cut, objects put and removed, bins put."""

    cut: dict[str, bytes] = field(default_factory=dict)
    put: list[Entry] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    bins: list[Entry] = field(default_factory=list)


_NONE = _Bin("", {})


class Tree:
    """What lies below `place`.  `alive` is called before each request that changes something; it
    raises where somebody else may be at work.
    """

    def __init__(
        self,
        ready: Ready,
        store: Store,
        place: str,
        alive: Callable[[], None],
        progress: Callable[[int, int], None],
    ):
        self.put = self.bytes = self.removed = 0
        self._ready, self._store, self._place = ready, store, place
        self._alive, self._progress = alive, progress
        self._empty, self._strays = True, False
        self._whole: Manifest | None = None
        self._nodes: dict[str, bytes] = {}
        #: What lies there, by path, where its bins are others than the build's.
        self._others: dict[str, Entry] = {}

    def bring(self) -> None:
        """Raises StoreError, and OutputError where the build is not whole."""
        ready, count = self._ready, 1 << self._ready.root.layout.bits
        self._begin()
        for numbers in ready.root.layout.batches():
            self._bring_bins(numbers)
            self._progress(numbers.stop, count)
        self._remove(list(self._others))
        if self._strays:
            self._sweep()
        apart = {**ready.apart(), **ready.nodes}
        self._put_all({path: raw for path, raw in apart.items() if self._nodes.get(path) != raw})
        self._put_all({MANIFEST_ROOT: ready.raw})

    def repair(self) -> None:
        """Read every object, send those that are missing or damaged, and remove the others.  The
        tree has the build already, so whatever is sent makes it more as its manifest says.
        """
        ready, count = self._ready, 1 << self._ready.root.layout.bits
        for numbers in ready.root.layout.batches():
            entries = [e for of in ready.entries(numbers).values() for e in of.values()]
            entries += [Entry(manifest_bin(n), MAX_NODE, ready.bin_hash(n)) for n in numbers]
            intact = self._store.each(self._is_intact, entries)
            self._put_entries([e for e, is_one in zip(entries, intact, strict=True) if not is_one])
            self._progress(numbers.stop, count)
        apart = {**ready.apart(), **ready.nodes, MANIFEST_ROOT: ready.raw}
        entries = [Entry(path, len(raw), manifest.digest(raw)) for path, raw in apart.items()]
        intact = self._store.each(self._is_intact, entries)
        damaged = [e.path for e, is_one in zip(entries, intact, strict=True) if not is_one]
        self._put_all({path: apart[path] for path in damaged})
        self._sweep()

    def _is_intact(self, entry: Entry) -> bool:
        """Whether the object is as an entry says; `size` is the most that it may have."""
        try:
            raw = self._store.read(self._place + entry.path, entry.size)
        except TooLarge:
            return False
        return raw is not None and manifest.digest(raw) == entry.sha256

    def _begin(self) -> None:
        """Say that the tree is not whole; where there are other bins now, all of them go."""
        self._empty = not self._store.folders(self._place)
        if self._empty:
            return
        self._whole = self._manifest()
        self._strays = self._whole is None
        self._nodes = self._whole.files() if self._whole is not None else {}
        self._remove([MANIFEST_ROOT])
        was = self._whole.root.layout if self._whole is not None else None
        if self._whole is None or was is None or was == self._ready.root.layout:
            return
        for some in was.batches():
            for known in self._store.each(lambda n: self._read_bin(n, was.bits), some):
                self._strays |= known.entries is None
                self._others |= known.entries or {}
        self._remove(
            [
                *map(manifest_bin, range(1 << was.bits)),
                *(p for p in was.holders() if p not in self._ready.nodes),
            ]
        )
        self._whole, self._empty = None, True

    def _bring_bins(self, numbers: Sequence[int]) -> None:
        """Bring bins up to date, a few at a time: those that are done are not done again."""
        ready = self._ready
        there = dict(zip(numbers, self._bins(numbers), strict=True))
        changed = [n for n in numbers if there[n].digest != ready.bin_hash(n)]
        work = _Work()
        for number, entries in ready.entries(changed).items():
            known = there[number].entries
            self._strays |= known is None
            known = known or {}
            for path, entry in entries.items():
                if (known.get(path) or self._others.pop(path, None)) != entry:
                    work.put.append(entry)
            work.gone += known.keys() - entries.keys()
            stay = [entry for path, entry in known.items() if entries.get(path) == entry]
            if len(stay) < len(known):
                work.cut[manifest_bin(number)] = manifest.bin_file(number, stay, str)
            work.bins.append(Entry(manifest_bin(number), -1, ready.bin_hash(number)))
            if len(work.put) + len(work.gone) >= _MANY:
                self._do(work)
                work = _Work()
        self._do(work)

    def _do(self, work: _Work) -> None:
        self._put_all(work.cut)
        self._put_entries(work.put)
        self._remove(work.gone)
        self._put_entries(work.bins)

    # --- what lies there ---

    def _manifest(self) -> Manifest | None:
        """The manifest of the tree, where that is whole."""
        raw = self._read(MANIFEST_ROOT)
        try:
            known = Manifest(manifest.read_root(raw or b""), self._read_all)
            known.files()
        except (Malformed, Untrusted):
            return None
        return known

    def _bins(self, numbers: Sequence[int]) -> list[_Bin]:
        """The tree's bins; of those that are as the build's, only the hash."""
        if self._empty:
            return [_NONE] * len(numbers)
        ready, bits = self._ready, self._ready.root.layout.bits
        same = [
            self._whole is not None and self._whole.hash_of(n) == ready.bin_hash(n) for n in numbers
        ]
        others = [n for n, is_same in zip(numbers, same, strict=True) if not is_same]
        read = iter(self._store.each(lambda n: self._read_bin(n, bits), others))
        return [
            _Bin(ready.bin_hash(n), {}) if is_same else next(read)
            for n, is_same in zip(numbers, same, strict=True)
        ]

    def _read_bin(self, number: int, bits: int) -> _Bin:
        raw = self._read(manifest_bin(number))
        if raw is None:
            # Objects may lie there that no bin tells of.
            return _Bin("", None)
        try:
            entries = manifest.read_bin(raw, number, bits)
        except Malformed:
            return _Bin("", None)
        return _Bin(manifest.digest(raw), entries)

    def _read(self, path: str) -> bytes | None:
        try:
            return self._store.read(self._place + path, MAX_NODE)
        except TooLarge:
            return b""

    def _read_all(self, paths: Sequence[str]) -> list[bytes | None]:
        return self._store.each(self._read, paths)

    def _sweep(self) -> None:
        """Remove what the build does not have: what killed publishes left, that no bin tells of."""
        ready, bits = self._ready, self._ready.root.layout.bits
        kept = {*ready.nodes, *map(manifest_bin, range(1 << bits)), *ready.apart(), MANIFEST_ROOT}
        bins: dict[int, list[str]] = {}
        strays = []
        for name in self._store.names(self._place):
            path = name.removeprefix(self._place)
            if manifest.lists(path):
                bins.setdefault(manifest.bin_of(path, bits), []).append(path)
            elif path not in kept:
                strays.append(path)
        for number, paths in sorted(bins.items()):
            entries = ready.entries([number])[number]
            strays += [path for path in paths if path not in entries]
        self._remove(strays)

    # --- what is changed ---

    def _put_entries(self, entries: Sequence[Entry]) -> None:
        self._count(self._store.each(lambda e: self._put(e.path, self._ready.read(e)), entries))

    def _put_all(self, files: dict[str, bytes]) -> None:
        self._count(self._store.each(lambda file: self._put(*file), files.items()))

    def _put(self, path: str, data: bytes) -> int:
        self._store.put(self._place + path, data, headers_of(path), self._alive)
        return len(data)

    def _count(self, sizes: Sequence[int]) -> None:
        self.put, self.bytes = self.put + len(sizes), self.bytes + sum(sizes)

    def _remove(self, paths: Iterable[str]) -> None:
        self.removed += len(self._store.each(self._remove_one, paths))

    def _remove_one(self, path: str) -> None:
        self._store.remove(self._place + path, self._alive)


def headers_of(path: str) -> dict[str, str]:
    """What is said of an object; its path is that of the file."""
    return {"Content-Type": headers.media_type(path), "Cache-Control": headers.kept_for(path)}
