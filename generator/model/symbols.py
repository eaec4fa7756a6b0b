"""What a record is linked and rendered against, and what a kind has to tell of its records.

The `Symbols` holds everything small that records refer to.  It is built once and never changes, so
whatever is rendered from a record and the symbols is a pure function of the two.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import orjson

from generator.grammar.grammar import Grammar, Slice
from generator.grammar.own_fields import CHOSEN, PREFIX
from generator.grammar.text import slugify
from generator.model.fields import COUNTRIES, Location, Record

Kept = TypeVar("Kept")
#: More than so much is not remembered at once.
MOST_KEPT = 1 << 13


class Target(NamedTuple):
    """A record that others refer to, as far as they need to know it.

    `ancestors` begins with the record itself; `organization` and `group` (category, or program
    type) are slugs; a cohort has its `year`.
    """

    name: str
    ancestors: tuple[str, ...]
    organization: str
    group: str
    year: int | None = None


class Memo(dict[Any, Any]):
    """What was made of small texts that repeat, by these; sent to another process it is empty."""

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        return Memo, ()


@dataclass(frozen=True, slots=True)
class Symbols:
    """Settings and everything that can be referred to."""

    grammar: Grammar
    tags: Mapping[str, Mapping[str, str]]  # family -> tag -> label
    closed: frozenset[str]  # families that take only the tags they list
    categories: Mapping[str, str]
    program_types: Mapping[str, str]
    programs: Mapping[str, Target]
    organizations: Mapping[str, Target]
    #: collection -> former slug -> slug
    renamed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()  # fields of registry.yaml that could not be read
    today: str | None = None  # YYYY-MM-DD, the day that the build is for
    #: collection -> the model of its records, where the registry's own fields make it another one
    models: Mapping[str, type[Record]] = field(default_factory=dict, compare=False)
    memo: Memo = field(default_factory=Memo, init=False, compare=False, repr=False)

    def keep(self, key: Hashable, value: Kept) -> Kept:
        """Remember what was made of a key, among no more than so many."""
        if len(self.memo) >= MOST_KEPT:
            self.memo.clear()
        self.memo[key] = value
        return value

    def model(self, kind: Kind) -> type[Record]:
        """What a kind's records are held against."""
        return self.models.get(kind.collection, kind.model)

    def targets(self, collection: str) -> Mapping[str, Target]:
        return self.programs if collection == "programs" else self.organizations

    def name(self, collection: str, slug: str) -> str:
        """What a record that others refer to is called; its slug where there is none."""
        target = self.targets(collection).get(slug)
        return target.name if target is not None else slug

    def reference(self, collection: str, slug: str | None) -> orjson.Fragment | None:
        """A reference as documents show it, encoded; None where there is none."""
        if slug is None:
            return None
        shown: orjson.Fragment | None = self.memo.get((collection, slug))
        if shown is None:
            href = self.grammar.url(self.grammar.collections[collection].record_path(slug))
            named = {"slug": slug, "name": self.name(collection, slug), "href": href}
            shown = orjson.Fragment(orjson.dumps(named))
            self.keep((collection, slug), shown)
        return shown

    def references(self, collection: str, slugs: list[str] | None) -> list[orjson.Fragment | None]:
        """The references to several records."""
        return [self.reference(collection, slug) for slug in slugs] if slugs is not None else []

    def lineage(self, programs: Sequence[str], organizations: Sequence[str]) -> tuple[str, ...]:
        """The facets that naming some programs and organizations gives a project, each once.

        The programs' ancestors, the organizations of all of those, and the categories of all
        organizations.
        """
        key = (*programs, None, *organizations)
        facets: tuple[str, ...] | None = self.memo.get(key)
        if facets is None:
            known = [self.programs[p] for p in programs if p in self.programs]
            named = dict.fromkeys(ancestor for target in known for ancestor in target.ancestors)
            hosts = (self.programs[p].organization for p in named if p in self.programs)
            owners = dict.fromkeys([*organizations, *hosts])
            hosting = [self.organizations[o] for o in owners if o in self.organizations]
            groups = dict.fromkeys(target.group for target in hosting)
            facets = (
                *(f"program/{p}" for p in named),
                *(f"organization/{o}" for o in owners),
                *(f"organization_category/{g}" for g in groups),
            )
            self.keep(key, facets)
        return facets

    def tag_label(self, family: str, tag: str) -> str:
        return self.tags.get(family, {}).get(tag) or tag.replace("-", " ")


#: One mention of another record: the field, the collection it points into and the slug.
Reference = tuple[tuple[str | int, ...], str, str]


#: Each an int, a float, a date as text, or None.
Numbers = tuple[Any, ...]


class Counted(NamedTuple):
    """What a program or an organization shows of the records that belong to it: how many there are,
    and what its projects are (see generator.model.tables.breakdown).
    """

    projects: int = 0
    programs: int = 0
    breakdown: Mapping[str, list[dict[str, Any]]] = {}


class Kind:
    """What is said of the records of one collection; a kind module's KIND says the rest."""

    collection: str
    model: type[Record]
    #: filter -> value -> label, of the filters whose values are part of the schema
    fixed: Mapping[str, Mapping[str, str]] = {}
    #: field -> the collection that it refers to
    refers: Mapping[str, str] = {}
    #: the filter of what belongs to a record, and the collections that have it
    filter = ""
    filtered: tuple[str, ...] = ()

    def references(self, record: Any) -> Iterator[Reference]:
        for name, collection in self.refers.items():
            value = getattr(record, name)
            if isinstance(value, str):
                yield (name,), collection, value
            elif value is not None:
                yield from (((name, i), collection, slug) for i, slug in enumerate(value))

    def facets(self, record: Any, symbols: Symbols) -> tuple[str, ...]:
        """Every slice the record belongs to, as `filter/value`, each once."""
        raise NotImplementedError

    def numbers(self, record: Any, symbols: Symbols, counts: Counted) -> Numbers:
        """What sorts but the default and ranges compare: `Collection.numbers`, in order."""
        return own_numbers(self.collection, record, symbols)

    def listed(self, record: Any, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        """What lists show of a record of this kind."""
        raise NotImplementedError

    def whole(self, record: Any, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        """What a record file adds to that, or shows otherwise."""
        raise NotImplementedError

    def summary(self, slug: str, record: Any, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        """The record as lists show it."""
        href = symbols.grammar.url(symbols.grammar.collections[self.collection].record_path(slug))
        return {
            "slug": slug,
            "name": record.name,
            "summary": record.summary,
            "href": href,
            **self.listed(record, symbols, counts),
            "fields": own_fields(self.collection, record, symbols, listed=True),
        }

    def details(
        self, record: Any, symbols: Symbols, summary: dict[str, Any], counts: Counted
    ) -> dict[str, Any]:
        """The record whole, from its summary."""
        return {
            **summary,
            "description": record.description,
            "links": record.links or {},
            "sources": record.sources or [],
            "aliases": record.aliases or [],
            **self.whole(record, symbols, counts),
            "fields": own_fields(self.collection, record, symbols),
        }

    def links(self, slug: str, symbols: Symbols) -> dict[str, str]:
        """Paths of the slices that list what belongs to the record."""
        grammar = symbols.grammar
        return {
            name: grammar.url(Slice(grammar.collections[name], self.filter, slug).path())
            for name in self.filtered
        }


class PlaceOut(NamedTuple):
    """A location as documents show it, encoded, and the slices it puts a record in, with their
    labels.
    """

    shown: orjson.Fragment
    facets: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]


@lru_cache(maxsize=65536)
def place(country: str, region: str | None, city: str | None) -> PlaceOut:
    """Country, then region and city where given, each part made a slug."""
    slug, label = country.lower(), COUNTRIES[country]
    labels = [(slug, label)]
    for part in (region, city):
        if part is not None:
            slug, label = f"{slug}-{slugify(part)}", f"{part}, {label}"
            labels.append((slug, label))
    encoded = orjson.dumps({"country": country, "region": region, "city": city, "slug": slug})
    facets = tuple(f"location/{s}" for s, _ in labels)
    return PlaceOut(orjson.Fragment(encoded), facets, tuple(labels))


def places(locations: list[Location] | None) -> list[PlaceOut]:
    return [place(p.country, p.region, p.city) for p in locations] if locations else []


def tag_facets(record: Record) -> list[str]:
    families = (record.tags or {}).items()
    return [f"tag_{family}/{tag}" for family, tags in families for tag in tags]


def shown_tags(record: Record, symbols: Symbols) -> dict[str, list[str]]:
    """Every family of the registry, those without a tag too."""
    tags = record.tags or {}
    return {family: tags.get(family) or [] for family in symbols.tags}


def own_facets(collection: str, record: Record, symbols: Symbols) -> list[str]:
    """The slices that a record's choices and booleans put it in."""
    facets: list[str] = []
    if record.fields is None:
        return facets
    for key, own in symbols.grammar.fields.get(collection, {}).items():
        value = getattr(record.fields, PREFIX + key) if own.filter and own.type in CHOSEN else None
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                facets.append(f"{PREFIX}{key}/{str(one).lower() if isinstance(one, bool) else one}")
    return facets


def own_numbers(collection: str, record: Record, symbols: Symbols) -> Numbers:
    """The own fields among the numbers of a collection."""
    if record.fields is None or collection not in symbols.grammar.fields:
        return ()
    numbers = symbols.grammar.collections[collection].numbers
    return tuple(getattr(record.fields, name) for name in numbers if name.startswith(PREFIX))


def own_fields(
    collection: str, record: Record, symbols: Symbols, *, listed: bool = False
) -> dict[str, Any]:
    """Every own field of a collection, or those that lists show; of several values an empty list
    where there is none.
    """
    shown: dict[str, Any] = {}
    if record.fields is None:
        return shown
    for key, own in symbols.grammar.fields.get(collection, {}).items():
        if own.summary or not listed:
            value = getattr(record.fields, PREFIX + key)
            shown[key] = [] if own.many and value is None else value
    return shown
