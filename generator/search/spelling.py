"""The words that suggestions are taken from: those of names, tags and places."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from generator.api.folding import paired
from generator.api.text import words
from generator.records.symbols import Symbols
from generator.search.format import WEIGHTS, count, lists_of
from generator.search.suggest import files_for, line, place_of, places, words_of
from generator.search.vocabulary import Vocabulary
from generator.tables.facets import declared, label
from generator.tables.table import Table

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


def bits_of(word: str, body: bytes, *, in_label: bool) -> int:
    """Those of the count of a word with this entry; 0 where it is no word of a name, a tag or a
    place.
    """
    named = in_label or any(level >= WEIGHTS for level, _, _ in lists_of(body))
    return count(body).bit_length() if named and _spells(word) else 0


def _spells(word: str) -> bool:
    """Whether it is a word that may be written wrong, and no pair of letters."""
    return word.isascii() or not paired().search(word)


def respelled(
    bits: Mapping[str, int], number: int, read: Callable[[int], bytes]
) -> dict[int, bytes] | None:
    """The files that are other where some words have other bits, 0 for none, by their numbers; None
    where there are more or fewer files.  `read` gives each of the files that there were.
    """
    parts = list(map(read, range(number)))
    had = {word: _bits_in(parts[min(places(word, number))], word) for word in bits}
    others = {word: now for word, now in bits.items() if now != had[word]}
    if not others:
        return {}
    size = sum(_begun(part, place, number) for place, part in enumerate(parts))
    for word, now in others.items():
        size += len(line(word, now)) * bool(now) - len(line(word, had[word])) * bool(had[word])
    if files_for(size) != number:
        return None
    changed: dict[int, dict[str, int]] = {}
    for word, now in others.items():
        for place in places(word, number):
            changed.setdefault(place, {})[word] = now
    return {place: _with(parts[place], words) for place, words in changed.items()}


def _bits_in(part: bytes, word: str) -> int:
    """Those of a word in a file that has it if any has; 0 where it has not.  Raises Damaged."""
    lines, sought = b"\n" + part, f"\n{word}".encode()
    if sought + b"\n" in lines:
        return 1
    start = lines.find(sought + b"\t") + 1
    return words_of([lines[start : lines.find(b"\n", start) + 1]])[word] if start else 0


def _begun(part: bytes, place: int, number: int) -> int:
    """The bytes of the lines of a file, of so many, that are there by their first letters."""
    runs = _runs(part.decode())
    return sum(
        len(run[0].encode()) for run in runs if place_of(f"^{run[1] or run[2]}", number) == place
    )


def _with(part: bytes, others: Mapping[str, int]) -> bytes:
    """A file with some words that have other bits."""
    known = {**words_of([part]), **others}
    return b"".join(line(word, known[word]) for word in sorted(known) if known[word])
