"""What the references and words of records resolve to, and the base class of the four kinds.

`Symbols` is small, made once and never changed, so everything that a build renders for a record
depends only on the record and the symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import orjson

from generator.grammar.grammar import Grammar, Slice
from generator.grammar.own_fields import OWN_FIELD_PREFIX, PAGED_TYPES
from generator.kinds.types import COUNTRIES, Location, Record
from generator.model.identifiers import KNOWN, IdScheme, listed
from generator.text.words import slugify

Value = TypeVar("Value")
#: `Symbols.keep` clears the memo at this number of entries.
MAX_MEMO = 1 << 13


class Target(NamedTuple):
    """A program or an organization, as far as other records need it.

    `ancestors` begins with the slug of the record itself.  `organization` and `group` (a category
    or a program type) are slugs.  Only a cohort has a `year`.  Programs have their own `tags`, as
    facets, and `places` with labels, which are also those of their events.
    """

    name: str
    ancestors: tuple[str, ...]
    organization: str
    group: str
    year: int | None = None
    tags: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()


class Memo(dict[Any, Any]):
    """A cache of results for values that repeat.  It is empty in another process."""

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        return Memo, ()


@dataclass(frozen=True, slots=True)
class Symbols:
    """The vocabularies of the settings, and the programs and organizations by slug."""

    grammar: Grammar
    tags: Mapping[str, Mapping[str, str]]  # family -> tag -> label
    closed_families: frozenset[str]  # families that take only the tags they list
    categories: Mapping[str, str]
    program_types: Mapping[str, str]
    programs: Mapping[str, Target]
    organizations: Mapping[str, Target]
    #: collection -> former slug -> slug
    current_slugs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unread_settings: frozenset[str] = frozenset()  # fields of registry.yaml that could not be read
    today: str | None = None  # the day of the build, YYYY-MM-DD
    #: logo in the content folder -> path of its published file, "" if the logo has a problem
    logos: Mapping[str, str] = field(default_factory=dict)
    #: stage of events -> label, in the order of time
    stages: Mapping[str, str] = field(default_factory=dict)
    #: collection -> website without scheme and `www.` -> the only record with it
    websites: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)
    #: scheme of identifiers -> what it is
    schemes: Mapping[str, IdScheme] = field(default_factory=lambda: KNOWN)
    #: collection -> slug -> when the record was last changed, UTC; None if this is not published
    updated: Mapping[str, Mapping[str, str]] | None = None
    #: collection -> the model of its records; without an entry, that of the kind
    models: Mapping[str, type[Record]] = field(default_factory=dict, compare=False)
    #: code of a warning -> reason, for those that registry.yaml accepts
    accepted: Mapping[str, str] = field(default_factory=dict)
    memo: Memo = field(default_factory=Memo, init=False, compare=False, repr=False)

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

    def model(self, kind: Kind) -> type[Record]:
        """The model that validates the records of a kind."""
        return self.models.get(kind.collection, kind.model)

    def targets(self, collection: str) -> Mapping[str, Target]:
        return self.programs if collection == "programs" else self.organizations

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

    def lineage(self, programs: Sequence[str], organizations: Sequence[str]) -> tuple[str, ...]:
        """The facets of a project from its programs and organizations, each once.

        They are the programs with their ancestors, the organizations of all of these, and the
        categories of all organizations.
        """
        key = (*programs, None, *organizations)
        facets: tuple[str, ...] | None = self.memo.get(key)
        if facets is None:
            targets = [self.programs[p] for p in programs if p in self.programs]
            ancestors = dict.fromkeys(slug for target in targets for slug in target.ancestors)
            hosts = (self.programs[p].organization for p in ancestors if p in self.programs)
            owners = dict.fromkeys([*organizations, *hosts])
            groups = dict.fromkeys(
                self.organizations[o].group for o in owners if o in self.organizations
            )
            facets = (
                *(f"program/{p}" for p in ancestors),
                *(f"organization/{o}" for o in owners),
                *(f"organization_category/{g}" for g in groups),
            )
            self.memoize(key, facets)
        return facets

    def tag_label(self, family: str, tag: str) -> str:
        return self.tags.get(family, {}).get(tag) or tag.replace("-", " ")


#: A reference to another record: the field, the collection and the slug.
Reference = tuple[tuple[str | int, ...], str, str]

#: Values to sort by and compare with ranges: each an int, a float, a date as text, or None.
Numbers = tuple[Any, ...]


class Counted(NamedTuple):
    """The counts of the records of a program or an organization; see `tables.breakdown`."""

    projects: int = 0
    programs: int = 0
    breakdown: Mapping[str, list[dict[str, Any]]] = {}


class Kind:
    """How the records of one collection are linked and rendered; the base of all `kinds/`."""

    collection: str
    model: type[Record]
    #: filter -> value -> label, for filters whose values are part of the schema
    fixed_labels: Mapping[str, Mapping[str, str]] = {}
    #: field -> the collection that it refers to
    reference_fields: Mapping[str, str] = {}
    #: the filter that lists the records of a program or an organization, and its collections
    list_filter = ""
    listed_collections: tuple[str, ...] = ()

    def references(self, record: Any) -> Iterator[Reference]:
        for name, collection in self.reference_fields.items():
            value = getattr(record, name)
            if isinstance(value, str):
                yield (name,), collection, value
            elif value is not None:
                for i, slug in enumerate(value):
                    yield (name, i), collection, slug

    def facets(self, record: Any, symbols: Symbols) -> tuple[str, ...]:
        """The slices that the record is in, as `filter/value`, each once."""
        facets = self._facets(record, symbols)
        facets += _own_facets(self.collection, record, symbols)
        return tuple(dict.fromkeys(facets))

    def _facets(self, record: Any, symbols: Symbols) -> list[str]:
        """The facets of this kind, without those of own fields; may repeat."""
        raise NotImplementedError

    def numbers(self, record: Any, symbols: Symbols, counts: Counted) -> Numbers:
        """The values of the record for `Collection.numbers`, in the same order."""
        return (*self._numbers(record, counts), *_own_numbers(self.collection, record, symbols))

    def _numbers(self, record: Any, counts: Counted) -> Numbers:
        """The numbers of this kind, without those of own fields."""
        return ()

    def summary_fields(self, record: Any, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        """The fields of this kind in lists."""
        raise NotImplementedError

    def detail_fields(self, record: Any, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        """The fields of this kind in a record file, if they are not or different in lists."""
        raise NotImplementedError

    def summary(self, slug: str, record: Any, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        """The record as it is in lists."""
        href = symbols.grammar.url(symbols.grammar.collections[self.collection].record_path(slug))
        return {
            "slug": slug,
            "name": record.name,
            "summary": record.summary,
            "href": href,
            **self.summary_fields(record, symbols, counts),
            "fields": _own_fields(self.collection, record, symbols, listed=True),
        }

    def details(
        self, record: Any, symbols: Symbols, summary: dict[str, Any], counts: Counted
    ) -> dict[str, Any]:
        """The record as it is in its own file."""
        return {
            **summary,
            "description": record.description,
            "links": record.links or {},
            "identifiers": _identifiers(record, symbols) if record.identifiers else {},
            "sources": record.sources or [],
            "verified": record.verified,
            "aliases": record.aliases or [],
            **self.detail_fields(record, symbols, counts),
            "fields": _own_fields(self.collection, record, symbols),
        }

    def links(self, slug: str, symbols: Symbols) -> dict[str, str]:
        """Collection -> URL of the list of its records that belong to this record; page 1 of an
        empty collection.
        """
        links = {}
        for name in self.listed_collections:
            part = Slice(symbols.grammar.collections[name])
            if name in symbols.grammar.filled:
                part = replace(part, filter=self.list_filter, value=slug)
            links[name] = symbols.grammar.url(part.path())
        return links


class PlaceDocument(NamedTuple):
    """A location as JSON, with the facets and labels of its country, region and city."""

    json_fragment: orjson.Fragment
    facets: tuple[str, ...]
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
    facets = tuple(f"location/{slug}" for slug, _ in labels)
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


def logo_url(record: Any, symbols: Symbols) -> str | None:
    """The URL of the logo of a record whose `logo` was linked (see `link.link_logo`)."""
    return symbols.grammar.url(record.logo) if record.logo else None


def tag_facets(record: Record) -> list[str]:
    families = (record.tags or {}).items()
    return [f"tag_{family}/{tag}" for family, tags in families for tag in tags]


def tags_by_family(record: Record, symbols: Symbols) -> dict[str, list[str]]:
    """Family -> tags, for all families of the registry, including those without a tag."""
    tags = record.tags or {}
    return {family: tags.get(family) or [] for family in symbols.tags}


def _identifiers(record: Record, symbols: Symbols) -> dict[str, list[dict[str, str]]]:
    """Scheme -> the identifiers of a record, with their URLs."""
    found: dict[str, list[dict[str, str]]] = {}
    for scheme, text, _ in listed(record.identifiers):
        url = symbols.schemes[scheme].address(text)
        found.setdefault(scheme, []).append({"id": text, "url": url})
    return found


def _own_facets(collection: str, record: Record, symbols: Symbols) -> list[str]:
    """The facets of a record's own fields that are choices or booleans."""
    facets: list[str] = []
    if record.fields is None:
        return facets
    for key, own in symbols.grammar.fields.get(collection, {}).items():
        value = (
            getattr(record.fields, OWN_FIELD_PREFIX + key)
            if own.filter and own.type in PAGED_TYPES
            else None
        )
        for item in value if isinstance(value, list) else [value]:
            if item is not None:
                text = str(item).lower() if isinstance(item, bool) else item
                facets.append(f"{OWN_FIELD_PREFIX}{key}/{text}")
    return facets


def _own_numbers(collection: str, record: Record, symbols: Symbols) -> Numbers:
    """The values of the own fields among the numbers of a collection."""
    if record.fields is None or collection not in symbols.grammar.fields:
        return ()
    numbers = symbols.grammar.collections[collection].numbers
    return tuple(
        getattr(record.fields, name) for name in numbers if name.startswith(OWN_FIELD_PREFIX)
    )


def _own_fields(
    collection: str, record: Record, symbols: Symbols, *, listed: bool = False
) -> dict[str, Any]:
    """The own fields of a record, or only those that lists show.

    An absent field is None, or an empty list if it may have several values.
    """
    values: dict[str, Any] = {}
    if record.fields is None:
        return values
    for key, own in symbols.grammar.fields.get(collection, {}).items():
        if own.summary or not listed:
            value = getattr(record.fields, OWN_FIELD_PREFIX + key)
            values[key] = [] if own.many and value is None else value
    return values
