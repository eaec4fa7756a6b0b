"""What may be asked: collections, and queries of them; and which file answers, where one does.

`Query` asks for a page of records, `Count` for how many there are, `Slice` names a list that has
files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from generator.grammar.filters import Constraint, Filter
from generator.grammar.paths import FEED, MANIFEST


def begun(words: str) -> str:
    """As at the beginning of a line."""
    return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class Collection:
    """One list of records: its address, its filters in canonical order and its sorts, the default
    first.

    `prepared_sorts` are those that have pages; only the query tier answers the others.  A table of
    the collection is ordered by `table_sorts`.
    """

    name: str
    kind: str
    one: str  # what the registry calls a record of it, and several: for people, and in no address
    many: str
    root: str
    filters: Mapping[str, Filter] = field(hash=False)
    sorts: tuple[str, ...]
    prepared_sorts: tuple[str, ...]
    table_sorts: tuple[str, ...]
    #: Filters that no record has a value of: they are asked with `true`, and what they keep depends
    #: on the day.  The bare address of the collection answers the first of them.
    virtual: Mapping[str, Filter] = field(default_factory=dict, hash=False)
    #: The filters whose slices have an iCalendar feed each, beside that of the whole collection.
    feeds: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return begun(self.many)

    @property
    def asked(self) -> dict[str, Filter]:
        """Every filter that a query may have, in canonical order."""
        return {**self.filters, **self.virtual}

    @property
    def prepared_filters(self) -> dict[str, Filter]:
        """The filters whose values have pages, and a document that lists them."""
        return {name: f for name, f in self.filters.items() if f.prepared}

    @property
    def numbers(self) -> tuple[str, ...]:
        """What rows have a number or a date of, in their order (`Row.numbers`): for sorts, each
        called without its direction, and for the ranges of filters that are not prepared.
        """
        ranged = [name for name, known in self.filters.items() if not known.prepared]
        sorts = (sort.removeprefix("-") for sort in self.sorts[1:])
        return tuple(dict.fromkeys((*sorts, *ranged)))

    def whole_slices(self) -> list[Slice]:
        """The whole collection, in each order that has pages; the default one has no name."""
        return [Slice(self), *(Slice(self, sort=sort) for sort in self.prepared_sorts[1:])]

    def virtual_slices(self) -> list[tuple[Filter, Slice]]:
        """Each virtual filter with the slice of what it keeps."""
        return [(f, Slice(self, f.name, "true")) for f in self.virtual.values()]

    @property
    def filters_path(self) -> str:
        return f"{self.root}/filters.json"

    def record_path(self, slug: str) -> str:
        return f"{self.root}/slug/{slug}.json"

    def filter_path(self, name: str) -> str:
        return f"{self.root}/filters/{name}.json"

    # The search index, whose format is private: docs/search.md.

    @property
    def manifest_path(self) -> str:
        return MANIFEST.replace("{collection}", self.name)

    @property
    def index_folder(self) -> str:
        """Where all files of the search index lie."""
        return f"/api/index/{self.name}"

    def index_path(self, what: str, name: str) -> str:
        return f"{self.index_folder}/{what}/{name}.txt"


@dataclass(frozen=True, slots=True)
class Slice:
    """The records that match at most one filter, in one order: what the page tier has files for."""

    collection: Collection
    filter: str | None = None
    value: str | None = None
    sort: str = ""

    @property
    def order(self) -> str:
        return self.sort or self.collection.sorts[0]

    @property
    def refers(self) -> str:
        """The collection whose records are the values of the filter; "" where they are words."""
        known = self.collection.filters.get(self.filter or "")
        return known.refers if known else ""

    @property
    def folder(self) -> str:
        """The path every page of the slice begins with."""
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
        """The path of the iCalendar feed of this slice of the events."""
        return f"{self.folder}.ics" if self.filter else FEED


@dataclass(frozen=True, slots=True)
class Query:
    """An allowed question for a page of records.

    `filters` are in canonical order, each with the text of its constraint; `sort` is "" for the
    default.
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
    def constraints(self) -> list[tuple[Filter, Constraint]]:
        return _constraints(self.collection, self.filters)

    @property
    def slice(self) -> Slice | None:
        """The slice whose files answer this query, or None where it needs the query tier."""
        default = self.collection.sorts[0]
        if self.q is not None or len(self.filters) > 1 or (self.filters and self.order != default):
            return None
        if self.order not in self.collection.prepared_sorts:
            return None
        for known, constraint in self.constraints:
            if not known.prepared or constraint.one is None:
                return None
            return Slice(self.collection, known.name, constraint.one)
        return Slice(self.collection, sort="" if self.order == default else self.order)

    def echo(self) -> dict[str, Any]:
        """The `query` of a list document."""
        return {
            "mode": "page",
            "page": self.page,
            "sort": self.order,
            "q": self.q,
            "filters": dict(self.filters),
        }

    @property
    def string(self) -> str:
        """The canonical query string, without `?`."""
        pairs = _pairs("page", self.q, self.filters)
        if self.sort:
            pairs.append(f"sort={self.sort}")
        if self.page != 1:
            pairs.append(f"page={self.page}")
        return "&".join(pairs)


@dataclass(frozen=True, slots=True)
class Count:
    """An allowed question for how many records there are.

    `by` names the filters whose values are counted, in the order in which that was asked; of those
    values `like` keeps the ones with words that begin so.
    """

    collection: Collection
    filters: tuple[tuple[str, str], ...] = ()
    q: str | None = None
    by: tuple[str, ...] = ()
    like: str | None = None

    @property
    def constraints(self) -> list[tuple[Filter, Constraint]]:
        return _constraints(self.collection, self.filters)

    @property
    def list(self) -> Query:
        """The records that it counts."""
        return Query(self.collection, self.filters, q=self.q)

    def echo(self) -> dict[str, Any]:
        """The `query` of a count document."""
        return {
            "mode": "count",
            "q": self.q,
            "filters": dict(self.filters),
            "by": [*self.by],
            "like": self.like,
        }

    @property
    def string(self) -> str:
        """The canonical query string, without `?`."""
        pairs = _pairs("count", self.q, self.filters)
        if self.by:
            pairs.append(f"by={','.join(self.by)}")
        if self.like is not None:
            pairs.append("like=" + quote(self.like, safe=""))
        return "&".join(pairs)


def _constraints(
    collection: Collection, filters: tuple[tuple[str, str], ...]
) -> list[tuple[Filter, Constraint]]:
    known = collection.asked
    return [(known[name], known[name].constraint(text)) for name, text in filters]


def _pairs(mode: str, q: str | None, filters: tuple[tuple[str, str], ...]) -> list[str]:
    """The parameters that every query may have, in canonical order."""
    words = [] if q is None else ["q=" + quote(q, safe="")]
    return [f"mode={mode}", *words, *(f"{name}={text}" for name, text in filters)]
