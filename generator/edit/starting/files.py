"""Files of a repository beside its content, which commands make and people may change: what a
person changed is left alone.

A file that a command makes holds the digest of its own text, so that a later version of the command
can tell its own work from a person's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import sha256

from generator.disk import safe_paths
from generator.edit.changes import Change, Plan

#: Stands in a text that is stamped, where its digest comes.
UNSTAMPED = "written by registry, 0000000000000000"
_STAMP = re.compile(rb"written by registry, ([0-9a-f]{16})")
_MOST = 1 << 20


def stamped(text: str) -> bytes:
    """A text, with its digest where it says UNSTAMPED."""
    data = text.encode()
    return data.replace(b"0" * 16, _digest(data), 1)


def _digest(data: bytes) -> bytes:
    return sha256(data).hexdigest()[:16].encode()


def _is_as_written(data: bytes) -> bool:
    """Whether nobody changed a file since a command wrote it."""
    stamp = _STAMP.search(data)
    if stamp is None:
        return False
    blank = data[: stamp.start(1)] + b"0" * 16 + data[stamp.end(1) :]
    return _digest(blank) == stamp[1]


def read(folder: str, path: str, most: int = _MOST) -> bytes | None:
    """The bytes of a file below a folder; None where there is none.  Raises OSError."""
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return safe_paths.read(root, path.split("/"), most)
    finally:
        os.close(root)


def plan(folder: str, files: Mapping[str, bytes], *, force: bool = False) -> Plan:
    """What is to be done so that a folder has these files; those that a person changed are left,
    unless `force` says otherwise.
    """
    changes, left = [], []
    for path, after in files.items():
        before = read(folder, path)
        if before == after:
            continue
        if before is None or force or _is_as_written(before):
            changes.append(Change(path, before, after))
        else:
            left.append((path, "it was changed by hand; --force overwrites it"))
    return Plan(changes, left)
