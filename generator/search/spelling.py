"""The words that suggestions are taken from: those of names, tags and places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from generator.api.folding import paired
from generator.api.text import words
from generator.records.symbols import Symbols
from generator.search.format import WEIGHTS
from generator.search.suggest import files, places, words_of
from generator.search.vocabulary import Vocabulary
from generator.tables.facets import declared, label
from generator.tables.table import Table


def spelled(
    table: Table, symbols: Symbols, vocabulary: Vocabulary, counts: Mapping[str, int]
) -> dict[str, int]:
    """Each word with the bits of its count; `counts` has those of all words."""
    names = label_words(table, symbols).union(*vocabulary.words[WEIGHTS:])
    return {word: counts[word].bit_length() for word in names if word in counts and _spells(word)}


def label_words(table: Table, symbols: Symbols) -> set[str]:
    """The words of what tags and places are called."""
    counts, known = table.counts(), declared(table.collection, symbols)
    shown = set()
    for name, held in table.collection.filters.items():
        if name in counts.values and (held.vocabulary == "places" or name.startswith("tag_")):
            for value in counts.values[name]:
                shown.update(words(label(counts, name, value, known)))
    return shown


def bits_of(word: str, held: Mapping[int, Sequence[int]], *, in_label: bool) -> int:
    """Those of the count of a word that has these positions at each level; 0 where it is no word of
    a name, a tag or a place.
    """
    if not (in_label or any(level >= WEIGHTS for level in held)) or not _spells(word):
        return 0
    return sum(map(len, held.values())).bit_length()


def _spells(word: str) -> bool:
    """Whether it is a word that may be written wrong, and no pair of letters."""
    return word.isascii() or not paired().search(word)


def respelled(
    bits: dict[str, int], number: int, read: Callable[[int], bytes]
) -> list[bytes] | None:
    """The files with some words that have other bits, 0 for none; None where no file is other.
    `read` gives each of the files that there were.
    """
    near = {place for word in bits for place in places(word, number)}
    known = words_of(read(place) for place in near)
    if all(known.get(word, 0) == now for word, now in bits.items()):
        return None
    known = words_of(map(read, range(number))) | bits
    return files({word: now for word, now in known.items() if now})
