"""Reads for one query: the files that a manifest means, within the bounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from generator.grammar.refusals import QueryError
from generator.search.manifest import Manifest, Part, Unavailable, column

#: Of one query.  Free plans of edge functions allow 50 reads.
MAX_READS, MAX_BYTES, MAX_SECONDS = 50, 32 << 20, 10.0

#: The last line of a file that ends with its own check.
CHECK_BYTES = len(b"00000000\n")
#: Files by path, each with the check that it must have, None for one that ends with its own -> the
#: bytes of those that are there; a prepared page that is another one is not among them.
Fetch = Callable[[Mapping[str, int | None]], Mapping[str, bytes]]


class Reading:
    """One query on its way: what was read so far, and against which manifest."""

    def __init__(self, index: Manifest, fetch: Fetch):
        self.index, self._fetch = index, fetch
        self.until = time.monotonic() + MAX_SECONDS
        self.reads, self.bytes = 1, 0

    def parts(self, wanted: Iterable[Part]) -> dict[Part, bytes]:
        """Files of the index."""
        paths = {part: self.index.path(part) for part in wanted}
        checks = {path: self.index.checks[what][n] for (what, n), path in paths.items()}
        found = self.files(checks)
        return {part: found[path] for part, path in paths.items()}

    def several(self, name: str) -> int:
        """How many parts a column has."""
        return len(self.index.checks[column(name)])

    def files(self, wanted: Mapping[str, int | None], expected: int = 0) -> Mapping[str, bytes]:
        """Files that are wanted now, of about so many bytes, within the bounds.  Raises QueryError,
        and what fetching raises.
        """
        self.reads += len(wanted)
        _bounded("reads", self.reads, MAX_READS)
        _bounded("bytes", self.bytes + expected, MAX_BYTES)
        found = self._fetch(wanted) if wanted else {}
        self.bytes += sum(map(len, found.values()))
        _bounded("bytes", self.bytes, MAX_BYTES)
        self.in_time()
        return found

    def in_time(self) -> None:
        if time.monotonic() > self.until:
            raise Unavailable(f"The answer took longer than {MAX_SECONDS:.0f} seconds.")


def _bounded(what: str, needed: int, most: int) -> None:
    if needed > most:
        raise QueryError("invalid-parameter",
                         f"This query needs {needed} {what}; the limit is {most}. "
                         "Use fewer or longer words, or fewer filters.")  # fmt: skip
