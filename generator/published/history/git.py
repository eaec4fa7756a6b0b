"""What git knows of a content folder up to a commit, read when it is needed."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.contract.artifact import Details, History
from generator.kinds import Kinds
from generator.published.history.provenance import run_git
from generator.published.made_once import made_once


@dataclass(frozen=True, eq=False)
class GitHistory:
    """The history of a folder up to `revision`, None outside a checkout.  `memo` has what features
    read of it.
    """

    folder: str
    revision: str | None
    kinds: Kinds
    memo: dict[str, Any] = field(default_factory=dict, repr=False)

    @made_once
    def event_times(self) -> Mapping[str, str]:
        """Slug -> the time of the latest commit that changed the event."""
        from generator.published.history.commits import read_event_times

        return read_event_times(self.folder, self.revision, self.kinds)

    @made_once
    def last(self) -> tuple[History, Details]:
        """The last changes, and what changed in each record."""
        from generator.published.history.commits import read_history

        return read_history(self.folder, self.revision, self.kinds)


#: `times_added` gives a git command at most so many paths.
_MAX_PATHS = 500


def times_added(folder: str, paths: Sequence[str]) -> dict[str, float]:
    """When files were added to git, in seconds; infinity for a file that it does not have.  Empty
    without git, and for more than `_MAX_PATHS` files.
    """
    if len(paths) > _MAX_PATHS:
        return {}
    added = run_git(
        folder, "log", "--diff-filter=A", "--no-renames", "--relative", "--name-only", "-z",
        "--format=%x01%ct", "--", *(f":(literal){path}" for path in paths),
    )  # fmt: skip
    if not added:
        return {}
    times = dict.fromkeys(paths, math.inf)
    for commit in os.fsdecode(added).split("\x01")[1:]:
        time, _, names = commit.partition("\0")
        times |= dict.fromkeys(names.strip("\n\0").split("\0"), float(time))
    return times
