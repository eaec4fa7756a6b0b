"""Blocks: runs of up to 16 records in the default order; they divide the postings and the rows.

The slugs near a place decide whether a block begins there, and the first slug of a block decides
its slot.  Adding or removing a record therefore changes the ids of only a few other records, and
the blocks do not depend on earlier builds.  docs/search.md describes the format.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from zlib import crc32

from generator.search.format import pack_numbers

#: Ids of a slot: the maximum number of records in a block.
BLOCK = 16
#: Maximum number of blocks in a group, whose small row files share one check.  Groups are smaller
#: as long as no more than `MAX_GROUPS` of them are needed.
GROUP, MAX_GROUPS = 16, 128
#: A large row file takes so many groups that at most `MAX_LARGE_FILES` files are needed; if there
#: are more than `MAX_LARGER_FILES` large files, at most `MAX_LARGER_FILES` larger files exist
#: besides.
MAX_LARGE_FILES, MAX_LARGER_FILES = 160, 16
#: Factors for CRC-32s, so that independent decisions get independent numbers: where a block, a
#: group, a large and a larger file begins; the order in which blocks choose slots, and their slots.
_BLOCKS, _GROUPS, _LARGE, _LARGER = 0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x2545F491
_RANK, _HOMES = 0x165667B1, range(0x27D4EB2F, 0xFFFFFFFF, 0x06A09E66)
_MASK = 0xFFFFFFFF
#: A packed byte of the file -> the number of records in the block, and the level.
_SIZES = bytes((byte & 15) + 1 for byte in range(256))
_LEVELS = bytes(byte >> 4 for byte in range(256))


class Blocks:
    """The blocks of a collection, in the default order."""

    def __init__(self, slots: Sequence[int], sizes: Sequence[int], levels: Sequence[int]):
        """For each block its slot, its number of records, and its level: 1 if a group begins with
        it, 2 if a large row file does too, 3 if a larger file does too.
        """
        self.slots, self.sizes, self.levels = slots, sizes, levels
        #: The position of the first record of each block.
        self.starts = list(accumulate(sizes, initial=0))
        self.records = self.starts.pop()

    @classmethod
    def from_slugs(cls, slugs: Iterable[str]) -> Blocks:
        """The blocks of the records with these slugs, in the default order."""
        crcs = [crc32(slug.encode()) for slug in slugs]
        starts = _run_starts(_scrambled(crcs, _BLOCKS), BLOCK)
        first_crcs = [crcs[start] for start in starts]
        levels, parts = bytearray(len(starts)), list(range(len(starts)))
        for level, factor, max_parts in (
            (1, _GROUPS, MAX_GROUPS),
            (2, _LARGE, MAX_LARGE_FILES),
            (3, _LARGER, MAX_LARGER_FILES),
        ):
            if level == 3 and len(parts) <= MAX_LARGER_FILES:
                break
            size = 1
            while size * max_parts < len(parts) and (level > 1 or size < GROUP):
                size *= 2
            numbers = _scrambled([first_crcs[block] for block in parts], factor)
            parts = [parts[place] for place in _run_starts(numbers, size)]
            for block in parts:
                levels[block] = level
        sizes = bytes(end - start for start, end in pairwise([*starts, len(crcs)]))
        return cls(_slots(first_crcs), sizes, levels)

    @property
    def data(self) -> bytes:
        """The file."""
        pairs = zip(self.sizes, self.levels, strict=True)
        packed = bytes(size - 1 | level << 4 for size, level in pairs)
        return pack_numbers(_slot_code(len(self.slots)), self.slots) + packed

    @cached_property
    def ids(self) -> array[int]:
        """The id of each position."""
        ids = array("I")
        for slot, size in zip(self.slots, self.sizes, strict=True):
            ids.extend(range(slot * BLOCK, slot * BLOCK + size))
        return ids

    @cached_property
    def positions(self) -> array[int]:
        """The position of each id; the number of records for an id that no record has."""
        positions = array("I", [self.records]) * (slots_for(len(self.slots)) * BLOCK)
        for slot, start, size in zip(self.slots, self.starts, self.sizes, strict=True):
            positions[slot * BLOCK : slot * BLOCK + size] = array("I", range(start, start + size))
        return positions

    def starts_at_level(self, level: int) -> list[int]:
        """The first positions of all blocks (level 0), groups, large or larger files."""
        if not level:
            return self.starts
        pairs = zip(self.starts, self.levels, strict=True)
        return [start for start, block_level in pairs if block_level >= level]

    @cached_property
    def groups(self) -> list[int]:
        """The first positions of the groups."""
        return self.starts_at_level(1)

    def group_of(self, block: int) -> int:
        """The number of the group of a block."""
        return bisect_right(self.groups, self.starts[block]) - 1


def _slot_code(blocks: int) -> str:
    """The array code of the slots in a file of `blocks` blocks."""
    return "H" if slots_for(blocks) <= 1 << 16 else "I"


def slots_for(blocks: int) -> int:
    """The number of slots for so many blocks: a power of two or 5/4, 6/4 or 7/4 of one, of which at
    least a tenth stays free.
    """
    power = 16
    while True:
        for quarters in (4, 5, 6, 7):
            if (slots := power * quarters // 4) * 9 >= blocks * 10:
                return slots
        power *= 2


def _slots(first_crcs: Sequence[int]) -> list[int]:
    """The slot of each block: the first free slot among those that the CRC-32 of its first slug
    gives.  The CRC-32 also decides which block chooses first.
    """
    slot_count = slots_for(len(first_crcs))
    free, slots = bytearray(b"\1") * slot_count, [0] * len(first_crcs)
    ranks = _scrambled(first_crcs, _RANK)
    for block in sorted(range(len(first_crcs)), key=ranks.__getitem__):
        crc = first_crcs[block]
        homes = ((crc * factor & _MASK) * slot_count >> 32 for factor in _HOMES)
        slot = next((slot for slot in homes if free[slot]), None)
        if slot is None:
            slot = free.find(1)
        free[slot] = 0
        slots[block] = slot
    return slots


def _scrambled(crcs: Sequence[int], factor: int) -> list[int]:
    return [crc * factor & _MASK for crc in crcs]


def _run_starts(numbers: Sequence[int], max_size: int) -> list[int]:
    """Divide items with 32-bit numbers into runs of at most `max_size`, and return where they
    begin: at each small number; longer runs are split at the smallest number near their middle.
    """
    if not numbers:
        return []
    bound = (2 << 32) // (3 * max_size)
    edges = [0, *(place for place, number in enumerate(numbers) if number < bound and place)]
    starts: list[int] = []
    for start, end in pairwise([*edges, len(numbers)]):
        runs = [(start, end)]
        while runs:
            start, end = runs.pop()
            if end - start <= max_size:
                starts.append(start)
                continue
            margin = (end - start) // 4
            middle = min(range(start + max(1, margin), end - margin), key=numbers.__getitem__)
            runs += [(middle, end), (start, middle)]
    return starts
