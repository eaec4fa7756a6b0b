"""The search index of one collection: its keys, how they are divided, and its files.

docs/search.md describes the format.  The build renders the parts in several processes, because the
shards are most of the work.  The manifest, which has the checks of all other files, comes last.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import chain
from typing import Any
from zlib import crc32

from generator.contract.artifact import Artifact
from generator.contract.listing import ROW_SEPARATOR, total_pages
from generator.grammar.filters import Facet
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared_values, value_label
from generator.model.tables.table import Registry, Table, upcoming_events
from generator.search.blocks import Blocks, IndexColumn, Type
from generator.search.format import (
    PREFIX,
    Layout,
    body_of,
    entry,
    filter_key,
    pack_numbers,
    pages_key,
    pages_weight,
    shards_for,
    weight,
)
from generator.search.manifest import (
    COLUMNS,
    KEYS,
    NAMES,
    ROWS,
    SUGGESTION_WORDS,
    Manifest,
    Part,
    PartCheck,
    RowFiles,
    column_kind,
    columns_of,
    part_path,
    values_kind,
)
from generator.search.terms import additions
from generator.search.vocabulary import (
    RecordWords,
    groups_to_divide,
    names_as_written,
    suggestion_words,
    union_of_lists,
    word_files,
)
from generator.text.words import query_words


class CollectionIndex:
    """The index of a collection, divided into parts that can be rendered in any order."""

    def __init__(self, table: Table, registry: Registry):
        symbols, size, as_of = registry.symbols, registry.settings.page_size, registry.as_of
        self.table, self.symbols, self.size = table, symbols, size
        rows = sum(table.summaries.sizes())
        self.blocks = blocks = Blocks.from_slugs(table.slugs, rows)
        #: The ids of all records, ascending, with their positions.
        records = sorted(zip(blocks.ids, range(len(table)), strict=True))
        self.vocabulary = vocabulary = RecordWords((n, table.words[i].decode()) for n, i in records)
        self.language = registry.settings.language
        self.collection, self.order = table.collection, table.orders[table.collection.sorts[0]]
        self.as_of = as_of if self.collection.declared.timed else None
        #: By key, the positions of the records with each value of each filter.
        self.facets: dict[str, Sequence[int]] = {}
        #: By the key of its pages, the row numbers of each list that has prepared pages.
        self.lists: dict[str, Sequence[int]] = {}
        unprepared = self.collection.listed_filters.keys() - self.collection.prepared_filters.keys()
        self.rows = RowFiles(table, self.blocks)
        self.added = additions(table, registry, self.rows, records)
        for added in self.added:
            self.facets |= added.facets
        for name, value, numbers in _facets(table, symbols, self.as_of):
            key = filter_key(name, value)
            self.facets[key] = numbers
            if numbers and name not in unprepared:
                self.lists[pages_key(key)] = numbers
        if self.order:
            for sort in self.collection.prepared_sorts[1:]:
                self.lists[pages_key(sort)] = table.orders[sort]
        counts = vocabulary.counts()
        self._divide(counts, chain.from_iterable(added.split for added in self.added))
        #: By the key of a name as written, the ids of the records.
        names = zip(blocks.ids, (row.name for row in table), strict=True)
        self.written = names_as_written(sorted(names))
        for key in self.written:
            first_word = query_words(key)[0]
            self.shards[self.layout.shard_of_key(first_word)].append(key)
        self.spelled = word_files(suggestion_words(table, symbols, vocabulary, counts))
        self.columns = dict(index_columns(table, symbols, columns_of(self.collection)))

    def _divide(self, counts: Mapping[str, int], split_names: Iterable[str]) -> None:
        """Divide words, with their numbers of records, and values among shards."""
        weights = {key: weight(key, count) for key, count in counts.items()}
        weights |= {key: weight(key, len(numbers)) for key, numbers in self.facets.items()}
        weights |= {
            key: pages_weight(key, total_pages(len(numbers), self.size))
            for key, numbers in self.lists.items()
        }
        self.divided_weights = groups_to_divide(weights)
        self.weight = sum(weights.values())
        split = frozenset((*self.divided_weights, *split_names))
        self.layout = Layout(shards_for(self.weight), split)
        #: The keys of each shard.
        self.shards: list[list[str]] = [[] for _ in range(self.layout.shards)]
        #: By divided prefix, all words that begin with it.
        self.words_by_prefix: dict[str, list[str]] = {
            prefix: [] for prefix in self.divided_weights if prefix[0] != "/"
        }
        for word in counts:
            if word[:PREFIX] in self.words_by_prefix:
                for prefix in self.layout.divided(word):
                    self.words_by_prefix[prefix].append(word)
        shards: dict[str, int] = {}
        for key in (*weights, *("*" + prefix for prefix in self.words_by_prefix)):
            group = key[:PREFIX]  # right for most words
            if group in self.words_by_prefix or key[0] in "/=*":
                group = self.layout.group(key)
            shard = shards.get(group)
            if shard is None:
                shard = shards[group] = self.layout.shard_of_group(group)
            self.shards[shard].append(key)

    @cached_property
    def part_counts(self) -> dict[str, int]:
        """What the parts hold, and how many parts there are of each kind; the small row files of a
        group are one part.
        """
        kinds = {KEYS: self.layout.shards, SUGGESTION_WORDS: len(self.spelled)}
        for added in self.added:
            kinds |= added.files
        # The format has at least one file of names; it is empty if no feature makes them.
        kinds.setdefault(NAMES, 1)
        kinds |= {kind: len(starts) for kind, starts in self.rows.starts.items()}
        for name, held in self.columns.items():
            kinds[column_kind(name)] = -(-held.records // held.spec.chunk)
            kinds[values_kind(name)] = 1
        return kinds

    def parts(self) -> list[Part]:
        """All parts but the manifest."""
        return [
            (kind, number) for kind, count in self.part_counts.items() for number in range(count)
        ]

    def render(self, part: Part) -> tuple[list[Artifact], PartCheck]:
        """The files of a part, and the check in their names."""
        kind, number = part
        if kind in ROWS:
            return self.rows.render(part)
        if kind == KEYS:
            data = b"".join(self._entries(self.shards[number]))
        elif kind == SUGGESTION_WORDS:
            data = self.spelled[number]
        elif kind.startswith(COLUMNS):
            data = self._column_data(kind, number)
        else:
            data = next((a.data(part) for a in self.added if kind in a.files), b"")
        return [Artifact(part_path(self.collection, part, crc32(data)), data)], crc32(data)

    def manifest(self, checks: Mapping[Part, PartCheck]) -> Artifact:
        """The manifest; `checks` has the checks of all parts."""
        kinds: dict[str, list[int]] = {kind: [] for kind in self.part_counts}
        for (kind, _), check in sorted(checks.items()):
            kinds[kind].append(check)
        return self._manifest(kinds).artifact()

    def _manifest(self, checks: Mapping[str, Sequence[PartCheck]]) -> Manifest:
        return Manifest(
            collection=self.collection,
            language=self.language,
            records=len(self.order),
            size=self.size,
            as_of=self.as_of.isoformat() if self.as_of else None,
            layout=self.layout,
            blocks=self.blocks,
            row_bytes=row_bytes(self.table),
            columns={name: held.spec for name, held in self.columns.items()},
            checks=checks,
        )

    def _column_data(self, kind: str, number: int) -> bytes:
        _, name, *values = kind.split("/")
        held = self.columns[name]
        if not values:
            return held.part(number)
        return held.values_file(labels(self.table, self.symbols, name), self.table.levels_of)

    def table_rows(self, numbers: Sequence[int]) -> list[bytes]:
        return self.table.summaries.at(numbers)

    def _entries(self, keys: list[str]) -> Iterator[bytes]:
        for key in sorted(keys):
            if key in self.written:
                body = body_of({0: self.written[key]})
            elif key[0] not in "/=*":
                body = body_of(self.vocabulary.postings[key])
            elif key in self.facets:
                ids = sorted(map(self.blocks.ids.__getitem__, self.facets[key]))
                body = body_of({0: ids} if ids else {})
            elif key in self.lists:
                numbers, size = self.lists[key], self.size
                starts = range(0, len(numbers), size)
                pages = (self.table_rows(numbers[start : start + size]) for start in starts)
                body = pack_numbers("I", (crc32(ROW_SEPARATOR.join(rows)) for rows in pages))
            else:
                body = body_of(
                    union_of_lists(
                        map(self.vocabulary.postings.__getitem__, self.words_by_prefix[key[1:]])
                    )
                )
            yield entry(key.encode(), body)


def _facets(
    table: Table, symbols: Symbols, as_of: date | None
) -> Iterator[tuple[str, str, Sequence[int]]]:
    """Every filter and value with the numbers of its records, including declared values without
    records.
    """
    counts = table.counts()
    known = declared_values(counts, symbols)
    for name, values in counts.values.items():
        for value in {**known[name], **values}:
            yield name, value, table.members.get(Facet(name, value), ())
    if as_of is not None:
        yield "upcoming", "true", upcoming_events(table, as_of)


def index_columns(
    table: Table, symbols: Symbols, names: Container[str]
) -> Iterator[tuple[str, IndexColumn]]:
    """The columns of a table with these names: of filters, sorts and ranges.  Those of filters with
    pages also have the declared values without records.
    """
    order = table.orders[table.collection.sorts[0]]
    counted = table.counts()
    counts, declared = counted.values, declared_values(counted, symbols)
    for name in counts:
        if name in names:
            values = sorted({**declared[name], **counts[name]})
            having = [table.members.get(Facet(name, value), ()) for value in values]
            is_place = table.collection.filters[name].vocabulary == "places"
            kind: Type = "place" if is_place else "text"
            yield name, IndexColumn.from_values(kind, values, having, len(order))
    for index, name in enumerate(table.collection.numbers):
        if name in names and name not in counts:
            positions: dict[Any, array[int]] = {}
            for position, number in enumerate(order):
                value = table.numbers[number][index]
                if value in positions:
                    positions[value].append(position)
                elif value is not None:
                    positions[value] = array("I", (position,))
            ordered = sorted(positions)
            known = table.collection.query_filters.get(name)
            dates = known is not None and known.form == "date"  # even if no record has a date
            texts = dates or (ordered and isinstance(ordered[0], str))
            kind = "text" if texts else "number"
            having = [positions[value] for value in ordered]
            yield name, IndexColumn.from_values(kind, ordered, having, len(order))


def labels(table: Table, symbols: Symbols, name: str) -> Callable[[str], str]:
    """The function that gives the labels of a column's values."""
    counts = table.counts()
    known = declared_values(counts, symbols)
    return (lambda value: value_label(counts, name, value, known)) if name in known else str


def row_bytes(table: Table) -> int:
    """The average bytes of a row, by which the engines estimate the size of files."""
    order = table.orders[table.collection.sorts[0]]
    return -(-(sum(table.summaries.sizes()) + len(order)) // max(1, len(order)))
