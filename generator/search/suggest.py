"""What may have been meant by a query that finds nothing: queries that differ in one or two words.

The words that may be meant are those of names, tags and places.  They lie in files of one a line,
after a tab the bits of how many postings it has, where those are more than one: each word by its
first two letters and by its last two, of which a slip leaves one pair as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import pairwise, product
from typing import NamedTuple
from zlib import crc32

from generator.search.format import Damaged

#: Bytes of a file, in the mean at most.
_FILE = 80_000
#: Letters that a word or what is meant by it has, for one edit and for two.
_ONE, _TWO = 4, 8
#: Letters of the least part of a word that is two.
_PART = 2
#: What may be meant by one word, and queries, at most.
_WORDS, _QUERIES = 12, 20
_is_bits = re.compile("[1-9][0-9]?").fullmatch
#: Words in which a query differs from the one asked, at most.
_MOST = 2


def files(known: Mapping[str, int]) -> list[bytes]:
    """The words, each with the bits of its count, as files: a power of two of them."""
    words = sorted(known)
    lines = [line(word, known[word]) for word in words]
    number = files_for(sum(map(len, lines)))
    parts: list[list[bytes]] = [[] for _ in range(number)]
    for word, one in zip(words, lines, strict=True):
        for part in places(word, number):
            parts[part].append(one)
    return list(map(b"".join, parts))


def line(word: str, bits: int) -> bytes:
    return (f"{word}\t{bits}\n" if bits > 1 else f"{word}\n").encode()


def files_for(size: int) -> int:
    """How many files there are for lines of so many bytes."""
    number = 1
    while number * _FILE < size:
        number, size = 2 * number, size if number > 1 else 2 * size
    return number


def places(word: str, number: int) -> Collection[int]:
    """In which of so many files a word is, and what may be meant by it."""
    return _places(word[:2], word[-2:], number)


@lru_cache(maxsize=1 << 13)
def _places(first: str, last: str, number: int) -> Collection[int]:
    return {place_of(f"^{first}", number), place_of(f"{last}$", number)}


def place_of(end: str, number: int) -> int:
    """In which of so many files the words are that begin or end so."""
    return crc32(end.encode()) & (number - 1)


def words_of(files: Iterable[bytes]) -> dict[str, int]:
    """The words of some files, each with the bits of its count.  Raises Damaged."""
    known: dict[str, int] = {}
    for file in files:
        try:
            lines = file.decode().split("\n")[:-1]
        except UnicodeDecodeError:
            raise Damaged from None
        for line in lines:
            word, _, bits = line.partition("\t")
            if bits and not _is_bits(bits):
                raise Damaged
            known[word] = int(bits or 1)
    return known


class _Change(NamedTuple):
    """What may be meant by the words of a query from one place to before another."""

    start: int
    end: int
    distance: int
    words: tuple[str, ...]


def queries(asked: Sequence[str], known: Mapping[str, int], missing: Sequence[int]) -> list[str]:
    """Queries that may have been meant: those that differ by fewer edits first (spaces are none),
    then those with words that are there more often, then by the alphabet.

    `missing` are the places of words that no record has: all of them have to be others.  Where
    there are none, it may be any one of the words.
    """
    every = [_changes(asked, place, known) for place in missing or range(len(asked))]
    chosen = product(*every) if missing else ((change,) for some in every for change in some)
    found: dict[str, tuple[int, int]] = {}
    for several in chosen if len(missing) <= _MOST else ():
        changes = sorted(set(several), reverse=True)
        apart = all(one.start >= before.end for one, before in pairwise(changes))
        if not apart or sum(one.end - one.start for one in changes) > _MOST:
            continue
        words = list(asked)
        for one in changes:
            words[one.start : one.end] = one.words
        distance = sum(one.distance for one in changes)
        records = min(known[word] for one in changes for word in one.words)
        found[" ".join(words)] = distance, -records
    return nsmallest(_QUERIES, found, key=lambda query: (*found[query], query))


def _changes(asked: Sequence[str], place: int, known: Mapping[str, int]) -> list[_Change]:
    """What may be meant by the word at a place: another, its parts, or one with that before or
    after.
    """
    word = asked[place]
    found = [
        _Change(place, place + 1, distance, (one,))
        for distance, one in near(word, known, len(asked) == 1)
    ]
    if parts := _split(word, known):
        found.append(_Change(place, place + 1, 0, parts))
    for start in (place - 1, place):
        joined = "".join(asked[start : start + 2]) if 0 <= start < len(asked) - 1 else ""
        if joined in known:
            found.append(_Change(start, start + 2, 0, (joined,)))
    return found


def near(word: str, known: Mapping[str, int], alone: bool = True) -> list[tuple[int, str]]:
    """The known words that may be meant by a word, with the number of edits, the likeliest first.

    A short word is not changed where it is `alone`: with another they are long enough.  One edit
    leaves half of a word as it is; two have to leave its first two letters or its last two.
    """
    least = _ONE if alone else _PART
    half = max(1, (len(word) - 1) // 2)
    first, last = word[:half], word[-half:]
    found = [
        (1, -known[one], one)
        for one in known
        if (one.startswith(first) or one.endswith(last))
        and max(len(one), len(word)) >= least
        and one != word
        and _within(word, one, 1)
    ]
    if len(word) + 2 >= _TWO:
        first, last = word[:2], word[-2:]
        once = {one for _, _, one in found}
        found += [
            (2, -known[one], one)
            for one in known
            if (one.startswith(first) or one.endswith(last))
            and max(len(one), len(word)) >= _TWO
            and one != word
            and one not in once
            and _within(word, one, 2)
        ]
    return [(distance, one) for distance, _, one in nsmallest(_WORDS, found)]


def _within(one: str, other: str, edits: int) -> bool:
    """Whether so many edits at most make one word of the other: a letter left out, put in or
    exchanged, or two neighbours that change places.
    """
    if abs(len(one) - len(other)) > edits:
        return False
    at, least = 0, min(len(one), len(other))
    while at < least and one[at] == other[at]:
        at += 1
    one, other = one[at:], other[at:]
    if not edits or not one or not other:
        return max(len(one), len(other)) <= edits
    return (
        _within(one[1:], other[1:], edits - 1)
        or _within(one[1:], other, edits - 1)
        or _within(one, other[1:], edits - 1)
        or (one[:2] == other[1::-1] and _within(one[2:], other[2:], edits - 1))
    )


def _split(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """The fewest known words that a word is made of, at least two; none where it is not."""
    least: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
    for end in range(_PART, len(word) + 1):
        for start in range(end - _PART + 1):
            before, part = least[start], word[start:end]
            if before is not None and part != word and part in known:
                now = (*before, part)
                had = least[end]
                if had is None or len(now) < len(had):
                    least[end] = now
    return least[-1] or ()
