"""What the references and words of records resolve to, by slug and by word.

`Symbols` is small, made once and never changed, so everything that a build renders for a record
depends only on the record and the symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import orjson

from generator.grammar.filters import Facet
from generator.grammar.grammar import Grammar
from generator.grammar.parameters import PLACE_LEVELS
from generator.kinds.continents import with_continents
from generator.kinds.record import Record
from generator.kinds.types import COUNTRIES, Location
from generator.text.words import slugify

Value = TypeVar("Value")
#: The levels of places as bits, in the order of PLACE_LEVELS.
CONTINENT, COUNTRY, REGION, CITY = (1 << n for n in range(len(PLACE_LEVELS)))
#: `Symbols.memoize` clears the memo at this number of entries.
MAX_MEMO = 1 << 13


class NamedPlace(NamedTuple):
    """A country, region or city of a record: its value in the filter by places, its label as the
    record spells it, and its level.
    """

    slug: str
    label: str
    level: int


class Target(NamedTuple):
    """A record that others refer to, as far as they need it.

    `ancestors` begins with the slug of the record itself.  `organization` and `group` (a category
    or a program type) are slugs.  Only a cohort has a `year`.  Programs have their own `tags`, as
    facets, and `places`, which are also those of their events, and a `kind`.
    """

    name: str
    ancestors: tuple[str, ...]
    organization: str = ""
    group: str = ""
    year: int | None = None
    tags: tuple[Facet, ...] = ()
    places: tuple[NamedPlace, ...] = ()
    kind: str = ""


class SymbolCache(dict[Any, Any]):
    """A cache of results for values that repeat.  It is empty in another process."""

    def __reduce__(self) -> tuple[type[SymbolCache], tuple[()]]:
        return SymbolCache, ()


@dataclass(frozen=True, slots=True)
class Symbols:
    """The vocabularies of the settings, and the records that others refer to."""

    grammar: Grammar
    tags: Mapping[str, Mapping[str, str]]  # family -> tag -> label
    closed_families: frozenset[str]  # families that take only the tags they list
    #: name in `Filter.vocabulary` -> value -> label, in the order of registry.yaml
    vocabularies: Mapping[str, Mapping[str, str]]
    #: collection -> slug -> the record, for the collections that others refer to
    referred: Mapping[str, Mapping[str, Target]]
    #: collection -> former slug -> slug
    current_slugs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unread_settings: frozenset[str] = frozenset()  # fields of registry.yaml that could not be read
    today: str | None = None  # the day of the build, YYYY-MM-DD
    language: str = "en"  # of the registry
    #: logo in the content folder -> path of its published file, "" if the logo has a problem
    logos: Mapping[str, str] = field(default_factory=dict)
    #: collection -> website without scheme and `www.` -> the only record with it
    websites: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)
    #: collection -> slug -> the values of filters that others have through a relation to the record
    passed: Mapping[str, Mapping[str, tuple[Facet, ...]]] = field(default_factory=dict)
    #: collection -> place -> label, for the collections of `passed`
    places: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: feature -> what it knows of the registry (docs/extending.md)
    extras: Mapping[str, Any] = field(default_factory=dict)
    #: collection -> slug -> when the record was last changed, UTC; None if this is not published
    updated: Mapping[str, Mapping[str, str]] | None = None
    #: code of a warning -> reason, for those that registry.yaml accepts
    accepted: Mapping[str, str] = field(default_factory=dict)
    memo: SymbolCache = field(default_factory=SymbolCache, init=False, compare=False, repr=False)

    def memoize(self, key: Hashable, value: Value) -> Value:
        """Add a value to the memo, which has at most `MAX_MEMO` entries, and return it."""
        if len(self.memo) >= MAX_MEMO:
            self.memo.clear()
        self.memo[key] = value
        return value

    def cached(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key in the memo, made on first use."""
        value: Value | None = self.memo.get(key)
        return self.memoize(key, make()) if value is None else value

    def model(self, collection: str) -> type[Record]:
        """The model that validates the records of a collection."""
        from generator.model.settings.own_fields import record_model

        return record_model(self.grammar.kinds[collection], self.unread_settings)

    def targets(self, collection: str) -> Mapping[str, Target]:
        return self.referred.get(collection, {})

    @property
    def series(self) -> Mapping[str, Target]:
        """The records of the collection with this role (`Kinds`)."""
        return self.targets(self.grammar.kinds.series)

    @property
    def owners(self) -> Mapping[str, Target]:
        """As `series`."""
        return self.targets(self.grammar.kinds.owner)

    def name(self, collection: str, slug: str) -> str:
        """The name of a record that others refer to; the slug if it does not exist."""
        target = self.targets(collection).get(slug)
        return target.name if target is not None else slug

    def vocabulary(self, name: str) -> Mapping[str, str]:
        """value -> label of a vocabulary of registry.yaml by the name in `Filter.vocabulary`."""
        return self.vocabularies.get(name, {})

    def reference(self, collection: str, slug: str | None) -> orjson.Fragment | None:
        """A reference as JSON for a document; None if `slug` is None."""
        if slug is None:
            return None
        encoded: orjson.Fragment | None = self.memo.get((collection, slug))
        if encoded is None:
            href = self.grammar.url(self.grammar.collections[collection].record_path(slug))
            reference = {"slug": slug, "name": self.name(collection, slug), "href": href}
            encoded = self.memoize((collection, slug), orjson.Fragment(orjson.dumps(reference)))
        return encoded

    def references(self, collection: str, slugs: list[str] | None) -> list[orjson.Fragment | None]:
        return [self.reference(collection, slug) for slug in slugs] if slugs is not None else []

    def tag_label(self, family: str, tag: str) -> str:
        return self.tags.get(family, {}).get(tag) or tag.replace("-", " ")


class PlaceDocument(NamedTuple):
    """A location as JSON, with the facets of its continent, country, region and city, and with the
    last three by name.
    """

    json_fragment: orjson.Fragment
    facets: tuple[Facet, ...]
    named: tuple[NamedPlace, ...]


@lru_cache(maxsize=65536)
def encode_place(country: str, region: str | None, city: str | None) -> PlaceDocument:
    slug, label = country.lower(), COUNTRIES[country]
    named = [NamedPlace(slug, label, COUNTRY)]
    for part, level in ((region, REGION), (city, CITY)):
        if part is not None:
            slug, label = f"{slug}-{slugify(part)}", f"{part}, {label}"
            named.append(NamedPlace(slug, label, level))
    encoded = orjson.dumps({"country": country, "region": region, "city": city, "slug": slug})
    slugs = with_continents(place.slug for place in named)
    facets = tuple(Facet("location", slug) for slug in slugs)
    return PlaceDocument(orjson.Fragment(encoded), facets, tuple(named))


def encode_places(locations: list[Location] | None) -> list[PlaceDocument]:
    return [encode_place(p.country, p.region, p.city) for p in locations] if locations else []


def finest_places(places: Iterable[NamedPlace]) -> list[NamedPlace]:
    """The places of locations, given with the countries and regions around them."""
    found: list[NamedPlace] = []
    for place in places:
        if place.level != COUNTRY:  # in the place before
            found.pop()
        found.append(place)
    return found
