"""Generated files of a repository that people may edit, like issue forms and schemas.

Each file contains the digest of its own text.  A command replaces a file only if the digest is
still right, so files that a person edited stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from generator.edit.changes import Change, Plan, Skipped, read

#: The place of the digest in a text for `with_digest`.
UNSTAMPED = "written by registry, 0000000000000000"
_STAMP = re.compile(rb"written by registry, ([0-9a-f]{16})")


def with_digest(text: str) -> bytes:
    """A text that contains UNSTAMPED, with its digest at that place."""
    data = text.encode()
    return data.replace(b"0" * 16, _digest(data), 1)


def _digest(data: bytes) -> bytes:
    return sha256(data).hexdigest()[:16].encode()


def _is_as_written(data: bytes) -> bool:
    """Whether a file is unchanged since a command wrote it."""
    stamp = _STAMP.search(data)
    if stamp is None:
        return False
    blank = data[: stamp.start(1)] + b"0" * 16 + data[stamp.end(1) :]
    return _digest(blank) == stamp[1]


def renewed(folder: str, files: Mapping[str, bytes]) -> list[Change]:
    """The changes of those files that exist, are unchanged since a command wrote them, and would be
    written otherwise now.
    """
    return plan(folder, {path: data for path, data in files.items() if read(folder, path)}).changes


def plan(folder: str, files: Mapping[str, bytes], *, force: bool = False) -> Plan:
    """The changes that write these files.  With `force` edited files are replaced too."""
    changes, left = [], []
    for path, after in files.items():
        before = read(folder, path)
        if before == after:
            continue
        if before is None or force or _is_as_written(before):
            changes.append(Change(path, before, after))
        else:
            left.append(Skipped(path, "it was changed by hand; --force overwrites it"))
    return Plan(changes, left)
