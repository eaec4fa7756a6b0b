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
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.layout import is_output_path
from generator.contract.manifest import Malformed, ManifestEntry, Root
from generator.disk import safe_paths
from generator.disk.output_state import OutputError, OutputState, explain_errors
from generator.disk.swap import exchange_folders
from generator.grammar.paths import BUILD, MANIFEST_ROOT, manifest_bin
from generator.problems.diagnostic import printable
from generator.reader.copying import MAX_FILES, CopyOptions, Downloads, Progress, copy_trusted
from generator.reader.documents import MAX_READ
from generator.reader.listed import foreign_names
from generator.reader.losses import check_losses, record_key
from generator.reader.verified import Manifest, Trust, Untrusted, find_fault

_MAX_FROM_BYTES = 10_000
#: Unknown paths in an error message.
_MAX_NAMED = 10


class MirrorResult(NamedTuple):
    """The result: the root of the copy, the version that was there before, and the downloads."""

    root: Root
    old_version: int
    downloads: Downloads


def mirror(
    read: ReadFiles,
    options: CopyOptions,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> MirrorResult:
    """Bring a copy up to date. On Untrusted, TooManyLost, ClientError or OutputError the copy is
    unchanged.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(explain_errors(options.out))
        state = stack.enter_context(OutputState(options.out, waiting))
        place = state.subfolder("mirror")
        _claim(state.out, place, options.base)
        folder = -1
        with contextlib.suppress(FileNotFoundError):
            folder = os.open(state.out, safe_paths.FOLDER_FLAGS)
            stack.callback(os.close, folder)

        def copy(root: Root, raw: bytes) -> MirrorResult:
            old, downloads = _OldCopy(folder), Downloads(place / "fetched", read)
            if options.check or old.read(MANIFEST_ROOT) != raw:
                _check_size(root, options.max_bytes)
                made = _Copy(state, old, downloads, options.check)
                made.make(root, raw, progress, allow_loss=options.allow_loss)
            shutil.rmtree(downloads.folder, ignore_errors=True)
            version = old.manifest.root.version if old.manifest is not None else 0
            return MirrorResult(root, version, downloads)

        return copy_trusted(read, Trust(options.keys, place / "seen"), copy)


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
        folder = os.open(out, safe_paths.FOLDER_FLAGS)
        try:
            others = foreign_names(folder, os.listdir(folder))
        finally:
            os.close(folder)
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


class _OldCopy:
    """The copy that is there, as an open folder; `folder` is -1 if there is none.  `manifest` is
    None if its root is missing or damaged.
    """

    def __init__(self, folder: int):
        self.folder = folder
        self.manifest: Manifest | None = None
        with contextlib.suppress(Malformed):
            root = manifest.read_root(self.read(MANIFEST_ROOT) or b"")
            self.manifest = Manifest(root, lambda paths: [*map(self.read, paths)])

    def read(self, path: str) -> bytes | None:
        if self.folder < 0:
            return None
        return safe_paths.read_file(self.folder, path[1:].split("/"), MAX_READ)

    def entries(self, paths: Iterable[str]) -> dict[str, ManifestEntry | None]:
        """The entries of these files, none if the manifest is damaged."""
        if self.manifest is not None:
            with contextlib.suppress(Untrusted):
                return self.manifest.all_of(paths)
        return {}

    def records(self) -> set[str]:
        """The keys of the records, none if the manifest is damaged."""
        if self.manifest is not None:
            with contextlib.suppress(Untrusted):
                return record_keys(self.manifest)
        return set()

    def has(self, entry: ManifestEntry, listed: ManifestEntry | None) -> bool:
        """Whether a file is there; its bytes are read unless it is `listed` as this entry."""
        if listed != entry:
            return find_fault(entry, self.read(entry.path)) is None
        try:
            stat = os.stat(entry.path[1:], dir_fd=self.folder, follow_symlinks=False)
        except OSError:
            return False
        return S_ISREG(stat.st_mode) and stat.st_size == entry.size


class _Copy:
    """The work on one new copy.  With `check`, the bytes of all old files are read."""

    def __init__(self, state: OutputState, old: _OldCopy, downloads: Downloads, check: bool):
        self.state, self.old, self.downloads, self.check = state, old, downloads, check
        self.tree = state.path / f"new-{os.urandom(8).hex()}"

    def make(self, root: Root, raw: bytes, progress: Progress, *, allow_loss: bool) -> None:
        """Make the new copy, and put it in the place of the old copy."""
        manifest_files, done = Manifest(root, self.downloads.read, self._kept), 0
        if not allow_loss:
            before = self.old.records()
            now = record_keys(manifest_files) if before else set()
            check_losses(before, now, now)
        self.tree.mkdir()
        for entries in manifest_files.all_entries():
            _check_paths(entries)
            self._add(entries)
            done += len(entries)
            progress(done, root.files)
        self._add({BUILD: root.build})
        for number in range(1 << root.layout.bits):
            path, digest = manifest_bin(number), manifest_files.bin_hash(number)
            self._link(path, not (self.downloads.folder / digest).exists(), digest)
        for path, data in {**manifest_files.files(), MANIFEST_ROOT: raw}.items():
            file = self.tree / path[1:]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        if self.old.folder >= 0:
            old_name = self.tree.name.replace("new", "old")
            exchange_folders(self.tree, self.state.out, self.tree.with_name(old_name))
        else:
            self.tree.rename(self.state.out)
        self.state.remove_leftovers()

    def _kept(self, path: str, digest: str) -> bytes | None:
        """A file with this hash, from the old copy or an earlier download."""
        raw = self.old.read(path)
        if raw is not None and manifest.sha256_hex(raw) == digest:
            return raw
        return self.downloads.find(path, digest)

    def _add(self, entries: Mapping[str, ManifestEntry]) -> None:
        """Add files to the new copy.  Raises Untrusted, ClientError."""
        listed = {} if self.check else self.old.entries(entries)
        unchanged = {path for path, e in entries.items() if self.old.has(e, listed.get(path))}
        self.downloads.fetch(e for path, e in entries.items() if path not in unchanged)
        for path, entry in entries.items():
            self._link(path, path in unchanged, entry.sha256)

    def _link(self, path: str, from_old: bool, digest: str) -> None:
        """Add a file to the new copy, from the old copy or from the downloads."""
        source = self.state.out / path[1:] if from_old else self.downloads.folder / digest
        target = self.tree / path[1:]
        try:
            try:
                os.link(source, target, follow_symlinks=False)
            except FileNotFoundError:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.link(source, target, follow_symlinks=False)
        except OSError:  # the file system has no hard links, or too many for this file
            shutil.copyfile(source, target, follow_symlinks=False)


def record_keys(manifest_files: Manifest) -> set[str]:
    """The keys of the files of records and of former slugs.  Raises Untrusted."""
    keys = (record_key(path) for entries in manifest_files.all_entries() for path in entries)
    return {key for key in keys if key is not None}


def _check_size(root: Root, max_bytes: int) -> None:
    """Raises OutputError if the registry is larger than a mirror may be."""
    if root.files > MAX_FILES:
        raise OutputError(f"The registry has {root.files:,} files, more than a mirror takes.")
    if root.bytes > max_bytes:
        raise OutputError(
            f"The registry has {root.bytes / 1e9:,.1f} GB, and a mirror may have "
            f"{max_bytes / 1e9:,.1f} GB: allow more with --most."
        )


def _check_paths(paths: Iterable[str]) -> None:
    """Raises Untrusted if a path is none that a build publishes."""
    unknown = sorted(path for path in paths if not is_output_path(path))
    if unknown:
        names = ", ".join(map(printable, unknown[:_MAX_NAMED]))
        rest = len(unknown) - _MAX_NAMED
        more = f" and {rest:,} more" if rest > 0 else ""
        raise Untrusted(
            f"the registry has files that no build publishes: {names}{more}. A web server may "
            "run a file by its name, so nothing was copied. If a newer generator builds this "
            "registry, update the one that copies it; otherwise tell whoever publishes it."
        )
