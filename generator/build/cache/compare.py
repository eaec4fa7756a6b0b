"""Compares content and output with the files that the last build noted.

Imports nothing heavy, because a build that has nothing to do imports little more than this.
"""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from generator.build.cache.store import Cache
from generator.build.report import Change
from generator.dialect.folder import is_input, read_file, walk

#: mtime and ctime in ns, and size of an input file.
Stat = tuple[int, ...]
#: The stat of an input that no build reads.
NO_STAT: Stat = (0, 0, 0)
#: The digest of an input that changed or is not read; others have the id of a git blob.
NO_DIGEST = bytes(20)
#: A file that changed less than this before the build began (ns) may change again and keep the same
#: time.  File systems with times in whole seconds need the longer one.
RACY, _RACY_COARSE = 50_000_000, 2_000_000_000
#: path -> stat and digest of a file of the content; NO_DIGEST if it changed or is not read.
Inputs = dict[str, tuple[Stat, bytes]]


class Differences(NamedTuple):
    """The differences from the last build.

    `inputs` is the current content, `changes` what changed in it.  `before` has mtime, size and
    SHA-256 of each file of the output that is as the last build left it; `others` are the paths of
    the other files there.  `missing` says whether a file of the last build is gone or changed.
    """

    inputs: Inputs
    changes: dict[str, Change]
    before: dict[str, tuple[int, int, bytes]]
    others: list[str]
    missing: bool

    @property
    def is_unchanged(self) -> bool:
        """Whether content and output have the same bytes as after the last build."""
        return not (self.changes or self.others or self.missing)


UNKNOWN_DIFFERENCES = Differences({}, {}, {}, [], missing=True)


def compare(folder: str, out: str, cache: Cache, began: int) -> Differences | None:
    """The differences from the last build; None if it noted no files, or the content cannot be
    listed.  Reads only input files with another stat.
    """
    noted: Inputs | None = cache.get("inputs")
    last: dict[str, tuple[int, int, bytes]] | None = cache.get("outputs")
    if noted is None or last is None:
        return None
    try:
        stats, output = list_content(folder or "."), list_output(out)
    except OSError:
        return None
    inputs: Inputs = {}
    changes: dict[str, Change] = {path: "removed" for path in noted if path not in stats}
    for path, stat in stats.items():
        inputs[path] = stat, NO_DIGEST
        if path not in noted:
            changes[path] = "added"
        elif noted[path][0] == stat:
            inputs[path] = noted[path]
        elif _blob_id_of(os.path.join(folder, path)) == noted[path][1]:
            inputs[path] = stable_stat(stat, began), noted[path][1]
        else:
            changes[path] = "changed"
    before = {path: file for path, file in last.items() if output.get(path) == file[:2]}
    others = sorted(output.keys() - before.keys())
    return Differences(inputs, changes, before, others, len(before) < len(last))


def _blob_id_of(path: str) -> bytes:
    """The digest of an input file; empty if it cannot be read."""
    try:
        return blob_id(read_file(path).raw)
    except OSError:
        return b""


def list_content(folder: str) -> dict[str, Stat]:
    """All names that a scan of a content folder lists, with the stats of the files that a build
    reads.  Raises OSError.
    """
    files: dict[str, Stat] = {}
    for below, entries in walk(folder):
        if isinstance(entries, OSError):
            raise entries
        for name, entry in entries:
            path = f"{below}/{name}" if below else name
            files[path] = NO_STAT
            if is_input(path):
                try:
                    status = entry.stat()
                    files[path] = status.st_mtime_ns, status.st_ctime_ns, status.st_size
                except OSError:  # a broken link: reading it reports the problem
                    pass
    return files


def list_output(folder: str) -> dict[str, tuple[int, int]]:
    """Path -> mtime in ns and size of each file of an output.  Does not follow links.

    Raises OSError.
    """
    files: dict[str, tuple[int, int]] = {}
    todo = ["/"] if os.path.isdir(folder) else []
    while todo:
        below = todo.pop()
        with os.scandir(folder + below) as entries:
            for entry in entries:
                path = below + entry.name
                if entry.is_dir(follow_symlinks=False):
                    todo.append(path + "/")
                else:
                    stat = entry.stat(follow_symlinks=False)
                    files[path] = stat.st_mtime_ns, stat.st_size
    return files


def blob_id(raw: bytes) -> bytes:
    """The id that git gives to a file with these bytes: the SHA-1 of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()


def stable_stat(stat: Stat, began: int) -> Stat:
    """The stat to save for an input.  If the file may still change and keep its time, the saved
    stat matches no file.  `began` is when the build began, in ns.
    """
    latest = max(stat[0], stat[1])
    window = _RACY_COARSE if stat[0] % 1_000_000_000 == 0 else RACY
    return (0, 0, stat[2]) if latest >= began - window else stat


def content_digest(inputs: Inputs) -> str:
    """The SHA-256 of folders, names and git blob ids of all inputs that are read."""
    folders: dict[str, list[tuple[bytes, bytes]]] = {}
    for path, (_, digest) in inputs.items():
        if digest != NO_DIGEST:
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, []).append((name.encode("utf-8", "surrogateescape"), digest))
    whole = hashlib.sha256()
    for folder, files in sorted(folders.items()):
        files.sort()
        names, digests = b"\0".join(n for n, _ in files), b"".join(d for _, d in files)
        whole.update(b"%b\0%b\0\0%b" % (folder.encode("utf-8", "surrogateescape"), names, digests))
    return "sha256:" + whole.hexdigest()
