"""The search index as bytes: keys, posting lists and shards.  docs/search.md tells the format and
why it is so.

A key is a word (`solar`), a value of a filter (`/year/2024`), a prefix of many words (`*sol`), or
names the prepared pages of one list (`=/year/2024`, `=-year`).  The postings of all but the last
are the records that have it, by their ids (generator.search.blocks), in a list for each level: how
much a word weighs in a record.  A shard holds the keys of some groups; the layout says
which.  Reads no files.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import sub
from typing import NamedTuple
from zlib import crc32

FORMAT = 4
#: What the last key of a manifest takes: the CRC-32 of all before it.
_SEAL = len(b',"check":"00000000"}\n')
#: A word has one of so many levels in a record, the weightiest first; and beside it one of those
#: from there on, where it is a word of its name: they tell how many words that has.
WEIGHTS, LEVELS = 16, 24
#: A word of so many characters or more is found by its beginning too.
PREFIX = 3
#: A group of more weight is divided; a shard has so much at most, in the mean.  Weight is about
#: bytes.
GROUP_WEIGHT, SHARD_WEIGHT = 8192, 16384
#: What a key that names pages begins with, and the bytes of each page in it.
PAGES, PAGE_BYTES = "=", 4

CODES = {1: "B", 2: "H", 4: "I"}
#: By its width, a number that says so much and no posting yet: what is more than that follows.
MORE = {1: 255, 2: 65535}
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


def pages_key(of: str) -> str:
    """The key of the prepared pages of a filter's value, by its key, or of a sort."""
    return PAGES + of


def weight(key: str, count: int) -> int:
    """About the bytes of an entry with so many postings."""
    return len(key) + 5 + 2 * count


def pages_weight(key: str, pages: int) -> int:
    return len(key) + 5 + PAGE_BYTES * pages


class Layout(NamedTuple):
    """Where keys lie: among `shards` shards, a power of two; groups called like a prefix in `split`
    are divided.
    """

    shards: int
    split: frozenset[str]

    def group(self, key: str) -> str:
        """What lies in one place: all values of a filter, or all words with the same first letters,
        as many of them as it takes.
        """
        if key.startswith((PAGES + "/", "*")):
            key = key[1:]
        if key[0] == "/":
            whole = key[: key.index("/", 1)]
            return key if whole in self.split else whole
        if key[0] == PAGES or len(key) < PREFIX:
            return key
        end = PREFIX
        while key[:end] in self.split and end < len(key):
            end += 1
        return key[:end]

    def divided(self, word: str) -> Iterator[str]:
        """The divided groups that a word belongs to."""
        end = PREFIX
        while end <= len(word) and word[:end] in self.split:
            yield word[:end]
            end += 1

    def shard(self, group: str) -> int:
        return crc32(group.encode()) & (self.shards - 1)

    def where(self, key: str) -> int:
        """The shard of a key."""
        return self.shard(self.group(key))

    def find(self, word: str) -> tuple[int, str, bool]:
        """The shard that tells which records have a word that begins so, the key there, and whether
        keys that begin with it count too.
        """
        if len(word) < PREFIX:
            return self.shard(word), word, False
        group = self.group(word)
        # A word that a divided group is called after: all that begins with it is there under one
        # key.
        key, more = (f"*{word}", False) if group in self.split else (word, True)
        return self.shard(group), key, more


def shards_for(total: int) -> int:
    """How many shards so much weight is spread over."""
    number = 1
    while number * SHARD_WEIGHT < total:
        number *= 2
    return number


# --- entries: varint key length, key, varint body length, body ---


def body_of(lists: Mapping[int, Sequence[int]]) -> bytes:
    """`lists` has ascending ids for each level that has some."""
    return b"".join([packed_list(level, lists[level]) for level in sorted(lists)])


def entry(key: bytes, body: bytes) -> bytes:
    return b"".join((_varint(len(key)), key, _varint(len(body)), body))


def packed_list(level: int, ids: Sequence[int]) -> bytes:
    """Level and form in a byte, the number of items, items: gaps of 1, 2 or 4 bytes, or (form 0)
    the bytes of a bitmap.
    """
    last, number = ids[-1], len(ids)
    bits = last // 8 + 1
    if number > bits:  # gaps take a byte each
        return list_head(level, 0, bits) + bitmap(ids, last + 1)
    gaps = [ids[0], *map(sub, ids[1:], ids)] if number > 1 else ids
    widest = max(gaps)
    width = narrowest(number, last, widest)
    if not width:
        return list_head(level, 0, bits) + bitmap(ids, last + 1)
    items = packed_numbers(CODES[width], parted(gaps, widest, MORE.get(width, last + 1)))
    return list_head(level, width, len(items)) + items


def narrowest(number: int, last: int, widest: int) -> int:
    """The width of the gaps of so many ids, by the last of these and the widest gap; 0 for a
    bitmap.
    """
    one = number + (last // MORE[1] if widest >= MORE[1] else 0)
    two = 2 * (number + (last // MORE[2] if widest >= MORE[2] else 0))
    least = min(one, two, 4 * number)
    return 0 if last // 8 + 1 < least else 1 if least == one else 2 if least == two else 4


def parted(gaps: Sequence[int], widest: int, most: int) -> Sequence[int]:
    """Gaps of which each is less than `most`, after as many of that as it takes."""
    if widest < most:
        return gaps
    several, start = list[int](), 0
    for place, gap in enumerate(gaps):
        if gap >= most:
            several += gaps[start:place]
            several += [most] * (gap // most)
            several.append(gap % most)
            start = place + 1
    return several + list(gaps[start:])


def list_head(level: int, width: int, size: int) -> bytes:
    """What a list of so many bytes begins with."""
    return bytes((level << 3 | width,)) + _varint(size // (width or 1))


def packed_numbers(code: str, numbers: Iterable[int]) -> bytes:
    """Unsigned little-endian numbers; `code` is that of an array."""
    items = array(code, numbers)
    if sys.byteorder == "big":
        items.byteswap()
    return items.tobytes()


def numbers_of(code: str, data: bytes) -> array[int]:
    """Raises Damaged where there is no whole number of them."""
    try:
        found = array(code, data)
    except ValueError:
        raise Damaged from None
    if sys.byteorder == "big":
        found.byteswap()
    return found


def bitmap(numbers: Sequence[int], count: int) -> bytes:
    """So many bits and some to fill a byte; number `n` is bit `n mod 8`, from the lowest, of byte
    `n div 8`.
    """
    size = (count + 7) // 8
    if len(numbers) > size // 2:
        digits = bytearray(b"0") * count
        for number in numbers:
            digits[number] = 49  # a 1
        digits.reverse()
        return int(digits, 2).to_bytes(size, "little")
    bits = bytearray(size)
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return bytes(bits)


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


def unpack(body: bytes) -> dict[int, list[int]]:
    """The ids of an entry, for each level that has some."""
    return {level: ids_of(width, items) for level, width, items in lists_of(body)}


def positions_in(bits: bytes) -> list[int]:
    """The positions, or ids, of a bitmap, ascending."""
    return [
        start + bit
        for start, byte in zip(range(0, 8 * len(bits), 8), bits, strict=True)
        if byte
        for bit in _BITS[byte]
    ]


def lists_of(body: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The lists of an entry: level, width (0: a bitmap) and items, as they are.  Raises Damaged."""
    at, least = 0, 0
    while at < len(body):
        level, width = body[at] >> 3, body[at] & 7
        number, at = _read(body, at + 1)
        end = at + number * (width or 1)
        if not (
            least <= level < LEVELS
            and (not width or width in CODES)
            and number
            and end <= len(body)
        ):
            raise Damaged
        least = level + 1
        yield level, width, body[at:end]
        at = end


def ids_of(width: int, items: bytes) -> list[int]:
    """Those of a list, ascending."""
    if not width:
        return positions_in(items)
    gaps = numbers_of(CODES[width], items)
    if (most := MORE.get(width)) not in gaps:
        return list(accumulate(gaps))
    return [number for number, gap in zip(accumulate(gaps), gaps, strict=True) if gap != most]


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
    """How many postings an entry has, of all its levels."""
    return sum(_count(width, items) for _, width, items in lists_of(body))


def _count(width: int, items: bytes) -> int:
    if not width:
        return int.from_bytes(items, "little").bit_count()
    if width == 1:
        return len(items) - items.count(MORE[1])
    gaps = numbers_of(CODES[width], items)
    return len(gaps) - (gaps.count(MORE[width]) if width in MORE else 0)
