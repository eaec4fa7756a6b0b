"""The terms of a record: the words that find it, each with a level for its weight in the record.

The level depends only on the record: on the fields with the word and the length of all its texts
(BM25F without the statistics of other records).  A word of the name also has a level for the number
of words in the name (generator.search.format).  The labels of countries and statuses are English in
all registries, as they are in the API.

Terms are packed as text: a line for each level with its letter and the words, joined by spaces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from generator.kinds import KINDS
from generator.kinds.types import COUNTRIES
from generator.model.symbols import Symbols
from generator.search.format import LEVELS, NAMES, SPLIT, WRITTEN
from generator.text.words import index_words, name_words

#: The weight of a word by field; each word of a description counts only once.
_NAME, _FORMER, _TAG, _SUMMARY, _PLACE, _REFERENCE, _DESCRIPTION = 16, 10, 7, 6, 4, 2, 2
#: The ratio of a word is 1000 × weight / (`_BASE` + `_A_WORD` × the number of words in all texts,
#: rounded down to a multiple of `_STEP`).  Level n is the first whose bound, in hundredths, the
#: ratio reaches.  Bounds are four ninths of an octave apart.
_BASE, _A_WORD, _STEP = 600, 24, 8
_BOUNDS = (1900, 1400, 1030, 760, 560, 410, 300, 220, 165)
#: Greater weights count as this one.
_MOST = 63
#: The letter of each level.
_FIRST_LETTER = ord("A")
_LETTERS = [chr(_FIRST_LETTER + level) for level in range(LEVELS)]
#: Statuses that are no words, because records have them by default.
_DEFAULT_STATUSES = frozenset({"active", "confirmed"})


class Terms(NamedTuple):
    """What finds a record: its words with their levels, and its terms for features
    (`additions.added_terms`).
    """

    words: str
    added: tuple[str, ...] = ()


def terms_from_model(collection: str, record: Any, symbols: Symbols) -> str:
    """The words of a validated record."""
    declared = KINDS[collection]
    data = record.__dict__  # faster than getattr for fields that the kind does not have
    places = data["locations"] or ()
    short = [(_PLACE, _place_words(place.region, place.city, symbols.language)) for place in places]
    countries = dict.fromkeys(place.country for place in places)
    labels = [COUNTRIES[country] for country in countries]
    if status := data.get("status"):  # those that records have by default are no words
        labels += [declared.fields["status"].values[status]] * (status not in _DEFAULT_STATUSES)
    short += [(_DESCRIPTION, _words(label, symbols.language)) for label in labels]
    for field, target in declared.references.items():
        slugs = data.get(field)
        if slugs and target != collection:
            targets = symbols.targets(target)
            for slug in slugs if isinstance(slugs, list) else (slugs,):
                if slug in targets:
                    name = targets[slug].name
                    short.append((_REFERENCE, _words(name, symbols.language)))
    former, tags = data.get("former_names") or (), data["tags"] or {}
    return _terms(data["name"], former, data["summary"], data["description"], tags, short, symbols)


def by_level(packed: str) -> Iterator[tuple[int, list[str]]]:
    """Each level with its words, levels of names included."""
    for line in packed.splitlines():
        yield ord(line[0]) - _FIRST_LETTER, line[2:].split(" ")


def _terms(
    name: str,
    former: Iterable[str],
    summary: str | None,
    description: str | None,
    tags: Mapping[str, Iterable[str]],
    short: Iterable[tuple[int, Collection[str]]],
    symbols: Symbols,
) -> str:
    """Pack the terms of a record; `short` has the words of short texts with weights."""
    parts, language = [*short], symbols.language
    spellings, more = name_words(name, language)
    weights = dict.fromkeys(chain(more, *spellings), _NAME)
    length = len(weights)
    for family, tags_of_family in tags.items():
        for tag in tags_of_family:
            key = _TAG, family, tag
            words = symbols.memo.get(key)
            if words is None:
                label = symbols.tag_label(family, tag)
                words = symbols.memoize(key, tuple(index_words(label, language)))
            parts.append((_TAG, words))
    if summary:
        parts.append((_SUMMARY, index_words(summary, language)))
    for former_name in former:
        former_spellings, more = name_words(former_name, language)
        parts.append((_FORMER, dict.fromkeys(chain(more, *former_spellings))))
    for weight, part_words in parts:
        length += len(part_words)
        for word in part_words:
            if word in weights:
                weights[word] += weight
            else:
                weights[word] = weight
    # Most words are only in the description.  They keep the order of the text: a set would have
    # another order in every process.
    others = dict.fromkeys(index_words(description, language)) if description else {}
    length += len(others)
    for word in weights.keys() & others.keys():
        weights[word] += _DESCRIPTION
        del others[word]
    levels = _levels(length // _STEP)
    terms: dict[int, list[str]] = {levels[_DESCRIPTION]: list(others)} if others else {}
    for word, weight in weights.items():
        level = levels[weight if weight < _MOST else _MOST]
        if level in terms:
            terms[level].append(word)
        else:
            terms[level] = [word]
    for first_level, spelling in zip((WRITTEN, SPLIT), map(dict.fromkeys, spellings), strict=False):
        if 1 <= len(spelling) <= NAMES:
            terms[first_level + len(spelling) - 1] = list(spelling)
    return "\n".join([f"{_LETTERS[level]} {' '.join(words)}" for level, words in terms.items()])


@lru_cache(maxsize=1024)
def _levels(steps: int) -> bytes:
    """The level of each weight in a record with `steps` times `_STEP` words."""
    unit = _BASE + _A_WORD * _STEP * steps
    return bytes(
        sum(weight * 100_000 < bound * unit for bound in _BOUNDS) for weight in range(_MOST + 1)
    )


@lru_cache(maxsize=1 << 16)
def _place_words(region: str | None, city: str | None, language: str) -> tuple[str, ...]:
    return (*_words(region or "", language), *_words(city or "", language))


@lru_cache(maxsize=1 << 16)
def _words(text: str, language: str) -> tuple[str, ...]:
    """The words of a short text that many records share."""
    return tuple(index_words(text, language))
