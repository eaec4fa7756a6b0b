"""Suggestions for a query that finds nothing: queries that differ from it in one or two words.

Suggested words come from names, tags and places.  Their files have one word a line, with a tab and
the bit length of its count unless that is 1.  Each word is in two files, chosen by its first and by
its last two letters, because a misspelling usually leaves one of the two unchanged.
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

#: Maximum average bytes of a file.
_FILE = 80_000
#: Minimum letters of the word or its replacement for one edit, and for two edits.
_ONE, _TWO = 4, 8
#: Minimum letters of a part when a word is split.
_PART = 2
#: Maximum replacements of one word, and maximum suggested queries.
_WORDS, _QUERIES = 12, 20
#: Maximum words in which a suggestion differs from the query.
_MOST = 2
_is_bits = re.compile("[1-9][0-9]?").fullmatch


def word_files(known: Mapping[str, int]) -> list[bytes]:
    """The files of words with the bit lengths of their counts; a power of two of files."""
    words = sorted(known)
    lines = [line(word, known[word]) for word in words]
    number = files_for(sum(map(len, lines)))
    parts: list[list[bytes]] = [[] for _ in range(number)]
    for word, encoded in zip(words, lines, strict=True):
        for part in files_with_word(word, number):
            parts[part].append(encoded)
    return list(map(b"".join, parts))


def line(word: str, bits: int) -> bytes:
    return (f"{word}\t{bits}\n" if bits > 1 else f"{word}\n").encode()


def files_for(size: int) -> int:
    """The number of files for lines of `size` bytes; several files have each line twice."""
    number = 1
    while number * _FILE < size:
        number, size = 2 * number, size if number > 1 else 2 * size
    return number


def files_with_word(word: str, number: int) -> Collection[int]:
    """Which of `number` files have a word and its replacements."""
    return _places(word[:2], word[-2:], number)


@lru_cache(maxsize=1 << 13)
def _places(first: str, last: str, number: int) -> Collection[int]:
    return {crc32(end.encode()) & (number - 1) for end in (f"^{first}", f"{last}$")}


def parse_words(files: Iterable[bytes]) -> dict[str, int]:
    """The words of some files with the bit lengths of their counts.  Raises Damaged."""
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
    """A replacement of the words `start` to `end` (exclusive) of a query."""

    start: int
    end: int
    distance: int
    words: tuple[str, ...]


def suggested_queries(
    asked: Sequence[str], known: Mapping[str, int], frequencies: Sequence[int]
) -> list[str]:
    """Suggested queries: first those with fewer edits (spaces do not count), then those with more
    frequent words, then by the alphabet.

    `frequencies` are the bit lengths of the number of records that have each word.  All words that
    no record has are replaced.  If there are none, any one of the words is.
    """
    missing = [place for place, bits in enumerate(frequencies) if not bits]
    places = missing or range(len(asked))
    changes = [_changes(asked, place, known, frequencies[place]) for place in places]
    chosen = product(*changes) if missing else ((change,) for some in changes for change in some)
    found: dict[str, tuple[int, int]] = {}
    for combination in chosen if len(missing) <= _MOST else ():
        combined = sorted(set(combination), reverse=True)
        disjoint = all(change.start >= before.end for change, before in pairwise(combined))
        if not disjoint or sum(change.end - change.start for change in combined) > _MOST:
            continue
        words = list(asked)
        for change in combined:
            words[change.start : change.end] = change.words
        distance = sum(change.distance for change in combined)
        bits = min(known[word] for change in combined for word in change.words)
        found[" ".join(words)] = distance, -bits
    return nsmallest(_QUERIES, found, key=lambda query: (*found[query], query))


def _changes(
    asked: Sequence[str], place: int, known: Mapping[str, int], bits: int
) -> list[_Change]:
    """Replacements of the word at a place: words that are not less frequent, because a word that
    many records have is no misspelling of a rare one; its parts; or the word joined with the one
    before or after it.
    """
    word = asked[place]
    changes = [
        _Change(place, place + 1, distance, (other,))
        for distance, other in near_words(word, known, len(asked) == 1)
        if known[other] >= bits
    ]
    if parts := _split(word, known):
        changes.append(_Change(place, place + 1, 0, parts))
    for start in (place - 1, place):
        joined = "".join(asked[start : start + 2]) if 0 <= start < len(asked) - 1 else ""
        if joined in known:
            changes.append(_Change(start, start + 2, 0, (joined,)))
    return changes


def near_words(word: str, known: Mapping[str, int], alone: bool = True) -> list[tuple[int, str]]:
    """The known words within one or two edits of a word, with the number of edits, the likeliest
    first.

    A short word is replaced only if it is not `alone` in the query.  After one edit, the first or
    second half of the word must be unchanged; after two, its first or last two letters.
    """
    found: dict[str, tuple[int, int, str]] = {}
    half = max(1, (len(word) - 1) // 2)
    for edits, same, least in (1, half, _ONE if alone else _PART), (2, 2, _TWO):
        if edits == 2 and len(word) + 2 < _TWO:
            break
        first, last = word[:same], word[-same:]
        found |= {
            other: (edits, -known[other], other)
            for other in known
            if (other.startswith(first) or other.endswith(last))
            and max(len(other), len(word)) >= least
            and other != word
            and other not in found
            and is_within(word, other, edits)
        }
    return [(edits, other) for edits, _, other in nsmallest(_WORDS, found.values())]


def is_within(word: str, other: str, edits: int) -> bool:
    """Whether at most `edits` edits turn one word into the other: a letter removed, added or
    replaced, or two neighbours swapped.
    """
    if abs(len(word) - len(other)) > edits:
        return False
    at, length = 0, min(len(word), len(other))
    while at < length and word[at] == other[at]:
        at += 1
    word, other = word[at:], other[at:]
    if not edits or not word or not other:
        return max(len(word), len(other)) <= edits
    return (
        is_within(word[1:], other[1:], edits - 1)
        or is_within(word[1:], other, edits - 1)
        or is_within(word, other[1:], edits - 1)
        or (word[:2] == other[1::-1] and is_within(word[2:], other[2:], edits - 1))
    )


def _split(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """The fewest known words, at least two, that a word consists of; empty if there are none."""
    lengths = sorted({len(other) for other in known if _PART <= len(other) <= len(word)})
    fewest: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
    for start in range(len(word)):
        before = fewest[start]
        if before is None:
            continue
        for end in (start + length for length in lengths if start + length <= len(word)):
            best, part = fewest[end], word[start:end]
            if (best is None or len(before) + 1 < len(best)) and part != word and part in known:
                fewest[end] = (*before, part)
    return fewest[-1] or ()
