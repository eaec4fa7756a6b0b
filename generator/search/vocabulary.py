"""The words of a collection's records, and how keys are divided into groups."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from generator.search.format import GROUP_WEIGHT, LEVELS, PREFIX, WEIGHTS
from generator.search.terms import by_level

_ID_BYTES = array("I").itemsize


#: The postings of some records: for each level, each word with the ids of its records, ascending,
#: packed as an array of unsigned integers.
Postings = list[dict[str, bytes]]


def postings_of(records: Iterable[tuple[int, str]]) -> Postings:
    """The postings of records: their ids, ascending, each with the terms of the record
    (generator.search.terms).
    """
    postings = [defaultdict[str, list[int]](list) for _ in range(LEVELS)]
    for number, packed in records:
        for level, words in by_level(packed):
            ids_of_word = postings[level]
            for word in words:
                ids_of_word[word].append(number)
    return [{word: array("I", ids).tobytes() for word, ids in level.items()} for level in postings]


class Vocabulary:
    """The words of all records.  `postings` has for each word its levels, ascending, each followed
    by the packed ids of the records that have the word at this level.
    """

    def __init__(self, runs: Sequence[Postings]):
        """`runs` are the postings of runs of records whose ids ascend from run to run."""
        self.postings: dict[str, list[Any]] = {}
        for level in range(LEVELS):
            for run in runs:
                for word, ids in run[level].items():
                    levels = self.postings.get(word)
                    if levels is None:
                        self.postings[word] = [level, bytearray(ids)]
                    elif levels[-2] == level:
                        levels[-1] += ids
                    else:
                        levels += level, bytearray(ids)

    def counts(self) -> dict[str, int]:
        """How many postings each word has."""
        return {
            word: sum(map(len, levels[1::2])) // _ID_BYTES for word, levels in self.postings.items()
        }

    def named(self) -> Iterable[str]:
        """The words of names."""
        return (word for word, levels in self.postings.items() if levels[-2] >= WEIGHTS)

    def lists(self, word: str) -> Mapping[int, Sequence[int]]:
        """The ids of the records that have a word, ascending, by level."""
        levels = self.postings[word]
        return {
            level: array("I", ids) for level, ids in zip(levels[::2], levels[1::2], strict=True)
        }


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
