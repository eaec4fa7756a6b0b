"""The linked, frozen registry: every record as a `Row`, every collection as a `Table` of rows.

A row is what the rest of a build needs to know of one record; it is plain data, so that it can pass between processes
and be kept between builds.  Reads no files and renders nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from typing import NamedTuple

from generator.kinds.frame import Frame
from generator.query import Collection, Slice
from generator.settings import Settings


class Row(NamedTuple):
    """One record as lists and counts see it.

    `key` is what the default sort compares (the folded name, or an event's start in UTC); `facets` are the slices it
    belongs to, as `filter/value`; `labels` names those values whose label only the record knows; `summary` is encoded.
    """

    slug: str
    name: str
    key: str
    year: int | None
    ends: str
    facets: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    aliases: tuple[str, ...]
    summary: bytes


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one collection in its default order, and which of them belong to each slice."""

    collection: Collection
    rows: Sequence[Row]
    members: Mapping[str, Sequence[int]]  # facet -> positions in `rows`, ascending
    labels: Mapping[str, str]  # facet -> label, where only the records know it
    orders: Mapping[str, Sequence[int]]  # every sort but the default -> positions in `rows`

    def count(self, facet: str) -> int:
        return len(self.members.get(facet, ()))

    def positions(self, part: Slice) -> Sequence[int]:
        """The rows of a slice, in its order."""
        if part.filter is not None:
            return self.members.get(f"{part.filter}/{part.value}", ())
        return range(len(self.rows)) if part.order == self.collection.sorts[0] else self.orders[part.order]

    def values(self) -> dict[str, dict[str, int]]:
        """filter -> value -> number of records, of the values that have any."""
        found: dict[str, dict[str, int]] = {name: {} for name in self.collection.filters}
        for facet, positions in self.members.items():
            name, _, value = facet.partition("/")
            if name in found:
                found[name][value] = len(positions)
        return found


def tabulate(collection: Collection, rows: Iterable[Row], numbers: Mapping[str, Callable[[Row], int | None]]) -> Table:
    """Sort rows and gather slices.  `numbers` gives, for each sort `-name`, the number it compares."""
    ordered = sorted(rows, key=itemgetter(2, 0))  # key, slug
    members: dict[str, list[int]] = {}
    labels: dict[str, str] = {}
    for position, row in enumerate(ordered):
        for facet in row.facets:
            try:
                members[facet].append(position)
            except KeyError:
                members[facet] = [position]
        for value, label in row.labels:
            facet = f"location/{value}"
            # Of several spellings the first in code-point order names the value: no order of files shows through.
            if label < labels.get(facet, "\U0010ffff"):
                labels[facet] = label
    orders = {}
    for sort in collection.sorts[1:]:
        number = numbers[sort]
        keys = [number(row) for row in ordered]
        orders[sort] = sorted(range(len(ordered)), key=lambda i: (keys[i] is None, -(keys[i] or 0)))  # noqa: B023
    return Table(collection, ordered, members, labels, orders)


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
    return [position for position, row in enumerate(events.rows) if row.ends >= today]
