"""The words that suggestions consist of: those of names, tags and places."""

from __future__ import annotations

from collections.abc import Mapping

from generator.model.symbols import Symbols
from generator.model.tables.facets import declared_values, value_label
from generator.model.tables.table import Table
from generator.search.vocabulary import Vocabulary
from generator.text.folding import unspaced_letters
from generator.text.words import query_words


def suggestion_words(
    table: Table, symbols: Symbols, vocabulary: Vocabulary, counts: Mapping[str, int]
) -> dict[str, int]:
    """Each word with the bit length of its count; `counts` has the counts of all words."""
    known = label_words(table, symbols).union(vocabulary.words_of_names())
    return {word: counts[word].bit_length() for word in known if word in counts and _spells(word)}


def label_words(table: Table, symbols: Symbols) -> set[str]:
    """The words in the labels of tags and places."""
    counts, known = table.counts(), declared_values(table.collection, symbols)
    found = set()
    for name, filter_ in table.collection.filters.items():
        if name in counts.values and (filter_.vocabulary == "places" or name.startswith("tag_")):
            for value in counts.values[name]:
                found.update(query_words(value_label(counts, name, value, known)))
    return found


def _spells(word: str) -> bool:
    """Whether it can be misspelled: not a pair of letters of a script without spaces."""
    return word.isascii() or not unspaced_letters().search(word)
