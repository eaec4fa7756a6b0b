"""The query tier: any allowed query, answered from the published search index and pages with a few
bounded reads.

search/js/source/search.mjs does the same in JavaScript, and both give the same bytes.  All files
are checked against the manifest, so that files of two builds are never mixed, and nothing in it is
trusted: the manifest is checked for consistency, and every number against the number of records.
docs/search.md tells the format.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from zlib import crc32

from generator.contract.listing import (
    MAX_COUNTED,
    FilterCounts,
    count_bytes,
    list_bytes,
    rows_in,
    total_pages,
)
from generator.grammar.grammar import Collection, Count, Grammar, Query, past_the_end
from generator.search.columns import Read as Column
from generator.search.count import columns_read, counted
from generator.search.format import Damaged, pages_key
from generator.search.manifest import Manifest, Unavailable, damaged
from generator.search.matching import EARLY_PARTS, Matching
from generator.search.reading import CHECK_BYTES, Reading
from generator.search.rows import rows_of, sources
from generator.search.score import ranked
from generator.search.suggested import suggested

#: Canonical paths -> the bytes of each file, None where there is none; several at once where that
#: is faster.
Read = Callable[[Sequence[str]], Sequence[bytes | None]]

#: Of files that are kept for the next query.
_KEPT_BYTES = 32 << 20


class Mixed(Exception):
    """A file is not the one that the manifest means; the text says which, and how."""


class Engine:
    """Answers queries from one build, wherever its files are read from.  Threads may share it."""

    def __init__(self, grammar: Grammar, read: Read):
        self.grammar, self._read = grammar, read
        self._kept: dict[tuple[str, int | None], bytes] = {}
        self._manifests: dict[str, Manifest] = {}
        self._lock = threading.Lock()

    def answer(self, query: Query) -> bytes:
        """The list document.

        Raises QueryError, also where the answer would pass a bound, and Unavailable.
        """
        return self.tried(query.collection, lambda reading: self._list(query, reading))

    def count(self, count: Count) -> bytes:
        """The count document.  Raises likewise."""
        return self.tried(count.collection, lambda reading: self._count(count, reading))

    def tried(self, collection: Collection, answer: Callable[[Reading], bytes]) -> bytes:
        """What comes of reading an index, from the manifest on, and where a file is another one
        once again.
        """
        before = None
        for _ in range(2):
            index = self.manifest(collection)
            try:
                return answer(Reading(index, self.fetch))
            except Damaged as error:
                raise damaged("one of its files has an unexpected form") from error
            except Mixed as error:
                if index.raw == before:
                    raise damaged(str(error)) from error
                before = index.raw
        raise Unavailable("The registry is updating. Try again in a moment.")

    def fetch(self, wanted: Mapping[str, int | None]) -> dict[str, bytes]:
        """See `generator.search.reading.Fetch`.  Raises Mixed."""
        with self._lock:
            found = {
                path: self._kept.pop((path, check))
                for path, check in wanted.items()
                if (path, check) in self._kept
            }
        missing = [path for path in wanted if path not in found]
        for path, data in zip(missing, self._read(missing) if missing else (), strict=True):
            page = path.endswith(".json")
            if data is None or not _is_meant(rows_in(data) if page else data, wanted[path]):
                if page:
                    continue
                how = "is missing" if data is None else "is not the file that the manifest lists"
                raise Mixed(f"{path} {how}")
            found[path] = data
        with self._lock:
            self._kept |= {(path, wanted[path]): data for path, data in found.items()}
            size = sum(map(len, self._kept.values()))
            while size > _KEPT_BYTES:
                size -= len(self._kept.pop(next(iter(self._kept))))
        return found

    def manifest(self, collection: Collection) -> Manifest:
        """Read each time, for it says whether anything else is still good; taken apart only when it
        is another.
        """
        (raw,) = self._read([collection.manifest_path])
        if raw is None:
            raise Unavailable(f"There is no search index of {collection.name} here.")
        kept = self._manifests.get(collection.name)
        if kept is None or kept.raw != raw:
            kept = self._manifests[collection.name] = Manifest.parse(raw, collection)
        return kept

    def _list(self, query: Query, reading: Reading) -> bytes:
        default, index = query.collection.sorts[0], reading.index
        sort = query.order if query.order not in ("relevance", default) else None
        column = sort.removeprefix("-") if sort else ""
        early = sort is not None and reading.several(column) <= EARLY_PARTS
        prepared = sort is not None and sort in query.collection.prepared_sorts
        match = Matching(reading, query, self.grammar)
        keys = [pages_key(sort)] if sort and prepared else []
        match.read([column] if early else [], keys=keys, rows=True)
        matching = match.matching()
        size, page, total = index.size, query.page, matching.bit_count()
        pages = total_pages(total, size)
        if page > pages:
            raise past_the_end(page, pages)
        matches: Iterable[int]
        if query.order == "relevance":
            matches = ranked(match.words, matching, index.records)
        else:
            matches = positions = match.positions(matching)
            if sort:
                matches = _ordered(positions, match.column(column, positions), sort)
        wanted = list(islice(matches, (page - 1) * size, page * size))
        rows = rows_of(
            wanted, sources(wanted, match, sort if early and prepared else None), reading
        )
        meant = [] if total or query.q is None else suggested(match, query.q)
        return list_bytes(query, rows, total, size, self.grammar, index.as_of, meant)

    def _count(self, count: Count, reading: Reading) -> bytes:
        needed, index = columns_read(count), reading.index
        match = Matching(reading, count, self.grammar)
        match.read(needed, listed=count.by)
        total, found = match.matching().bit_count(), {}
        for name in count.by:
            tally = None
            if name in needed:
                tally = match.columns[name].tally(match.positions(match.matching(but=name)))
            held = counted(match.values[name], tally, count.like)
            known = count.collection.filters[name]
            found[name] = FilterCounts(known.label, len(held), held[:MAX_COUNTED])
            reading.in_time()
        return count_bytes(count, total, found, self.grammar, index.as_of)


def _is_meant(data: bytes, check: int | None) -> bool:
    if check is None:
        return data[-CHECK_BYTES:] == b"%08x\n" % crc32(data[:-CHECK_BYTES])
    return crc32(data) == check


def _ordered(positions: Sequence[int], column: Column, sort: str) -> list[int]:
    """Ascending positions in the order of a sort: those without a value last."""
    if sort[0] == "-":
        return sorted(positions, key=lambda position: -column.one(position))
    last = column.spec.values + 1
    return sorted(positions, key=lambda position: column.one(position) or last)
