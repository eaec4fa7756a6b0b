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
(generator.contract.addresses), and no file that a host reads as its rules or scripts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.addresses import is_output_path
from generator.contract.files import ReadFiles
from generator.contract.manifest import Root
from generator.disk import safe_paths
from generator.disk.output_state import OutputError, OutputState, explain_errors, foreign_names
from generator.grammar.paths import INDEX, MANIFEST_ROOT
from generator.kinds import Kinds
from generator.problems.diagnostic import printable
from generator.reader.copying import (
    CopyOptions,
    Downloads,
    Progress,
    check_losses,
    copy_trusted,
    record_folders,
    record_key,
)
from generator.reader.documents import MAX_READ, Unreadable, parse_document, published_kinds
from generator.reader.verified import Trust, TrustedManifest, Untrusted

_MAX_FROM_BYTES = 10_000
#: Unknown paths in an error message.
_MAX_NAMED = 10


class MirrorResult(NamedTuple):
    """The result: the root of the copy, and the downloads."""

    root: Root
    downloads: Downloads


def mirror(
    read: ReadFiles,
    options: CopyOptions,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> MirrorResult:
    """Bring a copy up to date. Raises Untrusted, TooManyLost, ClientError, OutputError."""
    with explain_errors(options.out), OutputState(options.out, waiting) as state:
        place = state.subfolder("mirror")
        _claim(state.out, place, options.base)
        old = safe_paths.read_below(state.out, MANIFEST_ROOT[1:], MAX_READ)

        def copy(root: Root, raw: bytes) -> MirrorResult:
            tree = _Tree(place / "fetched", read, state)
            if options.check or old != raw:
                options.check_size(root.bytes)
                kinds = tree.fill(root, progress)
                if not options.allow_loss:
                    now = _records(tree.tree, kinds)
                    check_losses(_records(state.out, _kinds_of(state.out, kinds)), now, now)
                (tree.tree / MANIFEST_ROOT[1:]).write_bytes(raw)
                state.put_in_place(tree.tree)
            shutil.rmtree(tree.folder, ignore_errors=True)
            return MirrorResult(root, tree)

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


class _Tree(Downloads):
    """A new copy in `tree`: links to files of the old copy and to downloads."""

    def __init__(self, folder: Path, read: ReadFiles, state: OutputState):
        super().__init__(folder, read)
        self.out, self.tree = state.out, state.new_tree()

    def fill(self, root: Root, progress: Progress) -> Kinds:
        """Add all files but the root; the kinds of the registry.  Raises Untrusted, ClientError."""
        known, done = TrustedManifest(root, self.read, self.find), 0
        kinds = known.kinds()
        for entries in chain([[root.build]], known.all_entries()):
            _check_paths((entry.path for entry in entries if entry != root.build), kinds)
            for _ in known.fetch(entries):
                pass
            done += len(entries)
            progress(min(done, root.files), root.files)
        return kinds

    def find(self, path: str, digest: str) -> bytes | None:
        raw = safe_paths.read_below(self.out, path[1:], MAX_READ)
        if raw is None or manifest.sha256_hex(raw) != digest:
            return super().find(path, digest)
        self.put(path, self.out / path[1:])
        return raw

    def put(self, path: str, source: Path) -> None:
        target = self.tree / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError:  # the file system has no hard links, or too many for this file
            shutil.copyfile(source, target, follow_symlinks=False)


def _kinds_of(out: Path, other: Kinds) -> Kinds:
    """The kinds of a copy; the `other` ones if there is none, or it was damaged."""
    try:
        raw = safe_paths.read_below(out, INDEX[1:], MAX_READ)
        return published_kinds(parse_document(raw or b"", "index"))
    except Unreadable:
        return other


def _records(out: Path, kinds: Kinds) -> set[str]:
    """The keys of the records in a copy, and of former slugs."""
    keys = set()
    for folder in record_folders(kinds):
        with contextlib.suppress(OSError):
            names = os.listdir(out / folder[1:])
            keys |= {record_key(f"{folder}/{name}", kinds) for name in names}
    return {key for key in keys if key is not None}


def _check_paths(paths: Iterable[str], kinds: Kinds) -> None:
    """Raises Untrusted if a path is none that a build of these kinds publishes."""
    unknown = sorted(path for path in paths if not is_output_path(path, kinds))
    if unknown:
        names = ", ".join(map(printable, unknown[:_MAX_NAMED]))
        rest = len(unknown) - _MAX_NAMED
        more = f" and {rest:,} more" if rest > 0 else ""
        raise Untrusted(
            f"the registry has files that no build publishes: {names}{more}. A web server may "
            "run a file by its name, so nothing was copied. If a newer generator builds this "
            "registry, update the one that copies it; otherwise tell whoever publishes it."
        )
