"""The fields in which a record has words of a query, as far as its summary shows (`found_in`).

search/js/source/found.mjs gives the same values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

from generator.search.format import PREFIX
from generator.search.matching import Matching
from generator.text.words import index_words, name_words

#: A text whose capitals and small letters are the same in every Unicode version: of Latin-1 without
#: its two ordinal indicators, Latin Extended-A, combining marks, punctuation, and scripts without
#: capitals, from Hebrew to Burmese, from Hangul to Ethiopic, and of East Asia.
_has_known_cases = re.compile(
    "[\0-\xa9\xab-\xb9\xbb-\u017f\u0300-\u036f\u0590-\u109f\u1100-\u139f\u2010-\u205f\u2e80-\ua63f\uac00-\ud7ff]*"
).fullmatch


def found_in(summary: Mapping[str, Any], match: Matching) -> list[str]:
    """The names of the fields with a word of the query: `name`, `former_names`, `summary` and
    `places`, which are regions and cities.

    A summary does not have the other texts that are searched: the description, and the labels of
    tags, countries, programs, organizations and statuses.
    """
    language = match.index.language
    places = [place for place in _items(summary, "locations") if isinstance(place, dict)]
    known = {
        "name": _words(words_of_name, [summary.get("name")], language),
        "former_names": _words(words_of_name, _items(summary, "former_names"), language),
        "summary": _words(index_words, [summary.get("summary")], language),
        "places": _words(
            index_words, [p.get(key) for p in places for key in ("region", "city")], language
        ),
    }
    return [
        name for name in known if any(_has(known[name], word, match) for word in match.query_words)
    ]


def _has(known: set[str], word: str, match: Matching) -> bool:
    """Whether a word of the query finds one of these words of a record, as the index does."""
    if not known.isdisjoint((word, *match.singulars(word))):
        return True
    return len(word) >= PREFIX and any(other.startswith(word) for other in known)


def _items(summary: Mapping[str, Any], name: str) -> list[Any]:
    value = summary.get(name)
    return value if isinstance(value, list) else []


def _words(
    split: Callable[[str, str], Iterable[str]], texts: Iterable[Any], language: str
) -> set[str]:
    return {word for text in texts if isinstance(text, str) for word in split(text, language)}


def words_of_name(name: str, language: str = "") -> list[str]:
    """The words of a name.  Its parts at capitals count if all engines divide it alike."""
    (written, *divided), others = name_words(name, language)
    return [*written, *others, *chain.from_iterable(divided if _has_known_cases(name) else ())]
