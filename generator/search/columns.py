"""Columns: the values of one filter or sort for every record by position, as value numbers.

Values are numbered from 1 in ascending order.  A column is published in parts of equally many
records; a separate file lists its values with their labels and counts.  docs/search.md describes
the format.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, NamedTuple

from generator.search.format import CODES, Damaged, pack_numbers, unpack_numbers

#: Minimum number of records in a part; maximum number of parts.
_CHUNK, PARTS = 131072, 8
#: How a column orders its values.
Type = Literal["text", "number"]
_is_number = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e[-+]?[0-9]{1,3})?").fullmatch
_is_count = re.compile(r"0|[1-9][0-9]{0,6}").fullmatch


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


class Values(NamedTuple):
    """The values of a column from their file, ascending, with labels and counts; the count of a
    declared value without records is 0.
    """

    texts: Sequence[str]
    labels: Sequence[str]
    counts: Sequence[int]
    keys: Sequence[Any]  # what the values are ordered by

    @classmethod
    def parse(cls, data: bytes, spec: Spec, records: int) -> Values:
        """Raises Damaged."""
        try:
            lines = [line.split("\t") for line in data.decode().split("\n")]
        except UnicodeDecodeError:
            raise Damaged from None
        if lines.pop() != [""] or len(lines) != spec.values or {*map(len, lines)} - {3}:
            raise Damaged
        texts, labels, counts = list[str](), list[str](), list[int]()
        for text, label, count in lines:
            if not text.isascii() or not _is_count(count) or int(count) > records:
                raise Damaged
            texts.append(text)
            labels.append(label)
            counts.append(int(count))
        keys = [sort_key(spec, text) for text in texts]
        if any(key <= before for before, key in pairwise(keys)):
            raise Damaged
        return cls(texts, labels, counts, keys)

    def number_of(self, key: Any) -> int | None:
        """The number of the value with this key; None if there is none."""
        first, last = self.span(key, key)
        return first if first == last else None

    def span(self, low: Any, high: Any) -> tuple[int, int]:
        """The first and the last number of the values between two keys; None means no bound."""
        first = bisect_left(self.keys, low) if low is not None else 0
        last = bisect_right(self.keys, high) if high is not None else len(self.keys)
        return first + 1, last


def sort_key(spec: Spec, text: str) -> Any:
    """The key by which a value is ordered.  Raises Damaged."""
    return text if spec.type == "text" else parse_number(text)


def parse_number(text: str) -> float:
    """Raises Damaged."""
    if not _is_number(text):
        raise Damaged
    return float(text)


def read_part(spec: Spec, data: bytes, records: int) -> tuple[array[int], array[int]]:
    """Parse a part of `records` records: how many values each has (empty if each has one), and
    their numbers.  Raises Damaged.
    """
    end = records * spec.counts
    sizes = unpack_numbers(CODES[spec.counts or 1], data[:end])
    numbers = unpack_numbers(CODES[spec.width], data[end:])
    if spec.counts and len(sizes) != records:
        raise Damaged
    if len(numbers) != (sum(sizes) if spec.counts else records):
        raise Damaged
    if numbers and (max(numbers) > spec.values or (spec.counts and not min(numbers))):
        raise Damaged
    return sizes, numbers


class ReadColumn:
    """A column as read: some or all of its parts."""

    def __init__(self, spec: Spec, parts: Mapping[int, bytes], records: int):
        """Raises Damaged."""
        self.spec = spec
        #: By part, the value numbers, and where those of each record begin and end (empty if each
        #: record has one).
        self.parts: dict[int, tuple[array[int], Sequence[int]]] = {}
        for part, data in parts.items():
            sizes, numbers = read_part(spec, data, min(spec.chunk, records - part * spec.chunk))
            self.parts[part] = numbers, list(accumulate(sizes, initial=0)) if spec.counts else ()

    def number_at(self, position: int) -> int:
        """The value number of a record in a column without several values; 0 for none."""
        part, place = divmod(position, self.spec.chunk)
        return self.parts[part][0][place]

    def numbers_at(self, position: int) -> Sequence[int]:
        """The value numbers of a record, ascending."""
        part, place = divmod(position, self.spec.chunk)
        numbers, ends = self.parts[part]
        found = numbers[ends[place] : ends[place + 1]] if ends else numbers[place : place + 1]
        return [number for number in found if number]

    def tally(self, positions: Sequence[int]) -> dict[int, int]:
        """By value number, how many of the records at these ascending positions have the value."""
        counts: Counter[int] = Counter()
        for part, places in self._by_part(positions):
            numbers, ends = self.parts[part]
            if ends:
                counts.update(chain.from_iterable(numbers[ends[p] : ends[p + 1]] for p in places))
            else:
                counts.update(map(numbers.__getitem__, places))
        counts.pop(0, None)
        return counts

    def tally_with(self, other: ReadColumn, positions: Sequence[int]) -> dict[int, dict[int, int]]:
        """By value number of this column and then of another one, how many of the records at these
        ascending positions have both values.
        """
        pairs = Counter(
            (number, beside)
            for position in positions
            for number in self.numbers_at(position)
            for beside in other.numbers_at(position)
        )
        counts: dict[int, dict[int, int]] = {}
        for (number, beside), count in pairs.items():
            counts.setdefault(number, {})[beside] = count
        return counts

    def positions_between(self, first: int, last: int) -> list[int]:
        """The ascending positions of the records with a value number from `first` to `last`."""
        positions: list[int] = []
        for part, (numbers, ends) in sorted(self.parts.items()):
            start = part * self.spec.chunk
            places = [p for p, number in enumerate(numbers) if first <= number <= last]
            if ends:
                records: dict[int, None] = {}
                at = 0
                for p in places:
                    while ends[at + 1] <= p:
                        at += 1
                    records[at] = None
                places = list(records)
            positions += [start + p for p in places]
        return positions

    def ranks(self, wanted: Iterable[int], down: bool) -> dict[int, int]:
        """By position, the places of some records in the order of the whole column; records without
        a value come last.  All parts must have been read.
        """
        totals: Counter[int] = Counter()
        for numbers, _ in self.parts.values():
            totals.update(numbers)
        starts, start = {}, 0
        for number in [*sorted((n for n in totals if n), reverse=down), 0]:
            starts[number] = start
            start += totals[number]
        ranks: dict[int, int] = {}
        # Of each wanted value, how many records were counted, and up to which position.
        before, at = Counter[int](), Counter[int]()
        chunk = self.spec.chunk
        for position in sorted(set(wanted)):
            number = self.number_at(position)
            while at[number] < position:
                part, place = divmod(at[number], chunk)
                end = min(position - part * chunk, chunk)
                before[number] += self.parts[part][0][place:end].count(number)
                at[number] = part * chunk + end
            ranks[position] = starts[number] + before[number]
        return ranks

    def _by_part(self, positions: Sequence[int]) -> Iterable[tuple[int, Sequence[int]]]:
        """Parts, each with the places in it of these positions."""
        if self.parts.keys() == {0}:
            return [(0, positions)]
        chunk = self.spec.chunk
        divided: dict[int, list[int]] = {}
        for position in positions:
            divided.setdefault(position // chunk, []).append(position % chunk)
        return divided.items()
