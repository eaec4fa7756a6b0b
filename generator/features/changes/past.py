"""Every change of the history, in pages, and when each record was last changed.

Both are a function of the commits on the line of first parents.  What was read up to a commit is
noted (`notes.py`), and the next build reads only the commits after it.  If the commit is no longer
on the line, everything is read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.contract.artifact import MAX_CHANGES, Artifact, document_artifact
from generator.contract.manifest import sha256_hex
from generator.disk.output_state import OutputError
from generator.features.changes.addresses import change_page
from generator.kinds import Kinds
from generator.published.history import notes
from generator.published.history.commits import (
    FoundChange,
    blobs_of,
    continues,
    describe,
    read_blobs,
    read_commits,
)
from generator.published.history.differences import field_names
from generator.published.history.git import GitHistory
from generator.published.history.provenance import is_whole

#: Changes whose records are in memory together.
_TOGETHER = 2000


@dataclass
class Past:
    """The history up to a commit.

    `prefix` is the path of the base URL.  `full` has the bytes of all full pages, `rest` the
    changes after them; `updated` is collection -> slug -> time.
    """

    prefix: str
    kinds: Kinds
    full: list[bytes] = field(default_factory=list)
    rest: list[dict[str, Any]] = field(default_factory=list)
    updated: dict[str, dict[str, str]] = field(default_factory=dict)

    def read(self, folder: str, which: str) -> None:
        """Add the changes of a commit and those before it, or of a range.  Raises OSError."""
        found: list[FoundChange] = []
        for changes in read_commits(folder, self.kinds, "--reverse", which, whole=True):
            found += changes
            while len(found) >= _TOGETHER:
                self._add(folder, found[:_TOGETHER])
                del found[:_TOGETHER]
        self._add(folder, found)

    def _add(self, folder: str, found: Sequence[FoundChange]) -> None:
        blobs = blobs_of(found)
        texts = read_blobs(folder, blobs)
        if blobs and not texts:
            raise OSError("git cat-file failed")
        for one, change, fields in describe(found, texts, self.kinds):
            self.updated.setdefault(change.collection, {})[change.slug] = change.at
            self.rest.append({
                "seq": len(self.full) * MAX_CHANGES + len(self.rest) + 1,
                "at": change.at,
                "commit": one.commit,
                **change._asdict(),
                "fields": field_names(fields or {}),
            })  # fmt: skip
            if len(self.rest) == MAX_CHANGES:
                self.full.append(self._last())
                self.rest = []

    def _last(self) -> bytes:
        before = sha256_hex(self.full[-1]) if self.full else ""
        return _page(len(self.full) + 1, before, self.rest, self.prefix).data

    def pages(self) -> dict[str, bytes]:
        pages = [*self.full, *([self._last()] if self.rest else [])]
        return {change_page(number): page for number, page in enumerate(pages, 1)}


def _page(number: int, previous: str, changes: Sequence[Any], prefix: str) -> Artifact:
    """A page of all changes, without anything of the present; `previous` is the SHA-256 before."""
    before = {"href": prefix + change_page(number - 1), "sha256": previous}
    return document_artifact(
        change_page(number),
        "change_page",
        page={"number": number},
        previous=before if number > 1 else None,
        data=changes,
    )


def past_of(history: GitHistory, prefix: str) -> Past | None:
    """Every change; None if it is not known. Raises OutputError if git fails."""
    key = f"changes {prefix}"
    if key not in history.memo:
        history.memo[key] = _read_past(history, prefix)
    past: Past | None = history.memo[key]
    return past


def _read_past(history: GitHistory, prefix: str) -> Past | None:
    folder, revision = history.folder, history.revision
    if revision is None or not is_whole(folder):
        return None
    past, which = Past(prefix, history.kinds), revision
    made = " ".join((prefix, *history.kinds))
    noted_for, after, *noted = notes.load(folder, "past") or ("", "")
    if noted and noted_for == made and continues(folder, after, revision):
        past, which = Past(prefix, history.kinds, *noted), f"{after}..{revision}"
    if after == revision and which != revision:
        return past
    try:
        past.read(folder, which)
    except OSError as error:
        raise OutputError(
            f"The history of {folder} cannot be read: {error}\n"
            "Check the repository with git fsck, or set `changes: false` in registry.yaml."
        ) from error
    noted = [made, revision, past.full, past.rest, past.updated]
    notes.save(folder, "past", noted)
    return past
