"""Counts the records that refer to others, and those of the role `counted` also by the values of
their choices, years, countries and tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from generator.grammar.filters import Facet
from generator.grammar.grammar import TAG_VOCABULARY, Collection, Filter
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.kind import Counted, Kind
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared_values, value_label
from generator.model.tables.table import Table

MAX_VALUES = 20  # tags of a family, and countries
#: filter -> `{value, label, count}`: years ascending, else by count descending, then value.
Breakdown = Mapping[str, list[dict[str, Any]]]


def count_related(
    kind: Kind, slugs: Iterable[str], tables: Mapping[str, Table], symbols: Symbols
) -> Mapping[str, Counted]:
    """Slug -> the counts of a record (`Kinds.counts`)."""
    counted: dict[str, dict[str, Any]] = {slug: dict(kind.uncounted) for slug in slugs}
    for name, relation in symbols.grammar.kinds.counts[kind.collection].items():
        table = tables[relation.collection]
        facets = {slug: Facet(relation.filter, slug) for slug in counted}
        parts: Mapping[Facet, Any]
        if name == "breakdown":
            parts = count_breakdowns(table, symbols, facets.values())
        else:
            parts = {facet: table.count(facet) for facet in facets.values()}
        for slug, facet in facets.items():
            counted[slug][name] = parts[facet]
    return counted


def count_breakdowns(
    table: Table, symbols: Symbols, facets: Iterable[Facet]
) -> Mapping[Facet, Breakdown]:
    """The breakdown of the rows with each of these facets."""
    members = {facet: table.members.get(facet, ()) for facet in facets}
    values_by_filter = _values(table)
    counts = table.counts()
    known = declared_values(counts, symbols)
    parts: dict[Facet, dict[str, list[dict[str, Any]]]] = {facet: {} for facet in members}
    for of, limit in counted_filters(table.collection):
        values, tallies = _tallies(values_by_filter[of.name], members, len(table.rows))
        labels: dict[int, str] = {}
        for facet, tally in tallies:
            part = parts[facet][of.name] = []
            for number in _top(tally, len(values), limit, by_value=of.form == "year"):
                value = values[number]
                if number not in labels:
                    labels[number] = value_label(counts, of.name, value, known)
                part.append({"value": value, "label": labels[number], "count": tally[number]})
    return parts


def counted_filters(collection: Collection) -> Iterator[tuple[Filter, int | None]]:
    """The filters that records are counted by, each with the maximum number of values shown."""
    for of in collection.filters.values():
        if of.vocabulary.startswith((TAG_VOCABULARY, "places")):
            yield of, MAX_VALUES
        elif of.form in ("year", "word"):
            yield of, None


def _values(table: Table) -> dict[str, dict[str, Sequence[int]]]:
    """filter -> value -> positions of the rows with this value."""
    filters = table.collection.filters
    values = {of.name: dict[str, Sequence[int]]() for of, _ in counted_filters(table.collection)}
    for (name, value), positions in table.members.items():
        if name in values and (filters[name].vocabulary != "places" or value in COUNTRY_SLUGS):
            values[name][value] = positions
    return values


def _tallies(
    positions_by_value: Mapping[str, Sequence[int]],
    members: Mapping[Facet, Sequence[int]],
    row_count: int,
) -> tuple[list[str], Iterator[tuple[Facet, Mapping[int, int]]]]:
    """The sorted values of a filter; and for each facet, value index -> number of its members."""
    values = sorted(positions_by_value)
    # The indexes of the values of each row; most rows have at most one.
    indexes: list[tuple[int, ...]] = [()] * row_count
    for index, value in enumerate(values):
        single = (index,)
        for position in positions_by_value[value]:
            indexes[position] += single
    return values, (
        (facet, Counter(chain.from_iterable(map(indexes.__getitem__, positions))))
        for facet, positions in members.items()
    )


def _top(
    tally: Mapping[int, int], value_count: int, limit: int | None, *, by_value: bool
) -> Iterable[int]:
    """The indexes of the values to show: years ascending, other values by count, then value."""
    if by_value:
        return sorted(tally)
    # A number that combines count and index sorts faster than a pair.
    keys = sorted([index - value_count * count for index, count in tally.items()])
    return (key % value_count for key in keys[:limit])
