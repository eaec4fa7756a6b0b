"""The linked, frozen registry: every record as a `Row`, every collection as a `Table` of rows.

A row is what the rest of a build needs to know of one record; it is plain data, so that it can pass
between processes and be kept between builds.  Reads no files and renders nothing.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any, NamedTuple, overload

import orjson

from generator.disk.digests import digest
from generator.grammar.grammar import Collection, Slice
from generator.model.settings.registry import Settings
from generator.model.symbols import Numbers, Symbols


class Row(NamedTuple):
    """One record as lists and counts see it.

    `key` is what the default sort compares (the folded name, or an event's start in UTC); `numbers`
    are what the other sorts and ranges compare, those of the collection in order; `facets` are the
    slices the record belongs to, as `filter/value`; `labels` names the places whose label only the
    record knows; `covers` says which fields the record has (see generator.model.tables.coverage);
    `summary` is encoded.
    """

    slug: str
    name: str
    key: str
    numbers: Numbers
    ends: str
    facets: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    aliases: tuple[str, ...]
    covers: tuple[int, ...]
    summary: bytes


class Rows(Sequence[Row]):
    """Rows that are packed, and unpacked each time."""

    def __init__(self, fields: Sequence[bytes], summaries: Sequence[bytes]):
        self.fields, self.summaries = fields, summaries

    def __len__(self) -> int:
        return len(self.fields)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: Any) -> Any:
        return unpacked_row(self.fields[index], self.summaries[index])

    def name(self, index: int) -> str:
        """The name of one row, without the rest of it."""
        name: str = orjson.loads(self.fields[index])[1]
        return name


class Batch(NamedTuple):
    """Some rows as they pass between processes: the packed fields and the summary of each; and
    what tables need of all rows, so that nobody unpacks one to build a table.
    """

    fields: Sequence[bytes]
    summaries: Sequence[bytes]
    slugs: Sequence[str]
    keys: Sequence[str]
    numbers: Sequence[Numbers]
    members: Mapping[str, bytes]  # facet -> numbers of rows among these, 32 bits each
    labels: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    coverage: Mapping[int, int]


def packed_fields(row: Row) -> bytes:
    return orjson.dumps(row[:-1])


def unpacked_row(fields: bytes, summary: bytes) -> Row:
    slug, name, key, numbers, ends, facets, labels, aliases, covers = orjson.loads(fields)
    return Row(
        slug,
        name,
        key,
        tuple(numbers),
        ends,
        tuple(facets),
        tuple(map(tuple, labels)),
        tuple(aliases),
        tuple(covers),
        summary,
    )


def batch(rows: Iterable[Row]) -> Batch:
    rows = list(rows)
    members: dict[str, array[int]] = {}
    labels: dict[str, str] = {}
    for number, row in enumerate(rows):
        for facet in row.facets:
            try:
                members[facet].append(number)
            except KeyError:
                members[facet] = array("I", (number,))
        if row.labels:
            _name_places(labels, row.labels)
    return Batch(
        [packed_fields(row) for row in rows],
        [row.summary for row in rows],
        [row.slug for row in rows],
        [row.key for row in rows],
        [row.numbers for row in rows],
        {facet: numbers.tobytes() for facet, numbers in members.items()},
        labels,
        {row.slug: row.aliases for row in rows if row.aliases},
        dict(Counter(chain.from_iterable(row.covers for row in rows))),
    )


def _name_places(labels: dict[str, str], more: Iterable[tuple[str, str]]) -> None:
    """Take in what places are called.

    Of several spellings the first in code-point order names the place: no order of files shows
    through.
    """
    for place, label in more:
        if labels.setdefault(place, label) > label:
            labels[place] = label


class Counts(NamedTuple):
    """How many records a collection has, and each value of each filter; and what its places are
    called.
    """

    collection: Collection
    total: int
    values: Mapping[
        str, Mapping[str, int]
    ]  # filter -> value -> records, of the values that have any
    labels: Mapping[str, str]

    def of(self, name: str, value: str) -> int:
        return self.values[name].get(value, 0)

    def slices(self) -> Iterator[Slice]:
        """The slices with pages that have any record, and those of virtual filters."""
        yield from self.collection.whole_slices()
        yield from (part for _, part in self.collection.virtual_slices())
        for name, values in self.values.items():
            for value in sorted(values):
                yield Slice(self.collection, name, value)


def texts_of(held: Sequence[Any], numbers: Sequence[int]) -> list[Any]:
    """The texts of these numbers."""
    return list(map(held.__getitem__, numbers))


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one collection, and the order and members of each of its slices, as positions in
    `rows`.

    Iterating gives the rows in the default order; `rows` itself may be in any.
    """

    collection: Collection
    rows: Rows
    summaries: Sequence[bytes]  # the same as each row's `summary`
    slugs: Sequence[str]  # likewise
    numbers: Sequence[Numbers]  # likewise
    aliases: Mapping[str, tuple[str, ...]]  # slug -> its former slugs, where it has any
    orders: Mapping[str, Sequence[int]]  # sort -> every row
    members: Mapping[str, Sequence[int]]  # facet -> its rows, in the default order
    labels: Mapping[str, str]  # place -> label
    coverage: Mapping[int, int]  # number in `covers` -> how many rows have it
    digests: Sequence[bytes]  # what tells each row from what it was

    def __len__(self) -> int:
        return len(self.orders[self.collection.sorts[0]])

    def __iter__(self) -> Iterator[Row]:
        return (self.rows[i] for i in self.orders[self.collection.sorts[0]])

    def count(self, facet: str) -> int:
        return len(self.members.get(facet, ()))

    def positions(self, part: Slice) -> Sequence[int]:
        """The rows of a slice, in its order."""
        return (
            self.members.get(f"{part.filter}/{part.value}", ())
            if part.filter is not None
            else self.orders[part.order]
        )

    def counts(self) -> Counts:
        values: dict[str, dict[str, int]] = {name: {} for name in self.collection.prepared_filters}
        for facet, positions in self.members.items():
            name, _, value = facet.partition("/")
            if name in values and len(positions):
                values[name][value] = len(positions)
        return Counts(self.collection, len(self), values, self.labels)


class TableBuilder:
    """Rows on their way to a table, in any order."""

    def __init__(self) -> None:
        self.fields: list[bytes] = []
        self.summaries: list[bytes] = []
        self.slugs: list[str] = []
        self.keys: list[str] = []
        self.numbers: list[Numbers] = []
        self.members: dict[str, array[int]] = {}
        self.labels: dict[str, str] = {}
        self.aliases: dict[str, tuple[str, ...]] = {}
        self.coverage: dict[int, int] = {}
        self._alike: dict[Any, Any] = {}

    def add(self, some: Batch) -> Sequence[str]:
        """Take rows in; their slugs."""
        self.fields += some.fields
        self.summaries += some.summaries
        first = len(self.slugs)
        self.slugs += some.slugs
        self.keys += some.keys
        self.numbers.extend(map(self._alike.setdefault, some.numbers, some.numbers))
        for facet, packed in some.members.items():
            numbers = map(first.__add__, memoryview(packed).cast("I"))
            try:
                self.members[facet].extend(numbers)
            except KeyError:
                self.members[facet] = array("I", numbers)
        _name_places(self.labels, some.labels.items())
        self.aliases |= some.aliases
        for number, count in some.coverage.items():
            self.coverage[number] = self.coverage.get(number, 0) + count
        return some.slugs

    def count(self, facet: str) -> int:
        return len(self.members.get(facet, ()))

    def table(self, collection: Collection) -> Table:
        """Sort rows and gather slices: rows and summaries lie in the default order.  Of what the
        builder has, its slugs stay: there is no room for all of it beside the table.
        """
        order = sorted(range(len(self.keys)), key=self.slugs.__getitem__)
        order.sort(key=self.keys.__getitem__)
        self.keys = []
        ranks = array("I", bytes(4 * len(order)))
        for rank, number in enumerate(order):
            ranks[number] = rank
        orders: dict[str, Sequence[int]] = {collection.sorts[0]: range(len(order))}
        for which, sort in enumerate(collection.table_sorts[1:]):
            numbers = [
                (n is None, -(n or 0)) for n in (self.numbers[number][which] for number in order)
            ]
            orders[sort] = array("I", sorted(range(len(order)), key=numbers.__getitem__))
        members = {
            facet: array("I", sorted(map(ranks.__getitem__, numbers)))
            for facet in list(self.members)
            for numbers in (self.members.pop(facet),)
        }
        fields, summaries = texts_of(self.fields, order), texts_of(self.summaries, order)
        self.fields, self.summaries = [], []
        slugs, several = (
            [self.slugs[number] for number in order],
            [self.numbers[number] for number in order],
        )
        self.numbers, self._alike = [], {}
        return Table(
            collection,
            Rows(fields, summaries),
            summaries,
            slugs,
            several,
            self.aliases,
            orders,
            members,
            self.labels,
            self.coverage,
            list(map(digest, fields, summaries)),
        )


def tabulate(collection: Collection, rows: Iterable[Row]) -> Table:
    """The table of some rows."""
    builder = TableBuilder()
    builder.add(batch(rows))
    return builder.table(collection)


class Registry(NamedTuple):
    """Everything a build publishes, but for the texts of records."""

    settings: Settings
    symbols: Symbols
    as_of: date
    projects: Table
    programs: Table
    organizations: Table
    events: Table

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.projects, self.programs, self.organizations, self.events


def upcoming(events: Table, as_of: date) -> list[int]:
    """Positions of the events that are not over at the first instant of `as_of`, UTC."""
    today = f"{as_of.isoformat()}T00:00:00Z"
    return [
        position
        for position in events.orders[events.collection.sorts[0]]
        if events.rows[position].ends >= today
    ]
