"""The words of a collection's records, and how keys are divided into groups."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from generator.search.format import GROUP_WEIGHT, LEVELS, PREFIX, WEIGHTS
from generator.search.terms import by_level


class Vocabulary:
    """Which records have which words: at each level, each word with the ids of its records
    (generator.search.blocks), which are put in ascending order.
    """

    def __init__(self) -> None:
        self.words: list[dict[str, array[int]]] = [{} for _ in range(LEVELS)]

    def put(self, number: int, packed: str) -> None:
        """The terms of the record with this id (see generator.search.terms)."""
        for level, words in by_level(packed):
            having = self.words[level]
            for word in words:
                try:
                    having[word].append(number)
                except KeyError:
                    having[word] = array("I", (number,))

    @cached_property
    def _held(self) -> Mapping[str, Sequence[Any]]:
        """Of each word one level after another, ascending, each with its records.  When this is
        asked for, all records are put.
        """
        held: dict[str, tuple[Any, ...]] = {}
        for level, having in enumerate(self.words):
            for word, numbers in having.items():
                held[word] = (*held.get(word, ()), level, numbers)
            having.clear()
        return held

    def counts(self) -> dict[str, int]:
        """How many postings each word has."""
        return {word: sum(map(len, held[1::2])) for word, held in self._held.items()}

    def named(self) -> Iterable[str]:
        """The words of names."""
        return (word for word, held in self._held.items() if held[-2] >= WEIGHTS)

    def lists(self, word: str) -> Mapping[int, Sequence[int]]:
        """The ids of the records that have a word, ascending, for each level that has some."""
        held = self._held[word]
        return dict(zip(held[::2], held[1::2], strict=True))


def divide(weights: Mapping[str, int]) -> dict[str, int]:
    """The groups of words and of filters that are divided, each with its weight without its
    heaviest key, which no division makes lighter.
    """
    found: dict[str, int] = {}
    keys, end = [*weights.items()], PREFIX
    while keys:
        totals: dict[str, int] = {}
        heaviest: dict[str, int] = {}
        for key, size in keys:
            group = group_of(key, end)
            totals[group] = totals.get(group, 0) + size
            if size > heaviest.get(group, 0):
                heaviest[group] = size
        totals.pop("", None)
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
    by_level: dict[int, list[Sequence[int]]] = {}
    for lists in several:
        for level, ids in lists.items():
            if level < WEIGHTS:
                by_level.setdefault(level, []).append(ids)
    last = max((ids[-1] for some in by_level.values() for ids in some), default=0)
    taken = bytearray(last + 1)
    found: dict[int, list[int]] = {}
    for level in sorted(by_level):
        left: list[int] = []
        for ids in by_level[level]:
            for one in ids:
                if not taken[one]:
                    taken[one] = 1
                    left.append(one)
        if left:
            found[level] = sorted(left)
    return found
