"""The search index of one collection: what its keys are, how they are divided, and its files
(docs/search.md).

The pipeline calls it part by part, in several processes, for the shards are most of the work; the
manifest, which has the checks of all other files, comes last.
"""

from __future__ import annotations

import binascii
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any
from zlib import crc32

from generator.api.artifact import Artifact, document, encode
from generator.api.folding import packed
from generator.api.listing import BETWEEN, total_pages
from generator.records.symbols import Symbols
from generator.search.format import (
    CLASSES,
    FORMAT,
    GROUP_WEIGHT,
    PREFIX,
    Layout,
    filter_key,
    pack,
    sealed,
    shards_for,
    weight,
)
from generator.tables.facets import declared
from generator.tables.table import Table, upcoming

#: A list of more pages has blocks of them too, so many at most: with these a query's rows take no
#: more reads.
MAX_BLOCKS = 24
#: Rows in a file, where pages have more.
_ROWS = 16
#: Numbers in a file, at least; and files of a sort, at most.
_CHUNK, _CHUNKS = 16384, 8

#: A file of an index: what it holds, by the name of its check, and its number.
Part = tuple[str, int]
#: The check of a part, and its length.
Seal = tuple[int, int]


class Vocabulary:
    """Which records have which words: for each class, each word with its records.

    Records have the numbers in which they were added; `ranks` has the position of each.
    """

    def __init__(self) -> None:
        self.slugs: list[str] = []
        self.words: tuple[dict[str, array[int]], ...] = ({}, {}, {})
        self.ranks: Sequence[int] = ()

    def add(self, slug: str, packed: str) -> None:
        """One record more, with its terms (see generator.search.terms)."""
        self.put(len(self.slugs), packed)
        self.slugs.append(slug)

    def put(self, number: int, packed: str) -> None:
        """The terms of the record that has this number."""
        for having, held in zip(self.words, packed.split("\n"), strict=True):
            for word in held.split():
                try:
                    having[word].append(number)
                except KeyError:
                    having[word] = array("I", (number,))

    def counts(self) -> dict[str, int]:
        """How many records have each word."""
        found: dict[str, int] = {}
        for having in self.words:
            for word, numbers in having.items():
                found[word] = found.get(word, 0) + len(numbers)
        return found

    def lists(self, word: str) -> list[Sequence[int]]:
        """The positions of the records that have a word, for each class."""
        rank = self.ranks.__getitem__
        return [sorted(map(rank, having[word])) if word in having else () for having in self.words]


class Index:
    """One collection's index, divided into parts that can be rendered in any order."""

    def __init__(
        self,
        table: Table,
        ranks: Sequence[int],
        vocabulary: Vocabulary,
        symbols: Symbols,
        size: int,
        as_of: date,
    ):
        """`ranks` has the position of each of the table's rows, by number."""
        self.table, self.vocabulary, self.size = table, vocabulary, size
        self.collection, self.order = table.collection, table.orders[table.collection.sorts[0]]
        self.as_of = as_of if self.collection is symbols.grammar.events else None
        self.facets: dict[str, list[int]] = {}
        for name, value, numbers in _facets(table, symbols, self.as_of):
            self.facets[filter_key(name, value)] = [ranks[number] for number in numbers]
        self.counts = vocabulary.counts()
        self.margins = divide(self.counts)
        self.weight = sum(weight(key, count) for key, count in self.counts.items())
        self.weight += sum(weight(key, len(positions)) for key, positions in self.facets.items())
        self.layout = Layout(shards_for(self.weight), frozenset(self.margins))
        self.shards: list[list[str]] = [[] for _ in range(self.layout.shards)]
        self.under: dict[str, list[str]] = {prefix: [] for prefix in self.margins}
        for word in self.counts:
            end = PREFIX
            while word[:end] in self.margins and end <= len(word):
                self.under[word[:end]].append(word)
                end += 1
        places: dict[str, int] = {}
        for key in (*self.counts, *self.facets, *("*" + prefix for prefix in self.margins)):
            group = self.layout.group(key)
            place = places.get(group)
            if place is None:
                place = places[group] = self.layout.shard(group)
            self.shards[place].append(key)
        self.rows = _ROWS if size > _ROWS else 0
        self.pages = total_pages(len(self.order), size)
        self.pages_a_block = -(-self.pages // MAX_BLOCKS) if self.pages > MAX_BLOCKS else 0
        self.chunk = _CHUNK
        while self.chunk * _CHUNKS < len(self.order):
            self.chunk *= 2
        self.numbers = {
            sort: _numbers(table, self.order, which)
            for which, sort in enumerate(self.collection.prepared_sorts[1:])
        }

    def parts(self) -> list[Part]:
        """Everything but the manifest; `pages` are files that are there already, of which only the
        seal is wanted.
        """
        blocks = -(-self.pages // self.pages_a_block) if self.pages_a_block else 0
        numbers = [(f"sort/{sort}", -(-len(self.order) // self.chunk)) for sort in self.numbers]
        rows = -(-len(self.order) // self.rows) if self.rows else 0
        every = [
            ("keys", self.layout.shards),
            ("rows", rows),
            ("pages", self.pages),
            ("blocks", blocks),
            *numbers,
        ]
        return [(what, number) for what, several in every for number in range(several)]

    def render(self, part: Part) -> tuple[Artifact | None, Seal]:
        """A file, or None for a page; and its seal."""
        what, number = part
        if what == "keys":
            data = b"".join(self._entries(self.shards[number]))
        elif what == "pages":
            data = BETWEEN.join(self._rows(number * self.size, self.size))
        elif what == "rows":
            data = b"".join(row + b"\n" for row in self._rows(number * self.rows, self.rows))
        elif what == "blocks":
            size = self.pages_a_block * self.size
            data = b"".join(row + b"\n" for row in self._rows(number * size, size))
        else:
            data = little_endian(
                self.numbers[what.removeprefix("sort/")][
                    number * self.chunk : (number + 1) * self.chunk
                ]
            )
        return None if what == "pages" else Artifact(path(self.collection, part), data), (
            crc32(data),
            len(data),
        )

    def manifest(self, seals: Mapping[Part, Seal]) -> Artifact:
        kinds = ["keys", "rows", "pages", "blocks", *(f"sort/{sort}" for sort in self.numbers)]
        held = {
            kind: [seal for (what, _), seal in sorted(seals.items()) if what == kind]
            for kind in kinds
        }
        manifest = document(
            "search_index", format=FORMAT, unicode=packed()["unicode"], collection=self.collection.name, count=len(self.order),
            size=self.size, as_of=self.as_of.isoformat() if self.as_of else None, shards=self.layout.shards,
            split=sorted(self.margins), sorts={sort: [numbers.itemsize, self.chunk] for sort, numbers in self.numbers.items()},
            rows=self.rows, pages_a_block=self.pages_a_block, block_bytes=[size for _, size in held["blocks"]],
            checks={kind: packed_checks([check for check, _ in found]) for kind, found in held.items()},
        )  # fmt: skip
        return manifest_of(self.collection, manifest)

    def _rows(self, start: int, count: int) -> list[bytes]:
        return [self.table.summaries[number] for number in self.order[start : start + count]]

    def _entries(self, keys: list[str]) -> Iterator[bytes]:
        for key in sorted(keys):
            if key in self.facets:
                yield pack(key, (self.facets[key],))
            elif key[0] == "*":
                yield pack(key, together(map(self.vocabulary.lists, self.under[key[1:]])))
            else:
                yield pack(key, self.vocabulary.lists(key))


def _facets(
    table: Table, symbols: Symbols, as_of: date | None
) -> Iterator[tuple[str, str, Sequence[int]]]:
    """Every filter, value and the numbers of its records; declared values without any too."""
    known = declared(table.collection, symbols)
    for name, values in table.counts().values.items():
        for value in {**known[name], **values}:
            yield name, value, table.members.get(f"{name}/{value}", ())
    if as_of is not None:
        yield "upcoming", "true", upcoming(table, as_of)


def divide(counts: Mapping[str, int]) -> dict[str, int]:
    """The groups that are divided, each with its weight without its heaviest word, which no
    division makes lighter.
    """
    found: dict[str, int] = {}
    words, end = (
        [(word, weight(word, count)) for word, count in counts.items() if len(word) >= PREFIX],
        PREFIX,
    )
    while words:
        totals: dict[str, int] = {}
        heaviest: dict[str, int] = {}
        for word, size in words:
            group = word[:end]
            totals[group] = totals.get(group, 0) + size
            if size > heaviest.get(group, 0):
                heaviest[group] = size
        heavy = {
            group: rest
            for group, total in totals.items()
            if (rest := total - heaviest[group]) > GROUP_WEIGHT
        }
        found |= heavy
        words = [pair for pair in words if pair[0][:end] in heavy and len(pair[0]) > end]
        end += 1
    return found


def together(several: Iterable[Sequence[Sequence[int]]]) -> list[list[int]]:
    """The lists of several keys as those of one: each record in the first class that it has
    anywhere.
    """
    sets: list[set[int]] = [set() for _ in range(CLASSES)]
    for lists in several:
        for having, positions in zip(sets, lists, strict=True):
            having.update(positions)
    return [sorted(sets[0]), sorted(sets[1] - sets[0]), sorted(sets[2] - sets[1] - sets[0])]


def path(collection: Any, part: Part) -> str:
    """Where a part lies."""
    what, number = part
    if what == "keys":
        found: str = collection.shard_path(number)
    elif what == "rows":
        found = collection.rows_path(number)
    elif what == "blocks":
        found = collection.blocks_path(number)
    else:
        found = collection.numbers_path(what.removeprefix("sort/"), number)
    return found


def manifest_of(collection: Any, manifest: Mapping[str, Any]) -> Artifact:
    return Artifact(collection.manifest_path, sealed(encode(manifest)))


def parts_of(manifest: Mapping[str, Any]) -> list[Part]:
    """The parts of a published index."""
    return [
        (what, n)
        for what, packed in manifest["checks"].items()
        for n in range(len(binascii.a2b_base64(packed)) // 4)
    ]


def packed_checks(values: Sequence[int]) -> str:
    return binascii.b2a_base64(little_endian(array("I", values)), newline=False).decode()


def little_endian(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def _numbers(table: Table, order: Sequence[int], which: int) -> array[int]:
    """What a sort compares, by position: a number and one more, 0 for none."""
    found = [
        0 if (number := table.rows[row].numbers[which]) is None else number + 1 for row in order
    ]
    return array("I" if max(found, default=0) > 0xFFFF else "H", found)
