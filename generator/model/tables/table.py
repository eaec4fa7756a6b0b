"""The linked registry: each record as a `Row`, each collection as a `Table` of rows.

A row is plain data, so it can be sent to other processes.  This module reads no files and renders
nothing.
"""

from __future__ import annotations

import marshal
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, overload

from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection, Slice
from generator.kinds.continents import CONTINENTS
from generator.model.kind import Numbers
from generator.model.settings.registry import Settings
from generator.model.symbols import CONTINENT, NamedPlace, Symbols
from generator.model.tables.texts import TextColumn, TextRows


class Row(NamedTuple):
    """One record, as far as lists and counts need it.

    `key` is for the default sort: the folded name, or the start of an event in UTC.  `numbers` are
    for the other sorts and for ranges, in the order of `Collection.numbers`.  `facets` are the
    record's values of filters, `places` its places without continents.  `extras` has what features
    collected, by their names, `coverage_numbers` the numbers of the filled fields (see
    generator.model.tables.coverage).  `texts` is the number of its texts in those of its table.
    """

    slug: str
    name: str
    key: str
    numbers: Numbers
    ends: str
    facets: tuple[Facet, ...]
    places: tuple[NamedPlace, ...]
    aliases: tuple[str, ...]
    extras: Mapping[str, Any]
    coverage_numbers: tuple[int, ...]
    texts: int


def pack_row(row: Row) -> tuple[Any, ...]:
    """A row as plain data, which `marshal` can dump."""
    facets, places = (tuple(map(tuple, of)) for of in (row.facets, row.places))
    return tuple(row._replace(facets=facets, places=places))  # type: ignore[arg-type]


class _Facets(dict[tuple[str, str], Facet]):
    """Equal facets of several records are one object."""

    def __missing__(self, plain: tuple[str, str]) -> Facet:
        self[plain] = made = Facet(*plain)
        return made


class _Same(dict[tuple[Any, ...], tuple[Any, ...]]):
    """Equal tuples of several records are one object."""

    def __missing__(self, key: tuple[Any, ...]) -> tuple[Any, ...]:
        self[key] = key
        return key


_facet, _place, _same = _Facets().__getitem__, cache(NamedPlace._make), _Same().__getitem__
_NO_EXTRAS: Mapping[str, Any] = {}


def unpack_row(plain: Iterable[Any]) -> Row:
    """The row of data of `pack_row`.  Equal values of several rows are one object."""
    row = Row._make(plain)
    return row._replace(
        facets=tuple(map(_facet, row.facets)),
        places=_same(tuple(map(_place, row.places))),
        extras=row.extras or _NO_EXTRAS,
        coverage_numbers=_same(row.coverage_numbers),
    )


class PackedRows(Sequence[Row]):
    """Rows in texts, each unpacked when it is read."""

    def __init__(self, packed: TextColumn):
        self._packed = packed

    @classmethod
    def of(cls, rows: Sequence[Row], texts: TextRows) -> PackedRows:
        """Add rows to texts."""
        first = texts.add((marshal.dumps(pack_row(row)),) for row in rows)
        return cls(TextColumn(texts, range(first, first + len(rows)), 0))

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, position: int) -> Row: ...

    @overload
    def __getitem__(self, position: slice) -> PackedRows: ...

    def __getitem__(self, position: int | slice) -> Row | PackedRows:
        if isinstance(position, slice):
            return PackedRows(self._packed[position])
        return unpack_row(marshal.loads(self._packed[position]))


class Counts(NamedTuple):
    """The number of records of a collection, in total and by filter values; labels of places."""

    collection: Collection
    total: int
    values: Mapping[str, Mapping[str, int]]  # filter -> value -> records, without values of none
    labels: Mapping[str, str]

    def of(self, name: str, value: str) -> int:
        """How many records have a value of a filter; 0 of a filter of other collections."""
        return self.values.get(name, {}).get(value, 0)

    def slices(self) -> Iterator[Slice]:
        """The slices with pages: those with records, and those of virtual filters."""
        yield from self.collection.whole_slices()
        yield from (part for _, part in self.collection.virtual_slices())
        for name in self.collection.prepared_filters:
            for value in sorted(self.values[name]):
                yield Slice(self.collection, name, value)


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one collection, in the default order, with its sort orders and slices as
    positions in `rows`.
    """

    collection: Collection
    rows: Sequence[Row]
    #: Of each row: its summary, as JSON; its published file; the words that find it, packed, and
    #: the terms that features add (generator.search.terms).  Empty if records are only checked.
    summaries: TextColumn
    documents: TextColumn
    words: TextColumn
    added: Sequence[TextColumn]
    slugs: Sequence[str]
    numbers: Sequence[Numbers]
    ends: Sequence[str]
    #: slug -> its former slugs; without records that have none
    aliases: Mapping[str, tuple[str, ...]]
    extras: Mapping[str, Mapping[str, Any]]  # feature -> slug -> what it collected
    orders: Mapping[str, Sequence[int]]  # sort -> positions of all rows
    members: Mapping[Facet, Sequence[int]]  # facet -> positions, in the default order
    labels: Mapping[str, str]  # place -> label
    levels: Mapping[str, int]  # place -> bits of its levels, without continents
    coverage: Mapping[int, int]  # number in `coverage_numbers` -> number of rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def count(self, facet: Facet) -> int:
        return len(self.members.get(facet, ()))

    def levels_of(self, place: str) -> int:
        """The bits of the levels at which records have a place; 0 of `remote` and `online`."""
        return CONTINENT if place in CONTINENTS else self.levels.get(place, 0)

    def positions(self, part: Slice) -> Sequence[int]:
        """The positions of a slice's rows, in its order."""
        if part.filter is None:
            return self.orders[part.order]
        return self.members.get(Facet(part.filter, part.value or ""), ())

    def counts(self) -> Counts:
        values: dict[str, dict[str, int]] = {name: {} for name in self.collection.listed_filters}
        for facet, positions in self.members.items():
            if facet.filter in values and len(positions):
                values[facet.filter][facet.value] = len(positions)
        return Counts(self.collection, len(self), values, self.labels)


def tabulate(collection: Collection, unsorted: Iterable[Row], texts: TextRows) -> Table:
    """A table of these rows, which may come in any order, and of their texts."""
    rows = sorted(unsorted, key=attrgetter("key", "slug"))
    members: dict[Facet, array[int]] = {}
    labels: dict[str, str] = {}
    levels: dict[str, int] = {}
    extras: dict[str, dict[str, Any]] = {}
    for position, row in enumerate(rows):
        for facet in row.facets:
            try:
                members[facet].append(position)
            except KeyError:
                members[facet] = array("I", (position,))
        # The label that sorts first wins, so file order has no effect.
        for place, label, level in row.places:
            if labels.setdefault(place, label) > label:
                labels[place] = label
            levels[place] = levels.get(place, 0) | level
        for feature, collected in row.extras.items():
            extras.setdefault(feature, {})[row.slug] = collected
    orders: dict[str, Sequence[int]] = {collection.sorts[0]: range(len(rows))}
    for sort in collection.table_sorts[1:]:
        column = collection.numbers.index(sort.removeprefix("-"))
        values = [row.numbers[column] for row in rows]
        known = [i for i, value in enumerate(values) if value is not None]
        known.sort(key=values.__getitem__, reverse=sort[0] == "-")
        orders[sort] = array("I", (*known, *(i for i, v in enumerate(values) if v is None)))
    numbers = array("I", (row.texts for row in rows))
    summaries, documents, words, *added = (
        TextColumn(texts, numbers, column) for column in range(max(texts.width, 3))
    )
    return Table(
        collection,
        rows,
        summaries,
        documents,
        words,
        added,
        [row.slug for row in rows],
        [row.numbers for row in rows],
        [row.ends for row in rows],
        {row.slug: row.aliases for row in rows if row.aliases},
        extras,
        orders,
        members,
        labels,
        levels,
        Counter(chain.from_iterable(row.coverage_numbers for row in rows)),
    )


class Registry(NamedTuple):
    """All that a build publishes, except the texts of records.

    `tables` are by collection.  `modified` is slug -> when an event was last changed, UTC, without
    events whose history is not known.
    """

    settings: Settings
    symbols: Symbols
    as_of: date
    tables: Mapping[str, Table]
    modified: Mapping[str, str]


def upcoming_events(events: Table, as_of: date) -> list[int]:
    """Positions of the events that end at or after 00:00 UTC of `as_of`."""
    today = f"{as_of.isoformat()}T00:00:00Z"
    return [
        position
        for position in events.orders[events.collection.sorts[0]]
        if events.ends[position] >= today
    ]
