"""The grammar of one registry: its collections, filters and sorts, and all of its addresses.

Only this room spells API paths and parameters; the engine parses queries.  The tag families of the
registry become filters; the path of its base URL becomes the prefix.  A *path* names a file in the
output folder (`/api/projects/page/1.json`); a *url* is the prefix and a path, as documents link to
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from generator.grammar.filters import MAX_VALUE, PATTERNS, Filter
from generator.grammar.query import (
    Collection,
    Count,
    Query,
    Rows,
    Search,
    Slice,
    capitalized,
)
from generator.grammar.refusals import QueryError
from generator.grammar.roots import PAGE_ROOTS, ROOTS
from generator.grammar.row_fields import MAX_ROWS, row_fields
from generator.kinds import KIND_OF, KINDS
from generator.kinds.declare import Declared, Field
from generator.kinds.every import REFERRED

__all__ = [
    "ANY_TAG",
    "FIELD_VOCABULARY",
    "MAX_BY",
    "MAX_VALUE",
    "OPTIONAL_FILES",
    "OTHER_MODE_PARAMETERS",
    "ROWS_PARAMETERS",
    "TAG_VOCABULARY",
    "Collection",
    "Count",
    "Filter",
    "Grammar",
    "Query",
    "Rows",
    "Search",
    "Slice",
]

#: Files that a registry may leave out: pages of lists in other orders than the default (the query
#: tier answers these), contexts of programs and organizations, pages of single events on the site.
OPTIONAL_FILES = ("sorts", "contexts", "event_pages")
#: `Filter.vocabulary` begins with TAG_VOCABULARY before a tag family, and with FIELD_VOCABULARY
#: before a collection and the key of an own field.
TAG_VOCABULARY, FIELD_VOCABULARY = "tags/", "fields/"
#: The filters in the parameter `by` of one count.
MAX_BY = 3
#: Mode -> the parameters that only other modes take, with what to do instead.
_COUNTS = dict.fromkeys(("by", "per", "like"), "mode=count counts values")
OTHER_MODE_PARAMETERS = {
    "page": _COUNTS,
    "count": dict.fromkeys(("sort", "page"), "a count has no rows, mode=page and mode=rows have"),
    "rows": {"page": f"limit gives up to {MAX_ROWS} rows, mode=page has all pages", **_COUNTS},
}
#: Parameters that are unknown without mode=rows.
ROWS_PARAMETERS = ("fields", "limit")
#: Type of a field -> the form of the values of its filter; of others, words or slugs.
_FORMS = {name: name for name in ("year", "month", "date", "number", "boolean")}
_NOUNS = {name: (kind, name) for name, kind in KIND_OF.items()}
_UPCOMING = Filter("upcoming", "that are not over", "true")
#: The filter of a tag in any family.
ANY_TAG = "tag"


class Grammar:
    """Every collection, filter, sort and address of one registry."""

    #: What a registry's own templates may read.
    VISIBLE = frozenset(("collections", *KIND_OF))

    def __init__(
        self,
        tag_families: Mapping[str, str],
        prefix: str = "",
        nouns: Mapping[str, tuple[str, str]] | None = None,
        fields: Mapping[str, Mapping[str, Field]] | None = None,
        left_out: Iterable[str] = (),
        filled: Iterable[str] = KIND_OF,
        feeds: Iterable[str] = (),
        asked: Mapping[str, Any] | None = None,
        pages: bool = False,
    ):
        """`tag_families` maps each family to its label; `prefix` is the path of the base URL, such
        as "" or "/registry".  `nouns` maps collections to their own words for one record and for
        several.  `fields` has own fields by collection and key; `left_out` is some of
        OPTIONAL_FILES and of the features that publish, `filled` the collections with records,
        `feeds` more filters of events with feeds, and `asked` what is published on request, by the
        keys of registry.yaml that ask for it.  `pages` says whether there is a site.
        """
        #: What grammars that are equal in all have in common.
        self.arguments = (
            dict(tag_families), prefix, dict(nouns or {}),
            {name: dict(own) for name, own in (fields or {}).items()}, frozenset(left_out),
            frozenset(filled), tuple(feeds), dict(asked or {}), pages,
        )  # fmt: skip
        left_out, filled, feeds, self.asked = self.arguments[4:8]
        self.pages = pages
        self._feeds = feeds
        self.prefix = prefix
        self.left_out = frozenset(left_out)
        #: The collections that have records.  The others have no slices, only whole lists.
        self.filled = frozenset(filled)
        #: The collections of records with a context, a text to paste into a prompt.
        self.contexts = () if "contexts" in self.left_out else REFERRED
        self.tag_families = dict(tag_families)
        self.fields = {name: dict(own) for name, own in (fields or {}).items()}
        nouns = _NOUNS | dict(nouns or {})
        self.collections = {
            name: self._collection(declared, nouns) for name, declared in KINDS.items()
        }
        self.projects, self.programs = self.collections["projects"], self.collections["programs"]
        self.organizations = self.collections["organizations"]
        self.events = self.collections["events"]
        self.upcoming = Slice(self.events, _UPCOMING.name, "true")

    def _collection(self, declared: Declared, nouns: Mapping[str, tuple[str, str]]) -> Collection:
        own = self.fields.get(declared.name, {})
        fields = [*declared.filtered, *(f for f in own.values() if f.filter)]
        filters = (_filters(declared, field, self.tag_families, nouns) for field in fields)
        sorts = [f.sorts for f in (*declared.fields.values(), *own.values())]
        prepared = (declared.sort, *(sort for of in sorts for sort in of.pages.split()))
        feeds = dict.fromkeys((*declared.feeds, *self._feeds)) if declared.timed else ()
        by_name = {f.name: f for f in chain.from_iterable(filters)}
        virtual = {_UPCOMING.name: _UPCOMING} if declared.timed else {}
        return Collection(
            declared.name,
            declared.kind,
            *nouns[declared.name],
            ROOTS[declared.name],
            by_name,
            _with_any_tag(by_name) | virtual,
            (*prepared, *(sort for of in sorts for sort in of.queries.split())),
            prepared[:1] if "sorts" in self.left_out else prepared,
            prepared,
            row_fields(declared, self.tag_families, own),
            virtual=virtual,
            feeds=tuple(feeds),
        )

    def url(self, path: str) -> str:
        return self.prefix + path

    def record_page(self, collection: str, slug: str) -> str | None:
        """The path of a record's page for people; None without a site, and for events if the
        registry leaves out their pages.
        """
        if not self.pages or not self.has_pages(collection):
            return None
        return f"{PAGE_ROOTS[collection]}/{slug}/"

    def has_pages(self, collection: str) -> bool:
        """Whether a site has a page for each record of a collection."""
        return f"{KIND_OF[collection]}_pages" not in self.left_out

    def slices_for_value(self, collection: Collection, slug: str) -> list[Slice]:
        """The lists whose filter value is this program or organization."""
        return [
            Slice(c, collection.kind, slug)
            for c in self.collections.values()
            if collection.kind in c.filters and c.name in self.filled
        ]

    def query_url(self, query: Query | Rows | Count) -> str:
        return f"{self.prefix}{query.collection.root}?{query.query_string}"

    def parameters(self, collection: Collection) -> tuple[str, ...]:
        """The parameters of a collection in canonical order, without ROWS_PARAMETERS."""
        return ("mode", "q", *collection.query_filters, "by", "per", "like", "sort", "page")

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


def _filters(
    declared: Declared,
    field: Field,
    families: Mapping[str, str],
    nouns: Mapping[str, tuple[str, str]],
) -> Iterator[Filter]:
    """The filters of a field: one, or one for each family of tags."""
    words = {name: capitalized(one) for name, (one, _) in nouns.items()}
    form = _FORMS.get(field.type, "word" if field.values else "slug")
    if field.own:
        of, form = f"{FIELD_VOCABULARY}{declared.name}/{field.name}", _FORMS.get(field.type, "slug")
        yield Filter(field.filter, field.label, form, "", of, field.values)
        return
    if declared.paged is not None and field.filter not in declared.paged:
        form = "listed"
    if field.type == "tags":
        for family, label in families.items():
            yield Filter(f"tag_{family}", label, form, vocabulary=f"{TAG_VOCABULARY}{family}")
        return
    label = words[field.refers] if field.refers else field.label.format(**words)
    of = "places" if field.type == "places" else field.vocabulary.name if field.vocabulary else ""
    yield Filter(field.filter, label, form, field.refers, of, also=field.filter_also)


def _with_any_tag(filters: Mapping[str, Filter]) -> dict[str, Filter]:
    """The filters, with that of a tag in any family behind those of the families, if any."""
    families = [name for name, f in filters.items() if f.vocabulary.startswith(TAG_VOCABULARY)]
    found = dict[str, Filter]()
    for name, f in filters.items():
        found[name] = f
        if [name] == families[-1:]:
            found[ANY_TAG] = Filter(ANY_TAG, "Tag", "listed", unites=tuple(families))
    return found
