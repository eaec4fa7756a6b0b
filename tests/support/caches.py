"""Helpers that lose and damage the caches of builds."""

from __future__ import annotations

import contextlib
import marshal
import os
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32


def folder() -> Path:
    """The folder of this test run's caches."""
    return Path(os.environ["REGISTRY_CACHE"])


@contextlib.contextmanager
def none() -> Iterator[None]:
    """Builds without a cache from earlier builds that write no cache either."""
    before = os.environ["REGISTRY_CACHE"]
    os.environ["REGISTRY_CACHE"] = ""
    try:
        yield
    finally:
        os.environ["REGISTRY_CACHE"] = before


def forget() -> None:
    """Remove all caches."""
    for path in folder().glob("*.sqlite*"):
        path.unlink()


def newest() -> Path | None:
    """The most recently written cache, or None."""
    return max(folder().glob("*.sqlite"), key=lambda path: path.stat().st_mtime_ns, default=None)


def damage(chance: random.Random, *, shorter: bool = False) -> None:
    """Flip some bits of the newest cache, or cut it."""
    path = newest()
    if path is None:
        return
    data = bytearray(path.read_bytes())
    if shorter:
        data = data[: chance.randrange(len(data))]
    else:
        for _ in range(5):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def lose_a_part(chance: random.Random) -> None:
    """Delete a part of the newest cache."""
    with _opened() as database:
        names = [name for (name,) in database.execute("SELECT name FROM part ORDER BY name")]
        database.execute("DELETE FROM part WHERE name = ?", (chance.choice(names),))


def change(beginning: str, value: Any) -> None:
    """Give another value, with a right checksum, to the parts of the newest cache whose names start
    with a prefix.
    """
    data = marshal.dumps(value)
    checked = crc32(data).to_bytes(4, "big") + data
    with _opened() as database:
        database.execute(
            "UPDATE part SET data = ? WHERE name = ? OR name LIKE ?",
            (checked, beginning, f"{beginning}/%"),
        )


@contextlib.contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    path = newest()
    assert path is not None
    database = sqlite3.connect(path)
    try:
        with contextlib.suppress(sqlite3.DatabaseError), database:
            yield database
    finally:
        database.close()
