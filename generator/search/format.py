"""The search index as bytes: keys, posting lists and shards.  docs/search.md describes the format.

A key is a word ("solar"), a value of a filter (`/year/2024`), a prefix of many words (`*sol`), a
name as it is written (`"c++`), or the prepared pages of a list (`=/year/2024`, `=-year`).  The
entry of a key has the checks of the
pages, or for the other keys the ids (generator.search.blocks) of the records, in a list for each
level: how much a word weighs in a record.  A shard holds the entries of some groups of keys; the
layout decides which.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import NamedTuple
from zlib import crc32

from generator.text.words import fold_name

FORMAT = 7
#: Levels 0 to `WEIGHTS` - 1 say how much a word weighs in a record, the heaviest first.  A word of
#: the record's name also has a level from `WRITTEN` on, for the number of words in the name, of at
#: most `NAMES`; a word of a name split at capitals has a level from `SPLIT` on.
WEIGHTS, NAMES = 16, 8
WRITTEN, SPLIT = WEIGHTS, WEIGHTS + NAMES
LEVELS = SPLIT + NAMES
#: The worth of a word in a record by its level there (generator.search.terms), if the record has
#: the word itself, and if it has a word that begins with it.
EXACT_WORTHS = (211, 208, 203, 198, 191, 182, 172, 159, 145, 129)
PREFIX_WORTHS = tuple(worth * 3 // 4 for worth in EXACT_WORTHS)
#: Words of at least so many characters are found by their prefixes too.
PREFIX = 3
#: Groups of more weight are divided; shards have at most so much weight on average.  Weight is
#: approximately bytes.
GROUP_WEIGHT, SHARD_WEIGHT = 4096, 8192
#: What the keys of pages begin with, and the bytes of each page's check.
PAGES, PAGE_BYTES = "=", 4
#: What the keys of names as written begin with; they are in the shard of the name's first word.
NAME_AS_WRITTEN = '"'

#: By width in bytes, the array code of unsigned numbers.
CODES = {1: "B", 2: "H", 4: "I"}
#: By width, the greatest number: it is added to the gap that follows and is no posting itself.
CONTINUED_GAPS = {1: 255, 2: 65535}


def with_seal(manifest: bytes) -> bytes:
    """An encoded manifest with the CRC-32 of everything before it as its last key."""
    body = manifest.rstrip().removesuffix(b"}")
    return body + b',"check":"%08x"}\n' % crc32(body)


def filter_key(name: str, value: str) -> str:
    return f"/{name}/{value}"


def pages_key(key: str) -> str:
    """The key of the prepared pages of a value, given as its filter key, or of a sort."""
    return PAGES + key


def name_key(name: str) -> str:
    """The key of a name as it is written."""
    return NAME_AS_WRITTEN + fold_name(name)


def weight(key: str, count: int) -> int:
    """The approximate bytes of an entry with `count` postings."""
    return len(key) + 5 + 2 * count


def pages_weight(key: str, pages: int) -> int:
    return len(key) + 5 + PAGE_BYTES * pages


class Layout(NamedTuple):
    """Which of `shards` shards, a power of two, a key is in; the groups in `split` are divided."""

    shards: int
    split: frozenset[str]

    def group(self, key: str) -> str:
        """The group of a key: all values of a filter, or all words with the same first letters.
        The keys of a group are in one shard.
        """
        if key.startswith((PAGES + "/", "*")):
            key = key[1:]
        if key[0] == "/":
            filter_group = key[: key.index("/", 1)]
            return key if filter_group in self.split else filter_group
        if key[0] == PAGES or len(key) < PREFIX:
            return key
        end = PREFIX
        while key[:end] in self.split and end < len(key):
            end += 1
        return key[:end]

    def divided(self, word: str) -> Iterator[str]:
        """The divided groups of a word."""
        end = PREFIX
        while end <= len(word) and word[:end] in self.split:
            yield word[:end]
            end += 1

    def shard_of_group(self, group: str) -> int:
        return crc32(group.encode()) & (self.shards - 1)

    def shard_of_key(self, key: str) -> int:
        return self.shard_of_group(self.group(key))

    def find(self, word: str) -> tuple[int, str, bool]:
        """Where to find the records with words that begin with `word`: the shard, the key, and
        whether longer keys that begin with it count too.
        """
        if len(word) < PREFIX:
            return self.shard_of_group(word), word, False
        group = self.group(word)
        # A divided group has a key for its prefix, with the records of all its words.
        key, with_longer = (f"*{word}", False) if group in self.split else (word, True)
        return self.shard_of_group(group), key, with_longer


def shards_for(total: int) -> int:
    """The number of shards for a total weight."""
    number = 1
    while number * SHARD_WEIGHT < total:
        number *= 2
    return number


# --- entries: varint key length, key, varint body length, body ---


def body_of(lists: Mapping[int, Sequence[int]]) -> bytes:
    """The body of an entry with these ascending ids by level."""
    return b"".join([packed_list(level, lists[level]) for level in sorted(lists)])


def entry(key: bytes, body: bytes) -> bytes:
    return b"".join((_varint(len(key)), key, _varint(len(body)), body))


def packed_list(level: int, ids: Sequence[int]) -> bytes:
    """A list: a byte with level and width, the number of items, and the items.  Items are gaps of
    `width` (1, 2 or 4) bytes; with width 0 they are the bytes of a bitmap.
    """
    last, number = ids[-1], len(ids)
    width = 0
    if number <= last // 8 + 1:  # otherwise a bitmap is smaller: gaps take at least a byte each
        gaps = [ids[0], *map(sub, ids[1:], ids)] if number > 1 else ids
        widest = max(gaps)
        width = narrowest(number, last, widest)
    if width:
        items = pack_numbers(
            CODES[width], parted(gaps, widest, CONTINUED_GAPS.get(width, last + 1))
        )
    else:
        items = bitmap(ids, last + 1)
    return bytes((level << 3 | width,)) + _varint(len(items) // (width or 1)) + items


def narrowest(number: int, last: int, widest: int) -> int:
    """The width with which `number` ids take the fewest bytes, by the last id and the widest gap; 0
    for a bitmap.
    """
    one = number + (last // CONTINUED_GAPS[1] if widest >= CONTINUED_GAPS[1] else 0)
    two = 2 * (number + (last // CONTINUED_GAPS[2] if widest >= CONTINUED_GAPS[2] else 0))
    least = min(one, two, 4 * number)
    return 0 if last // 8 + 1 < least else 1 if least == one else 2 if least == two else 4


def parted(gaps: Sequence[int], widest: int, most: int) -> Sequence[int]:
    """Gaps with each gap of at least `most` replaced by `most`, repeated, and the remainder."""
    if widest < most:
        return gaps
    parts, start = list[int](), 0
    for place, gap in enumerate(gaps):
        if gap >= most:
            parts += gaps[start:place]
            parts += [most] * (gap // most)
            parts.append(gap % most)
            start = place + 1
    return parts + list(gaps[start:])


def pack_numbers(code: str, numbers: Iterable[int]) -> bytes:
    """Unsigned little-endian numbers; `code` is an array code."""
    items = array(code, numbers)
    if sys.byteorder == "big":
        items.byteswap()
    return items.tobytes()


def bitmap(numbers: Sequence[int], count: int) -> bytes:
    """The bytes of `count` bits with these bits set; a bit is in byte number // 8, at number % 8
    from the lowest.
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


def _varint(number: int) -> bytes:
    """LEB128: seven bits a byte, the lowest first."""
    if number < 128:
        return bytes((number,))
    return bytes((number & 127 | 128,)) + _varint(number >> 7)
