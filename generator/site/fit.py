"""What the site shows of a registry: nothing of a collection without records, no link to a list of
one record, and no chart of one bar or of equal bars.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection
from generator.kinds import KIND_OF, KINDS
from generator.model.settings.site import SiteSettings
from generator.model.tables.table import Counts, Table

_Counted = TypeVar("_Counted", bound=Any)

#: The percentage of records with one value from which a filter narrows nothing.
UNIFORM = 95


class Fit(NamedTuple):
    """The parts of the site that have something to show.

    `collections` have records; the first is the one that the home page begins with.  `functions`
    says whether a host answers feeds of selections.  `single` are the collections with one record.
    """

    collections: tuple[str, ...] = tuple(KIND_OF)
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
        return self.collections[0] if self.collections else next(iter(KIND_OF))

    @property
    def searched(self) -> str | None:
        """The first collection whose list can be searched."""
        return next((name for name in self.collections if not KINDS[name].timed), None)


def fit_of(settings: SiteSettings, counts: Mapping[str, Counts], functions: bool = False) -> Fit:
    """The fit of a registry with these counts."""
    filled = [name for name in KIND_OF if counts[name].total]
    largest = max(filled, key=lambda name: counts[name].total, default=None)
    lead = settings.lead if settings.lead in filled else largest
    collections = tuple(sorted(filled, key=lambda name: name != lead))
    single = frozenset(name for name in filled if counts[name].total == 1)
    return Fit(collections, functions, single)


def sorts_with_records(collection: Collection, fit: Fit) -> list[str]:
    """The orders of a collection, without those by the number of records that do not exist."""
    empty = KIND_OF.keys() - set(fit.collections)
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
    first = [KINDS[collection.name].badged, "location", "year"]
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
