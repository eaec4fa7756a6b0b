"""Finds the word of the registry for a word of a table: a tag, a record, a country, a place."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.grammar.text import fold, slugify
from generator.model.fields import COUNTRIES
from generator.problems.diagnostic import nearest_word

#: Common names of countries that ISO 3166-1 calls differently.
_COMMON_NAMES = {
    "america": "US", "uk": "GB", "great britain": "GB", "england": "GB", "scotland": "GB",
    "wales": "GB", "northern ireland": "GB", "russia": "RU", "south korea": "KR", "korea": "KR",
    "turkey": "TR", "ivory coast": "CI", "holland": "NL", "the netherlands": "NL", "uae": "AE",
    "czech republic": "CZ", "vietnam": "VN", "iran": "IR", "syria": "SY", "moldova": "MD",
    "tanzania": "TZ", "bolivia": "BO", "venezuela": "VE", "laos": "LA", "macedonia": "MK",
    "palestine": "PS", "swaziland": "SZ", "cape verde": "CV", "burma": "MM", "brunei": "BN",
}  # fmt: skip


class Meaning(NamedTuple):
    """The meaning of a word of a table: `value` is the word of the registry, None if unknown.

    `nearest` is a similar word of the registry, if the word is not in it, and `label` its label.
    """

    value: str | None
    nearest: str | None = None
    label: str = ""

    @property
    def near(self) -> str:
        """The nearest word with its label, for messages."""
        label = f" ({self.label})" if self.label not in ("", self.nearest) else ""
        return f'nearest: "{self.nearest}"{label}'


@dataclass(slots=True)
class Vocabulary:
    """A vocabulary of the registry: `labels` has word -> label, `spelled` spelling -> word.

    `free` says whether other words are allowed too: "" for no, "slug" for their slugs, "text" for
    any text.  `known` caches meanings.
    """

    labels: dict[str, str]
    free: str = ""
    spelled: dict[str, str] = field(default_factory=dict)
    known: dict[str, Meaning] = field(default_factory=dict)

    @classmethod
    def from_labels(cls, labels: Mapping[str, str], free: str = "") -> Vocabulary:
        words = cls(dict(labels), free)
        words.spelled = {_plain(label): word for word, label in labels.items()}
        words.spelled |= {_plain(word): word for word in labels}
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
        value = self.spelled.get(_plain(word)) or self.spelled.get(slugify(word))
        if value is not None:
            return Meaning(value)
        near = nearest_word(_plain(word), self.spelled)
        nearest = self.spelled[near] if near is not None else None
        free = {"slug": slugify(word), "text": word}.get(self.free)
        return Meaning(free or None, nearest, self.labels.get(nearest or "", ""))


def _plain(word: str) -> str:
    return " ".join(fold(word).replace("-", " ").split())


@cache
def countries() -> Vocabulary:
    """All countries, by their codes of two and three letters and by their names."""
    words = Vocabulary.from_labels(COUNTRIES)
    package = importlib.util.find_spec("pycountry")
    assert package is not None and package.origin is not None
    table = Path(package.origin).parent / "databases" / "iso3166-1.json"
    for country in orjson.loads(table.read_bytes())["3166-1"]:
        for name in ("alpha_3", "name", "official_name"):
            if name in country:
                words.spelled.setdefault(_plain(country[name]), country["alpha_2"])
    words.spelled |= _COMMON_NAMES
    return words


def place_words(records: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Vocabulary]:
    """The regions and cities in use, by (country, "region" or "city"); records may be invalid."""
    words: dict[tuple[str, str], dict[str, str]] = {}
    for data in records:
        places = data.get("locations")
        for place in places if isinstance(places, list) else ():
            if isinstance(place, dict) and isinstance(place.get("country"), str):
                for part in ("region", "city"):
                    if isinstance(name := place.get(part), str):
                        words.setdefault((place["country"], part), {})[name] = name
    return {key: Vocabulary.from_labels(names, "text") for key, names in words.items()}


def used_slugs(records: Iterable[Mapping[str, Any]], field: str, key: str) -> Vocabulary:
    """The slugs that records use in a part of a field without a fixed vocabulary."""
    used: dict[str, str] = {}
    for data in records:
        values = data.get(field)
        value = values.get(key) if isinstance(values, dict) else None
        for slug in value if isinstance(value, list) else [value]:
            if isinstance(slug, str):
                used[slug] = slug
    return Vocabulary.from_labels(used, "slug")
