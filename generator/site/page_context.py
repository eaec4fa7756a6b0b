"""`Site`: everything that a page is rendered from, and `Fit`: what there is to show.  A site shows
nothing of a collection without records, no link to a list of one record, and no chart of one bar.

Pages read only files of the API and its index, never the records themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar

import orjson
from markupsafe import Markup

from generator.contract.artifact import Details
from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection, Grammar
from generator.kinds import Kinds
from generator.model.settings.registry import Settings
from generator.model.settings.site import SiteSettings
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts, Table
from generator.search.index import CollectionIndex
from generator.site.theme import Theme

_Counted = TypeVar("_Counted", bound=Any)

#: The percentage of records with one value from which a filter narrows nothing.
UNIFORM = 95


class Fit(NamedTuple):
    """The parts of the site that have something to show.

    `collections` have records; the first is the one that the home page begins with.  `functions`
    says whether a host answers feeds of selections.  `single` are the collections with one record.
    """

    kinds: Kinds
    collections: tuple[str, ...] = ()
    functions: bool = False
    single: frozenset[str] = frozenset()

    @property
    def browsed(self) -> tuple[str, ...]:
        """The collections of the navigation: the first, and those with several records."""
        return tuple(
            name for name in self.collections if name == self.lead or name not in self.single
        )

    @property
    def lead(self) -> str:
        """The collection that the home page begins with."""
        return self.collections[0] if self.collections else next(iter(self.kinds))

    @property
    def searched(self) -> str | None:
        """The first collection whose list can be searched."""
        return next((name for name in self.collections if not self.kinds[name].timed), None)


def fit_of(
    kinds: Kinds, settings: SiteSettings, counts: Mapping[str, Counts], functions: bool = False
) -> Fit:
    """The fit of a registry with these counts."""
    filled = [name for name in kinds if counts[name].total]
    largest = max(filled, key=lambda name: counts[name].total, default=None)
    lead = settings.lead if settings.lead in filled else largest
    collections = tuple(sorted(filled, key=lambda name: name != lead))
    single = frozenset(name for name in filled if counts[name].total == 1)
    return Fit(kinds, collections, functions, single)


def sorts_with_records(collection: Collection, fit: Fit) -> list[str]:
    """The orders of a collection, without those by the number of records that do not exist."""
    empty = fit.kinds.keys() - set(fit.collections)
    return [sort for sort in collection.sorts if sort[1:] not in empty]


def several(counted: Iterable[_Counted]) -> list[_Counted]:
    """The rows of a chart that have a count, or nothing if they are fewer than two."""
    rows = [row for row in counted if (row["count"] if isinstance(row, dict) else row.count)]
    return rows if len(rows) > 1 else []


def telling(rows: Sequence[_Counted]) -> list[_Counted]:
    """The rows of a chart that says something: not all of them have the same count."""
    return [*rows] if len({row.count for row in rows}) > 1 else []


def narrowing_filters(table: Table) -> tuple[str, ...]:
    """The filters that can narrow the whole list: status, place and year, then the others by the
    number of records that have a value; not those in which almost all records are alike.
    """
    collection, values = table.collection, table.counts().values
    with_value: dict[str, int] = {}
    for name in collection.filters:
        if name in values:
            members = [table.members[Facet(name, value)] for value in values[name]]
        else:
            members = _positions(table, name)
        if not _is_uniform(members, len(table)):
            with_value[name] = len(set().union(*members))
    first = [collection.declared.badged, "location", "year"]
    places = {name: place for place, name in enumerate(first)}
    return tuple(
        sorted(with_value, key=lambda name: (places.get(name, len(first)), -with_value[name]))
    )


def _positions(table: Table, name: str) -> list[Sequence[int]]:
    """The positions of the records with each value of a filter of numbers."""
    found: dict[float, list[int]] = defaultdict(list)
    if name in table.collection.numbers:
        index = table.collection.numbers.index(name)
        for position, numbers in enumerate(table.numbers):
            if numbers[index] is not None:
                found[numbers[index]].append(position)
    return list(found.values())


def _is_uniform(members: Sequence[Sequence[int]], total: int) -> bool:
    """Whether no record has a value, or UNIFORM percent have the same one and the others, with all
    their other values, are too few to choose from.
    """
    others = [positions for positions in members if 100 * len(positions) < UNIFORM * total]
    rest = len(set[int]().union(*others))
    return not members or (len(others) < len(members) and 100 * rest <= (100 - UNIFORM) * total)


_Value = TypeVar("_Value")


class Memo:
    """Values that several pages use, each made at its first use."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def get_or_make(self, key: Any, make: Callable[..., _Value], *arguments: Any) -> _Value:
        """The value of a key, computed by `make` from `arguments` at its first use."""
        try:
            found: _Value = self._made[key]
        except KeyError:
            found = self._made[key] = make(*arguments)
        return found


@dataclass(eq=False, repr=False)
class Site:
    """The settings, symbols, theme and files that pages are rendered from.

    `read` returns the bytes of a published file of the API; it raises LookupError if the file is
    missing, and for the index and build.json.  `source` returns the path of a record's file below
    the content folder, or None.  `similar` returns the summaries of the records that are most
    similar to one, and `cohorts` those of the programs whose parent is a program, as JSON.
    `index` returns the search index of a collection.
    `details` returns what the last commits changed, `fit` what there is to show.  `modified`
    returns when an event was last changed, None if the history is not known.  `tables` have what
    lists and counts know of records, by collection.
    """

    #: What a registry's own templates may read.
    VISIBLE: ClassVar = frozenset(
        (
            *("absolute", "asset", "fit", "grammar", "logo", "narrowing", "once", "record_page"),
            *("settings", "theme", "url"),
        )
    )

    settings: Settings
    symbols: Symbols
    as_of: date
    theme: Theme
    read: Callable[[str], bytes]
    fit: Callable[[], Fit]
    source: Callable[[str, str], str | None] = lambda collection, slug: None
    similar: Callable[[str, str], Sequence[bytes]] = lambda collection, slug: ()
    cohorts: Callable[[str], Sequence[bytes]] = lambda program: ()
    index: Callable[[str], CollectionIndex] = dict[str, CollectionIndex]().__getitem__
    details: Callable[[], Details] = Details
    modified: Callable[[str], str | None] = lambda slug: None
    tables: Mapping[str, Table] = field(default_factory=dict)
    memo: Memo = field(default_factory=Memo)

    @cached_property
    def grammar(self) -> Grammar:
        return self.symbols.grammar

    @cached_property
    def page_roots(self) -> frozenset[str]:
        """The paths that the pages of collections begin with."""
        return frozenset(c.pages for c in self.grammar.collections.values())

    @cached_property
    def _base(self) -> str:
        return self.settings.origin + self.grammar.prefix

    def document(self, path: str) -> dict[str, Any]:
        """A parsed JSON file of the API.  Raises LookupError."""
        document: dict[str, Any] = orjson.loads(self.read(path))
        return document

    def kept_document(self, path: str) -> dict[str, Any]:
        """A parsed JSON file that several pages read, parsed once; nobody may change it."""
        return self.memo.get_or_make(("document", path), self.document, path)

    def counts(self, collection: str) -> Counts:
        """The numbers of a collection's records, computed once."""
        return self.memo.get_or_make(("counts", collection), self.tables[collection].counts)

    def narrowing(self, collection: str) -> Sequence[str]:
        """The filters that can narrow the list of a collection."""
        key, table = ("narrowing", collection), self.tables[collection]
        return self.memo.get_or_make(key, narrowing_filters, table)

    def record_page(self, collection: str, slug: str) -> str | None:
        """The path of a record's page; None for events if the registry leaves out their pages."""
        return self.grammar.record_page(collection, slug)

    def url(self, path: str) -> str:
        """The URL for a link within the site."""
        return self.grammar.prefix + path

    def absolute(self, path: str) -> str:
        """The URL with the origin, if the registry has a base URL."""
        return self._base + path

    def asset(self, name: str) -> str:
        """The URL of an asset: `site.css`, `list.js`, `logo.svg`.  Raises LookupError."""
        return self.url(self.theme.assets[name].path)

    @property
    def logo(self) -> str | None:
        """The URL of the registry's own logo, or None."""
        names = (name for name in ("logo.svg", "logo.png") if name in self.theme.assets)
        return next(map(self.asset, names), None)

    def once(self, macro: Callable[[Any], Markup], value: Any) -> Markup:
        """The result of a macro for a value on many pages; `value.key` identifies the value."""
        return self.memo.get_or_make((macro, value.key), macro, value)
