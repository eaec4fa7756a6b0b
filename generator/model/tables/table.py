"""The linked registry: each record as a `Row`, each collection as a `Table` of rows.

A row is plain data, so it can be sent to other processes and kept for the next build.  This module
reads no files and renders nothing.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any, NamedTuple

import orjson

from generator.disk.digests import digest
from generator.grammar.grammar import Collection, Slice
from generator.model.settings.registry import Settings
from generator.model.symbols import Numbers, Symbols


class Row(NamedTuple):
    """One record, as far as lists and counts need it.

    `key` is for the default sort: the folded name, or the start of an event in UTC.  `numbers` are
    for the other sorts and for ranges, in the order of `Collection.numbers`.  `facets` are the
    record's slices as `filter/value`, `labels` its (place, label) pairs.  `identifiers` has
    `scheme:id`, `coverage_numbers` the numbers of the filled fields (see
    generator.model.tables.coverage).  `summary` is JSON.
    """

    slug: str
    name: str
    key: str
    numbers: Numbers
    ends: str
    facets: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    aliases: tuple[str, ...]
    identifiers: tuple[str, ...]
    coverage_numbers: tuple[int, ...]
    summary: bytes


class Rows:
    """Packed rows.  Each access unpacks a row."""

    def __init__(self, fields: Sequence[bytes], summaries: Sequence[bytes]):
        self.fields, self.summaries = fields, summaries

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, index: int) -> Row:
        return unpack_row(self.fields[index], self.summaries[index])

    def name(self, index: int) -> str:
        """The name of a row, without unpacking the other fields."""
        name: str = orjson.loads(self.fields[index])[1]
        return name


class Batch(NamedTuple):
    """Packed rows, and the values that a table needs of them without unpacking."""

    fields: Sequence[bytes]
    summaries: Sequence[bytes]
    slugs: Sequence[str]
    keys: Sequence[str]
    numbers: Sequence[Numbers]
    members: Mapping[str, Sequence[int]]  # facet -> indexes of rows in this batch
    labels: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    identifiers: Mapping[str, tuple[str, ...]]
    coverage: Mapping[int, int]


def unpack_row(fields: bytes, summary: bytes) -> Row:
    slug, name, key, numbers, ends, facets, labels, *lists = orjson.loads(fields)
    aliases, identifiers, covers = map(tuple, lists)
    places = tuple(map(tuple, labels))
    return Row(
        slug, name, key, tuple(numbers), ends, tuple(facets), places, aliases, identifiers, covers,
        summary,
    )  # fmt: skip


def pack_rows(rows: Iterable[Row]) -> Batch:
    rows = list(rows)
    members: dict[str, list[int]] = {}
    labels: dict[str, str] = {}
    for number, row in enumerate(rows):
        for facet in row.facets:
            members.setdefault(facet, []).append(number)
        if row.labels:
            _add_labels(labels, row.labels)
    return Batch(
        [orjson.dumps(row[:-1]) for row in rows],
        [row.summary for row in rows],
        [row.slug for row in rows],
        [row.key for row in rows],
        [row.numbers for row in rows],
        members,
        labels,
        {row.slug: row.aliases for row in rows if row.aliases},
        {row.slug: row.identifiers for row in rows if row.identifiers},
        dict(Counter(chain.from_iterable(row.coverage_numbers for row in rows))),
    )


def _add_labels(labels: dict[str, str], more: Iterable[tuple[str, str]]) -> None:
    """Add (place, label) pairs.  The label that sorts first wins, so file order has no effect."""
    for place, label in more:
        if labels.setdefault(place, label) > label:
            labels[place] = label


class Counts(NamedTuple):
    """The number of records of a collection, in total and by filter values; labels of places."""

    collection: Collection
    total: int
    values: Mapping[str, Mapping[str, int]]  # filter -> value -> records, without values of none
    labels: Mapping[str, str]

    def of(self, name: str, value: str) -> int:
        return self.values[name].get(value, 0)

    def slices(self) -> Iterator[Slice]:
        """The slices with pages: those with records, and those of virtual filters."""
        yield from self.collection.whole_slices()
        yield from (part for _, part in self.collection.virtual_slices())
        for name in self.collection.prepared_filters:
            for value in sorted(self.values[name]):
                yield Slice(self.collection, name, value)


def items_at(texts: Sequence[Any], numbers: Sequence[int]) -> list[Any]:
    """The items of `texts` at these indexes."""
    return list(map(texts.__getitem__, numbers))


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one collection, with its sort orders and slices as positions in `rows`.

    Iteration yields the rows in the default order.
    """

    collection: Collection
    rows: Rows
    summaries: Sequence[bytes]  # `summary` of each row
    slugs: Sequence[str]
    numbers: Sequence[Numbers]
    #: slug -> its former slugs; without records that have none
    aliases: Mapping[str, tuple[str, ...]]
    identifiers: Mapping[str, tuple[str, ...]]  # likewise, as `scheme:id`
    orders: Mapping[str, Sequence[int]]  # sort -> positions of all rows
    members: Mapping[str, Sequence[int]]  # facet -> positions, in the default order
    labels: Mapping[str, str]  # place -> label
    coverage: Mapping[int, int]  # number in `coverage_numbers` -> number of rows
    digests: Sequence[bytes]  # of the fields and the summary of each row

    def __len__(self) -> int:
        return len(self.orders[self.collection.sorts[0]])

    def __iter__(self) -> Iterator[Row]:
        return (self.rows[i] for i in self.orders[self.collection.sorts[0]])

    def count(self, facet: str) -> int:
        return len(self.members.get(facet, ()))

    def positions(self, part: Slice) -> Sequence[int]:
        """The positions of a slice's rows, in its order."""
        if part.filter is None:
            return self.orders[part.order]
        return self.members.get(f"{part.filter}/{part.value}", ())

    def counts(self) -> Counts:
        values: dict[str, dict[str, int]] = {name: {} for name in self.collection.listed_filters}
        for facet, positions in self.members.items():
            name, _, value = facet.partition("/")
            if name in values and len(positions):
                values[name][value] = len(positions)
        return Counts(self.collection, len(self), values, self.labels)


class TableBuilder:
    """Collects rows in any order and makes a table of them."""

    def __init__(self) -> None:
        self.fields: list[bytes] = []
        self.summaries: list[bytes] = []
        self.slugs: list[str] = []
        self.keys: list[str] = []
        self.numbers: list[Numbers] = []
        self.members: dict[str, array[int]] = {}
        self.labels: dict[str, str] = {}
        self.aliases: dict[str, tuple[str, ...]] = {}
        self.identifiers: dict[str, tuple[str, ...]] = {}
        self.coverage: dict[int, int] = {}

    def add(self, rows: Batch) -> Sequence[str]:
        """Add rows.  Returns their slugs."""
        self.fields += rows.fields
        self.summaries += rows.summaries
        first = len(self.slugs)
        self.slugs += rows.slugs
        self.keys += rows.keys
        self.numbers += rows.numbers
        for facet, members in rows.members.items():
            numbers = map(first.__add__, members)
            try:
                self.members[facet].extend(numbers)
            except KeyError:
                self.members[facet] = array("I", numbers)
        _add_labels(self.labels, rows.labels.items())
        self.aliases |= rows.aliases
        self.identifiers |= rows.identifiers
        for number, count in rows.coverage.items():
            self.coverage[number] = self.coverage.get(number, 0) + count
        return rows.slugs

    def count(self, facet: str) -> int:
        return len(self.members.get(facet, ()))

    def make_table(self, collection: Collection) -> Table:
        """Sort the rows and make the table; its rows are in the default order.

        This empties the builder except for its slugs, because memory is too small for both.
        """
        order = sorted(range(len(self.keys)), key=self.slugs.__getitem__)
        order.sort(key=self.keys.__getitem__)
        self.keys = []
        ranks = array("I", bytes(4 * len(order)))
        for rank, number in enumerate(order):
            ranks[number] = rank
        row_numbers = [self.numbers[number] for number in order]
        self.numbers = []
        orders: dict[str, Sequence[int]] = {collection.sorts[0]: range(len(order))}
        for i, sort in enumerate(collection.table_sorts[1:]):
            keys = [(numbers[i] is None, -(numbers[i] or 0)) for numbers in row_numbers]
            orders[sort] = array("I", sorted(range(len(order)), key=keys.__getitem__))
        members = {
            facet: array("I", sorted(map(ranks.__getitem__, numbers)))
            for facet in list(self.members)
            for numbers in (self.members.pop(facet),)
        }
        fields, summaries = items_at(self.fields, order), items_at(self.summaries, order)
        self.fields, self.summaries = [], []
        return Table(
            collection,
            Rows(fields, summaries),
            summaries,
            [self.slugs[number] for number in order],
            row_numbers,
            self.aliases,
            self.identifiers,
            orders,
            members,
            self.labels,
            self.coverage,
            list(map(digest, fields, summaries)),
        )


def tabulate(collection: Collection, rows: Iterable[Row]) -> Table:
    """A table of these rows."""
    builder = TableBuilder()
    builder.add(pack_rows(rows))
    return builder.make_table(collection)


class Registry(NamedTuple):
    """All that a build publishes, except the texts of records.

    `modified` is slug -> when an event was last changed, UTC, without events whose history is not
    known.
    """

    settings: Settings
    symbols: Symbols
    as_of: date
    projects: Table
    programs: Table
    organizations: Table
    events: Table
    modified: Mapping[str, str]

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.projects, self.programs, self.organizations, self.events


def upcoming_events(events: Table, as_of: date) -> list[int]:
    """Positions of the events that end at or after 00:00 UTC of `as_of`."""
    today = f"{as_of.isoformat()}T00:00:00Z"
    return [
        position
        for position in events.orders[events.collection.sorts[0]]
        if events.rows[position].ends >= today
    ]
