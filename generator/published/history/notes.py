"""Notes of the history of a content folder, which spare the next build reading every commit again.

    $REGISTRY_CACHE, else registry-generator/history in $XDG_CACHE_HOME, else in ~/.cache
        <digest of the content folder>.<name>      a digest, then marshalled data

A note is a function of commits alone, so it is never out of date; a missing or damaged one is made
again.  The digest is of the data and of the generator, so that another version makes it again too.
Notes are never inside a checkout, so a clone cannot bring any.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import stat
import time
from pathlib import Path
from typing import Any

from generator.disk.output_state import fingerprint

#: Seconds after which the notes of a folder that is no longer built are removed.
_FORGOTTEN = 30 * 24 * 3600


def load(content: str, name: str) -> Any:
    """The note with a name; None if there is none that this generator made."""
    file = _file(content, name)
    if file is None:
        return None
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
        raw = file.read_bytes()
        if raw[:32] == _digest(raw[32:]):
            return marshal.loads(raw[32:])
    return None


def save(content: str, name: str, value: Any) -> None:
    """Keep a value that `marshal` can dump; a folder that cannot be written stops nothing."""
    file = _file(content, name)
    if file is None:
        return
    data = marshal.dumps(value)
    part = file.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        try:
            part.write_bytes(_digest(data) + data)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
        for other in file.parent.iterdir():
            if other.stat().st_mtime < time.time() - _FORGOTTEN:
                other.unlink()


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(fingerprint().encode() + data).digest()


def _file(content: str, name: str) -> Path | None:
    """The file of a note; None if no folder is sure to be written by this user alone."""
    named = os.environ.get("REGISTRY_CACHE")
    if named is not None:
        folder = Path(os.path.abspath(named)) if named else None
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        # Cached HTTP answers are in the folder above; their readers remove old files there.
        folder = Path(base, "registry-generator", "history") if os.path.isabs(base) else None
    if folder is None or not _is_private(folder, content):
        return None
    digest = hashlib.sha256(os.fsencode(os.path.realpath(content))).hexdigest()[:32]
    return folder / f"{digest}.{name}"


def _is_private(folder: Path, content: str) -> bool:
    """Whether only this user can write a folder, and it is outside the checkout of the content.

    Makes the folder if it does not exist.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    checkout = next((d for d in _above(content) if os.path.lexists(d / ".git")), None)
    return (
        not status.st_mode & 0o022
        and stat.S_ISDIR(status.st_mode)
        and status.st_uid == os.geteuid()
        and checkout not in _above(folder)
    )


def _above(path: Path | str) -> list[Path]:
    """A folder and all its parents."""
    resolved = Path(os.path.realpath(path))
    return [resolved, *resolved.parents]
