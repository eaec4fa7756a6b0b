"""Which project comes before and after one in the first program that it names, and which projects
have others than they had.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from generator.build.report import Cause, Follows
from generator.site.frame import Neighbours
from generator.tables.patch import Patch, position
from generator.tables.table import Row, Rows, Table


class Beside:
    """The neighbours of the rows of a table."""

    def __init__(self, table: Table):
        self.table = table
        # Rows that were made in this build lie in the default order.
        self._sorted = isinstance(table.rows, Rows)
        self._numbers = (
            {slug: number for number, slug in enumerate(table.slugs)} if self._sorted else {}
        )
        self._known: dict[int, tuple[str, str]] = {}  # of a row its slug and name

    def of(self, slug: str, program: str) -> Neighbours:
        """The projects before and after one in a program that it names, as (slug, name) each."""
        number = self._numbers[slug] if self._sorted else position(self.table, slug)
        if number is None:
            return None, None
        members = self.table.members.get(f"program/{program}", ())
        place = (
            bisect_left(members, number)
            if self._sorted
            else self._place(members, self.table.rows[number])
        )
        return self._shown(members, place - 1), self._shown(members, place + 1)

    def around(self, row: Row) -> Iterator[str]:
        """The slugs that stand where a row does, or did, in its programs, and beside it."""
        for facet in _programs(row):
            members = self.table.members.get(facet, ())
            place = self._place(members, row)
            for number in members[max(0, place - 1) : place + 2]:
                yield self.table.slugs[number]

    def _place(self, members: Sequence[int], row: Row) -> int:
        """Where a row is, or would be, among those of a slice."""
        rows = self.table.rows
        return bisect_left(members, _key(row), key=lambda number: _key(rows[number]))

    def _shown(self, members: Sequence[int], place: int) -> tuple[str, str] | None:
        if not 0 <= place < len(members):
            return None
        number = members[place]
        known = self._known.get(number)
        if known is None:
            rows = self.table.rows
            name = rows.name(number) if isinstance(rows, Rows) else rows[number].name
            known = self._known[number] = self.table.slugs[number], name
        return known


def others(patch: Patch, before: Table, gone: Iterable[str]) -> dict[str, Cause]:
    """The files of records whose neighbours may be others than in the table `before`; `gone` are
    the slugs of rows that it has and this patch has not.
    """
    beside, path = Beside(patch.table), patch.table.collection.record_path
    changes: list[tuple[Row | None, Row | None]] = [
        (before.rows[number] if number < len(before.rows) else None, row)
        for number, row in patch.changed.items()
    ]
    for slug in gone:
        number = position(before, slug)
        changes.append((before.rows[number] if number is not None else None, None))
    causes: dict[str, Cause] = {}
    for change in changes:
        old, new = map(_shown_as, change)
        for row in filter(None, change if old != new else ()):
            causes |= {path(slug): Follows(path(row.slug)) for slug in beside.around(row)}
    return causes


def _shown_as(row: Row | None) -> object:
    """What a row's neighbours show of it, and where it stands."""
    return row and (row.slug, row.name, row.key, _programs(row))


def _programs(row: Row) -> list[str]:
    return [facet for facet in row.facets if facet.startswith("program/")]


def _key(row: Row) -> tuple[str, str]:
    return row.key, row.slug
