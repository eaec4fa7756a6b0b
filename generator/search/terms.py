"""The terms of a record: the words that find it, each with a level for its weight in the record.

The level depends only on the record: on the fields with the word and the length of all its texts
(BM25F without the statistics of other records).  A word of the name also has a level for the number
of words in the name (generator.search.format).  The labels of countries and choices are English in
all registries, as they are in the API.

Terms are packed as text: a line for each level with its letter and the words, joined by spaces.

Features add terms of each record, and files.  The kinds of files and their order in the manifest
are part of the format, in generator.search.manifest: the engine in JavaScript, which has one bundle
for all registries, checks them too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from generator.feature import Hook, parts
from generator.kinds.declare import Field
from generator.kinds.types import COUNTRIES
from generator.model.symbols import Symbols
from generator.model.tables.table import Registry, Table
from generator.search.format import LEVELS, NAMES, SPLIT, WRITTEN
from generator.search.manifest import Part, RowFiles
from generator.text.words import index_words, name_words

#: The weights of words of a name, of a description, in which each counts only once, and of the
#: country of a place.  Other fields declare theirs.
_NAME, _DESCRIPTION, _COUNTRY = 16, 2, 2
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


def terms_from_model(collection: str, record: Any, symbols: Symbols) -> str:
    """The words of a validated record."""
    data = record.__dict__  # faster than getattr for fields that a record may not have
    parts: list[_Part] = []
    for field in symbols.grammar.kinds[collection].searched:
        if value := data.get(field.name):
            parts += _parts_of(field, value, symbols)
    return _terms(data["name"], data["description"], parts, symbols.language)


#: A weight and words with it.
_Part = tuple[int, Collection[str]]


def _parts_of(field: Field, value: Any, symbols: Symbols) -> Iterator[_Part]:
    """The words of the texts of a field."""
    weight, language = field.searched, symbols.language
    if field.type == "places":
        for place in value:
            yield weight, _place_words(place.region, place.city, language)
        for country in dict.fromkeys(place.country for place in value):
            yield _COUNTRY, _words(COUNTRIES[country], language)
    elif field.type == "text" and field.many:
        for name in value:
            spellings, more = name_words(name, language)
            yield weight, dict.fromkeys(chain(more, *spellings))
    elif field.type == "text":
        yield weight, index_words(value, language)
    else:
        for label in _labels(field, value, symbols):
            yield weight, _words(label, language)


def _labels(field: Field, value: Any, symbols: Symbols) -> list[str]:
    """The labels of tags, records or words of a choice."""
    if field.type == "tags":
        return [symbols.tag_label(family, tag) for family, tags in value.items() for tag in tags]
    values = value if field.many else (value,)
    if field.refers:
        targets = symbols.targets(field.refers)
        return [targets[slug].name for slug in values if slug in targets]
    return [field.values.get(word, word) for word in values if word != field.default]


def by_level(packed: str) -> Iterator[tuple[int, list[str]]]:
    """Each level with its words, levels of names included."""
    for line in packed.splitlines():
        yield ord(line[0]) - _FIRST_LETTER, line[2:].split(" ")


def _terms(name: str, description: str | None, parts: Iterable[_Part], language: str) -> str:
    """Pack the words of a record."""
    spellings, more = name_words(name, language)
    weights = dict.fromkeys(chain(more, *spellings), _NAME)
    length = len(weights)
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


class Addition(NamedTuple):
    """The files of a feature in the index of a collection.

    `files` has the number of files of each kind, and `data` gives one.  `split` are further keys
    that the manifest calls divided.  `facets` are further keys with positions of records, like the
    values of filters.
    """

    files: Mapping[str, int]
    data: Callable[[Part], bytes]
    split: Iterable[str] = ()
    facets: Mapping[str, Sequence[int]] = {}


class IndexSource(NamedTuple):
    """What additions are made from.  `records` gives the id and slug of each record, by id, and its
    terms for the feature.
    """

    table: Table
    registry: Registry
    rows: RowFiles
    records: Iterable[tuple[int, str, str]]


TERMS: Hook[Callable[[str, Mapping[str, Any]], str]] = Hook("index", "terms", "slug, data")


@cache
def _term_makers() -> tuple[Callable[[str, Mapping[str, Any]], str], ...]:
    return tuple(TERMS)


def added_terms(slug: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    """The terms for each feature of a record with these fields of its model."""
    return tuple(make(slug, data) for make in _term_makers())


def additions(
    table: Table,
    registry: Registry,
    rows: RowFiles,
    records: Sequence[tuple[int, int]],
) -> list[Addition]:
    """What features add to the index of a table; `records` has the ids of all records, ascending,
    with their positions.
    """
    found = []
    for _, module in parts("index"):
        make = getattr(module, "terms", None)
        terms = table.added[_term_makers().index(make)] if make and len(table) else None
        own = (
            (n, table.slugs[position], "" if terms is None else terms[position].decode())
            for n, position in records
        )
        addition = module.add(IndexSource(table, registry, rows, own))
        if addition is not None:
            found.append(addition)
    return found
