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
from generator.build.differences import field_names
from generator.build.history import (
    Found,
    blobs_of,
    continues,
    describe,
    read_blobs,
    read_commits,
)
from generator.build.output.files import Files
from generator.build.provenance import is_whole
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

    def read(self, folder: str, which: str) -> None:
        """Add the changes of a commit and those before it, or of a range.  Raises OSError."""
        found: list[Found] = []
        for changes in read_commits(folder, "--reverse", which, whole=True):
            found += changes
            while len(found) >= _TOGETHER:
                self._add(folder, found[:_TOGETHER])
                del found[:_TOGETHER]
        self._add(folder, found)

    def _add(self, folder: str, found: Sequence[Found]) -> None:
        blobs = blobs_of(found)
        texts = read_blobs(folder, blobs)
        if blobs and not texts:
            raise OSError("git cat-file failed")
        for one, change, fields in describe(found, texts):
            self.updated.setdefault(change.collection, {})[change.slug] = change.at
            self.rest.append({
                "seq": self.full * MAX_CHANGES + len(self.rest) + 1,
                "at": change.at,
                "commit": one.commit,
                **change._asdict(),
                "fields": field_names(fields or {}),
            })  # fmt: skip
            if len(self.rest) == MAX_CHANGES:
                page = self._last()
                self.full, self.digest, self.rest = self.full + 1, sha256_hex(page.data), []
                self.rendered[self.full] = page

    def _last(self) -> Artifact:
        return render_page(self.full + 1, self.digest, self.rest, self.grammar)

    def pages(self) -> list[Artifact]:
        """All pages, if everything was read at once."""
        return [*self.rendered.values(), *([self._last()] if self.rest else [])]

    def write(self, files: Files, revision: str, cache: Cache) -> None:
        """Write the pages, and keep in the cache what was read."""
        for number in range(1, self.full + 1):
            path, part = change_page(number), f"past/{number}"
            if number not in self.rendered and files.has([path]):
                files.keep("changes", [path])
                cache.keep(part)
                continue
            data = self.rendered[number].data if number in self.rendered else cache.get(part)
            if data is None:  # damaged: the build starts again with an empty cache
                raise LookupError(part)
            files.put("changes", Artifact(path, data), _CAUSE)
            cache.put(part, data)
        if self.rest:
            files.put("changes", self._last(), _CAUSE)
        noted = self.grammar.prefix, revision, self.full, self.digest, self.rest, self.updated
        cache.put("past", noted)


def read_past(folder: str, revision: str | None, grammar: Grammar, cache: Cache) -> Past | None:
    """The history up to a commit; None if it is not known.  Raises OutputError if git fails."""
    if revision is None or not is_whole(folder):
        return None
    past, which = Past(grammar), revision
    prefix, after, *noted = cache.get("past") or ("", "")
    if noted and prefix == grammar.prefix and continues(folder, after, revision):
        past, which = Past(grammar, *noted), f"{after}..{revision}"
    try:
        past.read(folder, which)
    except OSError as error:
        raise OutputError(
            f"The history of {folder} cannot be read: {error}\n"
            "Check the repository with git fsck, or set `changes: false` in registry.yaml."
        ) from error
    return past
