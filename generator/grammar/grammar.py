"""The grammar of one registry: its collections, filters and sorts, and all of its addresses.

Only this room spells API paths and parameters; the engine parses queries.  The tag families of the
registry become filters; the path of its base URL becomes the prefix.  A *path* names a file in the
output folder (`/api/projects/page/1.json`); a *url* is the prefix and a path, as documents link to
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from functools import cached_property, partial
from itertools import chain
from typing import Any

from generator.grammar.filters import MAX_VALUE, PATTERNS, Filter
from generator.grammar.parameters import PARAMETERS, ROWS_PARAMETERS
from generator.grammar.query import Collection, Count, Query, Rows, Search, Slice, capitalized
from generator.grammar.refusals import QueryError
from generator.grammar.row_fields import row_fields
from generator.kinds import Kinds
from generator.kinds.declare import ROLES, Declared, Field

__all__ = [
    "ANY_TAG", "MAX_VALUE", "OPTIONAL_FILES", "TAG_VOCABULARY", "Collection", "Count", "Filter",
    "Grammar", "Query", "Rows", "Search", "Slice",
]  # fmt: skip

#: Files that a registry may leave out: pages of lists in other orders than the default (the query
#: tier answers these), contexts of programs and organizations, pages of single events on the site.
OPTIONAL_FILES = ("sorts", "contexts", "event_pages")
#: `Filter.vocabulary` begins with TAG_VOCABULARY before a tag family.
TAG_VOCABULARY = "tags/"
#: Type of a field -> the form of the values of its filter; of others, words or slugs.
_FORMS = {name: name for name in ("year", "month", "date", "number", "boolean")}
_FORMS["integer"] = "number"
_UPCOMING = Filter("upcoming", "that are not over", "true")
#: The filter of a tag in any family.
ANY_TAG = "tag"


@dataclass(frozen=True)
class Grammar:
    """Every collection, filter, sort and address of one registry."""

    kinds: Kinds
    #: Family -> label.
    tag_families: Mapping[str, str] = field(default_factory=dict)
    #: The path of the base URL, such as "" or "/registry".
    prefix: str = ""
    #: Collection -> the registry's own words for one record and for several.
    nouns: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    #: Some of OPTIONAL_FILES and of the features that publish.
    left_out: Set[str] = frozenset()
    #: The collections that have records; None means all.  The others have no slices, only whole
    #: lists.
    with_records: Set[str] | None = None
    #: More filters of events with feeds.
    feeds: tuple[str, ...] = ()
    #: What is published on request, by the keys of registry.yaml that ask for it.
    asked: Mapping[str, Any] = field(default_factory=dict)
    #: Whether there is a site.
    pages: bool = False

    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process makes its own collections, whose kinds have classes made at run time.
        return type(self), tuple(getattr(self, f.name) for f in dataclass_fields(self))

    @property
    def VISIBLE(self) -> frozenset[str]:
        """What a registry's own templates may read."""
        return frozenset(("collections", *ROLES, *self.kinds))

    @cached_property
    def filled(self) -> Set[str]:
        """The collections that have records."""
        return self.kinds.keys() if self.with_records is None else self.with_records

    @cached_property
    def contexts(self) -> tuple[str, ...]:
        """The collections of records with a context, a text to paste into a prompt."""
        return () if "contexts" in self.left_out else self.kinds.contexts

    @cached_property
    def collections(self) -> Mapping[str, Collection]:
        nouns = {
            name: declared.called if declared.is_own else (declared.kind, name)
            for name, declared in self.kinds.items()
        }
        nouns |= dict(self.nouns)
        return {name: self._collection(kind, nouns) for name, kind in self.kinds.items()}

    def __getitem__(self, collection: str) -> Collection:
        return self.collections[collection]

    @property
    def first(self) -> Collection:
        """The first collection, where any will do."""
        return next(iter(self.collections.values()))

    @property
    def counted(self) -> Collection:
        """The collection with this role (`Kinds`); KeyError if the registry has none."""
        return self[self.kinds.counted]

    @property
    def owner(self) -> Collection:
        """As `counted`."""
        return self[self.kinds.owner]

    @property
    def series(self) -> Collection:
        """As `counted`."""
        return self[self.kinds.series]

    @property
    def timed(self) -> Collection:
        """As `counted`."""
        return self[self.kinds.timed]

    @property
    def upcoming(self) -> Slice:
        return Slice(self.timed, _UPCOMING.name, "true")

    def _collection(self, declared: Declared, nouns: Mapping[str, tuple[str, str]]) -> Collection:
        filters = [self._filters(f, nouns) for f in declared.filtered]
        filters += [self._filters_through(f, nouns) for f in declared.own if f.through]
        sorts = [f.sorts for f in declared.fields.values()]
        prepared = (declared.sort, *(sort for of in sorts for sort in of.pages.split()))
        feeds = dict.fromkeys((*declared.feeds, *self.feeds)) if declared.timed else ()
        by_name = {f.name: f for f in chain.from_iterable(filters)}
        virtual = {_UPCOMING.name: _UPCOMING} if declared.timed else {}
        return Collection(
            declared.name,
            declared.kind,
            declared,
            *nouns[declared.name],
            f"/api/{declared.address}",
            f"/{declared.pages}",
            {name: f for name, f in by_name.items() if f.counted},
            _with_any_tag(by_name) | virtual,
            (*prepared, *(sort for of in sorts for sort in of.queries.split())),
            prepared[:1] if "sorts" in self.left_out else prepared,
            prepared,
            row_fields(declared, self.tag_families, [n for n, f in by_name.items() if f.through]),
            virtual=virtual,
            feeds=tuple(feeds),
        )

    def _filters(self, field: Field, nouns: Mapping[str, tuple[str, str]]) -> Iterator[Filter]:
        """The filters of a field: one, or one for each family of tags.  One with the name of a kind
        has the noun of the kind as its label.
        """
        form = "word" if field.values and not field.is_own else _FORMS.get(field.type, "slug")
        made = partial(Filter, form=form, prepared=field.prepared, counted=field.counted)
        if field.is_own and not field.refers:
            yield made(field.filter, field.label, labels=field.values)
            return
        if field.type == "tags":
            for family, label in self.tag_families.items():
                yield made(f"tag_{family}", label, vocabulary=f"{TAG_VOCABULARY}{family}")
            return
        words = {name: capitalized(one) for name, (one, _) in nouns.items()}
        is_noun = self.kinds.has_noun(field)
        label = words[field.refers] if is_noun else field.label.format(**words)
        of = field.vocabulary.name if field.vocabulary else ""
        of = "places" if field.type == "places" else of
        sparse = bool(field.refers) and (field.is_own or not self.kinds[field.refers].empty_lists)
        also = field.filter_also
        yield made(
            field.filter, label, refers=field.refers, vocabulary=of, also=also, sparse=sparse
        )

    def _filters_through(
        self, field: Field, nouns: Mapping[str, tuple[str, str]]
    ) -> Iterator[Filter]:
        """The filters of the records that a relation refers to, as those of its own records."""
        (relation,) = self._filters(field, nouns)
        known = [(f, self._filters(f, nouns)) for f in self.kinds[field.refers].filtered]
        by_name = {each.name: (f, each) for f, of in known for each in of}
        for name in (name for name in field.through if name in by_name):
            of, beyond = by_name[name]
            yield replace(
                beyond,
                name=f"{relation.name}_{name}",
                label=f"{beyond.label} ({relation.label})",
                also="",
                prepared=False,
                sparse=True,
                through=field.refers,
                labels=of.values,
            )

    def url(self, path: str) -> str:
        return self.prefix + path

    def record_page(self, collection: str, slug: str) -> str | None:
        """The path of a record's page for people; None without a site, and for events if the
        registry leaves out their pages.
        """
        if not self.pages or not self.has_pages(collection):
            return None
        return self.collections[collection].record_page(slug)

    def has_pages(self, collection: str) -> bool:
        """Whether a site has a page for each record of a collection."""
        return f"{self.kinds[collection].kind}_pages" not in self.left_out

    def slices_for_value(self, collection: Collection, slug: str) -> list[Slice]:
        """The lists whose filter value is this record."""
        return [
            Slice(self.collections[relation.collection], relation.filter, slug)
            for relation in self.kinds.relations[collection.name]
            if relation.collection in self.filled
        ]

    def query_url(self, query: Query | Rows | Count) -> str:
        return f"{self.prefix}{query.collection.root}?{query.query_string}"

    def parameters(self, collection: Collection) -> tuple[str, ...]:
        """The parameters of a collection in canonical order, without ROWS_PARAMETERS."""
        others = (p.name for p in PARAMETERS if p.name not in ROWS_PARAMETERS)
        return ("mode", "q", *collection.query_filters, *others)

    # --- path -> Slice ---

    def parse_path(self, path: str) -> tuple[Slice, int]:
        """The slice and page number that a canonical path names.  Raises QueryError `not-found`."""
        for collection in self.collections.values():
            if path.startswith(collection.root + "/"):
                rest = path[len(collection.root) + 1 :].split("/")
                named = self._slice(collection, rest[:-2])
                page = re.fullmatch(rf"({PATTERNS['page']})\.json", rest[-1], re.ASCII)
                if named is not None and page and len(rest) > 1 and rest[-2] == "page":
                    return named, int(page[1])
        raise QueryError("not-found", "No list has this address.")

    def _slice(self, collection: Collection, segments: list[str]) -> Slice | None:
        match segments:
            case []:
                return Slice(collection)
            case [name] if name in collection.virtual:
                return Slice(collection, name, "true")
            case ["sort", sort] if sort in collection.prepared_sorts[1:]:
                return Slice(collection, sort=sort)
            case ["by", name, value]:
                f = collection.filters.get(name)
                if f is not None and f.prepared and f.is_valid_value(value):
                    return Slice(collection, name, value)
        return None


def _with_any_tag(filters: Mapping[str, Filter]) -> dict[str, Filter]:
    """The filters, with that of a tag in any family behind those of the families, if any."""
    families = [name for name, f in filters.items() if f.vocabulary.startswith(TAG_VOCABULARY)]
    found = dict[str, Filter]()
    for name, f in filters.items():
        found[name] = f
        if [name] == families[-1:]:
            united = tuple(families)
            found[ANY_TAG] = Filter(ANY_TAG, "Tag", unites=united, prepared=False, counted=False)
    return found
