"""The first rows of the list of each frequent word, as the engine answers it (search/js/source):
whole words before begun ones, names that are the word before all.

The site publishes them, because a browser needs a score of files for the first rows of a word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from generator.search.format import (
    EXACT_WORTHS,
    PREFIX,
    PREFIX_WORTHS,
    SPLIT,
    WEIGHTS,
    WRITTEN,
    name_key,
)
from generator.search.index import CollectionIndex
from generator.search.vocabulary import label_words

#: Words of names, tags and places that are spelled as they are typed.
_PLAIN = re.compile(rf"[a-z0-9]{{{PREFIX},}}")
#: Rows that are made ahead.
ROWS = 10


class FirstRows(NamedTuple):
    """The first rows of the records with a word, and the number of all of them."""

    word: str
    total: int
    rows: list[bytes]


def first_rows(index: CollectionIndex, most: int) -> Iterator[FirstRows]:
    """Those of the `most` most frequent words."""
    vocabulary = index.vocabulary
    counts = vocabulary.counts()
    known = label_words(index.table, index.symbols).union(vocabulary.words_of_names())
    words = sorted(
        (word for word in known if word in counts and _PLAIN.fullmatch(word)),
        key=lambda word: (-counts[word], word),
    )
    every = sorted(counts)
    for word in words[:most]:
        total, positions = _ranked(index, word, every)
        yield FirstRows(word, total, index.table_rows(positions))


def _ranked(index: CollectionIndex, word: str, every: Sequence[str]) -> tuple[int, list[int]]:
    """The number of records with a word, and the positions of the first of them; `every` are all
    words, ascending.
    """
    postings, positions = index.vocabulary.postings, index.blocks.positions
    #: By worth, lists of the ids of records with it.
    by_worth: dict[int, list[Iterable[int]]] = {}
    start, end = bisect_left(every, word), bisect_left(every, f"{word}\U0010ffff")
    found = [(other, other == word) for other in every[start:end]]
    found += [(other, True) for other in _singulars(word, index.language) if other in postings]
    for other, is_whole in found:
        worths = EXACT_WORTHS if is_whole else PREFIX_WORTHS
        for level, ids in postings[other].items():
            if level < WEIGHTS:
                by_worth.setdefault(worths[level], []).append(ids)
    written, split = (set(postings[word].get(level, ())) for level in (WRITTEN, SPLIT))
    same = written.intersection(index.written.get(name_key(word), ()))
    taken, ordered = set[int](), list[tuple[int, int]]()
    for worth in sorted(by_worth, reverse=True):
        new = set[int]().union(*by_worth[worth]) - taken
        taken |= new
        # Names that are the word may come with any worth.
        wanted = new if len(ordered) < ROWS else new & (written | split)
        ordered += [
            (0 if i in same else 1 if i in written else 2 if i in split else 3, p)
            for p, i in sorted((positions[i], i) for i in wanted)
        ]
    ordered.sort(key=lambda one: one[0])
    return len(taken), [position for _, position in ordered[:ROWS]]


def _singulars(word: str, language: str) -> list[str]:
    """The words of which an English word may be the plural, as in folding.mjs."""
    if language.partition("-")[0] != "en" or not re.fullmatch(r".{2,}[^s]s", word):
        return []
    ends = [("s", ""), ("es", ""), ("ies", "y")]
    return [word.removesuffix(end) + more for end, more in ends if word.endswith(end)]
