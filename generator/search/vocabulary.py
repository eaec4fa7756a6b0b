"""The words of a collection's records, which groups of keys are divided, and the words that
suggestions consist of: those of names, tags and places.  Values of a filter that mean the same.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from zlib import crc32

from generator.model.symbols import Symbols
from generator.model.tables.facets import declared_values, value_label
from generator.model.tables.table import Table
from generator.search.format import GROUP_WEIGHT, LEVELS, NAMES, PREFIX, WEIGHTS, name_key
from generator.search.terms import by_level
from generator.text.folding import unspaced_letters
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


#: Maximum average bytes of a file.
_FILE = 80_000


def suggestion_words(
    table: Table, symbols: Symbols, vocabulary: RecordWords, counts: Mapping[str, int]
) -> dict[str, int]:
    """Each word with the bit length of its count; `counts` has the counts of all words."""
    known = label_words(table, symbols).union(vocabulary.words_of_names())
    return {word: counts[word].bit_length() for word in known if word in counts and _spells(word)}


def label_words(table: Table, symbols: Symbols) -> set[str]:
    """The words in the labels of tags and places."""
    counts = table.counts()
    known = declared_values(counts, symbols)
    found = set()
    for name, filter_ in table.collection.filters.items():
        if name in counts.values and (filter_.vocabulary == "places" or name.startswith("tag_")):
            for value in counts.values[name]:
                found.update(query_words(value_label(counts, name, value, known)))
    return found


def _spells(word: str) -> bool:
    """Whether it can be misspelled: not a pair of letters of a script without spaces."""
    return word.isascii() or not unspaced_letters().search(word)


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


def first_pair(known: Iterable[str]) -> tuple[str, str] | None:
    """The first two known values that mean nearly the same: an abbreviation and its words, one word
    and two, singular and plural, the same words in another order.
    """
    by_whole: dict[str, str] = {}
    by_short: dict[str, str] = {}
    for value in known:
        whole, short = _forms(value)
        others = [by_whole.get(form) for form in sorted(whole | short)]
        others += [by_short.get(form) for form in sorted(whole)]
        if other := next(filter(None, others), None):
            return other, value
        by_whole.update(dict.fromkeys(whole, value))
        by_short.update(dict.fromkeys(short, value))
    return None


def _forms(value: str) -> tuple[set[str], set[str]]:
    """The normal forms of a value, which values with one meaning share, and its abbreviations."""
    words = [
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        for word in value.split("-")
        if word
    ]
    full = {"".join(words), " ".join(sorted(words))}
    return full, {"".join(word[0] for word in words)} if len(words) > 1 else set()
