"""Which project comes before and after another in the first program that it names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from generator.model.tables.table import Table
from generator.site.page_context import Neighbours


class Beside:
    """The neighbours of the rows of a table."""

    def __init__(self, table: Table):
        self.table = table
        self._numbers = {slug: number for number, slug in enumerate(table.slugs)}
        self._known: dict[int, tuple[str, str]] = {}  # of a row its slug and name

    def of(self, slug: str, program: str) -> Neighbours:
        """The projects before and after one in a program that it names, as (slug, name) each."""
        number = self._numbers.get(slug)
        if number is None:
            return None, None
        members = self.table.members.get(f"program/{program}", ())
        place = bisect_left(members, number)
        return self._shown(members, place - 1), self._shown(members, place + 1)

    def _shown(self, members: Sequence[int], place: int) -> tuple[str, str] | None:
        if not 0 <= place < len(members):
            return None
        number = members[place]
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = self.table.slugs[number], self.table.rows.name(number)
        return known
