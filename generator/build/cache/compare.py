"""Compares content and output with the inventories that the last build saved.

Imports nothing heavy, because a build that has nothing to do imports little more than this.
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
    content_inventory,
    output_inventory,
    stable_stat,
)
from generator.build.cache.store import Cache
from generator.build.executors import choose_executor
from generator.build.report import Change
from generator.dialect.folder import read_file

#: Fewer files than this are listed faster than a process is started.
_WORTH_FORKING = 5000

#: path -> stat and digest of a file of the content; NO_DIGEST if it changed or is not read.
Inputs = dict[str, tuple[Stat, bytes]]


class Inventories(NamedTuple):
    """Inventories of content and output, of the last build and now."""

    noted: Inventory
    noted_output: Inventory
    inputs: Inventory
    output: Inventory

    @property
    def same(self) -> bool:
        """Whether names and stats are those of the last build."""
        return self.noted[:2] == self.inputs[:2] and self.noted_output[:2] == self.output[:2]


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


def list_inventories(folder: str, out: str, cache: Cache) -> Inventories | None:
    """Current and saved inventories; None if none are saved or the content cannot be listed."""
    inputs, outputs = cache.get("inputs"), cache.get("outputs")
    if inputs is None or outputs is None:
        return None
    content, output = Inventory(*inputs), Inventory(*outputs)
    jobs = None if content.files + output.files > _WORTH_FORKING else 1
    workers = choose_executor(jobs, _WORTH_FORKING)
    try:
        sides = dict(workers.run(list_side, [(0, folder or "."), (1, out)], None, 1))
    except OSError:
        return None
    return Inventories(content, output, Inventory(*sides[0]), Inventory(*sides[1]))


def list_side(sides: Sequence[tuple[int, str]], shared: None) -> tuple[int, tuple[bytes, ...]]:
    """The inventory of a folder without digests; side 0 is the content, 1 the output."""
    ((side, folder),) = sides
    if not side:
        return 0, tuple(content_inventory(folder))
    return 1, tuple(output_inventory(folder) if os.path.isdir(folder) else Inventory())


def compare(known: Inventories, folder: str, cache: Cache, began: int) -> Differences:
    """The differences from the last build; reads only input files with another stat."""
    before = {path: (stat, blob) for path, stat, blob in known.noted.entries(INPUT, BLOB_ID)}
    stats = known.inputs.stats_of(INPUT)
    inputs: Inputs = {
        path: (stat, NO_DIGEST) for path, stat in zip(known.inputs.names(), stats, strict=True)
    }
    changes: dict[str, Change] = {path: "removed" for path in before if path not in inputs}
    suspects = []
    for path, (stat, _) in inputs.items():
        noted = before.get(path)
        if noted is None:
            changes[path] = "added"
        elif noted[0] == stat:
            inputs[path] = noted
        else:
            suspects.append(path)
    for chunk in choose_executor(None, len(suspects)).run(hash_inputs, suspects, folder):
        for path, blob in chunk:
            if blob == before[path][1]:
                inputs[path] = stable_stat(inputs[path][0], began), blob
            else:
                changes[path] = "changed"
    return Differences(inputs, changes, *_output(known, cache))


def hash_inputs(paths: Sequence[str], folder: str) -> list[tuple[str, bytes]]:
    """The digests of input files; empty for a file that cannot be read."""
    digests = []
    for path in paths:
        try:
            digests.append((path, blob_id(read_file(os.path.join(folder, path)).raw)))
        except OSError:
            digests.append((path, b""))
    return digests


def _output(
    known: Inventories, cache: Cache
) -> tuple[dict[str, tuple[int, int, bytes]], list[str], bool]:
    """`before`, `others` and `missing` of Compared."""
    digests = cache.get("digests")
    if digests is None:
        return {}, known.output.names(), True
    saved = known.noted_output._replace(digests=digests)
    last = {path: (stat[0], stat[1], sha) for path, stat, sha in saved.entries(OUTPUT, SHA_256)}
    if known.noted_output[:2] == known.output[:2]:
        return last, [], False
    current = dict(zip(known.output.names(), known.output.stats_of(OUTPUT), strict=True))
    before = {path: noted for path, noted in last.items() if current.get(path) == noted[:2]}
    return before, [path for path in current if path not in before], len(before) < len(last)
