"""Every change of the history, in pages, and when each record was last changed.

Both are a pure function of the commits on the line of first parents.  So what was read up to a
commit is kept in the cache, and the next build reads only the commits after it:

    past        the prefix of addresses, the commit, and the fields of `Past`
    past/<n>    the bytes of page n, if it is full

If the commit is no longer on the line, everything is read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.build.cache.store import Cache
from generator.build.differences import changed_fields, parse
from generator.build.history import (
    Found,
    changes_of,
    is_of_example,
    name_in,
    read_blobs,
    read_commits,
)
from generator.build.output.files import Files
from generator.build.provenance import lacks_history, run_git
from generator.build.report import ChangedInputs
from generator.contract.artifact import MAX_CHANGES, Artifact
from generator.contract.manifest import sha256_hex
from generator.disk.output_state import OutputError
from generator.grammar.grammar import Grammar
from generator.grammar.paths import change_page
from generator.outputs.changes import render_page

#: Changes whose records are in memory together.
_TOGETHER = 2000
_CAUSE = ChangedInputs(("history",))


@dataclass
class Past:
    """The history up to a commit.

    `full` is the number of full pages, `digest` the SHA-256 of the last of them; `rest` has the
    changes after them.  `updated` is collection -> slug -> time.  `rendered` has the full pages
    that the last build did not have.
    """

    grammar: Grammar
    full: int = 0
    digest: str = ""
    rest: list[dict[str, Any]] = field(default_factory=list)
    updated: dict[str, dict[str, str]] = field(default_factory=dict)
    rendered: dict[int, Artifact] = field(default_factory=dict)

    @property
    def pages(self) -> int:
        """The number of pages."""
        return self.full + bool(self.rest)

    def read(self, folder: str, revision: str, after: str = "") -> None:
        """Add the changes of the commits up to `revision`, or only of those after another commit.

        Raises OutputError if git fails.
        """
        which = f"{after}..{revision}" if after else revision
        changes: list[tuple[str, Found]] = []
        try:
            for commit in read_commits(folder, "--reverse", which, whole=True):
                changes += [(commit.id, found) for found in changes_of(folder, commit)]
                if len(changes) >= _TOGETHER:
                    self._add_all(folder, changes)
                    changes.clear()
            self._add_all(folder, changes)
        except OSError as error:
            raise OutputError(
                f"The history of {folder} cannot be read: {error}\n"
                "Check the repository with git fsck, or set `changes: false` in registry.yaml."
            ) from error

    def _add_all(self, folder: str, changes: Sequence[tuple[str, Found]]) -> None:
        for start in range(0, len(changes), _TOGETHER):
            self._add(folder, changes[start : start + _TOGETHER])

    def _add(self, folder: str, changes: Sequence[tuple[str, Found]]) -> None:
        blobs = {blob for _, found in changes for blob in (found.blob, found.before) if blob}
        texts = dict(read_blobs(folder, blobs))
        if not texts:
            raise OSError("git cat-file failed")
        data = {blob: parse(raw) for blob, raw in texts.items()}
        for commit, found in changes:
            if is_of_example(found, texts):
                continue
            change, old = found.change, data.get(found.before or "")
            is_compared = found.before in data and found.blob in data
            self.updated.setdefault(change.collection, {})[change.slug] = change.at
            self.rest.append({
                "seq": self.full * MAX_CHANGES + len(self.rest) + 1,
                "at": change.at,
                "commit": commit,
                "change": change.change,
                "collection": change.collection,
                "slug": change.slug,
                "name": name_in(data.get(found.blob)) or change.name,
                "former": change.former,
                "fields": changed_fields(old, data[found.blob]) if is_compared else [],
            })  # fmt: skip
            if len(self.rest) == MAX_CHANGES:
                page = self._last()
                self.full, self.digest, self.rest = self.full + 1, sha256_hex(page.data), []
                self.rendered[self.full] = page

    def _last(self) -> Artifact:
        """The page of the changes in `rest`."""
        return render_page(self.full + 1, self.digest, self.rest, self.grammar)

    def write(self, files: Files, revision: str, cache: Cache) -> None:
        """Write the pages, and keep in the cache what was read."""
        for number in range(1, self.full + 1):
            path, part = change_page(number), f"past/{number}"
            page = self.rendered.get(number)
            if page is not None:
                cache.put(part, page.data)
                files.put("changes", page, _CAUSE)
            elif files.has([path]):
                cache.keep(part)
                files.keep("changes", [path])
            else:
                data = cache.get(part)
                if data is None:  # damaged: the build starts again with an empty cache
                    raise LookupError(part)
                cache.keep(part)
                files.put("changes", Artifact(path, data), _CAUSE)
        if self.rest:
            files.put("changes", self._last(), _CAUSE)
        noted = self.grammar.prefix, revision, self.full, self.digest, self.rest, self.updated
        cache.put("past", noted)


def read_past(folder: str, revision: str | None, grammar: Grammar, cache: Cache) -> Past | str:
    """The history up to a commit, or why it is not known.  Raises OutputError if git fails."""
    why = lacks_history(folder)
    if why or revision is None:
        return why or "there is no commit"
    noted = cache.get("past")
    if noted is not None and noted[0] == grammar.prefix:
        past, after = Past(grammar, *noted[2:]), noted[1]
        if after == revision:
            return past
        if _continues(folder, after, revision):
            past.read(folder, revision, after)
            return past
    past = Past(grammar)
    past.read(folder, revision)
    return past


def _continues(folder: str, old: str, new: str) -> bool:
    """Whether `old` is before `new` on the line of first parents."""
    line = run_git(folder, "rev-list", "--first-parent", "--parents", f"{old}..{new}") or b""
    # The walk ends at the first commit that `old` contains: its child names it as first parent.
    return line.rstrip(b"\n").rpartition(b"\n")[2].split(b" ")[1:2] == [old.encode()]
