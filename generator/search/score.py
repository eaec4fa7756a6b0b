"""Rank records by the words of a query, in whole numbers, which are the same in all engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from heapq import heappop, heappush
from operator import and_
from typing import NamedTuple

from generator.search.format import NAMES, SPLIT, WRITTEN, positions_in

#: The worth of a word in a record by its level there (generator.search.terms), if the record has
#: the word itself, and if it has a word that begins with it.
EXACT_WORTHS = (211, 208, 203, 198, 191, 182, 172, 159, 145, 129)
PREFIX_WORTHS = tuple(worth * 3 // 4 for worth in EXACT_WORTHS)

#: Up to so many positions are taken bit by bit from a bitmap.
_FEW = 200

#: By level, a bitmap of records.
Levels = Mapping[int, int]
#: The worths of a word, the greatest first, each with a bitmap of the records; these are disjoint.
_Worths = Sequence[tuple[int, int]]


class Word(NamedTuple):
    """The records that have a word of a query itself, and those with any word that begins with it,
    itself included.
    """

    whole: Levels
    begun: Levels

    @property
    def all_records(self) -> int:
        """All of these records."""
        records = 0
        for levels in self:
            for bits in levels.values():
                records |= bits
        return records


def rarity(having: int, records: int) -> int:
    """8 × log2(records / having) + 1, in whole numbers; `having` records have the word, at least
    one.
    """
    times = (records << 8) // having
    bits = times.bit_length()
    return (bits - 9) * 8 + (times >> bits - 4 & 7) + 1


def rank_positions(
    words: Sequence[Word], as_written: int, matching: int, records: int
) -> Iterator[int]:
    """The matching positions, the best first: records whose name is the query, those `as_written`
    before others; then those whose name split at capitals is the query, then by score, then by
    position.  Sorts only as many as the caller takes.
    """
    if not matching:
        return
    worths = [_worths(word, records) for word in words]
    left = matching
    named = _named(words, WRITTEN)
    for part in (named & as_written, named, _named(words, SPLIT), matching):
        if part := part & left:
            yield from _by_score(worths, part, records)
            left &= ~part


def _named(words: Sequence[Word], first_level: int) -> int:
    """The records whose name consists of these words, if `first_level` is the level of a name of
    one word.
    """
    if len(words) > NAMES:
        return 0
    return reduce(and_, (word.whole.get(first_level + len(words) - 1, 0) for word in words))


def _by_score(words: Sequence[_Worths], part: int, records: int) -> Iterator[int]:
    """The positions in a bitmap by score.

    Divides the bitmap by one word after another, always the part with the highest possible score,
    so that most parts are never divided if the caller takes only the best.
    """
    best = [worths[0][0] for worths in words]
    # Parts: the negated bound of their scores, the number of words they were divided by, records.
    parts = [(-sum(best), 0, part)]
    while parts:
        bound, divided_by, bits = heappop(parts)
        if divided_by == len(words):
            while parts and parts[0][:2] == (bound, divided_by):
                bits |= heappop(parts)[2]
            yield from _positions(bits, records)
            continue
        for worth, having in words[divided_by]:
            if both := bits & having:
                heappush(parts, (bound + best[divided_by] - worth, divided_by + 1, both))


def _worths(word: Word, records: int) -> _Worths:
    bitmaps: dict[int, int] = {}
    for worth_at, levels in ((EXACT_WORTHS, word.whole), (PREFIX_WORTHS, word.begun)):
        for level, bits in levels.items():
            if level < len(worth_at):
                worth = worth_at[level]
                bitmaps[worth] = bitmaps.get(worth, 0) | bits
    factor, before, worths = rarity(word.all_records.bit_count(), records), 0, []
    for worth in sorted(bitmaps, reverse=True):
        if bits := bitmaps[worth] & ~before:
            worths.append((worth * factor, bits))
            before |= bits
    return worths


def _positions(bits: int, records: int) -> Iterator[int]:
    """The positions of a bitmap, ascending."""
    if bits.bit_count() > _FEW:
        yield from positions_in(bits.to_bytes((records + 7) // 8, "little"))
        return
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
