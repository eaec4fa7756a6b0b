"""Lists the files of content and output with their stats, and the digests of inputs.

Imports nothing heavy, because a build that has nothing to do imports little more than this.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

from generator.dialect.folder import is_input, walk

#: mtime and ctime in ns, and size of an input file.
Stat = tuple[int, ...]
#: The stat of an input that no build reads.
NO_STAT: Stat = (0, 0, 0)
#: The digest of an input that changed or is not read; others have the id of a git blob.
NO_DIGEST = bytes(20)
#: A file that changed less than this before the build began (ns) may change again and keep the same
#: time.  File systems with times in whole seconds need the longer one.
RACY, _RACY_COARSE = 50_000_000, 2_000_000_000


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


def content_digest(inputs: Mapping[str, tuple[Stat, bytes]]) -> str:
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
