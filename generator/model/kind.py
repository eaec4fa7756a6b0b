"""How the records of a kind are linked and rendered, from what the kind declares.

`model.kinds` has what some kinds compute besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from generator.grammar.filters import Facet
from generator.grammar.grammar import Slice
from generator.kinds.declare import COUNTS, OWN_FIELDS, Declared, Field
from generator.kinds.record import Record
from generator.kinds.types import Location
from generator.model.symbols import NamedPlace, Symbols, Target, encode_places
from generator.problems.faults import Fault
from generator.text.words import fold

#: Values to sort by and compare with ranges: each an int, a float, a date as text, or None.
Numbers = tuple[Any, ...]


class RecordReference(NamedTuple):
    """A reference to another record: where it is in the record, the collection and the slug."""

    loc: tuple[str | int, ...]
    collection: str
    slug: str


#: Computed field -> the count or breakdown of records that refer to one (`tables.breakdown`).
Counted = Mapping[str, Any]
#: The value of a field in a document, of a record and its computed values.
_Get = Callable[[Any, Symbols, Mapping[str, Any]], Any]
#: The key of a field in a document, its attribute, and how its value is got.
_Getter = tuple[str, str, _Get | None]
#: The facets of a record for one field.
FacetsOf = Callable[[Any, Symbols], Iterable[Facet]]


class Kind:
    """The base of all kinds; it computes nothing."""

    #: Field -> the facets of its filter, where these are not its values.
    computed_facets: ClassVar[Mapping[str, FacetsOf]] = {}
    #: What tells records of one name apart, if it is not their websites; and how to make them so.
    beside_name = ""
    correction = "give each its own website"
    #: How many years ahead the year of a record may be.
    years_ahead = 0

    def __init__(self, declared: Declared):
        self.declared = declared
        self.collection, self.model = declared.name, declared.model
        self.reference_fields = declared.references
        #: The counts of a record that nothing refers to.
        self.uncounted: Counted = {
            f.name: {} if f.type == "breakdown" else 0 for f in declared.tallies
        }
        self._summary = [_getter(f) for f in declared.listed]
        self._details = [
            _getter(f, whole=True)
            for f in declared.common.values()
            if f.published and (f.refers or not f.listed)
        ]
        self._own = [_getter(f, whole=True) for f in declared.own]
        self._listed_own = [_getter(f) for f in declared.own if f.listed]
        self._facets = [
            self.computed_facets.get(f.name) or _facets_of(f)
            for f in declared.filtered
            if not f.ranged and (not f.computed or f.name in self.computed_facets)
        ]
        self._facets += [_facets_through(f) for f in declared.own if f.through]
        self._places_of = {f.name: f.place for f in declared.fields.values()}

    # --- what a kind may compute ---

    def computed(self, record: Any, counts: Counted) -> Mapping[str, Any]:
        """The computed fields in documents."""
        return counts

    def ordered(self, slug: str, record: Any) -> Mapping[str, Any]:
        """The values to sort by and compare with ranges that no field has."""
        return {}

    def sort_key(self, record: Any) -> tuple[str, str]:
        """The key of the default order, and the end of the record; "" if it has none."""
        return fold(record.name), ""

    def places(self, record: Any, symbols: Symbols) -> tuple[NamedPlace, ...]:
        """The places of a record, as it spells them, without continents."""
        if not record.locations:
            return ()
        found = encode_places(record.locations)
        return found[0].named if len(found) == 1 else tuple(chain(*(p.named for p in found)))

    def needs(self, fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """(field, label) of what a record with these fields also needs."""
        return iter(())

    def narrow(self, schema: dict[str, Any]) -> None:
        """Add to the JSON Schema of a record's input what only this kind knows."""

    def target(self, slug: str, record: Any, ancestors: tuple[str, ...]) -> Target:
        """The record as others need it that refer to it."""
        return Target(record.name, ancestors)

    def told_apart_by(self, record: Any) -> str:
        """The value of `beside_name`, of a record that may be invalid."""
        return ""

    def step_key(self, record: Any) -> str:
        """The owner of a timeline and the place of the record there, as `timelines.read_step_key`
        reads it; "" if it has none.
        """
        return ""

    def check(self, record: Any, symbols: Symbols) -> Iterable[Fault]:
        """The faults that only records of this kind can have."""
        return ()

    # --- links ---

    def references(self, record: Any) -> Iterator[RecordReference]:
        for name, collection in self.reference_fields.items():
            value, place = getattr(record, name), self._places_of[name]
            if isinstance(value, str):
                yield RecordReference(place, collection, value)
            elif value is not None:
                for i, slug in enumerate(value):
                    yield RecordReference((*place, i), collection, slug)

    def links(self, slug: str, symbols: Symbols, counts: Counted) -> dict[str, str | None]:
        """Key of a relation -> URL of the list of the records that refer to this record; page 1 of
        an empty collection.  That of an own relation is None if there are no such records.
        """
        grammar, links = symbols.grammar, dict[str, str | None]()
        for relation in grammar.kinds.relations[self.collection]:
            if relation.own is not None and not counts[f"counts_{relation.key}"]:
                links[relation.key] = None
                continue
            part = Slice(grammar.collections[relation.collection])
            if relation.collection in grammar.filled:
                part = replace(part, filter=relation.filter, value=slug)
            links[relation.key] = grammar.url(part.path())
        return links

    # --- what lists, filters and documents know of a record ---

    def facets(self, record: Any, symbols: Symbols) -> tuple[Facet, ...]:
        """The values of filters that the record has, each once."""
        facets: list[Facet] = []
        for facets_of in self._facets:
            facets += facets_of(record, symbols)
        return tuple(dict.fromkeys(facets))

    def numbers(self, slug: str, record: Any, symbols: Symbols, counts: Counted) -> Numbers:
        """The values of the record for `Collection.numbers`, in the same order."""
        key = "numbers", self.collection
        names = symbols.cached(key, lambda: symbols.grammar[self.collection].numbers)
        if not names:
            return ()
        computed = {**self.computed(record, counts), **self.ordered(slug, record)}
        computed |= {f.path[-1]: counts[f.name] for f in self.declared.counters}
        return tuple(computed[n] if n in computed else getattr(record, n) for n in names)

    def summary(self, slug: str, record: Any, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        """The record as it is in lists."""
        href = symbols.grammar.url(symbols.grammar.collections[self.collection].record_path(slug))
        computed = self.computed(record, counts)
        return {
            "slug": slug,
            "name": record.name,
            "summary": record.summary,
            "href": href,
            **self._values(self._summary, record, symbols, computed),
            **self._counts(counts),
            OWN_FIELDS: self._values(self._listed_own, record, symbols, computed),
        }

    def _counts(self, counts: Counted) -> dict[str, Any]:
        """The numbers of records that refer to one by own fields."""
        found = {f.path[-1]: counts[f.name] for f in self.declared.counters}
        return {COUNTS: found} if found else {}

    def details(
        self, record: Any, symbols: Symbols, summary: dict[str, Any], counts: Counted
    ) -> dict[str, Any]:
        """The record as it is in its own file."""
        computed = self.computed(record, counts)
        return {
            **summary,
            **self._values(self._details, record, symbols, computed),
            OWN_FIELDS: self._values(self._own, record, symbols, computed),
        }

    @staticmethod
    def _values(
        getters: list[_Getter], record: Any, symbols: Symbols, computed: Mapping[str, Any]
    ) -> dict[str, Any]:
        plain = record.__dict__
        return {
            key: plain[name] if get is None else get(record, symbols, computed)
            for key, name, get in getters
        }


# --- one field ------------------------------------------------------------------------------------


def _getter(f: Field, *, whole: bool = False) -> _Getter:
    return f.path[-1], f.name, _get(f, whole)


def _get(f: Field, whole: bool) -> _Get | None:
    """The value of a field in a document, None if that is the attribute of the model; a `whole`
    record names the records that it refers to.
    """
    name = f.name
    if f.computed:
        return lambda record, symbols, computed: computed[name]
    if f.type == "tags":
        return lambda record, symbols, computed: tags_by_family(record, symbols)
    if f.type == "places":
        return lambda record, symbols, computed: [
            p.json_fragment for p in encode_places(getattr(record, name))
        ]
    if f.added:
        document = f.added.document
        return lambda record, symbols, computed: document(record.__dict__[name], symbols)
    if f.refers and whole:
        refer = Symbols.references if f.many else Symbols.reference
        return lambda record, symbols, computed: refer(symbols, f.refers, getattr(record, name))
    empty: Any = [] if f.many else {} if f.type == "links" else f.default
    if f.type == "boolean" and f.optional:
        empty = False
    if empty is None:
        return None

    def get(record: Any, symbols: Symbols, computed: Mapping[str, Any]) -> Any:
        value = record.__dict__[name]
        return empty if value is None else value

    return get


def _facets_of(f: Field) -> FacetsOf:
    """The facets of a field that are its values."""
    if f.type == "tags":
        return lambda record, symbols: tag_facets(record)
    if f.type == "places":
        return lambda record, symbols: place_facets(getattr(record, f.name))
    return lambda record, symbols: value_facets(f, getattr(record, f.name))


def _facets_through(f: Field) -> FacetsOf:
    """The facets that records have through a relation."""

    def facets(record: Any, symbols: Symbols) -> Iterable[Facet]:
        value, known = getattr(record, f.name), symbols.passed.get(f.refers, {})
        slugs = value if f.many else () if value is None else (value,)
        found = (facet for slug in slugs or () for facet in known.get(slug, ()))
        return [_facet(f"{f.filter}_{of}", value) for of, value in found if of in f.through]

    return facets


def value_facets(f: Field, value: Any) -> Sequence[Facet]:
    values = value if f.many else (f.default if value is None else value,)
    return [_facet(f.filter, item) for item in values or () if item is not None]


@lru_cache(maxsize=1 << 16, typed=True)
def _facet(name: str, value: str | int | bool) -> Facet:
    return Facet(name, str(value).lower() if isinstance(value, bool) else str(value))


def place_facets(locations: list[Location] | None) -> list[Facet]:
    return [facet for place in encode_places(locations) for facet in place.facets]


def tag_facets(record: Record) -> list[Facet]:
    families = (record.tags or {}).items()
    return [_facet(f"tag_{family}", tag) for family, tags in families for tag in tags]


def tags_by_family(record: Record, symbols: Symbols) -> dict[str, list[str]]:
    """Family -> tags, for all families of the registry, including those without a tag."""
    tags = record.tags or {}
    return {family: tags.get(family) or [] for family in symbols.tags}
