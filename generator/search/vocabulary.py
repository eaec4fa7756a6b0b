"""The words of a collection's records, and which groups of keys are divided."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from generator.search.format import GROUP_WEIGHT, LEVELS, NAMES, PREFIX, WEIGHTS, name_key
from generator.search.terms import by_level
from generator.text.words import query_words


class RecordWords:
    """The words of all records.  `postings` has for each word its ascending levels, each with the
    ascending ids of the records with the word at this level.
    """

    def __init__(self, records: Iterable[tuple[int, str]]):
        """`records` are ascending ids with terms (generator.search.terms)."""
        levels = [defaultdict[str, list[int]](list) for _ in range(LEVELS)]
        for record_id, packed in records:
            for level, words in by_level(packed):
                ids_of_word = levels[level]
                for word in words:
                    ids_of_word[word].append(record_id)
        self.postings: dict[str, dict[int, array[int]]] = {}
        for level, ids_by_word in enumerate(levels):
            for word, ids in ids_by_word.items():
                self.postings.setdefault(word, {})[level] = array("I", ids)

    def counts(self) -> dict[str, int]:
        """The number of postings of each word."""
        return {word: sum(map(len, levels.values())) for word, levels in self.postings.items()}

    def words_of_names(self) -> Iterable[str]:
        """The words of names."""
        return (word for word, levels in self.postings.items() if max(levels) >= WEIGHTS)


def names_as_written(names: Iterable[tuple[int, str]]) -> dict[str, list[int]]:
    """By the key of a name as written, the ids of the records called so, only for names that have
    the same words as another name but are written differently.  `names` are ascending ids with
    names.
    """
    alike: dict[frozenset[str], list[tuple[int, str]]] = {}
    for record_id, name in names:
        alike.setdefault(frozenset(query_words(name)), []).append((record_id, name))
    ids: dict[str, list[int]] = {}
    for words, group in alike.items():
        if not 1 <= len(words) <= NAMES or len({name for _, name in group}) == 1:
            continue
        keys = [name_key(name) for _, name in group]
        for key, (record_id, _) in zip(keys, group, strict=True) if len(set(keys)) > 1 else ():
            ids.setdefault(key, []).append(record_id)
    return ids


def groups_to_divide(weights: Mapping[str, int]) -> dict[str, int]:
    """The groups to divide, each with its weight without its heaviest key, which cannot be divided.
    `weights` has the weight of each key.
    """
    divided: dict[str, int] = {}
    keys, end = [*weights.items()], PREFIX
    while keys:
        totals: dict[str, int] = {}
        heaviest: dict[str, int] = {}
        for key, weight in keys:
            group = group_of(key, end)
            totals[group] = totals.get(group, 0) + weight
            if weight > heaviest.get(group, 0):
                heaviest[group] = weight
        totals.pop("", None)
        heavy = {
            group: rest
            for group, total in totals.items()
            if (rest := total - heaviest[group]) > GROUP_WEIGHT
        }
        divided |= heavy
        keys = [
            pair
            for pair in keys
            if pair[0][0] not in "/=" and pair[0][:end] in heavy and len(pair[0]) > end
        ]
        end += 1
    return divided


def group_of(key: str, end: int) -> str:
    """The group of a key if all groups of fewer than `end` letters are divided; "" for a key that
    is a group of its own.
    """
    if key[0] in "/=":
        key = key.removeprefix("=")
        return key[: key.index("/", 1)] if key[0] == "/" else ""
    return key[:end] if len(key) >= PREFIX else ""


def union_of_lists(words: Iterable[Mapping[int, Sequence[int]]]) -> dict[int, list[int]]:
    """The union of the lists of several words: each id at its heaviest level in any of them."""
    lists_at: dict[int, list[Sequence[int]]] = {}
    for lists in words:
        for level, ids in lists.items():
            if level < WEIGHTS:
                lists_at.setdefault(level, []).append(ids)
    last = max((ids[-1] for ids in chain.from_iterable(lists_at.values())), default=0)
    taken = bytearray(last + 1)
    union: dict[int, list[int]] = {}
    for level in sorted(lists_at):
        new: list[int] = []
        for ids in lists_at[level]:
            for record_id in ids:
                if not taken[record_id]:
                    taken[record_id] = 1
                    new.append(record_id)
        if new:
            union[level] = sorted(new)
    return union
