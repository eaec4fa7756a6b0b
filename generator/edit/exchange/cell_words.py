"""What a word of a table means in the registry: which tag, which record, which place."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.grammar.text import fold, slugify
from generator.model.fields import COUNTRIES
from generator.problems.diagnostic import did_you_mean

#: What countries are called every day, where the standard has another name.
_CALLED = {
    "america": "US", "uk": "GB", "great britain": "GB", "england": "GB", "scotland": "GB",
    "wales": "GB", "northern ireland": "GB", "russia": "RU", "south korea": "KR", "korea": "KR",
    "turkey": "TR", "ivory coast": "CI", "holland": "NL", "the netherlands": "NL", "uae": "AE",
    "czech republic": "CZ", "vietnam": "VN", "iran": "IR", "syria": "SY", "moldova": "MD",
    "tanzania": "TZ", "bolivia": "BO", "venezuela": "VE", "laos": "LA", "macedonia": "MK",
    "palestine": "PS", "swaziland": "SZ", "cape verde": "CV", "burma": "MM", "brunei": "BN",
}  # fmt: skip


class Meant(NamedTuple):
    """What a word means: a word of the registry, where it is one; and else the nearest, with what
    that is called.
    """

    value: str | None
    nearest: str | None = None
    label: str = ""

    @property
    def near(self) -> str:
        """The nearest in words."""
        called = f" ({self.label})" if self.label not in ("", self.nearest) else ""
        return f'nearest: "{self.nearest}"{called}'


@dataclass(slots=True)
class Words:
    """Words of the registry by how they may be written; `labels` has what each is called.

    With `free` a word that is not among them is one as well, as a slug or as it stands.
    """

    labels: dict[str, str]
    free: str = ""
    spelled: dict[str, str] = field(default_factory=dict)
    known: dict[str, Meant] = field(default_factory=dict)

    @classmethod
    def of(cls, labels: Mapping[str, str], free: str = "") -> Words:
        words = cls(dict(labels), free)
        words.spelled = {_plain(label): word for word, label in labels.items()}
        words.spelled |= {_plain(word): word for word in labels}
        return words

    def meant(self, word: str) -> Meant:
        """What a word means; where it is none, the nearest one."""
        meant = self.known.get(word)
        if meant is None:
            meant = self.known[word] = self._meant(word)
        return meant

    def _meant(self, word: str) -> Meant:
        if word in self.labels:
            return Meant(word)
        value = self.spelled.get(_plain(word)) or self.spelled.get(slugify(word))
        if value is not None:
            return Meant(value)
        near = did_you_mean(_plain(word), self.spelled)
        nearest = self.spelled[near] if near is not None else None
        free = {"slug": slugify(word), "text": word}.get(self.free)
        return Meant(free or None, nearest, self.labels.get(nearest or "", ""))


def _plain(word: str) -> str:
    return " ".join(fold(word).replace("-", " ").split())


@cache
def countries() -> Words:
    """Every country by its code, its codes of three letters and its names."""
    words = Words.of(COUNTRIES)
    package = importlib.util.find_spec("pycountry")
    assert package is not None and package.origin is not None
    table = Path(package.origin).parent / "databases" / "iso3166-1.json"
    for country in orjson.loads(table.read_bytes())["3166-1"]:
        for name in ("alpha_3", "name", "official_name"):
            if name in country:
                words.spelled.setdefault(_plain(country[name]), country["alpha_2"])
    words.spelled |= _CALLED
    return words


class Places:
    """The regions and the cities that records name, by country, as they spell them."""

    def __init__(self, records: Iterable[Mapping[str, Any]]):
        self.of: dict[tuple[str, str], Words] = {}
        spelled: dict[tuple[str, str], dict[str, str]] = {}
        for country, part, name in _named(records):
            spelled.setdefault((country, part), {})[name] = name
        self.of = {key: Words.of(names, "text") for key, names in spelled.items()}

    def meant(self, country: str, part: str, name: str) -> Meant:
        words = self.of.get((country, part))
        return words.meant(name) if words is not None else Meant(name)


def _named(records: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    for data in records:
        places = data.get("locations")
        for place in places if isinstance(places, list) else ():
            if isinstance(place, dict) and isinstance(place.get("country"), str):
                for part in ("region", "city"):
                    if isinstance(place.get(part), str):
                        yield place["country"], part, place[part]
