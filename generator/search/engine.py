"""The query tier: answers any allowed query from the published search index and pages, with a few
bounded reads.

search/js/source/search.mjs does the same in JavaScript, and both give the same bytes.  Every file
is checked against the manifest, so files of two builds are never mixed.  Nothing read is trusted:
the manifest is checked for consistency, and every number against the number of records.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple
from zlib import crc32

from generator.contract.files import ReadFiles
from generator.contract.listing import (
    MAX_COUNTED,
    FilterCounts,
    render_count,
    render_list,
    render_rows,
    rows_in,
    total_pages,
)
from generator.grammar.grammar import (
    Collection,
    Count,
    Grammar,
    Query,
    Rows,
    Search,
    no_such_page,
)
from generator.search.alternatives import find_alternatives
from generator.search.cells import row_cells
from generator.search.columns import ReadColumn
from generator.search.count import columns_to_read, count_selected, count_values, with_per
from generator.search.everything import search_everything
from generator.search.format import Damaged, pages_key
from generator.search.manifest import Manifest, Unavailable, damaged
from generator.search.matching import EARLY_PARTS, Matching
from generator.search.reading import CHECK_BYTES, Reading
from generator.search.rows import read_rows, row_sources
from generator.search.score import rank_positions
from generator.search.suggested import suggest_queries

#: The manifest of a collection's index, whose checks may be made when they are looked up.
FindManifest = Callable[[Collection], Manifest]

_CACHE_BYTES = 32 << 20


class MixedBuilds(Exception):
    """A file is missing or does not match the manifest; the text says which."""


class Selection(NamedTuple):
    """The records of one page of a list of `total`: their positions and encoded summaries."""

    match: Matching
    total: int
    positions: Sequence[int]
    rows: Sequence[bytes]


class Engine:
    """Answers queries from the files that `read` gives.  Threads may share it.

    Without `find_manifest`, manifests are files too.
    """

    def __init__(
        self, grammar: Grammar, read: ReadFiles, find_manifest: FindManifest | None = None
    ):
        self.grammar, self._read, self._find_manifest = grammar, read, find_manifest
        #: Files by path and check, the least recently used first.
        self._cache: dict[tuple[str, int | None], bytes] = {}
        self._manifests: dict[str, Manifest] = {}
        self._lock = threading.Lock()

    def answer(self, asked: Query | Rows | Count | Search) -> bytes:
        """The document that answers.  Raises Unavailable, and QueryError, also if a
        bound is exceeded.
        """
        if isinstance(asked, Search):
            return self.retry_if_mixed(
                [*self.grammar.collections.values()],
                lambda readings: search_everything(asked, readings, self.grammar),
            )
        return self.retry_if_mixed(
            [asked.collection], lambda readings: self._answer(asked, readings[0])
        )

    def _answer(self, asked: Query | Rows | Count, reading: Reading) -> bytes:
        if isinstance(asked, Query):
            return self._list(asked, reading)
        if isinstance(asked, Rows):
            return self._rows(asked, reading)
        return self._count(asked, reading)

    def retry_if_mixed(
        self, collections: Sequence[Collection], answer: Callable[[Sequence[Reading]], bytes]
    ) -> bytes:
        """The result of `answer`, which is called again with new manifests if a file does not match
        the first.
        """
        before = None
        for _ in range(2):
            indexes = self.manifests(collections)
            try:
                return answer([Reading(index, self.fetch) for index in indexes])
            except Damaged as error:
                raise damaged("one of its files has an unexpected form") from error
            except MixedBuilds as error:
                raws = [index.raw for index in indexes]
                if raws == before:
                    raise damaged(str(error)) from error
                before = raws
        raise Unavailable("The registry is updating. Try again in a moment.")

    def fetch(self, wanted: Mapping[str, int | None]) -> dict[str, bytes]:
        """See `generator.search.reading.Fetch`.  Raises MixedBuilds."""
        with self._lock:
            files = {
                path: self._cache.pop((path, check))
                for path, check in wanted.items()
                if (path, check) in self._cache
            }
        missing = [path for path in wanted if path not in files]
        for path, data in zip(missing, self._read(missing) if missing else (), strict=True):
            is_page = path.endswith(".json")
            if data is None or not _has_check(rows_in(data) if is_page else data, wanted[path]):
                if is_page:
                    continue
                how = "is missing" if data is None else "is not the file that the manifest lists"
                raise MixedBuilds(f"{path} {how}")
            files[path] = data
        with self._lock:
            self._cache |= {(path, wanted[path]): data for path, data in files.items()}
            size = sum(map(len, self._cache.values()))
            while size > _CACHE_BYTES:
                size -= len(self._cache.pop(next(iter(self._cache))))
        return files

    def manifests(self, collections: Sequence[Collection]) -> list[Manifest]:
        """The current manifests.  They are read each time, because their checks show whether other
        files are still current, and parsed if they have changed.
        """
        if self._find_manifest is not None:
            return list(map(self._find_manifest, collections))
        raws = self._read([collection.manifest_path for collection in collections])
        return [
            self._manifest(collection, raw)
            for collection, raw in zip(collections, raws, strict=True)
        ]

    def _manifest(self, collection: Collection, raw: bytes | None) -> Manifest:
        if raw is None:
            raise Unavailable(f"There is no search index of {collection.name} here.")
        manifest = self._manifests.get(collection.name)
        if manifest is None or manifest.raw != raw:
            manifest = self._manifests[collection.name] = Manifest.parse(raw, collection)
        return manifest

    def _list(self, query: Query, reading: Reading) -> bytes:
        index = reading.index
        match, total, _, rows = self._select(query, reading, index.size)
        found = [] if total or query.q is None else suggest_queries(match, query.q)
        alternatives = [] if total or query.slice else find_alternatives(match, query, found)
        suggestions = [suggestion.q for suggestion in found]
        return render_list(
            query,
            rows,
            count=total,
            size=index.size,
            grammar=self.grammar,
            as_of=index.as_of,
            suggestions=suggestions,
            alternatives=alternatives,
        )

    def _rows(self, asked: Rows, reading: Reading) -> bytes:
        query, fields = asked.list, [asked.collection.row_fields[name] for name in asked.columns]
        columns = [field.name for field in fields if field.in_column]
        match, total, positions, rows = self._select(query, reading, asked.limit, columns)
        cells = row_cells(fields, positions, rows, match)
        alternatives = [] if total else find_alternatives(match, query)
        return render_rows(asked, total, cells, self.grammar, reading.index.as_of, alternatives)

    def _select(
        self, query: Query, reading: Reading, size: int, columns: Sequence[str] = ()
    ) -> Selection:
        """The page of a query, if pages have `size` records.  Of `columns` at least the values of
        these records are read.
        """
        default, index = query.collection.sorts[0], reading.index
        sort = query.order if query.order not in ("relevance", default) else None
        column = sort.removeprefix("-") if sort else ""
        needed = dict.fromkeys([column, *columns] if sort else columns)
        early = [name for name in needed if reading.several(name) <= EARLY_PARTS]
        prepared = sort is not None and sort in query.collection.prepared_sorts
        match = Matching(reading, query, self.grammar)
        keys = [pages_key(sort)] if sort and prepared else []
        match.read(early, columns, keys)
        matching = match.matching()
        page, total = query.page, matching.bit_count()
        pages = total_pages(total, size)
        if page > pages:
            raise no_such_page(page, pages)
        matches: Iterable[int]
        if query.order == "relevance":
            matches = rank_positions(match.words, match.as_written, matching, index.records)
        else:
            matches = positions = match.positions(matching)
            if sort:
                match.read_columns([column], positions)
                matches = _ordered(positions, match.columns[column], sort)
        wanted = list(islice(matches, (page - 1) * size, page * size))
        match.read_columns(columns, wanted)
        known = row_sources(wanted, match, sort if column in early and prepared else None)
        return Selection(match, total, wanted, read_rows(wanted, known, reading))

    def _count(self, count: Count, reading: Reading) -> bytes:
        needed, index = columns_to_read(count), reading.index
        match = Matching(reading, count, self.grammar)
        match.read(needed, value_columns=[*count.by, count.per] if count.per else count.by)
        total, counts = match.matching().bit_count(), {}
        asked = {known.name: constraint for known, constraint in match.constraints}
        for name in count.by:
            values, spec, tally, pairs = match.values[name], index.columns[name], None, None
            if name in needed:
                column = match.columns[name]
                positions = match.positions(match.matching(ignored_filter=name))
                tally = column.tally(positions)
                if count.per is not None:
                    pairs = column.tally_with(match.columns[count.per], positions)
            found = count_values(values, tally, count.like)
            rows = found[:MAX_COUNTED]
            selected = count_selected(values, spec, asked.get(name), tally)
            if count.per is not None and pairs is not None:
                beside = match.values[count.per]
                rows, selected = (
                    with_per(c, values, spec, beside, pairs) for c in (rows, selected)
                )
            label = count.collection.filters[name].label
            counts[name] = FilterCounts(label, len(found), rows, selected)
            reading.check_time()
        alternatives = [] if total else find_alternatives(match, count.list)
        return render_count(count, total, counts, self.grammar, index.as_of, alternatives)


def _has_check(data: bytes, check: int | None) -> bool:
    """Whether data has this CRC-32; with None, whether it ends with its own."""
    if check is None:
        return data[-CHECK_BYTES:] == b"%08x\n" % crc32(data[:-CHECK_BYTES])
    return crc32(data) == check


def _ordered(positions: Sequence[int], column: ReadColumn, sort: str) -> list[int]:
    """Ascending positions in the order of a sort, those without a value last."""
    if sort[0] == "-":
        return sorted(positions, key=lambda position: -column.number_at(position))
    last = column.spec.values + 1
    return sorted(positions, key=lambda position: column.number_at(position) or last)
