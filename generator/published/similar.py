"""The records of a collection that are most similar to another one: the same tags, places
and references.

Sets of records are integers with one bit a record, so that counting what all records share with
one takes a few operations on integers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType

from generator.grammar.filters import Facet
from generator.grammar.grammar import TAG_VOCABULARY
from generator.kinds.continents import CONTINENTS
from generator.model.tables.table import Table

#: The number of similar records.
MAX_SIMILAR = 6
#: Similar records are searched in runs of this many records, so that the time for a record does not
#: grow with the collection.
RUN = 1 << 14
#: The most bytes of sets in memory.
_MAX_BYTES = 1 << 25
#: Points for a shared value by how rare it is: 2 ** `place` if one record in so many has it.
_PLACES = ((50, 2), (10, 1), (3, 0))
#: Records with fewer than 2 points are not similar.
_LEAST_PLACE = 1


class Similar:
    """Finds the records of a table that are most similar to one of them.

    `parents` has the parent of each record that has one.
    """

    def __init__(self, table: Table, parents: Mapping[str, str] = MappingProxyType({})):
        self._table = table
        self._positions = {slug: position for position, slug in enumerate(table.slugs)}
        self._related = _related(self._positions, parents)
        self._bits = lru_cache(maxsize=8 * _MAX_BYTES // RUN)(partial(_bits, table))

    def of(self, slug: str) -> Sequence[bytes]:
        """The summaries of the similar records as JSON, the most similar first, without the parent
        of the record and the records whose parent it is.
        """
        if slug not in self._positions:
            return ()
        position, table = self._positions[slug], self._table
        start = position // RUN * RUN
        points = _points(table.rows[position].facets, partial(self._bits, start))
        left_out = [other - start for other in self._related.get(position, ())]
        return [table.summaries[start + n] for n in _best(points, position - start, left_out)]


def _related(
    positions: Mapping[str, int], parents: Mapping[str, str]
) -> Mapping[int, Sequence[int]]:
    """Position of a record -> the positions of its parent and of the records whose parent it is."""
    related: dict[int, list[int]] = {}
    for slug, parent in parents.items():
        child, other = positions[slug], positions[parent]
        related.setdefault(child, []).append(other)
        related.setdefault(other, []).append(child)
    return related


def _points(facets: Iterable[Facet], bits_of: Callable[[Facet], tuple[int, int]]) -> list[int]:
    """The points of all records of a run as binary numbers: item i has the bits i of all.

    `facets` are those of the row that they are compared with.
    """
    points: list[int] = []
    for facet in facets:
        bits, place = bits_of(facet)
        while bits:  # add 2 ** place to the points of each record that has the value
            if place >= len(points):
                points += [0] * (place + 1 - len(points))
            before = points[place]
            points[place] = before ^ bits
            bits &= before
            place += 1
    return points


def _counts(table: Table, facet: Facet) -> bool:
    """Whether a shared value makes records similar: of tags, references and places, without
    continents.
    """
    of = table.collection.filters[facet.filter]
    is_place = of.vocabulary == "places" and facet.value not in CONTINENTS
    return is_place or bool(of.refers) or of.vocabulary.startswith(TAG_VOCABULARY)


def _bits(table: Table, start: int, facet: Facet) -> tuple[int, int]:
    """The records of the run at `start` with a value, and the place of its points; a value that
    does not count, or that most records or only one has, gives an empty set.
    """
    members = table.members[facet]
    rarity = len(table.slugs) // len(members)
    place = next((place for least, place in _PLACES if rarity >= least), None)
    if place is None or len(members) < 2 or not _counts(table, facet):
        return 0, 0
    bits = bytearray(RUN // 8)
    for member in members[bisect_left(members, start) : bisect_left(members, start + RUN)]:
        number = member - start
        bits[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(bits, "little"), place


def _best(points: Sequence[int], own: int, left_out: Iterable[int]) -> list[int]:
    """The records with the most points, at most `MAX_SIMILAR`, without the record `own` and those
    of `left_out`, some of which may be in another run.
    """
    left = 0
    for bits in points[_LEAST_PLACE:]:
        left |= bits
    for number in (own, *left_out):
        if 0 <= number < RUN:
            left &= ~(1 << number)
    found: list[int] = []
    while left and len(found) < MAX_SIMILAR:
        best = left
        for bits in reversed(points):
            best = best & bits or best
        left ^= best
        # Records with equal points: those after the record, then those before it.
        after = best >> own << own
        found += _numbers(after, MAX_SIMILAR - len(found))
        found += _numbers(best ^ after, MAX_SIMILAR - len(found))
    return found


def _numbers(bits: int, most: int) -> Iterator[int]:
    """The smallest numbers of a set, at most `most`."""
    while bits and most > 0:
        others = bits & bits - 1
        yield (bits ^ others).bit_length() - 1
        bits = others
        most -= 1
