"""Content and output compared with what the last build noted of them.

Imports nothing heavy: a build that has nothing to do imports little more than this.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from generator.build.cache.inventory import (
    BLOB_ID,
    INPUT,
    NO_DIGEST,
    OUTPUT,
    SHA_256,
    Inventory,
    Stat,
    blob_id,
    of_content,
    of_output,
    stable,
)
from generator.build.cache.store import Cache
from generator.build.executors import executor
from generator.build.report import Change
from generator.dialect.folder import take

#: Fewer files than this are listed sooner than a process is started.
_WORTH_FORKING = 5000

#: path -> stat and digest of a file of the content; NO_DIGEST if its bytes are not those noted.
Inputs = dict[str, tuple[Stat, bytes]]


class Listed(NamedTuple):
    """Content and output as they were noted, and as they are now."""

    noted: Inventory
    noted_output: Inventory
    inputs: Inventory
    output: Inventory

    @property
    def same(self) -> bool:
        """Whether names and stats are those noted."""
        return self.noted[:2] == self.inputs[:2] and self.noted_output[:2] == self.output[:2]


class Compared(NamedTuple):
    """What differs from what was noted.

    `inputs` is the content now; `changes` says what became of files of it.  `before` has mtime,
    size and SHA-256 of each file of the output that is as it was left; `others` are the paths of
    the other files there, `missing` says whether any file is not as it was left.
    """

    inputs: Inputs
    changes: dict[str, Change]
    before: dict[str, tuple[int, int, bytes]]
    others: list[str]
    missing: bool

    @property
    def nothing(self) -> bool:
        """Whether content and output have the bytes that they had."""
        return not (self.changes or self.others or self.missing)


NOTHING_KNOWN = Compared({}, {}, {}, [], missing=True)


def listed(folder: str, out: str, cache: Cache) -> Listed | None:
    """Content and output; None if nothing is noted of them, or the content cannot be listed."""
    noted, output = cache.get("inputs"), cache.get("outputs")
    if noted is None or output is None:
        return None
    before, after = Inventory(*noted), Inventory(*output)
    workers = executor(None if before.files + after.files > _WORTH_FORKING else 1, _WORTH_FORKING)
    try:
        sides = dict(workers.run(list_some, [(0, folder or "."), (1, out)], None, 1))
    except OSError:
        return None
    return Listed(before, after, Inventory(*sides[0]), Inventory(*sides[1]))


def list_some(sides: Sequence[tuple[int, str]], shared: None) -> tuple[int, tuple[bytes, ...]]:
    """The inventory of one side, without digests: 0 is the content, 1 the output."""
    ((number, folder),) = sides
    if not number:
        return 0, tuple(of_content(folder))
    return 1, tuple(of_output(folder) if os.path.isdir(folder) else Inventory())


def compared(known: Listed, folder: str, cache: Cache, began: int) -> Compared:
    """What differs; files whose times differ are read."""
    was = {path: (stat, blob) for path, stat, blob in known.noted.entries(INPUT, BLOB_ID)}
    stats = known.inputs.stats_of(INPUT)
    now: Inputs = {
        path: (stat, NO_DIGEST) for path, stat in zip(known.inputs.names(), stats, strict=True)
    }
    changes: dict[str, Change] = {path: "removed" for path in was if path not in now}
    suspects = []
    for path, (stat, _) in now.items():
        noted = was.get(path)
        if noted is None:
            changes[path] = "added"
        elif noted[0] == stat:
            now[path] = noted
        else:
            suspects.append(path)
    for chunk in executor(None, len(suspects)).run(hash_some, suspects, folder):
        for path, blob in chunk:
            if blob == was[path][1]:
                now[path] = stable(now[path][0], began), blob
            else:
                changes[path] = "changed"
    before, others, missing = _output(known, cache)
    return Compared(now, changes, before, others, missing)


def hash_some(paths: Sequence[str], folder: str) -> list[tuple[str, bytes]]:
    """The digests of files of the content; none of one that cannot be read."""
    found = []
    for path in paths:
        try:
            found.append((path, blob_id(take(os.path.join(folder, path)).raw)))
        except OSError:
            found.append((path, b""))
    return found


def _output(
    known: Listed, cache: Cache
) -> tuple[dict[str, tuple[int, int, bytes]], list[str], bool]:
    """What is in the output as it was left, what else, and whether anything is missing."""
    digests = cache.get("digests")
    if digests is None:
        return {}, known.output.names(), True
    noted = known.noted_output._replace(digests=digests)
    was = {path: (stat[0], stat[1], sha) for path, stat, sha in noted.entries(OUTPUT, SHA_256)}
    if known.noted_output[:2] == known.output[:2]:
        return was, [], False
    now = dict(zip(known.output.names(), known.output.stats_of(OUTPUT), strict=True))
    before = {path: held for path, held in was.items() if now.get(path) == held[:2]}
    return before, [path for path in now if path not in before], len(before) < len(was)
