"""The projects of a registry by the tags of one family and by status."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from typing import NamedTuple

from generator.grammar.filters import Facet
from generator.model.tables.table import Table
from generator.site.page_context import Site

#: The most tags of a family, and the most projects of a tag.
MAX_BOXES, MAX_TILES = 20, 17
_STATUSES = ("active", "public", "acquired", "inactive")


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


def landscape(site: Site) -> Landscape:
    """The landscape of the projects, made once."""
    return site.memo.get_or_make("landscape", Landscape, site.tables["projects"])


class Landscape:
    """Finds the boxes of a table of projects."""

    def __init__(self, table: Table):
        self.table = table
        self._found: dict[str, tuple[Box, ...]] = {}
        self._ranks: list[int] = []
        self._statuses = bytearray()

    def families(self) -> tuple[str, ...]:
        """The tag families that projects have tags of."""
        names = {facet.filter for facet, rows in self.table.members.items() if rows}
        families = self.table.collection.filters
        return tuple(name[4:] for name in families if name.startswith("tag_") and name in names)

    def of(self, family: str) -> tuple[Box, ...]:
        """The most frequent tags of a family, each with its projects by status."""
        found = self._found.get(family)
        if found is None:
            name, members = f"tag_{family}", self.table.members
            tags = [facet for facet in members if facet.filter == name and members[facet]]
            tags.sort(key=lambda facet: (-len(members[facet]), facet))
            found = tuple(self._box(facet.value, members[facet]) for facet in tags[:MAX_BOXES])
            self._found[family] = found
        return found

    def _box(self, tag: str, positions: Sequence[int]) -> Box:
        self._prepare()
        by_status: dict[str, list[int]] = {status: [] for status in _STATUSES}
        for position in positions:
            by_status[_STATUSES[self._statuses[position]]].append(position)
        cells = []
        for status, members in by_status.items():
            if members:
                share = MAX_TILES * len(members) / max(MAX_TILES, len(positions))
                cells.append(self._cell(status, members, max(1, int(share))))
        return Box(tag, len(positions), tuple(cells))

    def _cell(self, status: str, members: list[int], most: int) -> Cell:
        first = nsmallest(most, members, key=self._ranks.__getitem__)  # stable
        table = self.table
        return Cell(
            status,
            len(members),
            tuple((table.slugs[position], table.rows[position].name) for position in first),
        )

    def _prepare(self) -> None:
        """Note the status and the rank of each project, once."""
        if self._ranks:
            return
        table = self.table
        self._statuses = bytearray(len(table.slugs))
        for number, status in enumerate(_STATUSES):
            for position in table.members.get(Facet("status", status), ()):
                self._statuses[position] = number
        size = table.collection.numbers.index("team_size")  # the largest first, then by name
        self._ranks = [-(numbers[size] or 0) for numbers in table.numbers]
