"""The linked, frozen registry: every record as a `Row`, every collection as a `Table` of rows.

A row is what the rest of a build needs to know of one record; it is plain data, so that it can pass between processes
and be kept between builds.  Reads no files and renders nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple, overload

from generator.kinds.frame import Frame
from generator.query import Collection, Slice
from generator.settings import Settings


class Row(NamedTuple):
    """One record as lists and counts see it.

    `key` is what the default sort compares (the folded name, or an event's start in UTC); `numbers` are what the other
    sorts compare, in the collection's order; `facets` are the slices the record belongs to, as `filter/value`; `labels`
    names the places whose label only the record knows; `summary` is encoded.
    """

    slug: str
    name: str
    key: str
    numbers: tuple[int | None, ...]
    ends: str
    facets: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    aliases: tuple[str, ...]
    summary: bytes


class Joined(Sequence[bytes]):
    """Byte strings held as one, so that a forked process that reads some copies no page of memory."""

    def __init__(self, parts: Sequence[bytes]):
        self.whole = b"".join(parts)
        self.ends = array("Q", accumulate(map(len, parts), initial=0))

    def __len__(self) -> int:
        return len(self.ends) - 1

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...
    def __getitem__(self, index: Any) -> Any:
        return self.whole[self.ends[index] : self.ends[index + 1]]


class Counts(NamedTuple):
    """How many records a collection has, and each value of each filter; and what its places are called."""

    collection: Collection
    total: int
    values: Mapping[str, Mapping[str, int]]  # filter -> value -> records, of the values that have any
    labels: Mapping[str, str]

    def of(self, name: str, value: str) -> int:
        return self.values[name].get(value, 0)


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one collection, and the order and members of each of its slices, as positions in `rows`.

    Iterating gives the rows in the default order; `rows` itself may be in any.
    """

    collection: Collection
    rows: Sequence[Row]
    summaries: Sequence[bytes]  # the same as each row's `summary`
    orders: Mapping[str, Sequence[int]]  # sort -> every row
    members: Mapping[str, Sequence[int]]  # facet -> its rows, in the default order
    labels: Mapping[str, str]  # place -> label

    def __len__(self) -> int:
        return len(self.orders[self.collection.sorts[0]])

    def __iter__(self) -> Iterator[Row]:
        return (self.rows[i] for i in self.orders[self.collection.sorts[0]])

    def count(self, facet: str) -> int:
        return len(self.members.get(facet, ()))

    def positions(self, part: Slice) -> Sequence[int]:
        """The rows of a slice, in its order."""
        return self.members.get(f"{part.filter}/{part.value}", ()) if part.filter is not None else self.orders[part.order]

    def counts(self) -> Counts:
        found: dict[str, dict[str, int]] = {name: {} for name in self.collection.filters}
        for facet, positions in self.members.items():
            name, _, value = facet.partition("/")
            if name in found and len(positions):
                found[name][value] = len(positions)
        return Counts(self.collection, len(self), found, self.labels)


def tabulate(collection: Collection, rows: Iterable[Row]) -> Table:
    """Sort rows and gather slices."""
    ordered = sorted(rows, key=itemgetter(2, 0))  # key, slug
    members: dict[str, array[int]] = {}
    labels: dict[str, str] = {}
    for position, row in enumerate(ordered):
        for facet in row.facets:
            try:
                members[facet].append(position)
            except KeyError:
                members[facet] = array("I", (position,))
        for place, label in row.labels:
            # Of several spellings the first in code-point order names the place: no order of files shows through.
            if place not in labels or label < labels[place]:
                labels[place] = label
    orders: dict[str, Sequence[int]] = {collection.sorts[0]: range(len(ordered))}
    for which, sort in enumerate(collection.sorts[1:]):
        numbers = [row.numbers[which] for row in ordered]
        orders[sort] = array("I", sorted(range(len(ordered)), key=[(n is None, -(n or 0)) for n in numbers].__getitem__))
    return Table(collection, ordered, Joined([row.summary for row in ordered]), orders, members, labels)


@dataclass(frozen=True, slots=True)
class Registry:
    """Everything a build publishes, but for the texts of records."""

    settings: Settings
    frame: Frame
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
    return [position for position in events.orders[events.collection.sorts[0]] if events.rows[position].ends >= today]
