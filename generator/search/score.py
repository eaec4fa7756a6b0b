"""How well records answer the words of a query, in whole numbers, so that every engine has the same
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.search.format import WEIGHTS, positions_in

#: Records at each level, as a bitmap.
Levels = Mapping[int, int]


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


def idf(having: int, records: int) -> int:
    """How rare a word is: eight times the binary logarithm of how many records there are for each
    that has it, and a bit.
    """
    times = (records << 8) // max(1, having)
    bits = times.bit_length()
    return (bits - 9) * 8 + (times >> bits - 4 & 7) + 4


def ranked(words: Sequence[Word], matching: int, records: int) -> list[int]:
    """The matching positions, the best first: those whose name is the query, then by score, then by
    position.
    """
    most = (records + 7) // 8

    def positions(bits: int) -> list[int]:
        return positions_in((bits & matching).to_bytes(most, "little"))

    scores, named = [0] * records, matching
    for word in words:
        weights = [0] * records
        for times, levels in ((1, word.begun), (2, word.whole)):
            for level in sorted(levels, reverse=True):
                if level < WEIGHTS:
                    weight = times * (WEIGHTS - level)
                    for p in positions(levels[level]):
                        if weights[p] < weight:
                            weights[p] = weight
        rare = idf(word.having.bit_count(), records)
        for p in positions(matching):
            scores[p] += rare * weights[p]
        named &= word.whole.get(WEIGHTS - 1 + len(words), 0)
    for p in positions(named):
        scores[p] += 1 << 30
    return sorted(positions(matching), key=lambda p: -scores[p])
