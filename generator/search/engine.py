"""The query tier: any allowed query, answered from the published search index and pages with a few
bounded reads.

edge/source/search.mjs does the same in JavaScript, and both give the same bytes.  Whatever is read
is checked against the manifest, so that files of two builds are never mixed, and nothing in it is
believed: the manifest is held against itself, and every number against how many records there are.
docs/search.md tells the format.
"""

from __future__ import annotations

import binascii
import re
import sys
import threading
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import orjson

from generator.api.folding import packed
from generator.api.grammar import Collection, Grammar, Query, Slice, past_the_end, unknown_value
from generator.api.listing import BETWEEN, list_bytes, rows_in, total_pages
from generator.api.problems import PROBLEMS, QueryError
from generator.api.text import words
from generator.search.format import (
    CLASSES,
    FORMAT,
    Damaged,
    Layout,
    entries,
    filter_key,
    is_sealed,
    mark,
    positions_in,
)

#: Canonical paths -> the bytes of each file, None where there is none; several at once where that
#: is faster.
Read = Callable[[Sequence[str]], Sequence[bytes | None]]

#: Of one query.  Free plans of edge functions allow 50 reads.
MAX_READS, MAX_BYTES, MAX_SECONDS = 50, 32 << 20, 10.0
#: Of an index: records, rows a page, bytes of the manifest.  What says more is damaged.
MAX_RECORDS, MAX_SIZE, MAX_MANIFEST = 1 << 20, 100, 4 << 20
#: Of files that are kept for the next query.
_KEPT_BYTES = 32 << 20
_is_day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch
_is_version = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){1,2}").fullmatch


class Unavailable(Exception):
    """The index cannot be read, or not all of it is of one build: another is being put in place."""


class Mixed(Exception):
    """A file is not the one that the manifest means; the text says which, and how."""


class Manifest(NamedTuple):
    """What a collection's index begins with.  `checks` has the CRC-32 of every other file, by what
    it holds.
    """

    records: int
    size: int
    as_of: str | None
    layout: Layout
    sorts: Mapping[str, tuple[int, int]]  # sort -> bytes a number, numbers a file
    rows: int
    pages_a_block: int
    block_bytes: Sequence[int]
    checks: Mapping[str, Sequence[int]]
    raw: bytes

    @classmethod
    def parse(cls, raw: bytes, collection: Collection) -> Manifest:
        """Raises Unavailable."""
        try:
            if len(raw) > MAX_MANIFEST:
                raise Damaged
            found = orjson.loads(raw)
            if found["kind"] != "search_index":
                raise Damaged
            if _whole(found["format"], 0, 1 << 30) != FORMAT:
                raise Unavailable(
                    f"The search index has the format {found['format']:.0f}; this program reads {FORMAT}."
                )
            if (
                not is_sealed(raw)
                or found["collection"] != collection.name
                or not _is_version(found["unicode"])
            ):
                raise Damaged
            if found["unicode"] != packed()["unicode"]:
                raise Unavailable(f"The search index was made by Unicode {found['unicode']}; this program folds words by "
                                  f"{packed()['unicode']}. They go together in one version of the generator.")  # fmt: skip
            return cls._checked(found, collection, raw)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _damaged("its manifest is not one that a build writes") from error

    @classmethod
    def _checked(cls, found: dict[str, Any], collection: Collection, raw: bytes) -> Manifest:
        """Each number within its bounds, and as many files as they ask for.  Raises ValueError,
        KeyError, TypeError …
        """
        records, size = _whole(found["count"], 0, MAX_RECORDS), _whole(found["size"], 1, MAX_SIZE)
        rows, a_block = (
            _whole(found["rows"], 0, size - 1),
            _whole(found["pages_a_block"], 0, MAX_RECORDS),
        )
        shards, pages = _whole(found["shards"], 1, MAX_RECORDS), total_pages(records, size)
        sorts = {
            name: (_whole(width, 2, 4), _whole(chunk, 1, 1 << 30))
            for name, (width, chunk) in found["sorts"].items()
        }
        checks = {
            name: _numbers("I", binascii.a2b_base64(packed, strict_mode=True))
            for name, packed in found["checks"].items()
        }
        files = {
            "keys": shards,
            "rows": _files(records, rows),
            "pages": pages,
            "blocks": _files(pages, a_block),
        }
        files |= {f"sort/{name}": _files(records, chunk) for name, (_, chunk) in sorts.items()}
        as_of, split, block_bytes = found["as_of"], found["split"], found["block_bytes"]
        if (
            {name: len(held) for name, held in checks.items()} != files
            or not (isinstance(block_bytes, list) and len(block_bytes) == files["blocks"])
            or set(sorts) != set(collection.prepared_sorts[1:])
            or shards & (shards - 1)
            or any(width == 3 for width, _ in sorts.values())
            or not (as_of is None or _is_day(as_of))
            or not (isinstance(split, list) and all(isinstance(group, str) for group in split))
        ):
            raise Damaged
        return cls(records, size, as_of, Layout(shards, frozenset(split)), sorts, rows, a_block,
                   [_whole(number, 0, 1 << 53) for number in block_bytes], checks, raw)  # fmt: skip


def _damaged(how: str) -> Unavailable:
    return Unavailable(
        f"The search index is damaged: {how}. Unless it is being published just now, build and publish it again."
    )


def _whole(number: Any, least: int, most: int) -> int:
    """Raises Damaged but for a whole number within these bounds; JSON has one kind of number."""
    if type(number) not in (int, float) or not least <= number <= most or number != int(number):
        raise Damaged
    return int(number)


def _files(things: int, a_file: int) -> int:
    """How many files so many things take; none where there are no such files."""
    return -(-things // a_file) if a_file else 0


class Engine:
    """Answers queries from one build, wherever its files are read from.  Several threads may ask."""

    def __init__(self, grammar: Grammar, read: Read):
        self.grammar, self._read = grammar, read
        self._kept: dict[tuple[str, int], bytes] = {}
        self._lock = threading.Lock()

    def answer(self, query: Query) -> bytes:
        """The list document.

        Raises QueryError, also where the answer would pass a bound, and Unavailable.
        """
        prepared = ("relevance", *query.collection.prepared_sorts)
        if query.order not in prepared or not all(c.one for _, c in query.constraints):
            raise QueryError("unsupported-combination", PROBLEMS["unsupported-combination"][2])
        before = None
        for _ in range(2):
            search = Search(self, query)
            try:
                return search.answer()
            except Damaged as error:
                raise _damaged("a file of it is not one that a build writes") from error
            except Mixed as error:
                if search.index.raw == before:
                    raise _damaged(str(error)) from error
                before = search.index.raw
        raise Unavailable("The registry is being replaced; ask again in a moment.")

    def fetch(self, wanted: Mapping[str, int]) -> dict[str, bytes]:
        """Files by path, each with the check it must have.  Raises Mixed."""
        with self._lock:
            found = {
                path: self._kept.pop((path, check))
                for path, check in wanted.items()
                if (path, check) in self._kept
            }
        missing = [path for path in wanted if path not in found]
        for path, data in zip(missing, self._read(missing) if missing else (), strict=True):
            if data is None:
                raise Mixed(f"{path} is missing")
            if crc32(rows_in(data) if path.endswith(".json") else data) != wanted[path]:
                raise Mixed(f"{path} is not the file that the manifest means")
            found[path] = data
        with self._lock:
            self._kept |= {(path, wanted[path]): data for path, data in found.items()}
            size = sum(map(len, self._kept.values()))
            while size > _KEPT_BYTES:
                size -= len(self._kept.pop(next(iter(self._kept))))
        return found

    def manifest(self, collection: Collection) -> Manifest:
        (raw,) = self._read([collection.manifest_path])
        if raw is None:
            raise Unavailable(f"There is no search index of {collection.name} here.")
        return Manifest.parse(raw, collection)


class Search:
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
            raise past_the_end(page, pages)
        rows = self.rows(matches[(page - 1) * size : page * size])
        return list_bytes(
            self.query, rows, len(matches), size, self.engine.grammar, self.index.as_of
        )

    def matches(self) -> Sequence[int]:
        """The positions of all records that match, in the order that is asked for."""
        layout, query = self.index.layout, self.query
        conditions = [
            (layout.shard(key), key, False) for key in (filter_key(*pair) for pair in query.filters)
        ]
        asked = list(dict.fromkeys(words(query.q))) if query.q is not None else []
        conditions += [layout.find(word) for word in asked]
        shards = self.fetch(
            {self.collection.shard_path(n): self.index.checks["keys"][n] for n, _, _ in conditions}
        )
        # Of each condition the records that fulfil it, as disjoint bitmaps for the classes.
        found = [
            self.look_up(shards[self.collection.shard_path(n)], key, more)
            for n, key, more in conditions
        ]
        for (name, value), sets in zip(query.filters, found, strict=False):
            if sets is None:
                raise unknown_value(self.collection, name, value, self.engine.grammar)
        if not found:
            return self.ordered(range(self.index.records))
        matching = -1
        for sets in found:
            matching &= sum(sets) if sets is not None else 0
        # By the sum of their classes, the records that have it: one set at first, divided by each
        # word.
        levels = [matching]
        for sets in found[len(query.filters) :] if query.order == "relevance" and matching else ():
            assert sets is not None
            divided = [0] * (len(levels) + CLASSES - 1)
            for least, level in enumerate(levels):
                for which, having in enumerate(sets):
                    divided[least + which] |= level & having
            levels = divided
        most = (self.index.records + 7) // 8
        return self.ordered(
            [
                position
                for level in levels
                for position in positions_in(level.to_bytes(most, "little"))
            ]
        )

    def look_up(self, shard: bytes, key: str, more: bool) -> list[int] | None:
        """The records that have a key, or with `more` any that begins with it, as a bitmap for each
        class, each record in the first; None where no key does.  Raises Damaged, and Unavailable
        where that takes too long.
        """
        wanted, records, known = key.encode(), self.index.records, False
        marked = [bytearray((records + 7) // 8) for _ in range(CLASSES)]
        for has, body in entries(shard):
            if has == wanted or (more and has.startswith(wanted)):
                known = True
                mark(body, marked, records)
        self.in_time()
        if not known:
            return None
        found, before = [], 0
        for bits in marked:
            held = int.from_bytes(bits, "little")
            found.append(held & ~before)
            before |= held
        return found

    def ordered(self, positions: Sequence[int]) -> Sequence[int]:
        """Positions in the order of the query's sort: the greatest number first, those without one
        last.
        """
        sort = self.query.order
        if sort in ("relevance", self.collection.sorts[0]) or not positions:
            return positions
        width, chunk = self.index.sorts[sort]
        wanted = sorted({position // chunk for position in positions})
        path, checks = self.collection.numbers_path, self.index.checks[f"sort/{sort}"]
        read = self.fetch({path(sort, n): checks[n] for n in wanted})
        for n in wanted:
            if len(read[path(sort, n)]) != width * min(chunk, self.index.records - n * chunk):
                raise Damaged
        numbers = {n: _numbers("H" if width == 2 else "I", read[path(sort, n)]) for n in wanted}
        return sorted(positions, key=lambda position: -numbers[position // chunk][position % chunk])

    def rows(self, positions: Sequence[int]) -> list[bytes]:
        """The encoded summaries: from files of a few rows; from pages, and blocks of pages, where
        those would be too many.
        """
        index, part = self.index, self.collection
        sizes = {
            "rows": index.rows,
            "pages": index.size,
            "blocks": index.size * index.pages_a_block,
        }
        sizes = {kind: size for kind, size in sizes.items() if size}
        paths = {
            "rows": part.rows_path,
            "pages": lambda n: Slice(part).path(n + 1),
            "blocks": part.blocks_path,
        }
        source = cover(positions, list(sizes.items()), MAX_READS - self.reads)
        files = dict.fromkeys(source.values())
        read = self.fetch({paths[kind](n): index.checks[kind][n] for kind, n in files},
                          sum(index.block_bytes[n] for kind, n in files if kind == "blocks"))  # fmt: skip
        lines = {}
        for kind, n in files:
            data, held = read[paths[kind](n)], min(sizes[kind], index.records - n * sizes[kind])
            rows, between = (
                (rows_in(data), BETWEEN) if kind == "pages" else (data.removesuffix(b"\n"), b"\n")
            )
            if rows.count(b"\n") != held - 1 or rows.count(between) != held - 1:
                raise Damaged
            lines[kind, n] = rows.split(between)
        return [
            lines[source[position]][position % sizes[source[position][0]]] for position in positions
        ]

    def fetch(self, wanted: Mapping[str, int], expected: int = 0) -> dict[str, bytes]:
        """Files that are wanted now, of which so many bytes are known, within the bounds.  Raises
        QueryError.
        """
        self.reads += len(wanted)
        self.check("reads", self.reads, MAX_READS)
        self.check("bytes", self.bytes + expected, MAX_BYTES)
        found = self.engine.fetch(wanted)
        self.bytes += sum(map(len, found.values()))
        self.in_time()
        return found

    def in_time(self) -> None:
        if time.monotonic() > self.until:
            raise Unavailable(f"The answer took longer than {MAX_SECONDS:.0f} seconds.")

    @staticmethod
    def check(what: str, needed: int, most: int) -> None:
        if needed > most:
            raise QueryError("invalid-parameter", f"This query needs {needed} {what}, and at most {most} are allowed. "
                             "Ask with fewer or longer words, or fewer filters.")  # fmt: skip


def cover(
    positions: Sequence[int], levels: Sequence[tuple[str, int]], most: int
) -> dict[int, tuple[str, int]]:
    """For each position the file that its row is read from, by level and number.

    `levels` have so many rows a file, ever more.  Where files of one level are more than `most`,
    some of the next take their place, those first that take the place of most.
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
            found |= {
                position: (level, number) for position in positions if position // size == number
            }
    return found


def _numbers(code: str, data: bytes) -> Any:
    """Unsigned little-endian numbers.  Raises ValueError where there is no whole number of them."""
    found = array(code, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
