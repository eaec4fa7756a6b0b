"""The projects of a registry by the tags of one family and by status."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from typing import NamedTuple

from generator.grammar.filters import Facet
from generator.model.tables.table import Table

#: The most tags of a family, and the most projects of a tag.
MAX_BOXES, MAX_TILES = 20, 17
#: The statuses of projects in the order of the legend.
STATUSES = ("active", "public", "acquired", "inactive")


class Cell(NamedTuple):
    """The projects of one tag with one status: their number, and (slug, name) of the first."""

    status: str
    total: int
    projects: tuple[tuple[str, str], ...]


class Box(NamedTuple):
    """The projects of one tag by status, without empty cells."""

    tag: str
    total: int
    cells: tuple[Cell, ...]


def families_of(table: Table) -> tuple[str, ...]:
    """The tag families that projects have tags of."""
    names = {facet.filter for facet, rows in table.members.items() if rows}
    families = table.collection.filters
    return tuple(name[4:] for name in families if name.startswith("tag_") and name in names)


class Landscape:
    """Finds the boxes of a table of projects."""

    def __init__(self, table: Table):
        self._table = table
        #: The status of each project, as its index in STATUSES.
        self._statuses = bytearray(len(table.slugs))
        for number, status in enumerate(STATUSES):
            for position in table.members.get(Facet("status", status), ()):
                self._statuses[position] = number
        size = table.collection.numbers.index("team_size")  # the largest first, then by name
        self._ranks = [-(numbers[size] or 0) for numbers in table.numbers]

    def boxes(self, family: str) -> list[Box]:
        """The most frequent tags of a family, each with its projects by status."""
        name, members = f"tag_{family}", self._table.members
        tags = [facet for facet in members if facet.filter == name and members[facet]]
        tags.sort(key=lambda facet: (-len(members[facet]), facet))
        return [self._box(facet.value, members[facet]) for facet in tags[:MAX_BOXES]]

    def _box(self, tag: str, positions: Sequence[int]) -> Box:
        by_status: dict[str, list[int]] = {status: [] for status in STATUSES}
        for position in positions:
            by_status[STATUSES[self._statuses[position]]].append(position)
        cells = []
        for status, members in by_status.items():
            if members:
                share = MAX_TILES * len(members) / max(MAX_TILES, len(positions))
                cells.append(self._cell(status, members, max(1, int(share))))
        return Box(tag, len(positions), tuple(cells))

    def _cell(self, status: str, members: list[int], most: int) -> Cell:
        first = nsmallest(most, members, key=self._ranks.__getitem__)  # stable
        slugs, rows = self._table.slugs, self._table.rows
        projects = tuple((slugs[position], rows[position].name) for position in first)
        return Cell(status, len(members), projects)
