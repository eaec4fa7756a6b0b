"""The query tier: any allowed query, answered from the published search index and pages with a few bounded reads.

edge/search.js does the same in JavaScript, and both give the same bytes.  Whatever is read is checked against the
manifest, so that files of two builds are never mixed.  docs/search.md tells the format.
"""

from __future__ import annotations

import binascii
import sys
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import orjson

from generator.listing import BETWEEN, list_bytes, rows_of, total_pages
from generator.postings import FORMAT, Layout, entries, filter_key, unpack
from generator.query import Collection, Grammar, Query, QueryError, Slice, words

#: Canonical paths -> the bytes of each file, None where there is none; several at once where that is faster.
Read = Callable[[Sequence[str]], Sequence[bytes | None]]

#: Of one query.  Free plans of edge functions allow 50 reads.
MAX_READS, MAX_BYTES, MAX_SECONDS = 50, 32 << 20, 10.0
#: Of files that are kept for the next query.
_KEPT_BYTES = 32 << 20


class Unavailable(Exception):
    """The index cannot be read, or not all of it is of one build: another is being put in place."""


class _Mixed(Exception):
    """A file is not the one that the manifest means."""


class Manifest(NamedTuple):
    """What a collection's index begins with.  `checks` has the CRC-32 of every other file, by what it holds."""

    records: int
    size: int
    as_of: str | None
    layout: Layout
    sorts: Mapping[str, tuple[int, int]]  # sort -> bytes a number, numbers a file
    rows: int
    pages_a_block: int
    block_bytes: Sequence[int]
    checks: Mapping[str, Sequence[int]]

    @classmethod
    def parse(cls, raw: bytes) -> Manifest:
        """Raises Unavailable."""
        try:
            found = orjson.loads(raw)
            if found["kind"] != "search_index" or found["format"] != FORMAT:
                raise Unavailable(f"The search index has the format {found['format']}; this program reads {FORMAT}.")
            checks = {name: _numbers("I", binascii.a2b_base64(packed)) for name, packed in found["checks"].items()}
            sorts = {name: (width, chunk) for name, (width, chunk) in found["sorts"].items()}
            layout = Layout(found["shards"], frozenset(found["split"]))
            return cls(found["count"], found["size"], found["as_of"], layout, sorts, found["rows"], found["pages_a_block"],
                       found["block_bytes"], checks)  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Unavailable("The search index is damaged.") from error


class Engine:
    """Answers queries from one build, wherever its files are read from."""

    def __init__(self, grammar: Grammar, read: Read):
        self.grammar, self._read = grammar, read
        self._kept: dict[tuple[str, int], bytes] = {}

    def answer(self, query: Query) -> bytes:
        """The list document.

        Raises QueryError, also where the answer would pass a bound, and Unavailable.
        """
        for _ in range(2):
            try:
                return _Search(self, query).answer()
            except _Mixed:
                continue
        raise Unavailable("The registry is being replaced; ask again in a moment.")

    def fetch(self, wanted: Mapping[str, int]) -> dict[str, bytes]:
        """Files by path, each with the check it must have.  Raises _Mixed."""
        missing = [path for path, check in wanted.items() if (path, check) not in self._kept]
        found = dict(zip(missing, self._read(missing), strict=True)) if missing else {}
        for path, check in wanted.items():
            data = found[path] if path in found else self._kept.pop((path, check))
            if data is None or crc32(checked(path, data)) != check:
                raise _Mixed
            self._kept[path, check] = found[path] = data
        while sum(map(len, self._kept.values())) > _KEPT_BYTES:
            del self._kept[next(iter(self._kept))]
        return {path: data for path, data in found.items() if data is not None}

    def manifest(self, collection: Collection) -> Manifest:
        (raw,) = self._read([collection.manifest_path])
        if raw is None:
            raise Unavailable(f"There is no search index of {collection.name} here.")
        return Manifest.parse(raw)


def checked(path: str, data: bytes) -> bytes:
    """What of a file its check is of: the rows of a page, for what is around them says as much; else all."""
    return BETWEEN.join(rows_of(data)) if path.endswith(".json") else data


class _Search:
    """One query on its way: what was read so far, and against which manifest."""

    def __init__(self, engine: Engine, query: Query):
        self.engine, self.query, self.collection = engine, query, query.collection
        self.until = time.monotonic() + MAX_SECONDS
        self.index = engine.manifest(query.collection)
        self.reads, self.bytes = 1, 0

    def answer(self) -> bytes:
        matches = self.matches()
        size, page = self.index.size, self.query.page
        pages = total_pages(len(matches), size)
        if page > pages:
            raise QueryError("not-found", f"There is no page {page}: the list has {pages} page{'s' * (pages != 1)}.")
        rows = self.rows(matches[(page - 1) * size : page * size])
        return list_bytes(self.query, rows, len(matches), size, self.engine.grammar, self.index.as_of)

    def matches(self) -> Sequence[int]:
        """The positions of all records that match, in the order that is asked for."""
        layout, query = self.index.layout, self.query
        conditions = [(layout.shard(key), key, False) for key in (filter_key(*pair) for pair in query.filters)]
        asked = list(dict.fromkeys(words(query.q))) if query.q is not None else []
        conditions += [layout.find(word) for word in asked]
        shards = self.fetch({self.collection.shard_path(n): self.index.checks["keys"][n] for n, _, _ in conditions})
        # Of each condition the records that fulfil it, in disjoint sets for the classes.
        found = [_look_up(shards[self.collection.shard_path(n)], key, more) for n, key, more in conditions]
        for (name, value), sets in zip(query.filters, found, strict=False):
            if sets is None:
                raise self.unknown(name, value)
        sets_of = [sets or [set()] for sets in found]
        if not sets_of:
            return self.ordered(range(self.index.records))
        every = sorted((set().union(*sets) for sets in sets_of), key=len)
        matching = every[0].intersection(*every[1:])
        if query.order != "relevance":
            return self.ordered(sorted(matching))
        of_words = sets_of[len(query.filters) :]

        def relevance(position: int) -> tuple[int, int]:
            return sum(next(c for c, having in enumerate(sets) if position in having) for sets in of_words), position

        return sorted(matching, key=relevance)

    def unknown(self, name: str, value: str) -> QueryError:
        values = self.engine.grammar.url(self.collection.filter_path(name))
        return QueryError("not-found", f'No {self.collection.kind} has the {name} "{value}"; {values} lists its values.')

    def ordered(self, positions: Sequence[int]) -> Sequence[int]:
        """Positions in the order of the query's sort: the greatest number first, those without one last."""
        sort = self.query.order
        if sort not in self.index.sorts or not positions:
            return positions
        width, chunk = self.index.sorts[sort]
        wanted = sorted({position // chunk for position in positions})
        path, checks = self.collection.numbers_path, self.index.checks[f"sort/{sort}"]
        read = self.fetch({path(sort, n): checks[n] for n in wanted})
        numbers = {n: _numbers("H" if width == 2 else "I", read[path(sort, n)]) for n in wanted}
        return sorted(positions, key=lambda position: -numbers[position // chunk][position % chunk])

    def rows(self, positions: Sequence[int]) -> list[bytes]:
        """The encoded summaries: from files of a few rows; from pages, and blocks of pages, where those would be too many."""
        index, part = self.index, self.collection
        sizes = {"rows": index.rows, "pages": index.size, "blocks": index.size * index.pages_a_block}
        sizes = {kind: size for kind, size in sizes.items() if size}
        paths = {"rows": part.rows_path, "pages": lambda n: Slice(part).path(n + 1), "blocks": part.blocks_path}
        source = cover(positions, list(sizes.items()), MAX_READS - self.reads)
        files = dict.fromkeys(source.values())
        read = self.fetch({paths[kind](n): index.checks[kind][n] for kind, n in files},
                          sum(index.block_bytes[n] for kind, n in files if kind == "blocks"))  # fmt: skip
        lines = {(kind, n): (rows_of if kind == "pages" else bytes.splitlines)(read[paths[kind](n)]) for kind, n in files}
        return [lines[source[position]][position % sizes[source[position][0]]] for position in positions]

    def fetch(self, wanted: Mapping[str, int], expected: int = 0) -> dict[str, bytes]:
        """Files that are wanted now, of which so many bytes are known, within the bounds.  Raises QueryError."""
        self.reads += len(wanted)
        self.check("reads", self.reads, MAX_READS)
        self.check("bytes", self.bytes + expected, MAX_BYTES)
        found = self.engine.fetch(wanted)
        self.bytes += sum(map(len, found.values()))
        if time.monotonic() > self.until:
            raise Unavailable(f"The answer took longer than {MAX_SECONDS:.0f} seconds.")
        return found

    @staticmethod
    def check(what: str, needed: int, most: int) -> None:
        if needed > most:
            raise QueryError("invalid-parameter", f"This query needs {needed} {what}, and at most {most} are allowed. "
                             "Ask with fewer or longer words, or fewer filters.")  # fmt: skip


def cover(positions: Sequence[int], levels: Sequence[tuple[str, int]], most: int) -> dict[int, tuple[str, int]]:
    """For each position the file that its row is read from, by level and number.

    `levels` have so many rows a file, ever more.  Where files of one level are more than `most`, some of the next take
    their place, those first that take the place of most.
    """
    (level, size), *larger = levels
    found = {position: (level, position // size) for position in positions}
    for level, size in larger:
        replaced: dict[int, set[tuple[str, int]]] = {}
        for position, file in found.items():
            replaced.setdefault(position // size, set()).add(file)
        for number, files in sorted(replaced.items(), key=lambda item: (-len(item[1]), item[0])):
            if len(set(found.values())) <= most or len(files) < 2:
                break
            found |= {position: (level, number) for position in positions if position // size == number}
    return found


def _look_up(shard: bytes, key: str, more: bool) -> list[set[int]] | None:
    """The records that have a key, or with `more` any that begins with it, by class; None where no key does."""
    wanted = key.encode()
    found: list[set[int]] | None = None
    for has, body in entries(shard):
        if has == wanted or (more and has.startswith(wanted)):
            lists = unpack(body)
            if found is None:
                found = [set(positions) for positions in lists]
            else:
                for held, positions in zip(found, lists, strict=True):
                    held.update(positions)
    return found


def _numbers(code: str, data: bytes) -> Any:
    """Unsigned little-endian numbers."""
    found = array(code, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
