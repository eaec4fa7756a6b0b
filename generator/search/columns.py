"""Columns: the values of one filter or sort for every record by position, as value numbers.

Values are numbered from 1 in ascending order.  A column is published in parts of equally many
records; a separate file lists its values with their labels and counts.  docs/search.md describes
the format.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from typing import Any, Literal, NamedTuple

from generator.search.format import CODES, pack_numbers

#: Minimum number of records in a part; maximum number of parts.
_CHUNK, PARTS = 131072, 8
#: How a column orders its values.
Type = Literal["text", "number"]


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

    def values_file(self, label: Callable[[str], str]) -> bytes:
        """The file of the values."""
        texts = map(value_text, self.values)
        lines = (
            f"{text}\t{label(text)}\t{total}\n"
            for text, total in zip(texts, self.totals, strict=True)
        )
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
