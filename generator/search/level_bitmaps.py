"""Postings of entries as sets of records: one bitmap of positions for each level."""

from __future__ import annotations

from generator.search.blocks import BLOCK, Blocks
from generator.search.format import Damaged, ids_of, lists_of

_NO, _YES = b"01"


class LevelBitmaps:
    """The records of the entries that were added."""

    def __init__(self, blocks: Blocks):
        self.blocks, self.positions_by_id = blocks, blocks.positions
        #: By level, a digit for each record, and one more that an unused id would set.
        self.digits: dict[int, bytearray] = {}
        self.bits: dict[int, int] = {}

    def add(self, body: bytes) -> None:
        """Add the body of an entry.  Raises Damaged."""
        for level, width, items in lists_of(body):
            if not width:
                self.bits[level] = self.bits.get(level, 0) | self._from_bitmap(items)
                continue
            digits = self.digits.get(level)
            if digits is None:
                digits = self.digits[level] = bytearray((_NO,)) * (self.blocks.records + 1)
            try:
                for position in map(self.positions_by_id.__getitem__, ids_of(width, items)):
                    digits[position] = _YES
            except IndexError:
                raise Damaged from None

    def levels(self) -> dict[int, int]:
        """The bitmap of each level; the bit of a record has the number of its position.  Raises
        Damaged.
        """
        bitmaps = dict(self.bits)
        for level, digits in self.digits.items():
            if digits.pop() != _NO:
                raise Damaged
            digits.reverse()
            bitmaps[level] = bitmaps.get(level, 0) | int(digits or b"0", 2)
        return bitmaps

    def _from_bitmap(self, items: bytes) -> int:
        """A bitmap of ids as a bitmap of positions.  Raises Damaged."""
        bits = int.from_bytes(items, "little")
        if bits.bit_length() > len(self.positions_by_id):
            raise Damaged
        digits = f"{bits:0{len(self.positions_by_id)}b}"[::-1]
        starts = (slot * BLOCK for slot in self.blocks.slots)
        used = "".join(
            digits[start : start + size]
            for start, size in zip(starts, self.blocks.sizes, strict=True)
        )
        if used.count("1") != bits.bit_count():
            raise Damaged
        return int(used[::-1] or "0", 2)
