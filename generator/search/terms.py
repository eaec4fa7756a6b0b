"""The words that a record is found by, each with a level: how much it weighs there.

A level is of this record alone: by the fields that the word stands in and how long all of its
texts are (BM25F without what is known of other records).  A word of the name also has the
level that tells how many words the name has (generator.search.format).

They travel packed: a line for each level, its letter and the words with spaces between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from generator.grammar.text import all_words, name_words
from generator.model.symbols import Symbols
from generator.search.format import LEVELS, WEIGHTS

#: What a word weighs in a field; in the description but once, however often it is there.
_NAME, _FORMER, _TAG, _SUMMARY, _PLACE, _REFERENCE, _DESCRIPTION = 16, 10, 7, 6, 4, 2, 2
#: A word's ratio is its weight, in thousands, to `_BASE` and `_A_WORD` for each word of all texts,
#: counted in steps.  What has at least the first of the bounds, in hundredths, has level 0, and so
#: on; from one to the next it is four ninths of an octave.
_BASE, _A_WORD, _STEP = 600, 24, 8
_BOUNDS = (1900, 1400, 1030, 760, 560, 410, 300, 220, 165)
#: More than so much counts as much.
_MOST = 63
#: How many words a name has at most that has a level.
_LONGEST = LEVELS - WEIGHTS
#: What a line of each level begins with.
_LETTERS = [chr(ord("a") + level) for level in range(LEVELS)]
#: The fields that refer to programs and organizations, whose names are terms too.
_REFERRING = (
    ("programs", "programs"),
    ("organizations", "organizations"),
    ("programs", "program"),
    ("organizations", "organization"),
)


def of_model(record: Any, symbols: Symbols) -> str:
    """The terms of a validated record."""
    held = record.__dict__  # fields that a kind has not are missed sooner here
    short = [(_PLACE, _placed(place.region, place.city)) for place in held["locations"] or ()]
    for collection, field in _REFERRING:
        if held.get(field):
            targets = symbols.targets(collection)
            for slug in _listed(held[field]):
                if slug in targets:
                    short.append((_REFERENCE, _short(targets[slug].name)))
    former, tags = held.get("former_names") or (), held["tags"] or {}
    return _terms(held["name"], former, held["summary"], held["description"], tags, short, symbols)


def of_document(data: Mapping[str, Any], symbols: Symbols) -> str:
    """The terms of a record as its file has it."""
    places = data.get("locations") or ()
    short = [(_PLACE, _placed(place["region"], place["city"])) for place in places]
    for _, field in _REFERRING:
        short += [(_REFERENCE, _short(one["name"])) for one in _listed(data.get(field))]
    former, summary, description = (
        data.get("former_names") or (),
        data["summary"],
        data["description"],
    )
    return _terms(data["name"], former, summary, description, data["tags"], short, symbols)


def _listed(value: Any) -> Iterable[Any]:
    # An organization's `programs` is how many it has.
    return value if isinstance(value, list) else (value,) if isinstance(value, str | dict) else ()


def by_level(packed: str) -> Iterator[tuple[int, list[str]]]:
    """Each level with its words, those of names too."""
    for line in packed.splitlines():
        yield ord(line[0]) - ord("a"), line[2:].split(" ")


def unpack(packed: str) -> Iterator[tuple[str, int]]:
    """Each word with its level, and each of a name with that of names too."""
    for level, words in by_level(packed):
        for word in words:
            yield word, level


def _terms(
    name: str,
    former: Iterable[str],
    summary: str | None,
    description: str | None,
    tags: Mapping[str, Iterable[str]],
    short: Iterable[tuple[int, Collection[str]]],
    symbols: Symbols,
) -> str:
    """`short` has the words of what many records share, with their weights."""
    parts = [*short]
    ways, more = name_words(name)
    weights = dict.fromkeys(chain(more, *ways), _NAME)
    length = len(weights)
    for family, some in tags.items():
        for tag in some:
            key = _TAG, family, tag
            words = symbols.memo.get(key)
            if words is None:
                words = symbols.keep(key, tuple(all_words(symbols.tag_label(family, tag))))
            parts.append((_TAG, words))
    if summary:
        parts.append((_SUMMARY, all_words(summary)))
    for text in former:
        written, more = name_words(text)
        parts.append((_FORMER, dict.fromkeys(chain(more, *written))))
    for weight, several in parts:
        length += len(several)
        for word in several:
            if word in weights:
                weights[word] += weight
            else:
                weights[word] = weight
    # Most words of a record are only in its description.  Their order is that of the text, so that
    # every process gives the same terms.
    others = list(dict.fromkeys(all_words(description))) if description else []
    length += len(others)
    for word in weights.keys() & others:
        weights[word] += _DESCRIPTION
    others = [word for word in others if word not in weights]
    levels = _levels(length // _STEP)
    terms: dict[int, list[str]] = {levels[_DESCRIPTION]: others} if others else {}
    for word, weight in weights.items():
        level = levels[weight if weight < _MOST else _MOST]
        if level in terms:
            terms[level].append(word)
        else:
            terms[level] = [word]
    before: dict[str, None] = {}
    for way in map(dict.fromkeys, ways):
        new = [word for word in way if word not in before]
        if len(way) <= _LONGEST and new:
            terms.setdefault(WEIGHTS + len(way) - 1, []).extend(new)
            before |= way
    return "\n".join([f"{_LETTERS[level]} {' '.join(words)}" for level, words in terms.items()])


@lru_cache(maxsize=1024)
def _levels(steps: int) -> bytes:
    """The level of each weight, in a record of so many words."""
    unit = _BASE + _A_WORD * _STEP * steps
    return bytes(
        sum(weight * 100_000 < bound * unit for bound in _BOUNDS) for weight in range(_MOST + 1)
    )


@lru_cache(maxsize=1 << 16)
def _placed(region: str | None, city: str | None) -> tuple[str, ...]:
    """The words of a place."""
    return (*_short(region or ""), *_short(city or ""))


@lru_cache(maxsize=1 << 16)
def _short(text: str) -> tuple[str, ...]:
    """The words of what many records share."""
    return tuple(all_words(text))
