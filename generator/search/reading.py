"""Reads for one query: files of an index, within bounds on their number, bytes and time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from generator.grammar.refusals import QueryError
from generator.search.manifest import Manifest, Part, Unavailable, column_kind

#: Bounds of one query.  Free plans of edge functions allow 50 reads.
MAX_READS, MAX_BYTES, MAX_SECONDS = 50, 32 << 20, 10.0

#: The last line of a file that ends with its own check.
CHECK_BYTES = len(b"00000000\n")
#: Reads files.  Takes paths with the expected check, None for a file that ends with its own check;
#: returns the bytes by path, without prepared pages that are missing or have another check.
Fetch = Callable[[Mapping[str, int | None]], Mapping[str, bytes]]


class Reading:
    """The reads of one query, all from the index of one manifest."""

    def __init__(self, index: Manifest, fetch: Fetch):
        self.index, self._fetch = index, fetch
        self.until = time.monotonic() + MAX_SECONDS
        self.reads, self.bytes = 1, 0

    def parts(self, wanted: Iterable[Part]) -> dict[Part, bytes]:
        """Read parts of the index.  Raises as `files` does."""
        paths = {part: self.index.path(part) for part in wanted}
        checks = {path: self.index.checks[kind][n] for (kind, n), path in paths.items()}
        data = self.files(checks)
        return {part: data[path] for part, path in paths.items()}

    def several(self, name: str) -> int:
        """The number of parts of a column."""
        return len(self.index.checks[column_kind(name)])

    def files(self, wanted: Mapping[str, int | None], expected: int = 0) -> Mapping[str, bytes]:
        """Read files, about `expected` bytes of them.  Raises QueryError if that exceeds a bound,
        Unavailable if the time is over, and what `Fetch` raises.  Refused reads are not counted.
        """
        _check_bound("reads", self.reads + len(wanted), MAX_READS)
        _check_bound("bytes", self.bytes + expected, MAX_BYTES)
        self.reads += len(wanted)
        files = self._fetch(wanted) if wanted else {}
        self.bytes += sum(map(len, files.values()))
        _check_bound("bytes", self.bytes, MAX_BYTES)
        self.check_time()
        return files

    def check_time(self) -> None:
        """Raises Unavailable if the time is over."""
        if time.monotonic() > self.until:
            raise Unavailable(f"The answer took longer than {MAX_SECONDS:.0f} seconds.")


def share_bounds(needed: Mapping[Reading, int], manifests: int) -> None:
    """Divide the bounds of a query among several readings: each has the reads that it needs, and an
    equal part of the others, and of the bytes.  `manifests` were read before.

    Raises QueryError if the needed reads are too many.
    """
    total = manifests + sum(needed.values())
    _check_bound("reads", total, MAX_READS)
    for reading, number in needed.items():
        reading.reads = MAX_READS - (MAX_READS - total) // len(needed) - number
        reading.bytes = MAX_BYTES - MAX_BYTES // len(needed)


def _check_bound(resource: str, needed: int, limit: int) -> None:
    if needed > limit:
        raise QueryError("invalid-parameter",
                         f"This query needs {needed} {resource}; the limit is {limit}. "
                         "Use fewer or longer words, or fewer filters.")  # fmt: skip
