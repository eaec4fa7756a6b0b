"""The words that suggestions consist of: those of names, tags and places."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from zlib import crc32

from generator.model.symbols import Symbols
from generator.model.tables.facets import declared_values, value_label
from generator.model.tables.table import Table
from generator.search.vocabulary import RecordWords
from generator.text.folding import unspaced_letters
from generator.text.words import query_words

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
