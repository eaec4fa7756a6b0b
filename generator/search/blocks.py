"""Blocks: runs of up to 16 records in the default order; they divide the postings and the rows.

The slugs near a place decide whether a block begins there, and the first slug of a block decides
its slot.  Adding or removing a record therefore changes the ids of only a few other records, and
the blocks do not depend on earlier builds.

Columns: the values of one filter or sort for every record by position, as value numbers from 1 in
ascending order.  A column is published in parts of equally many records; a separate file lists its
values with their labels and counts.  docs/search.md describes both formats.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, NamedTuple
from zlib import crc32

from generator.search.format import CODES, pack_numbers

#: Ids of a slot: the maximum number of records in a block.
BLOCK = 16
#: Maximum number of blocks in a group, whose small row files share one check.  Groups are smaller
#: as long as no more than `MAX_GROUPS` of them are needed.
GROUP, MAX_GROUPS = 16, 128
#: A large row file takes so many groups that at most `MAX_LARGE_FILES` files are needed; if there
#: are more than `MAX_LARGER_FILES` large files, at most `MAX_LARGER_FILES` larger files exist
#: besides, unless all rows have more than `MAX_LARGER_BYTES`: an answer could not read one of them.
MAX_LARGE_FILES, MAX_LARGER_FILES, MAX_LARGER_BYTES = 160, 16, 128 << 20
#: Factors for CRC-32s, so that independent decisions get independent numbers: where a block, a
#: group, a large and a larger file begins; the order in which blocks choose slots, and their slots.
_BLOCKS, _GROUPS, _LARGE, _LARGER = 0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x2545F491
_RANK, _HOMES = 0x165667B1, range(0x27D4EB2F, 0xFFFFFFFF, 0x06A09E66)
_MASK = 0xFFFFFFFF


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
    def from_slugs(cls, slugs: Iterable[str], size: int = 0) -> Blocks:
        """The blocks of the records with these slugs, in the default order, whose rows have `size`
        bytes.
        """
        crcs = [crc32(slug.encode()) for slug in slugs]
        starts = _run_starts(_scrambled(crcs, _BLOCKS), BLOCK)
        first_crcs = [crcs[start] for start in starts]
        levels, parts = bytearray(len(starts)), list(range(len(starts)))
        for level, factor, max_parts in (
            (1, _GROUPS, MAX_GROUPS),
            (2, _LARGE, MAX_LARGE_FILES),
            (3, _LARGER, MAX_LARGER_FILES),
        ):
            if level == 3 and (len(parts) <= MAX_LARGER_FILES or size > MAX_LARGER_BYTES):
                break
            run = 1
            while run * max_parts < len(parts) and (level > 1 or run < GROUP):
                run *= 2
            numbers = _scrambled([first_crcs[block] for block in parts], factor)
            parts = [parts[place] for place in _run_starts(numbers, run)]
            for block in parts:
                levels[block] = level
        sizes = bytes(end - start for start, end in pairwise([*starts, len(crcs)]))
        return cls(_slots(first_crcs), sizes, levels)

    @cached_property
    def start_of(self) -> dict[int, int]:
        """Slot -> the position of the first record of its block."""
        return dict(zip(self.slots, self.starts, strict=True))

    @property
    def data(self) -> bytes:
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
        return bisect_right(self.groups, self.starts[block]) - 1


def _slot_code(blocks: int) -> str:
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


#: Minimum number of records in a part; maximum number of parts.
_CHUNK, PARTS = 131072, 8
#: What the values of a column are: texts by bytes, places too, numbers by size.
Type = Literal["text", "number", "place"]


class Spec(NamedTuple):
    """The manifest's description of a column.

    A record has one value number of `width` bytes, 0 for none.  If `counts` is not 0, records may
    have several: a part then begins with how many each record has, in `counts` bytes each.
    """

    type: Type
    values: int
    width: int
    counts: int
    chunk: int


class IndexColumn:
    """A column to be written."""

    def __init__(
        self,
        kind: Type,
        values: Sequence[Any],
        totals: Sequence[int],
        sizes: array[int],
        numbers: array[int],
    ):
        """The ascending values, the number of records with each, and the value numbers of all
        records; `sizes` has how many numbers each record has, and is empty if none has several.
        """
        self.values, self.totals, self.sizes, self.numbers = values, totals, sizes, numbers
        self.records = len(sizes or numbers)
        chunk = _CHUNK
        while chunk * PARTS < self.records:
            chunk *= 2
        counts = width_of(max(sizes)) if sizes else 0
        self.spec = Spec(kind, len(values), width_of(len(values)), counts, chunk)

    @classmethod
    def from_values(
        cls, kind: Type, values: Sequence[Any], having: Sequence[Sequence[int]], records: int
    ) -> IndexColumn:
        """`having` has the ascending positions of each of the ascending values."""
        sizes = array("I", bytes(4 * records))
        for position in chain.from_iterable(having):
            sizes[position] += 1
        several = max(sizes, default=0) > 1
        totals = list(map(len, having))
        width = width_of(len(values))
        numbers = array(CODES[width], bytes(width * (sum(totals) if several else records)))
        free = array("I", accumulate(sizes, initial=0)) if several else array("I")
        for number, positions in enumerate(having, 1):
            for position in positions:
                if several:
                    numbers[free[position]] = number
                    free[position] += 1
                else:
                    numbers[position] = number
        return cls(kind, values, totals, sizes if several else array("I"), numbers)

    def part(self, number: int) -> bytes:
        width, counts, chunk = self.spec[2:]
        start, end = number * chunk, min((number + 1) * chunk, self.records)
        sizes = self.sizes[start:end]
        if counts:
            start = sum(self.sizes[:start])
            end = start + sum(sizes)
        numbers = pack_numbers(CODES[width], self.numbers[start:end])
        return pack_numbers(CODES[counts], sizes) + numbers if counts else numbers

    def values_file(self, label: Callable[[str], str], levels: Callable[[str], int]) -> bytes:
        """The values, a line each; lines of places end with the bits of their levels."""
        lines = list[str]()
        for value, total in zip(self.values, self.totals, strict=True):
            text = value_text(value)
            line = [text, label(text), str(total)]
            if self.spec.type == "place":
                line.append(f"{levels(text):x}")
            lines.append("\t".join(line) + "\n")
        return "".join(lines).encode()


def value_text(value: Any) -> str:
    """A value as text; a number in its shortest exact form."""
    return value if isinstance(value, str) else number_text(value)


def number_text(number: float) -> str:
    """A number as JSON writes it: whole numbers without a point."""
    return str(int(number)) if number == int(number) and abs(number) < 1 << 53 else repr(number)


def width_of(most: int) -> int:
    """The bytes that numbers up to `most` take."""
    return 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4
