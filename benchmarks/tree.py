"""Files and bytes of a folder, what changed between two looks at it, and the run of a peer that
fills one.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path


def walk(root: str) -> Iterator[os.DirEntry]:
    """Every file below `root`, in no particular order."""
    folders = [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    yield entry


def size(root: str) -> tuple[int, int]:
    """The number of files below `root` and the sum of their bytes."""
    sizes = [entry.stat(follow_symlinks=False).st_size for entry in walk(root)]
    return len(sizes), sum(sizes)


def look(root: str) -> dict[str, tuple[bytes, tuple[int, int]]]:
    """Of each file its relative path, the digest of its bytes, its inode and its time of change."""
    seen = {}
    for entry in walk(root):
        with open(entry.path, "rb") as file:
            digest = hashlib.blake2b(file.read(), digest_size=16).digest()
        stat = entry.stat(follow_symlinks=False)
        seen[os.path.relpath(entry.path, root)] = digest, (stat.st_ino, stat.st_mtime_ns)
    return seen


def difference(before: dict, after: dict) -> dict[str, int]:
    """How many files were added, removed, given other bytes, and written again although their bytes
    are the same.
    """
    both = before.keys() & after.keys()
    changed = sum(before[path][0] != after[path][0] for path in both)
    rewritten = sum(
        before[path][0] == after[path][0] and before[path][1] != after[path][1] for path in both
    )
    return {
        "added": len(after.keys() - both),
        "removed": len(before.keys() - both),
        "changed": changed,
        "rewritten": rewritten,
    }


def run_peer(command: Callable, content: Path, out: Path) -> None:
    """Run what `command(content, out)` gives and print the files and bytes of `out`."""
    words, environment, folder = command(content, out)
    subprocess.run(words, env={**os.environ, **environment}, cwd=folder, check=True)
    files, total = size(str(out))
    print(f"{files} files, {total} bytes")
