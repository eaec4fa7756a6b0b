"""The values of filters: which have slices, their labels, their numbers of records, and the most
frequent for examples that find records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.grammar.grammar import TAG_VOCABULARY, Collection, Filter, Query, Slice
from generator.kinds.continents import CONTINENTS
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts
from generator.text.words import split_words

#: The values of the filter "location" that are not places of records as these write them.
_SPECIAL_PLACES = {**CONTINENTS, "remote": "Remote", "online": "Online"}

#: filter -> `{value, label, count}`, the most frequent first, for the filters with values.
Used = Mapping[str, Sequence[Mapping[str, Any]]]


def declared_values(counts: Counts, symbols: Symbols) -> dict[str, Mapping[str, str]]:
    """filter -> value -> label, for the values that a query can have even without a record; of
    sparse filters and open tag families for those with records.

    The filters of a collection without records have no values.
    """
    collection = counts.collection
    if collection.name not in symbols.grammar.filled:
        return {name: {} for name in collection.listed_filters}
    known = vocabulary(collection, symbols)
    for name, facet in collection.listed_filters.items():
        if facet.vocabulary.startswith(TAG_VOCABULARY):
            known[name] = known[name] or symbols.tags.get(
                facet.vocabulary[len(TAG_VOCABULARY) :], {}
            )
        if facet.sparse or not _is_closed(facet, symbols):
            known[name] = {v: known[name][v] for v in counts.values[name] if v in known[name]}
    return known


def paged_values(counts: Counts, symbols: Symbols) -> Iterator[tuple[str, str]]:
    """(filter, value) of the slices of a collection that have pages, by filter, then value."""
    known = declared_values(counts, symbols)
    for name in counts.collection.prepared_filters:
        for value in sorted({*known[name], *counts.values[name]}):
            yield name, value


def fullest_slice(counts: Counts, symbols: Symbols) -> Slice | None:
    """The slice with most records of all values of filters, None if there are none; of several the
    first by name.
    """
    values = ((-counts.of(*pair), *pair) for pair in paged_values(counts, symbols))
    _, name, value = min(values, default=(0, "", ""))
    return Slice(counts.collection, name, value) if name else None


def vocabulary(collection: Collection, symbols: Symbols) -> dict[str, Mapping[str, str]]:
    """filter -> value -> label, for the values that the registry or the schema declares."""
    fixed = collection.declared.fixed_labels
    return {
        name: fixed[name] if name in fixed and not facet.through else _labels(facet, symbols)
        for name, facet in collection.listed_filters.items()
    }


def _labels(facet: Filter, symbols: Symbols) -> Mapping[str, str]:
    if facet.through and facet.vocabulary == "places":
        return symbols.places.get(facet.through, {})
    if facet.refers:
        return {slug: target.name for slug, target in symbols.targets(facet.refers).items()}
    if facet.vocabulary.startswith(TAG_VOCABULARY):
        family = facet.vocabulary.removeprefix(TAG_VOCABULARY)
        return symbols.tags[family] if _is_closed(facet, symbols) else {}
    return symbols.vocabulary(facet.vocabulary)


def _is_closed(facet: Filter, symbols: Symbols) -> bool:
    """Whether a filter is none of an open tag family."""
    family = facet.vocabulary.removeprefix(TAG_VOCABULARY)
    return family == facet.vocabulary or family in symbols.closed_families


def value_label(
    counts: Counts, name: str, value: str, known: Mapping[str, Mapping[str, str]]
) -> str:
    """The label of a filter's value.  `known` is the result of `declared_values`."""
    if value in known[name]:
        return known[name][value]
    facet = counts.collection.filters[name]
    if facet.vocabulary == "places":
        return _SPECIAL_PLACES.get(value) or counts.labels.get(value, value)
    return facet.default_label(value)


def values_by_count(counts: Counts, symbols: Symbols) -> dict[str, list[dict[str, Any]]]:
    """filter -> `{value, label, count, href}` for the values with records.

    Values are sorted by count, descending, then by value.
    """
    known = declared_values(counts, symbols)
    return {
        name: [
            {
                "value": value,
                "label": value_label(counts, name, value, known),
                "count": count,
                "href": _list_url(counts.collection, name, value, symbols),
            }
            for value, count in sorted(values.items(), key=lambda item: (-item[1], item[0]))
        ]
        for name, values in counts.values.items()
    }


def _list_url(collection: Collection, name: str, value: str, symbols: Symbols) -> str:
    """The URL of the list of a value: of its first page, or a query if it has no pages."""
    if collection.filters[name].prepared:
        return symbols.grammar.url(Slice(collection, name, value).path())
    return symbols.grammar.query_url(Query(collection, ((name, value),)))


def top_values(used: Used) -> list[tuple[str, str]]:
    """(filter, its most frequent value) of the filters with several values, else of all filters."""
    several = {name: rows for name, rows in used.items() if len(rows) > 1} or used
    return [(name, rows[0]["value"]) for name, rows in several.items()]


def used_tags(used: Used) -> Iterator[Sequence[Mapping[str, Any]]]:
    """The values of each tag family."""
    return (rows for name, rows in used.items() if name.startswith("tag_"))


def search_word(used: Used, collection: Collection) -> str | None:
    """A word of a tag's label, else of the name of a record that others refer to.  It finds
    records, because the search covers these.
    """
    filters = collection.filters.values()
    named = [used.get(f.name, ()) for f in filters if f.refers not in ("", collection.name)]
    labels = (value["label"] for values in (*used_tags(used), *named) for value in values)
    return next((word for label in labels for word in split_words(label)[:1]), None)
