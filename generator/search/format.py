"""The search index as bytes: keys, posting lists and shards.  docs/search.md tells the format and
why it is so.

A key is a word (`solar`), a value of a filter (`/year/2024`) or a prefix of many words (`*sol`).
Its postings are the records that have it, as positions in the collection's default order, in up to
three lists by where a word stands: a record is in the first that applies.  A shard holds the keys
of some groups; the layout says which.  Reads no files.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import sub
from typing import NamedTuple
from zlib import crc32

FORMAT = 2
#: What the last key of a manifest takes: the CRC-32 of all before it.
_SEAL = len(b',"check":"00000000"}\n')
#: Where a word stands, best first: in a name; in the summary or a tag's label; in the description.
CLASSES = 3
#: A word of so many characters or more is found by its beginning too.
PREFIX = 3
#: A group of more weight is divided; a shard has so much at most, in the mean.  Weight is about
#: bytes.
GROUP_WEIGHT, SHARD_WEIGHT = 8192, 16384

_CODES = {1: "B", 2: "H", 4: "I"}
_BITS = [tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]


class Damaged(ValueError):
    """Bytes that no index has."""


def sealed(manifest: bytes) -> bytes:
    """An encoded manifest with the CRC-32 of all before it as its last key."""
    return _with_check(manifest.rstrip().removesuffix(b"}"))


def is_sealed(manifest: bytes) -> bool:
    return manifest == _with_check(manifest[:-_SEAL])


def _with_check(body: bytes) -> bytes:
    return body + b',"check":"%08x"}\n' % crc32(body)


def filter_key(name: str, value: str) -> str:
    return f"/{name}/{value}"


def weight(key: str, count: int) -> int:
    """About the bytes of an entry with so many postings."""
    return len(key) + 5 + 2 * count


class Layout(NamedTuple):
    """Where keys lie: among `shards` shards, a power of two; groups called like a prefix in `split`
    are divided.
    """

    shards: int
    split: frozenset[str]

    def group(self, key: str) -> str:
        """What lies in one place: all words with the same first letters, as many of them as it
        takes.
        """
        if key[0] in "/*" or len(key) < PREFIX:
            return key.removeprefix("*")
        end = PREFIX
        while key[:end] in self.split and end < len(key):
            end += 1
        return key[:end]

    def shard(self, group: str) -> int:
        return crc32(group.encode()) & (self.shards - 1)

    def find(self, word: str) -> tuple[int, str, bool]:
        """The shard in which a word of a query is looked up, the key, and whether keys that begin
        with it count too.
        """
        if len(word) < PREFIX:
            return self.shard(word), word, False
        group = self.group(word)
        # A word that a divided group is called after: all that begins with it is there under one
        # key.
        return (
            (self.shard(group), f"*{word}", False)
            if group in self.split
            else (self.shard(group), word, True)
        )


def shards_for(total: int) -> int:
    """How many shards so much weight is spread over."""
    number = 1
    while number * SHARD_WEIGHT < total:
        number *= 2
    return number


# --- entries: varint key length, key, varint body length, body ---


def pack(key: str, lists: Iterable[Sequence[int]]) -> bytes:
    """One entry.  `lists` has ascending positions for each class."""
    return entry(key.encode(), body_of(lists))


def body_of(lists: Iterable[Sequence[int]]) -> bytes:
    return b"".join(_list(which, positions) for which, positions in enumerate(lists) if positions)


def entry(key: bytes, body: bytes) -> bytes:
    return b"".join((_varint(len(key)), key, _varint(len(body)), body))


def _list(which: int, positions: Sequence[int]) -> bytes:
    """Class and form in a byte, the number of items, items: gaps of 1, 2 or 4 bytes, or (form 0)
    the bytes of a bitmap.
    """
    last = positions[-1]
    gaps = [positions[0], *map(sub, positions[1:], positions)] if len(positions) > 1 else positions
    widest = max(gaps)
    width = 1 if widest < 1 << 8 else 2 if widest < 1 << 16 else 4
    if len(gaps) * width > last // 8 + 1:
        bits = bytearray(last // 8 + 1)
        for position in positions:
            bits[position >> 3] |= 1 << (position & 7)
        return _head(which, 0, len(bits)) + bits
    items = array(_CODES[width], gaps)
    if sys.byteorder == "big":
        items.byteswap()
    return _head(which, width, len(gaps) * width) + items.tobytes()


def _head(which: int, width: int, size: int) -> bytes:
    """What a list of so many bytes begins with."""
    return bytes((which | width << 2,)) + _varint(size // (width or 1))


def entries(shard: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The keys of a shard and their bodies, ascending.  Raises Damaged."""
    at, before = 0, b""
    while at < len(shard):
        size, at = _read(shard, at)
        key = shard[at : at + size]
        length, at = _read(shard, at + size)
        if key <= before or at + length > len(shard):
            raise Damaged
        before = key
        yield key, shard[at : at + length]
        at += length


def unpack(body: bytes) -> list[list[int]]:
    """The positions of an entry, for each class."""
    found: list[list[int]] = [[] for _ in range(CLASSES)]
    for which, width, items in _lists(body):
        found[which] = _positions(width, items)
    return found


def mark(body: bytes, marked: Sequence[bytearray], count: int) -> None:
    """Put the positions of an entry into a bitmap for each class, of `count` bits and some to fill
    a byte.  Raises Damaged.
    """
    for which, width, items in _lists(body):
        bits = marked[which]
        if not width:
            held = int.from_bytes(items, "little")
            if held.bit_length() > count:
                raise Damaged
            bits[: len(items)] = (int.from_bytes(bits[: len(items)], "little") | held).to_bytes(
                len(items), "little"
            )
            continue
        if len(items) > count * width:
            raise Damaged
        positions = _positions(width, items)
        if positions[-1] >= count:
            raise Damaged
        for position in positions:
            bits[position >> 3] |= 1 << (position & 7)


def positions_in(bits: bytes) -> list[int]:
    """The positions of a bitmap, ascending."""
    return [
        start + bit
        for start, byte in zip(range(0, 8 * len(bits), 8), bits, strict=True)
        if byte
        for bit in _BITS[byte]
    ]


def _lists(body: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The lists of an entry: class, width (0 for a bitmap) and items, as they are.  Raises Damaged."""
    at, least = 0, 0
    while at < len(body):
        which, width = body[at] & 3, body[at] >> 2
        number, at = _read(body, at + 1)
        end = at + number * (width or 1)
        if not (
            least <= which < CLASSES
            and (not width or width in _CODES)
            and number
            and end <= len(body)
        ):
            raise Damaged
        least = which + 1
        yield which, width, body[at:end]
        at = end


def _positions(width: int, items: bytes) -> list[int]:
    if not width:
        return positions_in(items)
    gaps = array(_CODES[width], items)
    if sys.byteorder == "big":
        gaps.byteswap()
    return list(accumulate(gaps))


def moved(body: bytes, moves: Iterable[tuple[int, int | None, int | None]]) -> bytes:
    """An entry with records taken from one class and put into another: (position, class or None,
    class or None).
    """
    flips: dict[int, list[int]] = {}
    for position, was, now in moves:
        for which in (was, now):
            if which is not None:
                flips.setdefault(which, []).append(position)
    had = {which: (width, items) for which, width, items in _lists(body)}
    made = {which: _head(which, width, len(items)) + items for which, (width, items) in had.items()}
    for which, positions in flips.items():
        width, items = had.get(which, (1, b""))
        if not width:
            bits = int.from_bytes(items, "little")
            for position in positions:
                bits ^= 1 << position
            size = (bits.bit_length() + 7) // 8
            if bits.bit_count() > size:  # the narrowest gaps would take more
                made[which] = _head(which, 0, size) + bits.to_bytes(size, "little")
                continue
        left = sorted(set(_positions(width, items)) ^ set(positions))
        made[which] = _list(which, left) if left else b""
    return b"".join(made[which] for which in sorted(made))


def _varint(number: int) -> bytes:
    """LEB128: seven bits a byte, the lowest first."""
    if number < 128:
        return bytes((number,))
    return bytes((number & 127 | 128,)) + _varint(number >> 7)


def _read(data: bytes, at: int) -> tuple[int, int]:
    """A number of at most 32 bits, and where it ends.  Raises Damaged."""
    number = shift = 0
    for byte in data[at : at + 5]:
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7
    raise Damaged


def count(body: bytes) -> int:
    """How many postings an entry has."""
    return sum(
        len(items) // width if width else int.from_bytes(items, "little").bit_count()
        for _, width, items in _lists(body)
    )
