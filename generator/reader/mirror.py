"""A copy of a published registry, brought up to date: what is other is fetched, what is the same is
linked, and the new copy takes the place of the old one in one step.

    <parent>/<out>/                        the copy, which servers and readers read
    <parent>/.registry/<out>/mirror/from   the base URL
                                   /seen   the latest root that was trusted
                                   /fetched/<SHA-256>   what was fetched for a copy that is not done
    <parent>/.registry/<out>/new-*         the copy that is being made

After a kill the copy is whole, and files that were fetched are not fetched again.  Nothing that a
host sends is trusted: generator.contract.manifest bounds paths, sizes and numbers, and a file is
kept only if it has the hash in the manifest.  Web servers run some files by their names, so a copy
has no file that a build cannot publish (generator.contract.layout), and none that a host reads as
its rules or scripts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.layout import is_output
from generator.contract.manifest import Entry, Malformed, Root
from generator.disk import safe_paths
from generator.disk.journal import is_published
from generator.disk.output_state import OutputError, State, explained
from generator.disk.swap import exchange
from generator.grammar.paths import MANIFEST_ROOT, manifest_bin
from generator.problems.diagnostic import printable
from generator.reader.documents import MAX_READ
from generator.reader.location import Read
from generator.reader.verified import Manifest, Trust, Untrusted, fault
from generator.reader.verify import in_batches

#: How often a registry may be published anew while it is copied.
_ATTEMPTS = 3
_MOST_FROM = 10_000
#: Unknown paths that an error names.
_NAMED = 10
#: Files that a mirror may have.
MAX_FILES = 4_000_000

Progress = Callable[[int, int], None]


class Copied(NamedTuple):
    """What came of it: the root that the copy has now, how many files it has, and how many of them
    and of the manifest's were fetched, with their bytes.  `before` is the version that was there.
    """

    root: Root
    before: int
    fetched: int
    bytes: int


class Asked(NamedTuple):
    """What is asked of a mirror: where it lies, of what, whose signature it needs, how many bytes
    it may come to; with `check`, files that are there are not believed to be as they were.
    """

    out: Path
    base: str
    keys: frozenset[str]
    most: int
    check: bool = False


def mirror(
    read: Read,
    asked: Asked,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> Copied:
    """Bring a copy up to date.  Raises Untrusted, ClientError and OutputError, with the copy as it
    was.
    """
    with explained(asked.out), State(asked.out, waiting) as state:
        place = state.inner("mirror")
        _claim(state.out, place, asked.base)
        trust = Trust(asked.keys, place / "seen")
        for left in reversed(range(_ATTEMPTS)):
            [raw] = read([MANIFEST_ROOT])
            root = trust.accept(raw)
            assert raw is not None
            try:
                return _Copy(state, place, read, root, raw, asked, progress).bring()
            except Untrusted:
                # Maybe it was published anew meanwhile: then there is another root.
                if not left or read([MANIFEST_ROOT]) == [raw]:
                    raise
    raise AssertionError("an attempt returns or raises")


def _claim(out: Path, place: Path, base: str) -> None:
    """Take the folder for this base URL.  Raises OutputError where it is another's."""
    for left in place.glob("*.new"):
        left.unlink()
    file = place / "from"
    with contextlib.suppress(OSError):
        with open(file, "rb") as stream:
            said = stream.read(_MOST_FROM).decode(errors="replace")
        if said != base:
            raise OutputError(f"{out} is a mirror of {said}; choose another folder.")
        others = sorted(name for name in os.listdir(out) if not is_published(name))
        if others:
            raise OutputError(
                f"{out} holds {others[0]!a}, which is not of the mirror and would be removed.\n"
                "Move what is yours elsewhere."
            )
        return
    if out.exists() and (not out.is_dir() or os.listdir(out)):
        raise OutputError(f"{out} holds other files and no mirror: choose another folder.")
    temporary = file.with_name("from.new")
    temporary.write_text(base)
    temporary.rename(file)


class _Copy:
    """One copy that is made."""

    def __init__(
        self,
        state: State,
        place: Path,
        read: Read,
        root: Root,
        raw: bytes,
        asked: Asked,
        progress: Progress,
    ):
        self.state, self.out, self.root, self.raw = state, state.out, root, raw
        self.asked, self.progress, self._host = asked, progress, read
        self.fetched = place / "fetched"
        self.number = self.size = 0
        self._old = _opened(self.out)
        self._was = self._old_root()

    def bring(self) -> Copied:
        try:
            before = self._was.version if self._was is not None else 0
            if self.asked.check or self._local(MANIFEST_ROOT) != self.raw:
                self._make()
            shutil.rmtree(self.fetched, ignore_errors=True)
            return Copied(self.root, before, self.number, self.size)
        finally:
            if self._old >= 0:
                os.close(self._old)

    def _make(self) -> None:
        root, most = self.root, self.asked.most
        if root.files > MAX_FILES:
            raise OutputError(f"The registry has {root.files:,} files, more than a mirror takes.")
        if root.bytes > most:
            raise OutputError(
                f"The registry has {root.bytes / 1e9:,.1f} GB, and a mirror may have "
                f"{most / 1e9:,.1f} GB: allow more with --most."
            )
        self.fetched.mkdir(exist_ok=True)
        known = Manifest(root, self._read, self._kept)
        self._check_paths(known)
        tree = self.state.path / f"new-{os.urandom(8).hex()}"
        tree.mkdir()
        for path, data in known.files().items():
            _put(tree, path, data)
        files = size = 0
        for numbers in root.layout.batches():
            bins = known.entries(numbers)
            for number in bins:
                self._link(tree, Entry(manifest_bin(number), -1, known.hash_of(number)))
            files += sum(map(len, bins.values()))
            size += sum(entry.size for of in bins.values() for entry in of.values())
            if files > root.files or size > root.bytes:
                break
            same, others = self._compared(bins, known)
            self._fetch(others)
            for entry in same:
                self._link(tree, entry, here=True)
            for entry in others:
                self._link(tree, entry)
            self.progress(files, root.files)
        if (files, size) != (root.files, root.bytes):
            raise Untrusted(f"{MANIFEST_ROOT}: it tells another number of files than its bins have")
        here = fault(root.build, self._local(root.build.path)) is None
        self._fetch([] if here else [root.build])
        self._link(tree, root.build, here=here)
        _put(tree, MANIFEST_ROOT, self.raw)
        if self._old >= 0:
            exchange(tree, self.out, tree.with_name(tree.name.replace("new", "old")))
        else:
            tree.rename(self.out)
        self.state.sweep()

    def _check_paths(self, known: Manifest) -> None:
        """Raises Untrusted if the manifest has a path that no build publishes."""
        unknown: list[str] = []
        files = 0
        for numbers in self.root.layout.batches():
            for entries in known.entries(numbers).values():
                files += len(entries)
                unknown += [path for path in entries if not is_output(path)]
            if unknown or files > self.root.files:
                break
        if unknown:
            names = ", ".join(printable(path) for path in sorted(unknown)[:_NAMED])
            more = f" and {len(unknown) - _NAMED:,} more" if len(unknown) > _NAMED else ""
            raise Untrusted(
                f"the registry has files that no build publishes: {names}{more}. A web server may "
                "run a file by its name, so nothing was copied. If a newer generator builds this "
                "registry, update the one that copies it; otherwise tell whoever publishes it."
            )

    # --- what is there ---

    def _old_root(self) -> Root | None:
        raw = self._local(MANIFEST_ROOT)
        with contextlib.suppress(Malformed):
            return manifest.read_root(raw) if raw is not None else None
        return None

    def _local(self, path: str) -> bytes | None:
        return safe_paths.read(self._old, path[1:].split("/"), MAX_READ) if self._old >= 0 else None

    def _kept(self, path: str, digest: str) -> bytes | None:
        """A file of this hash that is there, or was fetched before."""
        for raw in (self._local(path), self._stored(digest)):
            if raw is not None and manifest.digest(raw) == digest:
                return raw
        return None

    def _compared(
        self, bins: dict[int, dict[str, Entry]], known: Manifest
    ) -> tuple[list[Entry], list[Entry]]:
        """The entries whose files are there, and all others."""
        same: list[Entry] = []
        others: list[Entry] = []
        for number, entries in bins.items():
            was = self._entries(number, known.hash_of(number), entries)
            for path, entry in entries.items():
                there = was.get(path) == entry and self._is_there(entry)
                (same if there else others).append(entry)
        return same, others

    def _entries(self, number: int, digest: str, entries: dict[str, Entry]) -> dict[str, Entry]:
        """What the copy had in the place of a bin."""
        if self._was is None:
            return {}
        bits = self._was.layout.bits
        if bits != self.root.layout.bits:
            return self._all_entries
        raw = self._local(manifest_bin(number))
        if raw is None or manifest.digest(raw) == digest:
            return entries if raw is not None else {}
        with contextlib.suppress(Malformed):
            return manifest.read_bin(raw, number, bits)
        return {}

    @cached_property
    def _all_entries(self) -> dict[str, Entry]:
        """Every entry of the copy, where files are in other bins than they were."""
        assert self._was is not None
        every: dict[str, Entry] = {}
        bits = self._was.layout.bits
        for number in range(1 << bits):
            with contextlib.suppress(Malformed):
                every |= manifest.read_bin(self._local(manifest_bin(number)) or b"", number, bits)
        return every

    def _is_there(self, entry: Entry) -> bool:
        if self.asked.check:
            return fault(entry, self._local(entry.path)) is None
        try:
            stat = os.stat(entry.path[1:], dir_fd=self._old, follow_symlinks=False)
        except OSError:
            return False
        return S_ISREG(stat.st_mode) and stat.st_size == entry.size

    # --- what is fetched ---

    def _stored(self, digest: str) -> bytes | None:
        try:
            return (self.fetched / digest).read_bytes()
        except OSError:
            return None

    def _fetch(self, entries: list[Entry]) -> None:
        """Have the files of these, each with its hash.  Raises Untrusted."""
        missing = []
        for entry in entries:
            if entry.size > MAX_READ:
                raise Untrusted(f"{entry.path}: it has {entry.size:,} bytes, too many for a file")
            raw = self._stored(entry.sha256)
            if raw is None or fault(entry, raw) is not None:
                missing.append(entry)
        for some in in_batches(missing):
            for entry, raw in zip(some, self._host([e.path for e in some]), strict=True):
                wrong = fault(entry, raw)
                if wrong is not None or raw is None:
                    raise Untrusted(f"{entry.path}: {wrong}")
                self._store(entry.sha256, raw)

    def _read(self, paths: Sequence[str]) -> list[bytes | None]:
        """Files of the manifest."""
        raws = self._host(paths)
        for raw in raws:
            if raw is not None:
                self._store(manifest.digest(raw), raw)
        return raws

    def _store(self, digest: str, raw: bytes) -> None:
        self.number, self.size = self.number + 1, self.size + len(raw)
        temporary = self.fetched / "file.new"
        temporary.write_bytes(raw)
        temporary.rename(self.fetched / digest)

    # --- what is made ---

    def _link(self, tree: Path, entry: Entry, *, here: bool = False) -> None:
        """Give the new copy a file: that of the old one, or one that was fetched."""
        target = tree / entry.path[1:]
        stored = self.fetched / entry.sha256
        source = self.out / entry.path[1:] if here or not stored.exists() else stored
        try:
            try:
                os.link(source, target, follow_symlinks=False)
            except FileNotFoundError:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.link(source, target, follow_symlinks=False)
        except OSError:  # no links on this file system, or too many
            shutil.copyfile(source, target, follow_symlinks=False)


def _put(tree: Path, path: str, data: bytes) -> None:
    file = tree / path[1:]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _opened(out: Path) -> int:
    try:
        return os.open(out, safe_paths.FOLDER)
    except FileNotFoundError:
        return -1
