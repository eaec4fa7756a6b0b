"""What the site shows of a registry: nothing of a collection without records, no link to a list of
one record, and no chart of one bar or of equal bars.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from generator.grammar.grammar import Collection
from generator.kinds import KIND_OF, KINDS
from generator.model.settings.site import SiteSettings
from generator.model.tables.table import Counts, Table

_Counted = TypeVar("_Counted", bound=Any)


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
    """The filters that can narrow the whole list: some records have another value, or none."""
    collection, total, values = table.collection, len(table), table.counts().values
    names = [name for name, count in values.items() if any(n < total for n in count.values())]
    for index, name in enumerate(collection.numbers):
        if name in collection.filters and name not in values:
            first = next(iter(table.numbers))[index] if total else None
            if any(numbers[index] != first for numbers in table.numbers):
                names.append(name)
    return tuple(name for name in collection.filters if name in names)
