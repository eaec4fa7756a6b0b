"""The words of a collection's records, and how keys are divided into groups."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from generator.search.format import GROUP_WEIGHT, LEVELS, PREFIX, WEIGHTS
from generator.search.terms import by_level


class Vocabulary:
    """Which records have which words: at each level, each word with the ids of its records
    (generator.search.blocks).

    Where these are put in another order than ascending, they are numbers instead, and `ids` has the
    id of each.
    """

    def __init__(self, ids: Sequence[int] | None = None) -> None:
        self.words: list[dict[str, array[int]]] = [{} for _ in range(LEVELS)]
        self.ids = ids

    def put(self, number: int, packed: str) -> None:
        """The terms of the record that has this number (see generator.search.terms)."""
        for level, words in by_level(packed):
            having = self.words[level]
            for word in words:
                try:
                    having[word].append(number)
                except KeyError:
                    having[word] = array("I", (number,))

    def have(self, word: str, level: int, numbers: Iterable[int]) -> None:
        """Records that have a word at a level."""
        if held := array("I", numbers):
            self.words[level].setdefault(word, array("I")).extend(held)

    def counts(self) -> dict[str, int]:
        """How many postings each word has."""
        counts: dict[str, int] = {}
        for having in self.words:
            for word, numbers in having.items():
                counts[word] = counts.get(word, 0) + len(numbers)
        return counts

    def lists(self, word: str) -> Mapping[int, Sequence[int]]:
        """The ids of the records that have a word, ascending, for each level that has some."""
        held = {level: of[word] for level, of in enumerate(self.words) if word in of}
        if self.ids is None:
            return held
        return {level: sorted(map(self.ids.__getitem__, held[level])) for level in held}


def divide(weights: Mapping[str, int]) -> dict[str, int]:
    """The groups of words and of filters that are divided, each with its weight without its
    heaviest key, which no division makes lighter.
    """
    found: dict[str, int] = {}
    keys, end = [(key, size) for key, size in weights.items() if group_of(key, PREFIX)], PREFIX
    while keys:
        totals: dict[str, int] = {}
        heaviest: dict[str, int] = {}
        for key, size in keys:
            group = group_of(key, end)
            totals[group] = totals.get(group, 0) + size
            if size > heaviest.get(group, 0):
                heaviest[group] = size
        heavy = {
            group: rest
            for group, total in totals.items()
            if (rest := total - heaviest[group]) > GROUP_WEIGHT
        }
        found |= heavy
        keys = [
            pair
            for pair in keys
            if pair[0][0] not in "/=" and pair[0][:end] in heavy and len(pair[0]) > end
        ]
        end += 1
    return found


def group_of(key: str, end: int) -> str:
    """The group that a key lies in where those of so many letters are not divided; "" for a key
    that is a group of its own.
    """
    if key[0] in "/=":
        key = key.removeprefix("=")
        return key[: key.index("/", 1)] if key[0] == "/" else ""
    return key[:end] if len(key) >= PREFIX else ""


def together(several: Iterable[Mapping[int, Sequence[int]]]) -> dict[int, list[int]]:
    """The lists of several words as those of one: each record at the weightiest level that it has
    anywhere.
    """
    sets: dict[int, set[int]] = {}
    for lists in several:
        for level, positions in lists.items():
            if level < WEIGHTS:
                sets.setdefault(level, set()).update(positions)
    found, before = dict[int, list[int]](), set[int]()
    for level in sorted(sets):
        if left := sets[level] - before:
            found[level] = sorted(left)
            before |= left
    return found
