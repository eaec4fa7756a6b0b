"""The words of a collection's records, and how keys are divided into groups."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from generator.search.format import GROUP_WEIGHT, LEVELS, PREFIX, WEIGHTS
from generator.search.terms import by_level


class Vocabulary:
    """Which records have which words: at each level, each word with the numbers of its records.

    Records have the numbers in which they were added; `ids` has the id of each
    (generator.search.blocks).
    """

    def __init__(self) -> None:
        self.slugs: list[str] = []
        self.words: list[dict[str, array[int]]] = [{} for _ in range(LEVELS)]
        self.ids: Sequence[int] = ()

    def add(self, slug: str, packed: str) -> None:
        """One record more, with its terms (see generator.search.terms)."""
        self.put(len(self.slugs), packed)
        self.slugs.append(slug)

    def put(self, number: int, packed: str) -> None:
        """The terms of the record that has this number."""
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

    def lists(self, word: str) -> dict[int, list[int]]:
        """The ids of the records that have a word, for each level that has some."""
        known, found = self.ids.__getitem__, {}
        for level, having in enumerate(self.words):
            if word in having:
                found[level] = sorted(map(known, having[word]))
        return found


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
