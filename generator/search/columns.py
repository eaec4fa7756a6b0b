"""Columns: of one filter or sort, the value or values of every record by position, as numbers of
values in ascending order.

A column lies in parts of as many records each; its values, with what people call them and how many
records have each, lie beside it.  docs/search.md tells the format.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, NamedTuple

from generator.search.format import Damaged, numbers_of, packed_numbers

#: Records in a part, at least; and parts, at most.
_CHUNK, PARTS = 131072, 8
CODES = {1: "B", 2: "H", 4: "I"}
#: What a column orders its values by.
Type = Literal["text", "number"]
_is_number = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e[-+]?[0-9]{1,3})?").fullmatch
_is_count = re.compile(r"[1-9][0-9]{0,6}").fullmatch


class Spec(NamedTuple):
    """What a manifest tells of a column.

    A record has a number of `width` bytes: that of its value, from 1, or 0 for none; or with
    `counts` several of them, and first of all how many, in so many bytes.
    """

    type: Type
    values: int
    width: int
    counts: int
    chunk: int


class Column:
    """One column, to be written."""

    def __init__(
        self,
        kind: Type,
        values: Sequence[Any],
        totals: Sequence[int],
        sizes: array[int],
        numbers: array[int],
    ):
        """The ascending values, and how many records have each; the numbers of the values of all
        records, and where one has several, how many each has.
        """
        self.values, self.totals, self.sizes, self.numbers = values, totals, sizes, numbers
        self.records = len(sizes or numbers)
        chunk = _CHUNK
        while chunk * PARTS < self.records:
            chunk *= 2
        counts = width_of(max(sizes)) if sizes else 0
        self.spec = Spec(kind, len(values), width_of(len(values)), counts, chunk)

    @classmethod
    def of(
        cls, kind: Type, values: Sequence[Any], having: Sequence[Sequence[int]], records: int
    ) -> Column:
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
        numbers = packed_numbers(CODES[width], self.numbers[start:end])
        return packed_numbers(CODES[counts], sizes) + numbers if counts else numbers

    def listed(self, label: Callable[[str], str]) -> bytes:
        """The file of the values."""
        shown = map(spelled, self.values)
        lines = (
            f"{text}\t{label(text)}\t{total}\n"
            for text, total in zip(shown, self.totals, strict=True)
        )
        return "".join(lines).encode()


def spelled(value: Any) -> str:
    """A value of a column as text: of a number the shortest that is exact."""
    return value if isinstance(value, str) else number_text(value)


def number_text(number: float) -> str:
    """As JSON has it: whole numbers without a point."""
    return str(int(number)) if number == int(number) and abs(number) < 1 << 53 else repr(number)


def width_of(most: int) -> int:
    """Bytes of numbers up to this."""
    return 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4


class Values(NamedTuple):
    """The values of a column as its file has them, ascending, with labels and counts."""

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
            if not text.isascii() or not _is_count(count) or not 0 < int(count) <= records:
                raise Damaged
            texts.append(text)
            labels.append(label)
            counts.append(int(count))
        keys = [order(spec, text) for text in texts]
        if any(key <= before for before, key in pairwise(keys)):
            raise Damaged
        return cls(texts, labels, counts, keys)

    def span(self, low: Any, high: Any) -> tuple[int, int]:
        """The numbers of the first and the last of the values from one to another, by what they
        are ordered by; None is neither end.
        """
        first = bisect_left(self.keys, low) if low is not None else 0
        last = bisect_right(self.keys, high) if high is not None else len(self.keys)
        return first + 1, last


def order(spec: Spec, text: str) -> Any:
    """What a value of a column is ordered by.  Raises Damaged."""
    if spec.type == "text":
        return text
    if not _is_number(text):
        raise Damaged
    return float(text)


def read_part(spec: Spec, data: bytes, records: int) -> tuple[array[int], array[int]]:
    """How many values each of so many records has in a part, nothing where each has one, and the
    numbers of all.  Raises Damaged.
    """
    end = records * spec.counts
    sizes = numbers_of(CODES[spec.counts or 1], data[:end])
    numbers = numbers_of(CODES[spec.width], data[end:])
    if spec.counts and len(sizes) != records:
        raise Damaged
    if len(numbers) != (sum(sizes) if spec.counts else records):
        raise Damaged
    if numbers and (max(numbers) > spec.values or (spec.counts and not min(numbers))):
        raise Damaged
    return sizes, numbers


class Read:
    """A column as its parts have it; of parts that were not read nothing is known."""

    def __init__(self, spec: Spec, parts: Mapping[int, bytes], records: int):
        """Raises Damaged."""
        self.spec = spec
        #: By number, what values records have, and where those of each begin and end (nothing where
        #: a record has one).
        self.parts: dict[int, tuple[array[int], Sequence[int]]] = {}
        for number, data in parts.items():
            held = min(spec.chunk, records - number * spec.chunk)
            sizes, numbers = read_part(spec, data, held)
            ends = list(accumulate(sizes, initial=0)) if spec.counts else ()
            self.parts[number] = numbers, ends

    def one(self, position: int) -> int:
        """The number of the value of a record that has at most one; 0 where it has none."""
        part, place = divmod(position, self.spec.chunk)
        return self.parts[part][0][place]

    def tally(self, positions: Sequence[int]) -> dict[int, int]:
        """How many of some records, ascending, have each value, by its number."""
        counts: Counter[int] = Counter()
        for part, places in self._divided(positions):
            numbers, ends = self.parts[part]
            if ends:
                counts.update(chain.from_iterable(numbers[ends[p] : ends[p + 1]] for p in places))
            else:
                counts.update(map(numbers.__getitem__, places))
        counts.pop(0, None)
        return counts

    def between(self, first: int, last: int) -> list[int]:
        """The positions that have one of the values with these numbers, ascending."""
        found: list[int] = []
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
            found += [start + p for p in places]
        return found

    def ranks(self, wanted: Iterable[int], down: bool) -> dict[int, int]:
        """The places of some records in the order of the whole column, by position; all of its
        parts were read.
        """
        totals: Counter[int] = Counter()
        for numbers, _ in self.parts.values():
            totals.update(numbers)
        starts, start = {}, 0
        for number in [*sorted((n for n in totals if n), reverse=down), 0]:
            starts[number] = start
            start += totals[number]
        found: dict[int, int] = {}
        before: Counter[int] = Counter()  # of each wanted value, up to where was counted
        chunk, at = self.spec.chunk, Counter[int]()
        for position in sorted(set(wanted)):
            number = self.one(position)
            while at[number] < position:
                part, place = divmod(at[number], chunk)
                end = min(position - part * chunk, chunk)
                before[number] += self.parts[part][0][place:end].count(number)
                at[number] = part * chunk + end
            found[position] = starts[number] + before[number]
        return found

    def _divided(self, positions: Sequence[int]) -> Iterable[tuple[int, Sequence[int]]]:
        chunk = self.spec.chunk
        if len(self.parts) == 1 and 0 in self.parts:
            yield 0, positions
            return
        divided: dict[int, list[int]] = {}
        for position in positions:
            divided.setdefault(position // chunk, []).append(position % chunk)
        yield from divided.items()
