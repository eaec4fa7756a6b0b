"""The values of every filter, counted over the whole collection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.contract.artifact import Artifact, document_artifact
from generator.grammar.grammar import Grammar
from generator.model.symbols import Symbols
from generator.model.tables.facets import values_by_count
from generator.model.tables.table import Counts

ADDRESSES = tuple(f"{c.root}/filters" for c in Grammar({}).collections.values())

MOST_FREQUENT = 50


def render(symbols: Symbols, counts: Mapping[str, Counts]) -> Iterator[Artifact]:
    url = symbols.grammar.url
    for counted in counts.values():
        collection = counted.collection
        listed = {}
        for name, values in values_by_count(counted, symbols).items():
            path = collection.filter_path(name)
            data = {
                "label": collection.filters[name].label,
                "total_values": len(values),
                "truncated": False,
                "href": url(path),
                "values": values,
            }
            links = {"self": url(path), "filters": url(collection.filters_path)}
            yield document_artifact(path, "filter", links=links, data=data)
            truncated = len(values) > MOST_FREQUENT
            listed[name] = data | {"truncated": truncated, "values": values[:MOST_FREQUENT]}
        links = {"self": url(collection.filters_path)}
        yield document_artifact(collection.filters_path, "filter_list", links=links, data=listed)
