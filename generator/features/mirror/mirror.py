"""Mirror a published registry: download changed files, link unchanged files, and replace the old
copy in one step.

    <parent>/<out>/                        the copy, which servers and readers read
    <parent>/.registry/<out>/mirror/from   the base URL
                                   /seen   the latest root that was trusted
                                   /fetched/<SHA-256>   downloaded files of an unfinished copy
    <parent>/.registry/<out>/new-*         the unfinished copy

After a kill the old copy is complete, and downloaded files are not downloaded again. Nothing that a
host sends is trusted: generator.contract.manifest bounds paths, sizes and numbers, and each file of
a new copy must have its hash in the manifest, also if it was in the old copy. Web servers run some
files by their names, so the manifest may only list files that a build can publish
(generator.contract.layout), and no file that a host reads as its rules or scripts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.layout import is_output_path
from generator.contract.manifest import Malformed, ManifestEntry, Root
from generator.disk import safe_paths
from generator.disk.output_state import OutputError, OutputState, explain_errors, foreign_names
from generator.grammar.paths import BUILD, MANIFEST_ROOT
from generator.problems.diagnostic import printable
from generator.reader.copying import (
    RECORD_FOLDERS,
    CopyOptions,
    Downloads,
    Progress,
    check_losses,
    copy_trusted,
    record_key,
)
from generator.reader.documents import MAX_READ
from generator.reader.verified import Trust, TrustedManifest, Untrusted

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
    with explain_errors(options.out), OutputState(options.out, waiting) as state:
        place = state.subfolder("mirror")
        _claim(state.out, place, options.base)
        old, version = safe_paths.read_below(state.out, MANIFEST_ROOT[1:], MAX_READ), 0
        with contextlib.suppress(Malformed):
            version = manifest.read_root(old or b"").version

        def copy(root: Root, raw: bytes) -> MirrorResult:
            downloads = Downloads(place / "fetched", read)
            if options.check or old != raw:
                options.check_size(root.bytes)
                _Copy(state, downloads).make(root, raw, progress, allow_loss=options.allow_loss)
            shutil.rmtree(downloads.folder, ignore_errors=True)
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
        if others := foreign_names(out) if out.exists() else []:
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
    """The work on one new copy, in `tree`: links to files of the old copy and to downloads."""

    def __init__(self, state: OutputState, downloads: Downloads):
        self.state, self.downloads = state, downloads
        self.tree = state.new_tree()

    def make(self, root: Root, raw: bytes, progress: Progress, *, allow_loss: bool) -> None:
        """Make the new copy, and put it in the place of the old copy."""
        manifest_files = TrustedManifest(root, self._read, self._find)
        records, done = set[str | None](), 0
        for entries in chain([{BUILD: root.build}], manifest_files.all_entries()):
            _check_paths(path for path in entries if path != BUILD)
            records.update(map(record_key, entries))
            self._add(entries.values())
            done += len(entries)
            progress(min(done, root.files), root.files)
        if not allow_loss:
            now = {key for key in records if key is not None}
            check_losses(_records(self.state.out), now, now)
        (self.tree / MANIFEST_ROOT[1:]).write_bytes(raw)
        self.state.put_in_place(self.tree)

    def _add(self, entries: Iterable[ManifestEntry]) -> None:
        """Add files to the new copy.  Raises Untrusted, ClientError."""
        missing = []
        for entry in entries:
            raw = self._find(entry.path, entry.sha256)
            if raw is None or len(raw) != entry.size:
                missing.append(entry)
        self.downloads.fetch(missing)
        for entry in missing:
            self._link(entry.path, self.downloads.folder / entry.sha256)

    def _find(self, path: str, digest: str) -> bytes | None:
        """The bytes of a file with this hash in the old copy or the downloads, which is added."""
        raw = safe_paths.read_below(self.state.out, path[1:], MAX_READ)
        source = self.state.out / path[1:]
        if raw is None or manifest.sha256_hex(raw) != digest:
            raw, source = self.downloads.find(path, digest), self.downloads.folder / digest
        if raw is not None:
            self._link(path, source)
        return raw

    def _read(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        """Fetch files of the manifest, which checks them, and add them."""
        raws = self.downloads.read(paths)
        for path, raw in zip(paths, raws, strict=True):
            if raw is not None:
                self._link(path, self.downloads.folder / manifest.sha256_hex(raw))
        return raws

    def _link(self, path: str, source: Path) -> None:
        """Add a file to the new copy, in place of one that was read before."""
        target = self.tree / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError:  # the file system has no hard links, or too many for this file
            shutil.copyfile(source, target, follow_symlinks=False)


def _records(out: Path) -> set[str]:
    """The keys of the records in a copy, and of former slugs."""
    keys = set()
    for folder in RECORD_FOLDERS:
        with contextlib.suppress(OSError):
            keys |= {record_key(f"{folder}/{name}") for name in os.listdir(out / folder[1:])}
    return {key for key in keys if key is not None}


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
