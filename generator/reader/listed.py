"""Which names in an output folder are neither names of builds nor in the list of the last build.

An output may be of another version, which declared other kinds and had other features.  Its
manifest lists the files of that build.  The manifest is not trusted: it only allows the removal of
regular files that are in the folder, and no link is followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Set
from stat import S_ISDIR, S_ISREG

from generator.contract import manifest
from generator.contract.manifest import Malformed
from generator.disk import safe_paths
from generator.disk.journal import is_output_name
from generator.grammar.paths import CODINGS, MANIFEST_ROOT
from generator.reader.documents import MAX_READ
from generator.reader.verified import TrustedManifest, Untrusted

#: Files that file managers create in folders that they show.
_VIEWED = {".DS_Store", "Thumbs.db", "desktop.ini"}
#: Stands for what is in a folder and in no manifest: links, pipes, names that cannot be printed.
_UNLISTED = "/"


def foreign_names(folder: int, names: Iterable[str]) -> list[str]:
    """The names in an open output folder, or in a folder in it, that are not of a build."""
    unknown = [name for name in sorted(names) if not is_output_name(name)]
    below = {name: list(_paths(folder, name)) for name in unknown if not _is_viewed(name)}
    listed = _listed(folder, {path for paths in below.values() for path in paths})
    return [name for name, paths in below.items() if not paths or not listed.issuperset(paths)]


def _is_viewed(name: str) -> bool:
    return name.rpartition("/")[2] in _VIEWED


def _paths(folder: int, name: str) -> Iterator[str]:
    """The path of a file, or those of all files below a folder."""
    todo = [name]
    while todo:
        *above, last = (name := todo.pop()).split("/")
        with safe_paths.open_folder(folder, above) as parent:
            mode = os.stat(last, dir_fd=parent, follow_symlinks=False).st_mode
            if not S_ISDIR(mode):
                yield f"/{name}" if S_ISREG(mode) and name.isprintable() else _UNLISTED
                continue
            with safe_paths.open_folder(parent, [last]) as inner:
                inside = os.listdir(inner)
        todo += [f"{name}/{other}" for other in inside if other not in _VIEWED]


def _listed(folder: int, paths: Set[str]) -> set[str]:
    """Those of some paths that the manifest of an output lists; none if it has no whole one."""

    def read(wanted: Iterable[str]) -> list[bytes | None]:
        return [safe_paths.read_file(folder, path[1:].split("/"), MAX_READ) for path in wanted]

    if not paths:
        return set()
    originals = {path: _without_coding(path) for path in paths}
    try:
        root = manifest.read_root(read([MANIFEST_ROOT])[0] or b"")
        entries = TrustedManifest(root, read).all_of(set(originals.values()))
    except (Malformed, Untrusted):
        return set()
    return {path for path, original in originals.items() if entries[original]}


def _without_coding(path: str) -> str:
    """The path of the original of a compressed file, which a manifest lists instead."""
    for ending in CODINGS.values():
        if path.endswith(ending):
            return path.removesuffix(ending)
    return path
