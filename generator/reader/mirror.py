"""Mirror a published registry: download changed files, link unchanged files, and replace the old
copy in one step.

    <parent>/<out>/                        the copy, which servers and readers read
    <parent>/.registry/<out>/mirror/from   the base URL
                                   /seen   the latest root that was trusted
                                   /fetched/<SHA-256>   downloaded files of an unfinished copy
    <parent>/.registry/<out>/new-*         the unfinished copy

After a kill the old copy is complete, and downloaded files are not downloaded again. Nothing that a
host sends is trusted: generator.contract.manifest bounds paths, sizes and numbers, and each file
must have its hash in the manifest. Web servers run some files by their names, so the manifest may
only list files that a build can publish (generator.contract.layout), and no file that a host reads
as its rules or scripts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple, TypeVar

from generator.contract import manifest
from generator.contract.layout import is_output_path
from generator.contract.manifest import Entry, Malformed, Root
from generator.disk import safe_paths
from generator.disk.journal import is_output_name
from generator.disk.output_state import OutputError, OutputState, explain_errors
from generator.disk.swap import exchange_folders
from generator.grammar.paths import MANIFEST_ROOT, manifest_bin
from generator.problems.diagnostic import printable
from generator.reader.documents import MAX_READ
from generator.reader.location import ReadFiles
from generator.reader.verified import Manifest, Trust, Untrusted, find_fault
from generator.reader.verify import in_batches

#: Attempts, if the registry is published again during the copy.
_ATTEMPTS = 3
_MAX_FROM_BYTES = 10_000
#: Unknown paths in an error message.
_MAX_NAMED = 10
MAX_FILES = 4_000_000

Progress = Callable[[int, int], None]
Result = TypeVar("Result")


class MirrorResult(NamedTuple):
    """The result: the root of the copy, the version that was there before, and the number and bytes
    of the downloaded files, including files of the manifest.
    """

    root: Root
    old_version: int
    fetched: int
    bytes: int


class MirrorOptions(NamedTuple):
    """The options of a mirror: its folder, the base URL, the trusted keys, and the most bytes it
    may have. With `check`, the files of the old copy are verified.
    """

    out: Path
    base: str
    keys: frozenset[str]
    max_bytes: int
    check: bool = False


def mirror(
    read: ReadFiles,
    options: MirrorOptions,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> MirrorResult:
    """Bring a copy up to date. On Untrusted, ClientError or OutputError the copy is unchanged."""
    with explain_errors(options.out), OutputState(options.out, waiting) as state:
        place = state.subfolder("mirror")
        _claim(state.out, place, options.base)
        trust = Trust(options.keys, place / "seen")

        def copy(root: Root, raw: bytes) -> MirrorResult:
            return _Copy(state, place, read, root, raw, options, progress).bring()

        return copy_trusted(read, trust, copy)


def copy_trusted(read: ReadFiles, trust: Trust, copy: Callable[[Root, bytes], Result]) -> Result:
    """The result of `copy(root, raw)` with a trusted root.  Raises Untrusted."""
    for left in reversed(range(_ATTEMPTS)):
        [raw] = read([MANIFEST_ROOT])
        root = trust.accept_root(raw)
        assert raw is not None
        try:
            return copy(root, raw)
        except Untrusted:
            # If the registry was published meanwhile, the root has changed: try again.
            if not left or read([MANIFEST_ROOT]) == [raw]:
                raise
    raise AssertionError("an attempt returns or raises")


def _claim(out: Path, place: Path, base: str) -> None:
    """Reserve the folder for this base URL. Raises OutputError if it is in use."""
    for stale in place.glob("*.new"):
        stale.unlink()
    file = place / "from"
    with contextlib.suppress(OSError):
        with open(file, "rb") as stream:
            current_base = stream.read(_MAX_FROM_BYTES).decode(errors="replace")
        if current_base != base:
            raise OutputError(f"{out} is a mirror of {current_base}; choose another folder.")
        others = sorted(name for name in os.listdir(out) if not is_output_name(name))
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


class Downloads:
    """Downloaded files in a folder, named by their SHA-256; `number` and `size` count them."""

    def __init__(self, folder: Path, read: ReadFiles):
        self.folder, self._read = folder, read
        self.number = self.size = 0

    def find(self, path: str, digest: str) -> bytes | None:
        """The bytes of a download (see verified.FindByHash)."""
        try:
            raw = (self.folder / digest).read_bytes()
        except OSError:
            return None
        return raw if manifest.sha256_hex(raw) == digest else None

    def fetch(self, entries: Iterable[Entry]) -> None:
        """Download the files that are not downloaded yet.  Raises Untrusted, ClientError."""
        missing = []
        for entry in entries:
            if entry.size > MAX_READ:
                raise Untrusted(f"{entry.path}: it has {entry.size:,} bytes, too many for a file")
            if find_fault(entry, self.find(entry.path, entry.sha256)) is not None:
                missing.append(entry)
        for batch in in_batches(missing):
            for entry, raw in zip(batch, self._read([e.path for e in batch]), strict=True):
                problem = find_fault(entry, raw)
                if problem is not None or raw is None:
                    raise Untrusted(f"{entry.path}: {problem}")
                self._save(entry.sha256, raw)

    def read(self, paths: Sequence[str]) -> list[bytes | None]:
        """Files of the manifest, which the caller checks."""
        raws = self._read(paths)
        for raw in raws:
            if raw is not None:
                self._save(manifest.sha256_hex(raw), raw)
        return raws

    def _save(self, digest: str, raw: bytes) -> None:
        self.number, self.size = self.number + 1, self.size + len(raw)
        self.folder.mkdir(exist_ok=True)
        temporary = self.folder / "file.new"
        temporary.write_bytes(raw)
        temporary.rename(self.folder / digest)


class _Copy:
    """The work on one new copy."""

    def __init__(
        self,
        state: OutputState,
        place: Path,
        read: ReadFiles,
        root: Root,
        raw: bytes,
        options: MirrorOptions,
        progress: Progress,
    ):
        self.state, self.out, self.root, self.raw = state, state.out, root, raw
        self.options, self.progress = options, progress
        self._old_root: Root | None
        self.downloads = Downloads(place / "fetched", read)
        try:
            self._old_folder = os.open(self.out, safe_paths.FOLDER_FLAGS)
        except FileNotFoundError:
            self._old_folder = -1
        try:
            self._old_root = manifest.read_root(self._read_old(MANIFEST_ROOT) or b"")
        except Malformed:
            self._old_root = None

    def bring(self) -> MirrorResult:
        try:
            before = self._old_root.version if self._old_root is not None else 0
            if self.options.check or self._read_old(MANIFEST_ROOT) != self.raw:
                self._make_copy()
            shutil.rmtree(self.downloads.folder, ignore_errors=True)
            return MirrorResult(self.root, before, self.downloads.number, self.downloads.size)
        finally:
            if self._old_folder >= 0:
                os.close(self._old_folder)

    def _make_copy(self) -> None:
        root, max_bytes = self.root, self.options.max_bytes
        if root.files > MAX_FILES:
            raise OutputError(f"The registry has {root.files:,} files, more than a mirror takes.")
        if root.bytes > max_bytes:
            raise OutputError(
                f"The registry has {root.bytes / 1e9:,.1f} GB, and a mirror may have "
                f"{max_bytes / 1e9:,.1f} GB: allow more with --most."
            )
        manifest_files = Manifest(root, self.downloads.read, self._kept)
        self._check_paths(manifest_files)
        tree = self.state.path / f"new-{os.urandom(8).hex()}"
        tree.mkdir()
        for path, data in manifest_files.files().items():
            _write(tree, path, data)
        files = size = 0
        for numbers in root.layout.batches():
            bins = manifest_files.entries(numbers)
            for number in bins:
                self._link(tree, Entry(manifest_bin(number), -1, manifest_files.bin_hash(number)))
            files += sum(map(len, bins.values()))
            size += sum(e.size for entries in bins.values() for e in entries.values())
            if files > root.files or size > root.bytes:
                break
            unchanged, changed = self._compare(bins, manifest_files)
            self.downloads.fetch(changed)
            for entry in unchanged:
                self._link(tree, entry, from_old=True)
            for entry in changed:
                self._link(tree, entry)
            self.progress(files, root.files)
        if (files, size) != (root.files, root.bytes):
            raise Untrusted(f"{MANIFEST_ROOT}: it tells another number of files than its bins have")
        has_build = find_fault(root.build, self._read_old(root.build.path)) is None
        self.downloads.fetch([] if has_build else [root.build])
        self._link(tree, root.build, from_old=has_build)
        _write(tree, MANIFEST_ROOT, self.raw)
        if self._old_folder >= 0:
            exchange_folders(tree, self.out, tree.with_name(tree.name.replace("new", "old")))
        else:
            tree.rename(self.out)
        self.state.remove_leftovers()

    def _check_paths(self, manifest_files: Manifest) -> None:
        """Raises Untrusted if the manifest has a path that no build publishes."""
        unknown: list[str] = []
        files = 0
        for numbers in self.root.layout.batches():
            for entries in manifest_files.entries(numbers).values():
                files += len(entries)
                unknown += [path for path in entries if not is_output_path(path)]
            if unknown or files > self.root.files:
                break
        if unknown:
            names = ", ".join(printable(path) for path in sorted(unknown)[:_MAX_NAMED])
            rest = len(unknown) - _MAX_NAMED
            more = f" and {rest:,} more" if rest > 0 else ""
            raise Untrusted(
                f"the registry has files that no build publishes: {names}{more}. A web server may "
                "run a file by its name, so nothing was copied. If a newer generator builds this "
                "registry, update the one that copies it; otherwise tell whoever publishes it."
            )

    # --- the old copy ---

    def _read_old(self, path: str) -> bytes | None:
        if self._old_folder < 0:
            return None
        return safe_paths.read_file(self._old_folder, path[1:].split("/"), MAX_READ)

    def _kept(self, path: str, digest: str) -> bytes | None:
        """A file with this hash, from the old copy or an earlier download."""
        raw = self._read_old(path)
        if raw is not None and manifest.sha256_hex(raw) == digest:
            return raw
        return self.downloads.find(path, digest)

    def _compare(
        self, bins: dict[int, dict[str, Entry]], manifest_files: Manifest
    ) -> tuple[list[Entry], list[Entry]]:
        """The entries whose files are in the old copy, and the other entries."""
        unchanged: list[Entry] = []
        changed: list[Entry] = []
        for number, entries in bins.items():
            old_entries = self._entries(number, manifest_files.bin_hash(number), entries)
            for path, entry in entries.items():
                is_unchanged = old_entries.get(path) == entry and self._is_in_old(entry)
                (unchanged if is_unchanged else changed).append(entry)
        return unchanged, changed

    def _entries(self, number: int, digest: str, entries: dict[str, Entry]) -> dict[str, Entry]:
        """The entries of the old copy for the paths of a bin."""
        if self._old_root is None:
            return {}
        bits = self._old_root.layout.bits
        if bits != self.root.layout.bits:
            return self._all_entries
        raw = self._read_old(manifest_bin(number))
        if raw is None or manifest.sha256_hex(raw) == digest:
            return entries if raw is not None else {}
        with contextlib.suppress(Malformed):
            return manifest.read_bin(raw, number, bits)
        return {}

    @cached_property
    def _all_entries(self) -> dict[str, Entry]:
        """All entries of the old copy, for when the number of bins changed."""
        assert self._old_root is not None
        entries: dict[str, Entry] = {}
        bits = self._old_root.layout.bits
        for number in range(1 << bits):
            raw = self._read_old(manifest_bin(number)) or b""
            with contextlib.suppress(Malformed):
                entries |= manifest.read_bin(raw, number, bits)
        return entries

    def _is_in_old(self, entry: Entry) -> bool:
        if self.options.check:
            return find_fault(entry, self._read_old(entry.path)) is None
        try:
            stat = os.stat(entry.path[1:], dir_fd=self._old_folder, follow_symlinks=False)
        except OSError:
            return False
        return S_ISREG(stat.st_mode) and stat.st_size == entry.size

    # --- the new copy ---

    def _link(self, tree: Path, entry: Entry, *, from_old: bool = False) -> None:
        """Add a file to the new copy, from the old copy or from the downloads."""
        target = tree / entry.path[1:]
        stored = self.downloads.folder / entry.sha256
        source = self.out / entry.path[1:] if from_old or not stored.exists() else stored
        try:
            try:
                os.link(source, target, follow_symlinks=False)
            except FileNotFoundError:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.link(source, target, follow_symlinks=False)
        except OSError:  # the file system has no hard links, or too many for this file
            shutil.copyfile(source, target, follow_symlinks=False)


def _write(tree: Path, path: str, data: bytes) -> None:
    file = tree / path[1:]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
