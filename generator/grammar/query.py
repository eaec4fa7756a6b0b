"""Collections, queries, and the prepared files that answer queries.

`Query` asks for a page of records, `Rows` for a few fields of the first, `Count` for their number,
`Search` for the best records of all collections; `Slice` names a list with prepared files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

from generator.grammar.filters import Filter
from generator.grammar.paths import INDEX_FOLDER, MANIFEST, SEARCH
from generator.grammar.row_fields import DEFAULT_FIELDS, DEFAULT_ROWS, NUMERIC, RowField
from generator.kinds.declare import Declared


def capitalized(words: str) -> str:
    """The words with a capital at the beginning."""
    return words[:1].upper() + words[1:]


@dataclass(frozen=True)
class Collection:
    """The records of one kind: their address, filters in canonical order, and sorts, the default
    first.

    `prepared_sorts` have pages; only the query tier answers the other sorts.  `table_sorts` are the
    orders of the collection's table.
    """

    name: str
    kind: str
    #: What the kind declares.
    declared: Declared
    one: str  # the registry's noun for one record, for people only
    many: str  # its noun for several records
    root: str  # the path that the paths of its lists begin with
    pages: str  # the path that the pages of its lists and records begin with
    filters: Mapping[str, Filter] = field(hash=False)
    #: These and the filters that only queries have and do not count, in canonical order.
    query_filters: Mapping[str, Filter] = field(hash=False)
    sorts: tuple[str, ...]
    prepared_sorts: tuple[str, ...]
    table_sorts: tuple[str, ...]
    #: The fields that rows can have.
    row_fields: Mapping[str, RowField] = field(default_factory=dict, hash=False)
    #: Filters without values in records: their only value is `true`, and they depend on the day.
    #: The bare address of the collection answers the first of them.
    virtual: Mapping[str, Filter] = field(default_factory=dict, hash=False)
    #: The filters whose slices have iCalendar feeds, besides the whole collection.
    feeds: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return capitalized(self.many)

    @cached_property
    def prepared_filters(self) -> dict[str, Filter]:
        """The filters whose values have pages."""
        return {name: f for name, f in self.filters.items() if f.prepared}

    @property
    def listed_filters(self) -> dict[str, Filter]:
        """The filters whose values are listed in a document."""
        return {name: f for name, f in self.filters.items() if f.listed}

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers and dates in `Row.numbers`, in order: the sorts without their
        direction, the filters whose values are not listed, and own numbers.
        """
        ranged = [name for name, f in self.query_filters.items() if not f.listed]
        sorts = (sort.removeprefix("-") for sort in self.sorts[1:])
        own = (f.name for f in self.declared.own if f.type == "number")
        return tuple(dict.fromkeys((*sorts, *ranged, *own)))

    @property
    def stats(self) -> tuple[str, ...]:
        """The names of the numbers that statistics may be of."""
        numeric = {f.filter or f.name for f in self.declared.fields.values() if f.type in NUMERIC}
        numeric |= {f.path[-1] for f in self.declared.counters}
        names = dict.fromkeys((*self.filters, *self.numbers))
        return tuple(name for name in names if name in numeric)

    def whole_slices(self) -> list[Slice]:
        """The whole collection in each order with pages; `sort` of the default order is ""."""
        return [Slice(self), *(Slice(self, sort=sort) for sort in self.prepared_sorts[1:])]

    def virtual_slices(self) -> list[tuple[Filter, Slice]]:
        """Each virtual filter with its slice."""
        return [(f, Slice(self, f.name, "true")) for f in self.virtual.values()]

    @property
    def filters_path(self) -> str:
        return f"{self.root}/filters.json"

    def record_path(self, slug: str) -> str:
        return f"{self.root}/slug/{slug}.json"

    def record_page(self, slug: str) -> str:
        """The page of a record on the site; see `Grammar.record_page`."""
        return f"{self.pages}/{slug}/"

    def filter_path(self, name: str) -> str:
        return f"{self.root}/filters/{name}.json"

    # The search index, whose format is private: docs/search.md.

    @property
    def manifest_path(self) -> str:
        return MANIFEST.replace("{collection}", self.name)

    @property
    def index_folder(self) -> str:
        """The folder of all files of the search index."""
        return f"{INDEX_FOLDER}/{self.name}"

    def index_path(self, part: str, name: str) -> str:
        return f"{self.index_folder}/{part}/{name}.txt"


@dataclass(frozen=True, slots=True)
class Slice:
    """The records that match at most one filter, in one order; they have prepared pages."""

    collection: Collection
    filter: str | None = None
    value: str | None = None
    sort: str = ""

    @property
    def order(self) -> str:
        return self.sort or self.collection.sorts[0]

    @property
    def refers(self) -> str:
        """The collection whose records are the values of the filter, or ""."""
        f = self.collection.filters.get(self.filter or "")
        return f.refers if f else ""

    @property
    def folder(self) -> str:
        """The path that all pages of the slice begin with."""
        if self.filter in self.collection.virtual:
            return f"{self.collection.root}/{self.filter}"
        if self.filter is not None:
            return f"{self.collection.root}/by/{self.filter}/{self.value}"
        if self.sort and self.sort != self.collection.sorts[0]:
            return f"{self.collection.root}/sort/{self.sort}"
        return self.collection.root

    def path(self, page: int | str = 1) -> str:
        return f"{self.folder}/page/{page}.json"

    @property
    def feed(self) -> str:
        """The path of the iCalendar feed of this slice of a timed collection."""
        return f"{self.folder}.ics"


@dataclass(frozen=True, slots=True)
class Query:
    """A valid query for a page of records.

    `filters` has each filter with the text of its constraint, in canonical order; `sort` is "" for
    the default.
    """

    collection: Collection
    filters: tuple[tuple[str, str], ...] = ()
    sort: str = ""
    q: str | None = None
    page: int = 1

    @property
    def order(self) -> str:
        return self.sort or ("relevance" if self.q is not None else self.collection.sorts[0])

    @property
    def slice(self) -> Slice | None:
        """The slice whose files answer this query; None if it needs the query tier."""
        default = self.collection.sorts[0]
        if self.q is not None or len(self.filters) > 1 or (self.filters and self.order != default):
            return None
        if self.order not in self.collection.prepared_sorts:
            return None
        for name, text in self.filters:
            f = self.collection.query_filters[name]
            return Slice(self.collection, name, text) if f.prepares(text) else None
        return Slice(self.collection, sort="" if self.order == default else self.order)

    def echo(self) -> dict[str, Any]:
        """The field "query" of a list document."""
        return {
            "mode": "page",
            "page": self.page,
            "sort": self.order,
            "q": self.q,
            "filters": dict(self.filters),
        }

    @property
    def query_string(self) -> str:
        """The canonical query string, without `?`."""
        pairs = _pairs("page", self.q, self.filters)
        if self.sort:
            pairs.append(f"sort={self.sort}")
        if self.page != 1:
            pairs.append(f"page={self.page}")
        return "&".join(pairs)


@dataclass(frozen=True, slots=True)
class Rows:
    """A valid query for some fields of `limit` records, without the first `start`."""

    collection: Collection
    filters: tuple[tuple[str, str], ...] = ()
    sort: str = ""
    q: str | None = None
    fields: tuple[str, ...] = DEFAULT_FIELDS
    limit: int = DEFAULT_ROWS
    start: int = 0

    @property
    def query_string(self) -> str:
        """The canonical query string, without `?`."""
        pairs = _pairs("rows", self.q, self.filters)
        if self.sort:
            pairs.append(f"sort={self.sort}")
        if self.fields != DEFAULT_FIELDS:
            pairs.append(f"fields={','.join(self.fields)}")
        if self.limit != DEFAULT_ROWS:
            pairs.append(f"limit={self.limit}")
        if self.start:
            pairs.append(f"start={self.start}")
        return "&".join(pairs)


@dataclass(frozen=True, slots=True)
class Count:
    """A valid query for the number of matching records.

    `by` names the filters whose values are counted, in the order of the query.  `per` names another
    filter, whose values are counted for each value of the one filter in `by`.  With `like`, only
    values are counted that have words with these beginnings.  `more` has further parameters with
    their texts, in canonical order.
    """

    collection: Collection
    filters: tuple[tuple[str, str], ...] = ()
    q: str | None = None
    by: tuple[str, ...] = ()
    like: str | None = None
    per: str | None = None
    more: tuple[tuple[str, str], ...] = ()

    @property
    def query_string(self) -> str:
        """The canonical query string, without `?`."""
        pairs = _pairs("count", self.q, self.filters)
        if self.by:
            pairs.append(f"by={','.join(self.by)}")
        if self.per is not None:
            pairs.append(f"per={self.per}")
        if self.like is not None:
            pairs.append("like=" + quote(self.like, safe=""))
        return "&".join([*pairs, *(f"{name}={text}" for name, text in self.more)])


@dataclass(frozen=True, slots=True)
class Search:
    """A valid query for the best records of every collection."""

    q: str

    @property
    def url(self) -> str:
        """The canonical address, without the prefix."""
        return f"{SEARCH}?q={quote(self.q, safe='')}"


def _pairs(mode: str, q: str | None, filters: tuple[tuple[str, str], ...]) -> list[str]:
    """The parameters that queries of all modes have, in canonical order."""
    words = [] if q is None else ["q=" + quote(q, safe="")]
    return [f"mode={mode}", *words, *(f"{name}={text}" for name, text in filters)]
