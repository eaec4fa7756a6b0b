"""What the last build of an output made, kept so that the next one need not make it again.

A cache is one SQLite file of the user's own, for one content folder and one output:

    $REGISTRY_CACHE, else registry-generator/builds in $XDG_CACHE_HOME, else in ~/.cache
        <digest of both folders>.sqlite     a table of named parts, each with a checksum

It is never part of a checkout, so no clone brings one.  A cache that cannot be read is an empty
one, and one that cannot be written does not stop a build.  What it says of files is compared with
the files before it is believed.
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

#: Seconds after which the cache of an output that nobody builds any more is removed.
_FORGOTTEN = 30 * 24 * 3600
_TABLE = "CREATE TABLE IF NOT EXISTS part (name TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID"


def folder() -> Path | None:
    """Where caches are kept; None if $REGISTRY_CACHE is empty or there is no home."""
    named = os.environ.get("REGISTRY_CACHE")
    if named is not None:
        return Path(os.path.abspath(named)) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    # The folder above has the answers of hosts, and is kept small by those who read them.
    return Path(base, "registry-generator", "builds") if os.path.isabs(base) else None


class Cache:
    """The parts of the last build, and those of this one.

    `reason` says why nothing is known of the last build; it is empty if something is.  A part is
    plain data, as `marshal` takes it.  What is put takes effect with `save`, all in one step.
    """

    def __init__(self, path: Path | None, fingerprint: str, reason: str = ""):
        self.path, self.fingerprint, self.reason = path, fingerprint, reason
        self._database: sqlite3.Connection | None = None
        self._used: set[str] = set()
        self._writing = False

    @classmethod
    def open(cls, content: str, out: Path, fingerprint: str) -> Cache:
        """The cache of an output that is built from a content folder; empty if the last build had
        another fingerprint.
        """
        where = folder()
        if where is None or not _is_private(where, content):
            return cls(None, fingerprint, "there is no folder for caches that only you can write")
        names = os.fsencode(os.path.realpath(content)), os.fsencode(os.path.realpath(out))
        name = hashlib.sha256(b"\0".join(names)).hexdigest()[:32]
        cache = cls(where / f"{name}.sqlite", fingerprint)
        cache.reason = cache._open()
        return cache

    def _open(self) -> str:
        """Open what the last build left; why it cannot be used, if it cannot."""
        assert self.path is not None
        if not self.path.is_file():
            return "no earlier build was found"
        said = None
        with contextlib.suppress(sqlite3.Error):
            self._database = sqlite3.connect(self.path, isolation_level=None, timeout=0)
            said = self.get("fingerprint")
        if not isinstance(said, str):
            why = "the cache of the last build cannot be read"
        elif said.partition(" ")[0] != self.fingerprint.partition(" ")[0]:
            why = "the last build was by another version of the generator"
        elif said != self.fingerprint:
            why = "the last build had other options"
        else:
            return ""
        self.close()
        return why

    @property
    def empty(self) -> bool:
        """Whether nothing is known of the last build."""
        return bool(self.reason)

    def emptied(self, reason: str) -> Cache:
        """The same cache with nothing of the last build in it."""
        self.close()
        return Cache(self.path, self.fingerprint, reason)

    def get(self, name: str) -> Any:
        """A part of the last build; None if there is none, or if it is damaged."""
        if self._database is None or self.empty:
            return None
        try:
            row = self._database.execute("SELECT data FROM part WHERE name = ?", (name,)).fetchone()
        except sqlite3.Error:
            return None
        return _checked(row[0]) if row is not None else None

    def keep(self, name: str) -> None:
        """Keep a part of the last build as it is."""
        self._used.add(name)

    def put(self, name: str, value: Any) -> None:
        """A part of this build."""
        if self.path is None:
            return
        self._used.add(name)
        data = marshal.dumps(value)
        checked = crc32(data).to_bytes(4, "big") + data
        with self._written() as database:
            database.execute("INSERT OR REPLACE INTO part VALUES (?, ?)", (name, checked))

    def save(self, *, everything: bool = False) -> None:
        """Replace the parts of the last build by those that were put and kept; with `everything`,
        all are kept that were not put.
        """
        self.put("fingerprint", self.fingerprint)
        if self.path is None:
            return
        with self._written() as database:
            names = [name for (name,) in database.execute("SELECT name FROM part")]
            gone = [(name,) for name in names if name not in self._used and not everything]
            database.executemany("DELETE FROM part WHERE name = ?", gone)
            database.execute("COMMIT")
            self._remove_forgotten()
        self.close()

    @contextlib.contextmanager
    def _written(self) -> Iterator[sqlite3.Connection]:
        """The database, to write into; what goes wrong there is no error of the build."""
        assert self.path is not None
        try:
            if self._database is None:
                self.path.unlink(missing_ok=True)
                self._database = sqlite3.connect(self.path, isolation_level=None, timeout=0)
            if not self._writing:
                # After a loss of power the cache may be damaged; its checksums show it.
                self._database.execute("PRAGMA synchronous = OFF")
                self._database.execute("PRAGMA page_size = 65536")
                self._database.execute("BEGIN IMMEDIATE")
                self._database.execute(_TABLE)
                self._writing = True
            yield self._database
        except (sqlite3.Error, OSError):
            self.close()
            self.path = None

    def _remove_forgotten(self) -> None:
        assert self.path is not None
        for other in self.path.parent.glob("*.sqlite"):
            with contextlib.suppress(OSError):
                if other != self.path and other.stat().st_mtime < time.time() - _FORGOTTEN:
                    other.unlink()

    def close(self) -> None:
        """Let go of the file; what was not saved is lost."""
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None


def _checked(data: Any) -> Any:
    """The value of a part; None if it is not what was written."""
    if not isinstance(data, bytes) or crc32(data[4:]).to_bytes(4, "big") != data[:4]:
        return None
    try:
        return marshal.loads(data[4:])
    except (ValueError, EOFError, TypeError):
        return None


def _is_private(where: Path, content: str) -> bool:
    """Whether a folder is this user's alone and outside of the checkout that the content is in; it
    is made if it is not there.
    """
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = where.lstat()
        if known.st_mode & 0o022:
            return False
    except OSError:
        return False
    checkout = next((d for d in _above(content) if os.path.lexists(d / ".git")), None)
    return (
        stat.S_ISDIR(known.st_mode)
        and known.st_uid == os.geteuid()
        and checkout not in _above(where)
    )


def _above(path: Path | str) -> list[Path]:
    """A folder, and all those that it is in."""
    here = Path(os.path.realpath(path))
    return [here, *here.parents]
