"""The words that suggestions are taken from: those of names, tags and places."""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.grammar.folding import paired
from generator.grammar.text import words
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared, label
from generator.model.tables.table import Table
from generator.search.vocabulary import Vocabulary

#: The lines of a file that begin with the same two letters, or that of a word of one.
_runs = re.compile(r"(.)(?:\t.*)?\n|(..).*\n(?:\2.*\n)*").finditer


def spelled(
    table: Table, symbols: Symbols, vocabulary: Vocabulary, counts: Mapping[str, int]
) -> dict[str, int]:
    """Each word with the bits of its count; `counts` has those of all words."""
    names = label_words(table, symbols).union(vocabulary.named())
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


def _spells(word: str) -> bool:
    """Whether it is a word that may be written wrong, and no pair of letters."""
    return word.isascii() or not paired().search(word)
