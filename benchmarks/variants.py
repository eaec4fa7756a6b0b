"""Layouts of the search index: ours, and others that are ours with one change.  layouts.py measures
them.
"""

from __future__ import annotations

import math
import sys
import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import accumulate
from operator import itemgetter, sub
from typing import Any
from unittest.mock import patch
from zlib import crc32

import orjson
from corpus import AS_OF, Corpus

from generator.api.artifact import encode
from generator.api.grammar import Slice
from generator.search import engine as search
from generator.search import format as postings
from generator.search import index as emitted
from generator.search.index import Index, packed_checks

#: What the query tier calls its levels of rows, from few rows a file to many, and the constants
#: that decide on them.
ROWS, PAGES, BLOCKS = "rows", "pages", "blocks"
ROWS_A_FILE, MOST_BLOCKS = "_ROWS", "MAX_BLOCKS"


def levels_of(index: Index) -> dict[str, int]:
    """Rows a file of each level that the index has."""
    found = {ROWS: index.rows, PAGES: index.size, BLOCKS: index.size * index.pages_a_block}
    return {level: rows for level, rows in found.items() if rows}


# --- layouts --------------------------------------------------------------------------------------


class Ours:
    """A layout: the files of an index, and which of them a query reads.  Others override what they
    do otherwise.
    """

    unpack = staticmethod(postings.unpack)

    def __init__(self, given: Corpus):
        self.corpus, self.collection = given, given.table.collection
        began = time.process_time()
        self.index = self.divided()
        self.levels = levels_of(self.index)
        self.files = self.rendered()
        self.seconds = time.process_time() - began

    def divided(self) -> Index:
        """The index, with nothing rendered yet."""
        given = self.corpus
        return Index(
            given.table,
            range(len(given.table)),
            given.vocabulary(),
            given.registry.symbols,
            given.size,
            AS_OF,
        )

    def rendered(self) -> dict[str, bytes]:
        seals, files = {}, {}
        for part in self.index.parts():
            artifact, seals[part] = self.index.render(part)
            if artifact is not None:
                files[artifact.path] = artifact.data
        manifest = self.index.manifest(seals)
        return files | {manifest.path: manifest.data}

    def shards(self, word: str) -> list[tuple[str, str, bool]]:
        """The files that a word is looked up in; the key, and whether what begins with it counts
        too.
        """
        number, key, more = self.index.layout.find(word)
        return [(self.collection.shard_path(number), key, more)]

    def before_rows(self, matches: Sequence[int]) -> set[str]:
        """What else has to be read to know which rows are wanted."""
        return set()

    def reads(self, words: Sequence[str], matches: Sequence[int]) -> tuple[set[str], set[str]]:
        """The files that the first page of an answer takes: to find its records, and their rows."""
        found = {
            self.collection.manifest_path,
            *(path for word in words for path, _, _ in self.shards(word)),
        }
        found |= self.before_rows(matches)
        wanted = matches[: self.corpus.size]
        files = (
            search.cover(wanted, list(self.levels.items()), search.MAX_READS - len(found))
            if wanted
            else {}
        )
        return found, {self.rows_path(*file) for file in files.values()}

    def rows_path(self, level: str, number: int) -> str:
        return (
            Slice(self.collection).path(number + 1)
            if level == PAGES
            else emitted.path(self.collection, (level, number))
        )


class Ranges(Ours):
    """Keys in their order, cut where a file is full; the keys that a word begins lie in one file or
    in several.
    """

    def divided(self) -> Index:
        found = super().divided()
        self.keys = sorted(key for shard in found.shards for key in shard)
        found.shards = [[] for _ in found.shards]
        return found

    def rendered(self) -> dict[str, bytes]:
        files = {path: data for path, data in super().rendered().items() if "/keys/" not in path}
        self.firsts: list[str] = []
        cut: list[bytearray] = []
        for key, entry in zip(self.keys, self.index._entries(self.keys), strict=True):
            if not cut or len(cut[-1]) + len(entry) > postings.SHARD_WEIGHT:
                cut.append(bytearray())
                self.firsts.append(key)
            cut[-1] += entry
        manifest = orjson.loads(files[self.collection.manifest_path])
        manifest["split"] = self.firsts
        manifest["checks"]["keys"] = packed_checks(list(map(crc32, cut)))
        files[self.collection.manifest_path] = encode(manifest)
        return files | {
            self.collection.shard_path(number): bytes(data) for number, data in enumerate(cut)
        }

    def shards(self, word: str) -> list[tuple[str, str, bool]]:
        more = len(word) >= postings.PREFIX
        first = max(1, bisect_right(self.firsts, word))
        end = bisect_left(self.firsts, word + chr(sys.maxunicode)) if more else first
        return [
            (self.collection.shard_path(number - 1), word, more)
            for number in range(first, max(first, end) + 1)
        ]


class Varints(Ours):
    """Gaps as LEB128, neither fixed widths nor bitmaps."""

    def rendered(self) -> dict[str, bytes]:
        with patch.object(emitted, "pack", self.pack):
            return super().rendered()

    @staticmethod
    def pack(key: str, lists: Sequence[Sequence[int]]) -> bytes:
        body = bytearray()
        for which, positions in enumerate(lists):
            if positions:
                gaps = [positions[0], *map(sub, positions[1:], positions)]
                body += bytes((which,)) + postings._varint(len(gaps))
                body += bytes(gaps) if max(gaps) < 128 else b"".join(map(postings._varint, gaps))
        return postings.entry(key.encode(), bytes(body))

    @staticmethod
    def unpack(body: bytes) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in range(postings.CLASSES)]
        at = 0
        while at < len(body):
            which, gaps = body[at], []
            count, at = postings._read(body, at + 1)
            number = shift = 0
            while len(gaps) < count:
                number |= (body[at] & 127) << shift
                shift += 7
                if body[at] < 128:
                    gaps.append(number)
                    number = shift = 0
                at += 1
            found[which] = list(accumulate(gaps))
        return found


class Slots(Ours):
    """Records called by a slot that stays theirs, with a table of their positions beside the
    numbers of the sorts.
    """

    def divided(self) -> Index:
        given, slugs = self.corpus, self.corpus.table.slugs
        number = 1 << (2 * len(slugs) - 1).bit_length()
        taken, self.slots = bytearray(number), [0] * len(slugs)
        for position, slug in sorted(enumerate(slugs), key=itemgetter(1)):
            slot = taken.find(0, crc32(slug.encode()) % number)
            self.slots[position] = slot = slot if slot >= 0 else taken.find(0)
            taken[slot] = 1
        vocabulary = given.vocabulary()
        vocabulary.ranks = [self.slots[position] for position in vocabulary.ranks]
        found = Index(
            given.table, self.slots, vocabulary, given.registry.symbols, given.size, AS_OF
        )
        found.facets = {key: sorted(slots) for key, slots in found.facets.items()}
        ranks = array("I" if len(slugs) > 0xFFFF else "H", range(1, len(slugs) + 1))
        found.numbers = {
            sort: self.by_slot(numbers, number)
            for sort, numbers in [*found.numbers.items(), ("rank", ranks)]
        }
        while found.chunk * emitted._CHUNKS < number:
            found.chunk *= 2
        others = [
            part for part in found.parts() if part[0].removeprefix("sort/") not in found.numbers
        ]
        every = others + [
            (f"sort/{sort}", n) for sort in found.numbers for n in range(-(-number // found.chunk))
        ]
        found.parts = lambda: every
        return found

    def by_slot(self, numbers: array[int], count: int) -> array[int]:
        found = array(numbers.typecode, bytes(numbers.itemsize * count))
        for position, slot in enumerate(self.slots):
            found[slot] = numbers[position]
        return found

    def before_rows(self, matches: Sequence[int]) -> set[str]:
        return {
            self.collection.numbers_path("rank", self.slots[position] // self.index.chunk)
            for position in matches
        }


class Between(Ours):
    """One more level of rows, between a page and a block."""

    PAGES_A_FILE = 8

    def rendered(self) -> dict[str, bytes]:
        files = super().rendered()
        if BLOCKS not in self.levels:
            return files
        block, rows = self.levels.pop(BLOCKS), self.index.size * self.PAGES_A_FILE
        self.levels |= {"between": rows, BLOCKS: block}
        cut = [
            b"".join(row + b"\n" for row in self.index._rows(at, rows))
            for at in range(0, len(self.index.order), rows)
        ]
        manifest = orjson.loads(files[self.collection.manifest_path])
        manifest["checks"]["between"] = packed_checks(list(map(crc32, cut)))
        files[self.collection.manifest_path] = encode(manifest)
        return files | {self.rows_path("between", number): data for number, data in enumerate(cut)}

    def rows_path(self, level: str, number: int) -> str:
        return (
            super()
            .rows_path(ROWS if level == "between" else level, number)
            .replace(f"/{ROWS}/", f"/{level}/")
        )


Constants = dict[tuple[Any, str], float]


def shards_of(size: int) -> Constants:
    return {(postings, "SHARD_WEIGHT"): size, (emitted, "GROUP_WEIGHT"): size // 2}


def rows_of(rows: int) -> Constants:
    return {(emitted, ROWS_A_FILE): rows}


OURS = "**ours**"
#: What the tables call a layout: its class, and the constants that are others.
LAYOUTS: dict[str, tuple[type[Ours], Constants]] = {
    OURS: (Ours, {}),
    **{
        f"shards of {size >> 10} K": (Ours, shards_of(size))
        for size in (1 << 12, 1 << 14, 1 << 16)
        if size != postings.SHARD_WEIGHT
    },
    "ranges of keys": (Ranges, {(emitted, "GROUP_WEIGHT"): math.inf}),
    "gaps as varints": (Varints, {}),
    "slots": (Slots, {}),
    "rows: none less than a page": (Ours, rows_of(0)),
    **{
        f"rows: files of {rows}": (Ours, rows_of(rows))
        for rows in (8, 16, 32)
        if rows != getattr(emitted, ROWS_A_FILE)
    },
    "rows: no blocks": (Ours, {(emitted, MOST_BLOCKS): math.inf}),
    "rows: a level between": (Between, {}),
    "rows: files of 8, a level between": (Between, rows_of(8)),
}


def laid(name: str, given: Corpus) -> Ours:
    kind, constants = LAYOUTS[name]
    with ExitStack() as stack:
        for (module, constant), value in constants.items():
            stack.enter_context(patch.object(module, constant, value))
        return kind(given)
