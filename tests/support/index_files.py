"""Files of a search index as they are written, read again: docs/search.md describes the format."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from itertools import accumulate, pairwise

from generator.search.blocks import Blocks, Spec, slots_for
from generator.search.format import CODES, CONTINUED_GAPS


def numbers(code: str, data: bytes) -> array[int]:
    found = array(code, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return number, at


def entries(shard: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The keys of a shard with their bodies."""
    at = 0
    while at < len(shard):
        size, at = varint(shard, at)
        key, at = shard[at : at + size], at + size
        size, at = varint(shard, at)
        yield key, shard[at : at + size]
        at += size


def lists(body: bytes) -> dict[int, list[int]]:
    """The ids of an entry by level."""
    at, found = 0, {}
    while at < len(body):
        level, width = body[at] >> 3, body[at] & 7
        number, at = varint(body, at + 1)
        end = at + number * (width or 1)
        found[level] = _ids(width, body[at:end])
        at = end
    return found


def _ids(width: int, items: bytes) -> list[int]:
    if not width:
        return [n for n in range(8 * len(items)) if items[n >> 3] >> (n & 7) & 1]
    gaps, most = numbers(CODES[width], items), CONTINUED_GAPS.get(width)
    return [number for number, gap in zip(accumulate(gaps), gaps, strict=True) if gap != most]


def blocks(data: bytes) -> Blocks:
    for width, code in (2, "H"), (4, "I"):
        number, rest = divmod(len(data), width + 1)
        if not rest and (slots_for(number) <= 1 << 16) == (code == "H"):
            break
    slots, packed = numbers(code, data[: number * width]), data[number * width :]
    return Blocks(slots, [(byte & 15) + 1 for byte in packed], [byte >> 4 for byte in packed])


def column(spec: Spec, data: bytes, records: int) -> Iterator[list[int]]:
    """The value numbers of each record in a part of a column."""
    sizes = numbers(CODES[spec.counts], data[: records * spec.counts]) if spec.counts else None
    every = numbers(CODES[spec.width], data[records * spec.counts :])
    ends = [*accumulate(sizes or [1] * records, initial=0)]
    assert ends[-1] == len(every)
    for start, end in pairwise(ends):
        yield [number for number in every[start:end] if number]
