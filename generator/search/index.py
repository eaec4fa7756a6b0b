"""The search index of one collection: what its keys are, how they are divided, and its files
(docs/search.md).

The pipeline calls it part by part, in several processes, for the shards are most of the work; the
manifest, which has the checks of all other files, comes last.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, islice
from types import MappingProxyType
from typing import Any
from zlib import crc32

from generator.contract.artifact import Artifact
from generator.contract.listing import BETWEEN, total_pages
from generator.disk.digests import digest_of
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared, label
from generator.model.tables.table import Registry, Table, texts_of, upcoming
from generator.search.blocks import Blocks
from generator.search.columns import Column, Type
from generator.search.format import (
    PREFIX,
    Layout,
    body_of,
    entry,
    filter_key,
    packed_numbers,
    pages_key,
    pages_weight,
    shards_for,
    weight,
)
from generator.search.manifest import (
    BLOCKS,
    KEYS,
    ROWS,
    SPELLED,
    Manifest,
    Part,
    Seal,
    column,
    columns_of,
    path,
    values_of,
)
from generator.search.spelling import spelled
from generator.search.suggest import files
from generator.search.vocabulary import Vocabulary, divide, together


class Index:
    """One collection's index, divided into parts that can be rendered in any order."""

    def __init__(
        self,
        table: Table,
        blocks: Blocks,
        vocabulary: Vocabulary,
        registry: Registry,
    ):
        """`blocks` are those of the table's slugs; the vocabulary has all records."""
        symbols, size, as_of = registry.symbols, registry.settings.page_size, registry.as_of
        self.table, self.vocabulary, self.symbols, self.size = table, vocabulary, symbols, size
        self.language = registry.settings.language
        self.collection, self.order = table.collection, table.orders[table.collection.sorts[0]]
        self.as_of = as_of if self.collection is symbols.grammar.events else None
        self.blocks = blocks
        # The positions of the records that have each value of each filter.
        self.facets: dict[str, Sequence[int]] = {}
        # The rows of each list that has prepared pages, by the key that names them.
        self.lists: dict[str, Sequence[int]] = {}
        for name, value, numbers in _facets(table, symbols, self.as_of):
            key = filter_key(name, value)
            self.facets[key] = numbers
            if numbers:
                self.lists[pages_key(key)] = numbers
        if self.order:
            for sort in self.collection.prepared_sorts[1:]:
                self.lists[pages_key(sort)] = table.orders[sort]
        counts = vocabulary.counts()
        weights = {key: weight(key, count) for key, count in counts.items()}
        weights |= {key: weight(key, len(held)) for key, held in self.facets.items()}
        weights |= {
            key: pages_weight(key, total_pages(len(held), size)) for key, held in self.lists.items()
        }
        self.margins = divide(weights)
        self.weight = sum(weights.values())
        self.layout = Layout(shards_for(self.weight), frozenset(self.margins))
        self.shards: list[list[str]] = [[] for _ in range(self.layout.shards)]
        self.under: dict[str, list[str]] = {
            prefix: [] for prefix in self.margins if prefix[0] != "/"
        }
        for word in counts:
            if word[:PREFIX] in self.under:
                for prefix in self.layout.divided(word):
                    self.under[prefix].append(word)
        places: dict[str, int] = {}
        for key in (*weights, *("*" + prefix for prefix in self.under)):
            group = key[:PREFIX]  # that of most words
            if group in self.under or key[0] in "/=*":
                group = self.layout.group(key)
            place = places.get(group)
            if place is None:
                place = places[group] = self.layout.shard(group)
            self.shards[place].append(key)
        self.rows = RowFiles(table, self.blocks)
        self.spelled = files(spelled(table, symbols, vocabulary, counts))
        self.columns = dict(table_columns(table, columns_of(self.collection)))

    def kinds(self) -> list[tuple[str, int]]:
        """What the files hold, and how many there are of each; small files of rows go with the
        large one that they are of.
        """
        every = [(KEYS, self.layout.shards), (SPELLED, len(self.spelled)), (BLOCKS, 1)]
        every += [(what, len(starts)) for what, starts in self.rows.starts.items()]
        for name, held in self.columns.items():
            every += [(column(name), -(-held.records // held.spec.chunk)), (values_of(name), 1)]
        return every

    def parts(self) -> list[Part]:
        """Every file but the manifest."""
        return [(what, number) for what, several in self.kinds() for number in range(several)]

    def render(
        self, part: Part, checks: Mapping[str, bytes] = MappingProxyType({})
    ) -> tuple[list[Artifact], Seal]:
        """The files of a part, and the check that they are called by.  `checks` has those of the
        prepared pages of some lists, packed.
        """
        what, number = part
        if what == KEYS:
            data = b"".join(self._entries(self.shards[number], checks))
        elif what == SPELLED:
            data = self.spelled[number]
        elif what == BLOCKS:
            data = self.blocks.data
        elif what in ROWS:
            return self.rows.render(part)
        else:
            data = self._of_column(what, number)
        return [Artifact(path(self.collection, part, crc32(data)), data)], crc32(data)

    def key(self, part: Part, checks: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
        """A digest of all that a part is made of, `checks` as for `render`; empty if that is only
        known when it is rendered.
        """
        what, number = part
        if what == KEYS:
            keys = sorted(self.shards[number])
            return digest_of([(key, self._made_of(key, checks)) for key in keys])
        return digest_of(self.rows.made_of(part)) if what in ROWS else b""

    def _made_of(self, key: str, checks: Mapping[str, bytes]) -> Any:
        """What the entry of a key is made of: postings, positions, checks or rows."""
        if key[0] not in "/=*":
            return self.vocabulary.postings[key]
        if key in self.facets:
            return array("I", map(self.blocks.ids.__getitem__, self.facets[key]))
        if key in checks:
            return checks[key]
        if key in self.lists:
            return self.table_rows(self.lists[key])
        return [(word, self.vocabulary.postings[word]) for word in self.under[key[1:]]]

    def manifest(self, checks: Mapping[Part, Seal]) -> Artifact:
        kinds: dict[str, list[int]] = {what: [] for what, _ in self.kinds()}
        for (what, _), check in sorted(checks.items()):
            kinds[what].append(check)
        return Manifest(
            collection=self.collection,
            language=self.language,
            records=len(self.order),
            size=self.size,
            as_of=self.as_of.isoformat() if self.as_of else None,
            layout=self.layout,
            row_bytes=row_bytes(self.table),
            columns={name: held.spec for name, held in self.columns.items()},
            checks=kinds,
        ).artifact()

    def _of_column(self, what: str, number: int) -> bytes:
        _, name, *values = what.split("/")
        held = self.columns[name]
        return held.listed(labels(self.table, self.symbols, name)) if values else held.part(number)

    def table_rows(self, numbers: Sequence[int]) -> list[bytes]:
        return texts_of(self.table.summaries, numbers)

    def _entries(self, keys: list[str], checks: Mapping[str, bytes]) -> Iterator[bytes]:
        for key in sorted(keys):
            if key[0] not in "/=*":
                body = body_of(self.vocabulary.lists(key))
            elif key in self.facets:
                held = sorted(map(self.blocks.ids.__getitem__, self.facets[key]))
                body = body_of({0: held} if held else {})
            elif key in checks:
                body = checks[key]
            elif key in self.lists:
                numbers, size = self.lists[key], self.size
                starts = range(0, len(numbers), size)
                body = packed_numbers(
                    "I", (page_check(self.table_rows(numbers[n : n + size])) for n in starts)
                )
            else:
                body = body_of(together(map(self.vocabulary.lists, self.under[key[1:]])))
            yield entry(key.encode(), body)


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


class RowFiles:
    """The files of the rows of a table: the small ones by groups, large and larger ones."""

    def __init__(self, table: Table, blocks: Blocks):
        self.table, self.blocks = table, blocks
        self.order = table.orders[table.collection.sorts[0]]
        most = max(blocks.levels, default=2)
        #: Where each group, large file and larger file begins.
        self.starts = {what: blocks.begun(level) for level, what in enumerate(ROWS[:most], 1)}

    def _span(self, part: Part) -> tuple[slice, slice]:
        """The positions in a group or file, and its blocks."""
        what, number = part
        starts = self.starts[what]
        start = starts[number]
        end = starts[number + 1] if number + 1 < len(starts) else len(self.order)
        first, last = (bisect_left(self.blocks.starts, place) for place in (start, end))
        return slice(start, end), slice(first, last)

    def made_of(self, part: Part) -> list[Any]:
        """The slots and sizes of the blocks in a group or file, and digests of their rows."""
        places, blocks = self._span(part)
        slots, sizes = self.blocks.slots[blocks], self.blocks.sizes[blocks]
        return [list(slots), bytes(sizes), self.table.digests[places]]

    def render(self, part: Part) -> tuple[list[Artifact], Seal]:
        """A file, or the small ones of a group; and the check that they are called by."""
        places, blocks = self._span(part)
        rows = [(row, b"\n") for row in texts_of(self.table.summaries, self.order[places])]
        collection, data = self.table.collection, b"".join(chain.from_iterable(rows))
        check = crc32(data)
        if part[0] != ROWS[0]:
            return [Artifact(path(collection, part, check), data)], check
        files, rest = [], iter(rows)
        for slot, size in zip(self.blocks.slots[blocks], self.blocks.sizes[blocks], strict=True):
            some = b"".join(chain.from_iterable(islice(rest, size)))
            which = (ROWS[0], slot)
            files.append(Artifact(path(collection, which, check), some + b"%08x\n" % crc32(some)))
        return files, check


def page_check(rows: Sequence[bytes]) -> int:
    """The CRC-32 of the rows of a prepared page."""
    return crc32(BETWEEN.join(rows))


def table_columns(table: Table, names: Container[str]) -> Iterator[tuple[str, Column]]:
    """Some columns of a table: of filters, sorts and ranges."""
    order = table.orders[table.collection.sorts[0]]
    counts = table.counts().values
    for name in counts:
        if name in names:
            values = sorted(counts[name])
            having = [table.members[f"{name}/{value}"] for value in values]
            yield name, Column.of("text", values, having, len(order))
    for which, name in enumerate(table.collection.numbers):
        if name in names and name not in counts:
            held: dict[Any, array[int]] = {}
            for position, number in enumerate(order):
                value = table.numbers[number][which]
                if value in held:
                    held[value].append(position)
                elif value is not None:
                    held[value] = array("I", (position,))
            ordered = sorted(held)
            known = table.collection.filters.get(name)
            dates = known is not None and known.form == "date"  # also where no record has one
            texts = dates or (ordered and isinstance(ordered[0], str))
            kind: Type = "text" if texts else "number"
            having = [held[value] for value in ordered]
            yield name, Column.of(kind, ordered, having, len(order))


def labels(table: Table, symbols: Symbols, name: str) -> Callable[[str], str]:
    """What the values of a column are called."""
    counts, known = table.counts(), declared(table.collection, symbols)
    return (lambda value: label(counts, name, value, known)) if name in known else str


def row_bytes(table: Table) -> int:
    """The bytes of a row, in the mean: what the engines reckon with."""
    order = table.orders[table.collection.sorts[0]]
    sizes = map(len, table.summaries)
    return -(-(sum(sizes) + len(order)) // max(1, len(order)))
