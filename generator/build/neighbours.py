"""The projects before and after another one in a program."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from generator.model.tables.table import Table
from generator.site.page_context import Neighbours


class ProgramNeighbours:
    """The neighbours of the projects of a table."""

    def __init__(self, table: Table):
        self.table = table
        self._numbers = {slug: number for number, slug in enumerate(table.slugs)}
        self._found: dict[int, tuple[str, str]] = {}  # row number -> slug and name

    def of(self, slug: str, program: str) -> Neighbours:
        """The projects before and after a project in one of its programs, each as (slug, name)."""
        number = self._numbers.get(slug)
        if number is None:
            return None, None
        members = self.table.members.get(f"program/{program}", ())
        position = bisect_left(members, number)
        return self._project(members, position - 1), self._project(members, position + 1)

    def _project(self, members: Sequence[int], position: int) -> tuple[str, str] | None:
        if not 0 <= position < len(members):
            return None
        number = members[position]
        if number not in self._found:
            self._found[number] = self.table.slugs[number], self.table.rows.name(number)
        return self._found[number]
