"""How well records answer the words of a query, in whole numbers, so that every engine has the same
order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from generator.search.format import WEIGHTS, positions_in

#: What a word is worth in a record by its level there (generator.search.terms), and what a word is
#: that it begins.
WHOLE = (211, 208, 203, 198, 191, 182, 172, 159, 145, 129)
BEGUN = tuple(worth * 3 // 4 for worth in WHOLE)

#: Of fewer, positions are taken from a bitmap one by one.
_FEW = 200

#: Records at each level, as a bitmap.
Levels = Mapping[int, int]
#: Numbers, the greatest first, each with records, which are in none before.
_Worths = Sequence[tuple[int, int]]


class Word(NamedTuple):
    """The records that a word of a query stands in as a whole, and those in which a word begins so,
    which has the first too.
    """

    whole: Levels
    begun: Levels

    @property
    def having(self) -> int:
        """All of them."""
        found = 0
        for levels in self:
            for held in levels.values():
                found |= held
        return found


def rarity(having: int, records: int) -> int:
    """Eight times the binary logarithm of how many records there are for each that has a word, and
    one.  Some have it.
    """
    times = (records << 8) // having
    bits = times.bit_length()
    return (bits - 9) * 8 + (times >> bits - 4 & 7) + 1


def ranked(words: Sequence[Word], matching: int, records: int) -> Iterator[int]:
    """The matching positions, the best first: those whose name is the query, then by score, then by
    position.  As many are put in order as are taken.
    """
    if not matching:
        return
    named = matching
    for word in words:
        named &= word.whole.get(WEIGHTS - 1 + len(words), 0)
    worths = [_worths(word, records) for word in words]
    for part in (named, matching & ~named):
        if part:
            yield from _by_score(worths, part, records)


def _by_score(words: Sequence[_Worths], part: int, records: int) -> Iterator[int]:
    """Some of the positions, by score.

    They are divided by one word after another, always those of which most may come: most of them
    are never divided, where only the best are wanted.
    """
    best = [worths[0][0] for worths in words]
    divided = [(-sum(best), 0, part)]  # at most so much less than nothing, by so many words
    while divided:
        bound, by, held = heappop(divided)
        if by == len(words):
            while divided and divided[0][:2] == (bound, by):
                held |= heappop(divided)[2]
            yield from _positions(held, records)
            continue
        for worth, having in words[by]:
            if both := held & having:
                heappush(divided, (bound + best[by] - worth, by + 1, both))


def _worths(word: Word, records: int) -> _Worths:
    """Each worth of a word, the greatest first, with the records to which it is so much."""
    sets: dict[int, int] = {}
    for worth_at, levels in ((WHOLE, word.whole), (BEGUN, word.begun)):
        for level, held in levels.items():
            if level < len(worth_at):
                worth = worth_at[level]
                sets[worth] = sets.get(worth, 0) | held
    rare, before, found = rarity(word.having.bit_count(), records), 0, []
    for worth in sorted(sets, reverse=True):
        if held := sets[worth] & ~before:
            found.append((worth * rare, held))
            before |= held
    return found


def _positions(bits: int, records: int) -> Iterator[int]:
    """The positions of a bitmap, ascending."""
    if bits.bit_count() > _FEW:
        yield from positions_in(bits.to_bytes((records + 7) // 8, "little"))
        return
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
