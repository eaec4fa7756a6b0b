"""Counts the projects of a program or an organization by status, country, year and tag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from generator.grammar.filters import Facet
from generator.grammar.grammar import TAG_VOCABULARY, Collection
from generator.kinds.types import COUNTRIES
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared_values, value_label
from generator.model.tables.table import Counts, Table

MAX_VALUES = 20  # tags of a family, and countries
#: filter -> `{value, label, count}`: years ascending, else by count descending, then value.
Breakdown = Mapping[str, list[dict[str, Any]]]

_COUNTRIES = frozenset(map(str.lower, COUNTRIES))


def count_breakdowns(
    projects: Table, symbols: Symbols, facets: Iterable[Facet]
) -> Mapping[Facet, Breakdown]:
    """The breakdown of the projects with each of these facets."""
    members = {facet: projects.members.get(facet, ()) for facet in facets}
    values_by_filter = _values(projects)
    known = declared_values(projects.collection, symbols)
    counts = Counts(projects.collection, len(projects), {}, projects.labels)
    parts: dict[Facet, dict[str, list[dict[str, Any]]]] = {facet: {} for facet in members}
    for name, limit in counted_filters(projects.collection):
        values, tallies = _tallies(values_by_filter[name], members, len(projects.rows))
        labels: dict[int, str] = {}
        for facet, tally in tallies:
            part = parts[facet][name] = []
            for number in _top(name, tally, len(values), limit):
                value = values[number]
                if number not in labels:
                    labels[number] = value_label(counts, name, value, known)
                part.append({"value": value, "label": labels[number], "count": tally[number]})
    return parts


def counted_filters(collection: Collection) -> Iterator[tuple[str, int | None]]:
    """The filters that projects are counted by, each with the maximum number of values shown."""
    for name, facet in collection.filters.items():
        if facet.vocabulary.startswith(TAG_VOCABULARY) or name == "location":
            yield name, MAX_VALUES
        elif name in ("year", "status"):
            yield name, None


def _values(projects: Table) -> dict[str, dict[str, Sequence[int]]]:
    """filter -> value -> positions of the projects with this value."""
    values: dict[str, dict[str, Sequence[int]]] = {
        name: {} for name, _ in counted_filters(projects.collection)
    }
    for facet, positions in projects.members.items():
        name, value = facet
        if name in values and (name != "location" or value in _COUNTRIES):
            values[name][value] = positions
    return values


def _tallies(
    positions_by_value: Mapping[str, Sequence[int]],
    members: Mapping[Facet, Sequence[int]],
    row_count: int,
) -> tuple[list[str], Iterator[tuple[Facet, Mapping[int, int]]]]:
    """The sorted values of a filter; and for each facet, value index -> number of its members."""
    values = sorted(positions_by_value)
    # The indexes of the values of each project; most projects have at most one.
    indexes: list[tuple[int, ...]] = [()] * row_count
    for index, value in enumerate(values):
        single = (index,)
        for position in positions_by_value[value]:
            indexes[position] += single
    return values, (
        (facet, Counter(chain.from_iterable(map(indexes.__getitem__, positions))))
        for facet, positions in members.items()
    )


def _top(name: str, tally: Mapping[int, int], value_count: int, limit: int | None) -> Iterable[int]:
    """The indexes of the values to show: years ascending, other values by count, then value."""
    if name == "year":
        return sorted(tally)
    # A number that combines count and index sorts faster than a pair.
    keys = sorted([index - value_count * count for index, count in tally.items()])
    return (key % value_count for key in keys[:limit])
