"""Blocks: runs of records in the default order, which the postings of an index and its rows are
divided by.

Where a block begins is told by the slugs near there, and which slot it has by the slug that it
begins with.  So a record more or less changes the ids of a few others, and no more; and the blocks
are those of a clean build, whatever came before.  docs/search.md tells the format.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from zlib import crc32

from generator.search.format import Damaged, numbers_of, packed_numbers

#: Ids of a slot, and so records of a block at most.
BLOCK = 16
#: Blocks of a group at most, whose small files of rows go by one check; fewer where so many groups
#: of fewer would have all blocks.
GROUP, GROUPS = 16, 128
#: A large file of rows has so many groups at most that so many such files would have all; and where
#: there are more than the second number, there are larger ones, likewise.
MANY, FEW = 160, 16
#: What a CRC-32 is multiplied by, for numbers that have nothing to do with each other: for where a
#: block begins, a group, a large file and a larger one; for who has a slot first, and which.
_BLOCKS, _GROUPS, _LARGE, _LARGER = 0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x2545F491
_RANK, _HOMES = 0x165667B1, range(0x27D4EB2F, 0xFFFFFFFF, 0x06A09E66)
_MASK = 0xFFFFFFFF
#: By a packed byte of the file, the records of its block, and its level.
_SIZES = bytes((byte & 15) + 1 for byte in range(256))
_LEVELS = bytes(byte >> 4 for byte in range(256))


class Blocks:
    """The blocks of a collection, in the default order."""

    def __init__(self, slots: Sequence[int], sizes: Sequence[int], levels: Sequence[int]):
        """Of each block its slot, its number of records, and the level of what begins with it: 1 is
        a group, 2 a large file of rows, too, and 3 a larger one.
        """
        self.slots, self.sizes, self.levels = slots, sizes, levels
        #: The position of the first record of each block, and the number of records.
        self.starts = list(accumulate(sizes, initial=0))
        self.records = self.starts.pop()

    @classmethod
    def of(cls, slugs: Iterable[str]) -> Blocks:
        """The blocks of records with these slugs, in the default order."""
        crcs = [crc32(slug.encode()) for slug in slugs]
        starts = _cut(_mixed(crcs, _BLOCKS), BLOCK)
        first = [crcs[start] for start in starts]
        levels, above = bytearray(len(first)), list(range(len(first)))
        for level, factor, most in (1, _GROUPS, GROUPS), (2, _LARGE, MANY), (3, _LARGER, FEW):
            if level == 3 and len(above) <= FEW:
                break
            size = 1
            while size * most < len(above) and (level > 1 or size < GROUP):
                size *= 2
            cut = _cut(_mixed([first[block] for block in above], factor), size)
            above = [above[place] for place in cut]
            for block in above:
                levels[block] = level
        sizes = bytes(end - start for start, end in pairwise([*starts, len(crcs)]))
        return cls(_slots(first), sizes, levels)

    @property
    def data(self) -> bytes:
        """The file."""
        code = _code(len(self.slots))
        packed = bytes(
            size - 1 | level << 4 for size, level in zip(self.sizes, self.levels, strict=True)
        )
        return packed_numbers(code, self.slots) + packed

    @cached_property
    def ids(self) -> array[int]:
        """The id of each position."""
        found = array("I")
        for slot, size in zip(self.slots, self.sizes, strict=True):
            found.extend(range(slot * BLOCK, slot * BLOCK + size))
        return found

    @cached_property
    def positions(self) -> array[int]:
        """The position of each id; that which no record has is the number of records."""
        found = array("I", [self.records]) * (slots_for(len(self.slots)) * BLOCK)
        for slot, start, size in zip(self.slots, self.starts, self.sizes, strict=True):
            found[slot * BLOCK : slot * BLOCK + size] = array("I", range(start, start + size))
        return found

    def begun(self, level: int) -> list[int]:
        """The first positions of all blocks, groups, large or larger files."""
        if not level:
            return self.starts
        return [
            start for start, held in zip(self.starts, self.levels, strict=True) if held >= level
        ]

    @cached_property
    def groups(self) -> list[int]:
        """The first positions of the groups."""
        return self.begun(1)

    def group_of(self, block: int) -> int:
        """The number of the group that a block lies in."""
        return bisect_right(self.groups, self.starts[block]) - 1


@lru_cache(maxsize=8)
def parsed(data: bytes) -> Blocks:
    """The blocks as their file has them.  Raises Damaged."""
    number = len(data) // 3
    if len(data) % 3 or _code(number) != "H":
        number = len(data) // 5
        if len(data) % 5 or _code(number) != "I":
            raise Damaged
    width = len(data) // max(1, number) - 1
    most, slots = slots_for(number), numbers_of(_code(number), data[: number * width])
    packed = data[number * width :]
    levels = packed.translate(_LEVELS)
    if max(slots, default=0) >= most or len({*slots}) != number or max(levels, default=0) > 3:
        raise Damaged
    return Blocks(slots, packed.translate(_SIZES), levels)


def _code(blocks: int) -> str:
    """How the file of so many blocks has their slots."""
    return "H" if slots_for(blocks) <= 1 << 16 else "I"


def slots_for(blocks: int) -> int:
    """How many slots there are for so many blocks: a power of two in quarters, of which a tenth
    stays free.
    """
    power = 16
    while True:
        for quarters in (4, 5, 6, 7):
            if (slots := power * quarters // 4) * 9 >= blocks * 10:
                return slots
        power *= 2


def _slots(first: Sequence[int]) -> list[int]:
    """The slot of each block, by the CRC-32 of the slug that it begins with: the first free one of
    those that the slug tells.  Who comes first is told by the slug too.
    """
    every = slots_for(len(first))
    free, found = bytearray(b"\1") * every, [0] * len(first)
    ranks = _mixed(first, _RANK)
    for block in sorted(range(len(first)), key=ranks.__getitem__):
        crc = first[block]
        told = ((crc * factor & _MASK) * every >> 32 for factor in _HOMES)
        slot = next((slot for slot in told if free[slot]), None)
        if slot is None:
            slot = free.find(1)
        free[slot] = 0
        found[block] = slot
    return found


def _mixed(crcs: Sequence[int], factor: int) -> list[int]:
    return [crc * factor & _MASK for crc in crcs]


def _bound(most: int) -> int:
    """Where a number is less, a run of so many at most begins."""
    return (2 << 32) // (3 * most)


def _cut(numbers: Sequence[int], most: int) -> list[int]:
    """Where runs begin of at most so many items, which have numbers of 32 bits: where a number is
    small; and within longer runs at the smallest one near the middle, again and again.
    """
    if not numbers:
        return []
    bound = _bound(most)
    starts = [0, *(place for place, number in enumerate(numbers) if number < bound and place)]
    found: list[int] = []
    for start, end in pairwise([*starts, len(numbers)]):
        runs = [(start, end)]
        while runs:
            start, end = runs.pop()
            if end - start <= most:
                found.append(start)
                continue
            edge = (end - start) // 4
            middle = min(range(start + max(1, edge), end - edge), key=numbers.__getitem__)
            runs += [(middle, end), (start, middle)]
    return found
