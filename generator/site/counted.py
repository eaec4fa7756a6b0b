"""The records of a collection by the values of its filters, for the charts of the home page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.grammar.grammar import Collection
from generator.site import charts, labels
from generator.site.page_context import Site, several, telling

#: The filters, besides own fields, of which a record has at most one value.
_SINGLE = ("status", "kind", "type", "category")


class Chart(NamedTuple):
    """A chart of one filter; `counted` is the collection that it counts.

    `total` is the number of its records if each has at most one value, else 0.
    """

    id: str
    label: str
    rows: list[charts.ChartValue]
    counted: Collection
    total: int = 0


class CountedCollection(NamedTuple):
    """A collection with the most frequent values of its filters, as `filters.json` has them."""

    site: Site
    collection: Collection
    filters: Mapping[str, Any]
    total: int

    def rows(self, name: str, most: int | None = None) -> list[charts.ChartValue]:
        """The values of a filter, the greatest first, if a chart of them says something."""
        return telling(self.values(name, most))

    def values(self, name: str, most: int | None = None) -> list[charts.ChartValue]:
        """The values of a filter, the greatest first; none if there are fewer than two."""
        if name not in self.collection.prepared_filters:
            return []
        return self._rows(name, self.filters[name]["values"], most)

    def all_rows(self, name: str) -> list[charts.ChartValue]:
        """All values of a filter; none if there are fewer than two."""
        if name not in self.collection.prepared_filters:
            return []
        document = self.site.kept_document(self.collection.filter_path(name))
        return self._rows(name, document["data"]["values"])

    def _rows(self, name: str, values: Any, most: int | None = None) -> list[charts.ChartValue]:
        return charts.rows(self.site, several(values)[:most], name, self.collection.name)

    def chart(self, name: str, most: int | None = None) -> Chart:
        label = labels.filter_label(self.site, self.collection, name)
        chart_id = f"{self.collection.name}-{name.replace('_', '-')}"
        total = self.total if self._has_one_value(name) else 0
        return Chart(chart_id, label, self.rows(name, most), self.collection, total)

    def _has_one_value(self, name: str) -> bool:
        own = (f.name for f in self.collection.declared.own if not f.many)
        return name in (*_SINGLE, *own)


def counted_collection(site: Site, name: str) -> CountedCollection:
    collection = site.grammar.collections[name]
    filters = site.kept_document(collection.filters_path)["data"]
    return CountedCollection(site, collection, filters, site.counts(name).total)
