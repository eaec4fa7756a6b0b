"""Compares content and output with the files that the last build noted.

Imports nothing heavy, because a build that has nothing to do imports little more than this.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from generator.build.cache.inventory import (
    NO_DIGEST,
    Stat,
    blob_id,
    list_content,
    list_output,
    stable_stat,
)
from generator.build.cache.store import Cache
from generator.build.report import Change
from generator.dialect.folder import read_file

#: path -> stat and digest of a file of the content; NO_DIGEST if it changed or is not read.
Inputs = dict[str, tuple[Stat, bytes]]


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


def compare(folder: str, out: str, cache: Cache, began: int) -> Differences | None:
    """The differences from the last build; None if it noted no files, or the content cannot be
    listed.  Reads only input files with another stat.
    """
    noted: Inputs | None = cache.get("inputs")
    last: dict[str, tuple[int, int, bytes]] | None = cache.get("outputs")
    if noted is None or last is None:
        return None
    try:
        stats, output = list_content(folder or "."), list_output(out)
    except OSError:
        return None
    inputs: Inputs = {}
    changes: dict[str, Change] = {path: "removed" for path in noted if path not in stats}
    for path, stat in stats.items():
        inputs[path] = stat, NO_DIGEST
        if path not in noted:
            changes[path] = "added"
        elif noted[path][0] == stat:
            inputs[path] = noted[path]
        elif _blob_id_of(os.path.join(folder, path)) == noted[path][1]:
            inputs[path] = stable_stat(stat, began), noted[path][1]
        else:
            changes[path] = "changed"
    before = {path: file for path, file in last.items() if output.get(path) == file[:2]}
    others = sorted(output.keys() - before.keys())
    return Differences(inputs, changes, before, others, len(before) < len(last))


def _blob_id_of(path: str) -> bytes:
    """The digest of an input file; empty if it cannot be read."""
    try:
        return blob_id(read_file(path).raw)
    except OSError:
        return b""
