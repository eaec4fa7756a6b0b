"""Finds the word of the registry for a word of a table or a form: a tag, a choice, a record, a
country, a place.

A word that can mean several things means none: a person decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from generator.kinds.types import COUNTRIES
from generator.model.country_names import find_country, nearest_country, other_spelling
from generator.problems.diagnostic import nearest_word
from generator.text.characters import straight
from generator.text.words import fold, word_slug

_SPACES = r"\s_\-\u2010-\u2015"
_joined = re.compile(rf"(?<=[^\W_])[{_SPACES}]+(?=[^\W_])").sub
#: Marks between words, except between two digits: 1.5 is not 1-5.
_marks = re.compile(
    rf"(?<=[a-z])[{_SPACES}/&.,;:'’()|·]+(?=[a-z0-9])|(?<=[0-9])[{_SPACES}/&.,;:'’()|·]+(?=[a-z])"
).sub


#: Truth values in any case, also as spreadsheets in German and French write them.
_TRUTH = dict.fromkeys(("true", "yes", "y", "1", "x", "wahr", "ja", "vrai", "oui"), True)
_TRUTH |= dict.fromkeys(("false", "no", "n", "0", "falsch", "nein", "faux", "non"), False)


class Choice(NamedTuple):
    """A meaning of an ambiguous word: its value for the `values` of a map, and its name."""

    value: Any
    label: str


class Meaning(NamedTuple):
    """The meaning of a word of a table: `value` is the word of the registry, None if unknown.

    `nearest` is a similar word of the registry, if the word is not in it, and `label` its label.
    `is_new` says that the registry does not have this word yet.  `choices` are the meanings of an
    unknown word that a person can choose from.
    """

    value: str | None
    nearest: str | None = None
    label: str = ""
    is_new: bool = False
    choices: tuple[Choice, ...] = ()

    @property
    def near(self) -> str:
        """The nearest word with its label, for messages."""
        label = f" ({self.label})" if self.label not in ("", self.nearest) else ""
        return f'nearest: "{self.nearest}"{label}'


#: Of a word whose meaning nobody looked for.
NO_MEANING = Meaning(None)


@dataclass(slots=True)
class WordList:
    """A vocabulary of the registry: `labels` has word -> label, `spelled` spelling -> words.

    `free` says whether other words are allowed too: "" for no, "slug" for their slugs, "text" for
    any text.  `known` caches meanings.
    """

    labels: dict[str, str]
    free: str = ""
    spelled: dict[str, list[str]] = field(default_factory=dict)
    known: dict[str, Meaning] = field(default_factory=dict)

    @classmethod
    def from_labels(cls, labels: Mapping[str, str], free: str = "") -> WordList:
        words = cls(dict(labels), free)
        for word, label in labels.items():
            for spelling in {plain(label), plain(word)}:
                words.spelled.setdefault(spelling, []).append(word)
        return words

    def meaning_of(self, word: str) -> Meaning:
        """The meaning of a word."""
        meant = self.known.get(word)
        if meant is None:
            meant = self.known[word] = self._find(word)
        return meant

    def _find(self, word: str) -> Meaning:
        if word in self.labels:
            return Meaning(word)
        found = self.spelled.get(plain(word), [])
        if len(found) > 1 and not self.free:
            choices = (Choice(value, f"{self.labels[value]} ({value})") for value in found)
            return Meaning(None, choices=tuple(choices))
        slug = word_slug(word)
        if not found and is_spelling(word, slug):
            found = self.spelled.get(slug, [])
        if found:
            return Meaning(found[0])
        if self.free == "slug" and slug in self.labels:
            return Meaning(slug)
        near = slug if slug in self.labels else nearest_word(plain(word), self.spelled)
        nearest = self.spelled[near][0] if near is not None else None
        value = {"slug": slug, "text": word}.get(self.free) or None
        return Meaning(value, nearest, self.labels.get(nearest or "", ""), self.free == "slug")


@dataclass(slots=True)
class UsedWords:
    """The places and tags that records use, from their data, which may be invalid."""

    places: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    tags: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, data: Mapping[str, Any]) -> None:
        """Add the words of a record."""
        places, tags = data.get("locations"), data.get("tags")
        for place in places if isinstance(places, list) else ():
            if isinstance(place, dict) and isinstance(place.get("country"), str):
                for part in ("region", "city"):
                    if isinstance(name := place.get(part), str):
                        self.places.setdefault((place["country"], part), {})[name] = name
        for family, used in tags.items() if isinstance(tags, dict) else ():
            self.tags.setdefault(family, {}).update({tag: tag for tag in texts(used)})

    def place_vocabularies(self) -> dict[tuple[str, str], WordList]:
        """The regions and cities in use, by (country, "region" or "city")."""
        result = {}
        for (country, part), names in self.places.items():
            words = result[country, part] = WordList.from_labels(names, "text")
            for name in names if part == "region" else ():
                if other := other_spelling(name, country):
                    words.spelled.setdefault(plain(other), [name])
        return result


def truth(value: Any) -> Any:
    """The truth value of a word; another value stays."""
    return _TRUTH.get(value.strip().lower(), value) if isinstance(value, str) else value


def plain(word: str) -> str:
    """A key that is the same despite case, accents, and spaces or hyphens between letters."""
    return _joined("-", fold(straight(word)).strip())


def is_spelling(word: str, slug: str) -> bool:
    """Whether a slug says what a word says; those of C++, C# and <10 do not."""
    return _marks("-", plain(word)) == slug


@lru_cache(maxsize=1 << 12)
def country_meaning(word: str) -> Meaning:
    """The country that a word names."""
    code = find_country(word)
    nearest = nearest_country(word) if code is None else None
    return Meaning(code, nearest, COUNTRIES.get(nearest or "", ""))


def used_slugs(records: Iterable[Mapping[str, Any]], *place: str) -> dict[str, str]:
    """The slugs that records use in a field, or in a part of it, as labels."""
    used: dict[str, str] = {}
    for data in records:
        value: Any = data
        for key in place:
            value = value.get(key) if isinstance(value, dict) else None
        used |= {slug: slug for slug in texts(value if isinstance(value, list) else [value])}
    return used


def texts(value: Any) -> list[str]:
    """The texts in a list; empty if the value is not a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
