"""The records of a collection that are most similar to another one: the same tags, programs and
places.

Sets of records are integers with one bit a record, so that counting what all records share with
one takes a few operations on integers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

import orjson

from generator.model.tables.table import Table

#: The number of similar records.
MAX_SIMILAR = 6
#: Similar records are searched in runs of this many records, so that the time for a record does not
#: grow with the collection.
RUN = 1 << 14
#: The most bytes of sets in memory.
_MAX_BYTES = 1 << 25
#: The filters whose values make records similar.
_FILTERS = ("tag_", "program/", "organization/", "location/")
#: Points for a shared value by how rare it is: 2 ** `place` if one record in so many has it.
_PLACES = ((50, 2), (10, 1), (3, 0))
#: Records with fewer than 2 points are not similar.
_LEAST_PLACE = 1


class SimilarRecords:
    """Finds the similar records of a table."""

    def __init__(self, table: Table):
        self.table = table
        self._positions = {slug: position for position, slug in enumerate(table.slugs)}
        size = 1 + min(len(table.slugs), RUN) // 8
        self._found: dict[str, tuple[bytes, ...]] = {}
        self._bits = lru_cache(maxsize=_MAX_BYTES // size)(self._make_bits)

    def of(self, slug: str) -> tuple[bytes, ...]:
        """The summaries of the similar records as JSON, the most similar first."""
        found = self._found.get(slug)
        if found is None:
            found = self._found[slug] = tuple(self._find(slug))
        return found

    def _find(self, slug: str) -> Iterator[bytes]:
        position = self._positions.get(slug)
        if position is not None:
            run = position // RUN
            for other in _best(self._points(position, run), position % RUN):
                yield self.table.summaries[run * RUN + other]

    def _points(self, position: int, run: int) -> list[int]:
        """The points of all records of a run as binary numbers: item i has the bits i of all."""
        points: list[int] = []
        for facet in orjson.loads(self.table.rows.fields[position])[5]:
            if not facet.startswith(_FILTERS):
                continue
            bits, place = self._bits(facet, run)
            while bits:  # add 2 ** place to the points of each record that has the value
                if place >= len(points):
                    points += [0] * (place + 1 - len(points))
                before = points[place]
                points[place] = before ^ bits
                bits &= before
                place += 1
        return points

    def _make_bits(self, facet: str, run: int) -> tuple[int, int]:
        """The records of a run with a value, and the place of its points; a value that most records
        or only one has gives an empty set.
        """
        members = self.table.members[facet]
        rarity = len(self.table.slugs) // len(members)
        place = next((place for least, place in _PLACES if rarity >= least), None)
        if place is None or len(members) < 2:
            return 0, 0
        first = bisect_left(members, run * RUN)
        bits = bytearray(RUN // 8)
        for member in members[first : bisect_left(members, (run + 1) * RUN)]:
            number = member % RUN
            bits[number >> 3] |= 1 << (number & 7)
        return int.from_bytes(bits, "little"), place


def _best(points: Sequence[int], own: int) -> list[int]:
    """The records with the most points, at most `MAX_SIMILAR`, without the record `own`."""
    left = 0
    for bits in points[_LEAST_PLACE:]:
        left |= bits
    left &= ~(1 << own)
    found: list[int] = []
    while left and len(found) < MAX_SIMILAR:
        best = left
        for bits in reversed(points):
            if best & bits:
                best &= bits
        left ^= best
        # Records with equal points: those after the record, then those before it.
        after = best >> own << own
        found += _numbers(after, MAX_SIMILAR - len(found))
        found += _numbers(best ^ after, MAX_SIMILAR - len(found))
    return found


def _numbers(bits: int, most: int) -> Iterator[int]:
    """The smallest numbers of a set, at most `most`."""
    while bits and most > 0:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
        most -= 1
