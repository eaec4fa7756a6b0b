"""What git knows of a content folder up to a commit, read when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.contract.artifact import Details, History
from generator.published.made_once import made_once


@dataclass(frozen=True, eq=False)
class GitHistory:
    """The history of a folder up to `revision`, None outside a checkout.  `memo` has what features
    read of it.
    """

    folder: str
    revision: str | None
    memo: dict[str, Any] = field(default_factory=dict, repr=False)

    @made_once
    def event_times(self) -> Mapping[str, str]:
        """Slug -> the time of the latest commit that changed the event."""
        from generator.published.history.commits import read_event_times

        return read_event_times(self.folder, self.revision)

    @made_once
    def last(self) -> tuple[History, Details]:
        """The last changes, and what changed in each record."""
        from generator.published.history.commits import read_history

        return read_history(self.folder, self.revision)
