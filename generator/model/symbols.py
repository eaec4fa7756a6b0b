"""What the references and words of records resolve to, by slug and by word.

`Symbols` is small, made once and never changed, so everything that a build renders for a record
depends only on the record and the symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import orjson

from generator.grammar.filters import Facet
from generator.grammar.grammar import Grammar
from generator.kinds import KINDS
from generator.kinds.continents import with_continents
from generator.kinds.record import Record
from generator.kinds.types import COUNTRIES, Location
from generator.text.words import slugify

Value = TypeVar("Value")
#: `Symbols.memoize` clears the memo at this number of entries.
MAX_MEMO = 1 << 13


class Target(NamedTuple):
    """A record that others refer to, as far as they need it.

    `ancestors` begins with the slug of the record itself.  `organization` and `group` (a category
    or a program type) are slugs.  Only a cohort has a `year`.  Programs have their own `tags`, as
    facets, and `places` with labels, which are also those of their events, and a `kind`.
    """

    name: str
    ancestors: tuple[str, ...]
    organization: str = ""
    group: str = ""
    year: int | None = None
    tags: tuple[Facet, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
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
    categories: Mapping[str, str]
    program_types: Mapping[str, str]
    #: collection -> slug -> the record, for the collections that others refer to
    referred: Mapping[str, Mapping[str, Target]]
    #: collection -> former slug -> slug
    current_slugs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unread_settings: frozenset[str] = frozenset()  # fields of registry.yaml that could not be read
    today: str | None = None  # the day of the build, YYYY-MM-DD
    language: str = "en"  # of the registry
    #: logo in the content folder -> path of its published file, "" if the logo has a problem
    logos: Mapping[str, str] = field(default_factory=dict)
    #: stage of events -> label, in the order of time
    stages: Mapping[str, str] = field(default_factory=dict)
    #: collection -> website without scheme and `www.` -> the only record with it
    websites: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)
    #: feature -> what it knows of the registry (docs/extending.md)
    extras: Mapping[str, Any] = field(default_factory=dict)
    #: collection -> slug -> when the record was last changed, UTC; None if this is not published
    updated: Mapping[str, Mapping[str, str]] | None = None
    #: collection -> the model of its records; without an entry, that of the kind
    models: Mapping[str, type[Record]] = field(default_factory=dict, compare=False)
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
        return self.models.get(collection, KINDS[collection].model)

    def targets(self, collection: str) -> Mapping[str, Target]:
        return self.referred.get(collection, {})

    @property
    def programs(self) -> Mapping[str, Target]:
        return self.targets("programs")

    @property
    def organizations(self) -> Mapping[str, Target]:
        return self.targets("organizations")

    def name(self, collection: str, slug: str) -> str:
        """The name of a program or an organization; the slug if it does not exist."""
        target = self.targets(collection).get(slug)
        return target.name if target is not None else slug

    def vocabulary(self, name: str) -> Mapping[str, str]:
        """value -> label of a vocabulary of registry.yaml by the name in `Filter.vocabulary`."""
        known = {
            "categories": self.categories,
            "program_types": self.program_types,
            "stages": self.stages,
        }
        return known.get(name, {})

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

    def lineage(self, programs: Sequence[str], organizations: Sequence[str]) -> tuple[Facet, ...]:
        """The facets of a project from its programs and organizations, each once.

        They are the programs with their ancestors, the organizations of all of these, and the
        categories of all organizations.
        """
        key = (*programs, None, *organizations)
        facets: tuple[Facet, ...] | None = self.memo.get(key)
        if facets is None:
            targets = [self.programs[p] for p in programs if p in self.programs]
            ancestors = dict.fromkeys(slug for target in targets for slug in target.ancestors)
            hosts = (self.programs[p].organization for p in ancestors if p in self.programs)
            owners = dict.fromkeys([*organizations, *hosts])
            groups = dict.fromkeys(
                self.organizations[o].group for o in owners if o in self.organizations
            )
            facets = (
                *(Facet("program", p) for p in ancestors),
                *(Facet("organization", o) for o in owners),
                *(Facet("organization_category", g) for g in groups),
            )
            self.memoize(key, facets)
        return facets

    def tag_label(self, family: str, tag: str) -> str:
        return self.tags.get(family, {}).get(tag) or tag.replace("-", " ")


class PlaceDocument(NamedTuple):
    """A location as JSON, with the facets of its continent, country, region and city, and the
    labels of the last three.
    """

    json_fragment: orjson.Fragment
    facets: tuple[Facet, ...]
    labels: tuple[tuple[str, str], ...]


@lru_cache(maxsize=65536)
def encode_place(country: str, region: str | None, city: str | None) -> PlaceDocument:
    slug, label = country.lower(), COUNTRIES[country]
    labels = [(slug, label)]
    for part in (region, city):
        if part is not None:
            slug, label = f"{slug}-{slugify(part)}", f"{part}, {label}"
            labels.append((slug, label))
    encoded = orjson.dumps({"country": country, "region": region, "city": city, "slug": slug})
    facets = tuple(Facet("location", slug) for slug in with_continents(slug for slug, _ in labels))
    return PlaceDocument(orjson.Fragment(encoded), facets, tuple(labels))


def encode_places(locations: list[Location] | None) -> list[PlaceDocument]:
    return [encode_place(p.country, p.region, p.city) for p in locations] if locations else []


def finest_places(places: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """(place, label) of locations, given with those of the countries and regions around them."""
    found: list[tuple[str, str]] = []
    for place, label in places:
        if "-" in place:  # in the place before
            found.pop()
        found.append((place, label))
    return found
