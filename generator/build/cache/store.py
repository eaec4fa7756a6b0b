"""The cache: results of a build that the next build of the same output can reuse.

A cache is one SQLite file in the user's cache folder, for one content folder and one output:

    $REGISTRY_CACHE, else registry-generator/builds in $XDG_CACHE_HOME, else in ~/.cache
        <digest of both folders>.sqlite     a table of named parts, each with a checksum

It is never inside a checkout, so a clone cannot bring one.  A cache that cannot be read counts as
empty, and a cache that cannot be written does not stop a build.  What it notes about files is
compared with the files before it is used.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

#: Seconds after which the cache of an output that is no longer built is removed.
_FORGOTTEN = 30 * 24 * 3600
_TABLE = "CREATE TABLE IF NOT EXISTS part (name TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID"


def folder() -> Path | None:
    """The folder of all caches; None if $REGISTRY_CACHE is empty or there is no home."""
    named = os.environ.get("REGISTRY_CACHE")
    if named is not None:
        return Path(os.path.abspath(named)) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    # Cached HTTP answers are in the folder above; their readers remove old files there.
    return Path(base, "registry-generator", "builds") if os.path.isabs(base) else None


class Cache:
    """The parts of the last build, and those of this build.

    A part is a name with a value that `marshal` can dump.  `reason` says why the last build cannot
    be used; it is empty if it can.  `save` writes all parts of this build in one transaction: of a
    build that fails nothing stays, and the cache is that of the build before.  `failure` says why
    this build cannot be cached; it is empty if it can.
    """

    def __init__(self, path: Path | None, fingerprint: str, reason: str = ""):
        self.path, self.fingerprint, self.reason = path, fingerprint, reason
        self.failure = ""
        self._database: sqlite3.Connection | None = None
        self._used: set[str] = set()
        self._writing = False

    @classmethod
    def open(cls, content: str, out: Path, fingerprint: str) -> Cache:
        """The cache for a content folder and an output; empty if the last build had another
        fingerprint.
        """
        caches = folder()
        if caches is None or not _is_private(caches, content):
            return cls(None, fingerprint, "there is no folder for caches that only you can write")
        names = os.fsencode(os.path.realpath(content)), os.fsencode(os.path.realpath(out))
        name = hashlib.sha256(b"\0".join(names)).hexdigest()[:32]
        cache = cls(caches / f"{name}.sqlite", fingerprint)
        cache.reason = cache._open()
        return cache

    def _open(self) -> str:
        """Open the cache of the last build; return why it cannot be used, "" if it can."""
        assert self.path is not None
        if not self.path.is_file():
            return "no earlier build was found"
        noted = None
        with contextlib.suppress(sqlite3.Error):
            self._database = sqlite3.connect(self.path, isolation_level=None, timeout=0)
            noted = self.get("fingerprint")
        if not isinstance(noted, str):
            why = "the cache of the last build cannot be read"
        elif noted.partition(" ")[0] != self.fingerprint.partition(" ")[0]:
            why = "the last build was by another version of the generator or of a library"
        elif noted != self.fingerprint:
            why = "the last build had other options"
        else:
            return ""
        self.close()
        return why

    @property
    def empty(self) -> bool:
        """Whether nothing of the last build can be used."""
        return bool(self.reason)

    def without_parts(self, reason: str) -> Cache:
        """The same cache without the parts of the last build."""
        self.close()
        cache = Cache(self.path, self.fingerprint, reason)
        cache.failure = self.failure
        return cache

    def get(self, name: str) -> Any:
        """A part of the last build; None if it is missing or damaged."""
        if self._database is None or self.empty:
            return None
        try:
            row = self._database.execute("SELECT data FROM part WHERE name = ?", (name,)).fetchone()
        except sqlite3.Error:
            return None
        return _checked(row[0]) if row is not None else None

    def keep(self, name: str) -> None:
        """Reuse a part of the last build in this build."""
        self._used.add(name)

    def put(self, name: str, value: Any) -> None:
        """Add a part of this build."""
        if self.path is None:
            return
        self._used.add(name)
        data = marshal.dumps(value)
        checked = crc32(data).to_bytes(4, "big") + data
        with self._failing():
            self._begun().execute("INSERT OR REPLACE INTO part VALUES (?, ?)", (name, checked))

    def save(self, *, everything: bool = False) -> None:
        """Save the parts that were put and kept, and remove the others; with `everything`, keep all
        parts of the last build.
        """
        self.put("fingerprint", self.fingerprint)
        if self.path is None:
            return
        with self._failing():
            database = self._begun()
            names = [name for (name,) in database.execute("SELECT name FROM part")]
            gone = [(name,) for name in names if name not in self._used and not everything]
            database.executemany("DELETE FROM part WHERE name = ?", gone)
            database.execute("COMMIT")
            if self._unsaved.exists():
                self._unsaved.replace(self.path)
            self._remove_forgotten()
        self.close()

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        """An error of the cache closes it, and does not stop the build."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            assert self.path is not None
            self.failure = f"{self.path} cannot be written: {error}"
            self.close()
            self.path = None

    def _begun(self) -> sqlite3.Connection:
        """The database in a write transaction.  Raises sqlite3.Error and OSError."""
        if self._database is None:
            self._unsaved.unlink(missing_ok=True)
            self._database = sqlite3.connect(self._unsaved, isolation_level=None, timeout=0)
        if not self._writing:
            # A power loss may damage the cache; the checksums of its parts detect that.
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute("PRAGMA page_size = 65536")
            self._database.execute("BEGIN IMMEDIATE")
            self._database.execute(_TABLE)
            self._writing = True
        return self._database

    @property
    def _unsaved(self) -> Path:
        """Where a new cache is until it is saved."""
        assert self.path is not None
        return self.path.with_suffix(".new")

    def _remove_forgotten(self) -> None:
        assert self.path is not None
        for other in self.path.parent.glob("*.sqlite"):
            with contextlib.suppress(OSError):
                if other != self.path and other.stat().st_mtime < time.time() - _FORGOTTEN:
                    other.unlink()

    def close(self) -> None:
        """Close the file.  Parts that were not saved are lost."""
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error, OSError):
                self._database.close()
                self._unsaved.unlink(missing_ok=True)
            self._database = None


def _checked(data: Any) -> Any:
    """The value of a part; None if its checksum is wrong."""
    if not isinstance(data, bytes) or crc32(data[4:]).to_bytes(4, "big") != data[:4]:
        return None
    try:
        return marshal.loads(data[4:])
    except (ValueError, EOFError, TypeError):
        return None


def _is_private(folder: Path, content: str) -> bool:
    """Whether only this user can write a folder, and it is outside the checkout of the content.

    Makes the folder if it does not exist.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        if status.st_mode & 0o022:
            return False
    except OSError:
        return False
    checkout = next((d for d in _above(content) if os.path.lexists(d / ".git")), None)
    return (
        stat.S_ISDIR(status.st_mode)
        and status.st_uid == os.geteuid()
        and checkout not in _above(folder)
    )


def _above(path: Path | str) -> list[Path]:
    """A folder and all its parents."""
    resolved = Path(os.path.realpath(path))
    return [resolved, *resolved.parents]
