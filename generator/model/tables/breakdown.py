"""What the projects of a program or an organization are: how many have each status, country and
year, and the most frequent tags of each family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from generator.grammar.grammar import TAGS, Collection
from generator.model.fields import COUNTRIES
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared, label
from generator.model.tables.table import Counts, Table

MOST_FREQUENT = 20  # tags of a family, and countries
#: Rows of which the numbers are counted in the time that one is read in.
_ROW = 16
#: filter -> `{value, label, count}`: years ascending, else by count descending, then value.
Breakdown = Mapping[str, list[dict[str, Any]]]

_COUNTRIES = frozenset(map(str.lower, COUNTRIES))


def breakdowns(projects: Table, symbols: Symbols, whose: Iterable[str]) -> Mapping[str, Breakdown]:
    """The breakdown of each of these facets of projects, such as `program/w22`."""
    members = {facet: projects.members.get(facet, ()) for facet in whose}
    every = _values(projects, members)
    known = declared(projects.collection, symbols)
    labelled = Counts(projects.collection, len(projects), {}, projects.labels)
    parts: dict[str, dict[str, list[dict[str, Any]]]] = {facet: {} for facet in members}
    for name, most in counted_by(projects.collection):
        values, tallies = _tallies(every[name], members, len(projects.rows))
        shown: dict[int, tuple[str, str]] = {}
        for facet, tally in tallies:
            part = parts[facet][name] = []
            for number in _chosen(name, tally, len(values), most):
                if number not in shown:
                    value = values[number]
                    shown[number] = value, label(labelled, name, value, known)
                value, text = shown[number]
                part.append({"value": value, "label": text, "count": tally[number]})
    return parts


def counted_by(collection: Collection) -> Iterator[tuple[str, int | None]]:
    """The filters that projects are counted by, each with how many of its values are shown."""
    for name, known in collection.filters.items():
        if known.vocabulary.startswith(TAGS) or name == "location":
            yield name, MOST_FREQUENT
        elif name in ("year", "status"):
            yield name, None


def _values(
    projects: Table, members: Mapping[str, Sequence[int]]
) -> dict[str, dict[str, Sequence[int]]]:
    """filter -> value -> the projects that have it, at least those among the members."""
    facets: Mapping[str, Sequence[int]] = projects.members
    if sum(map(len, members.values())) * _ROW < len(projects.rows):
        few: dict[str, list[int]] = {}
        for number in {*chain.from_iterable(members.values())}:
            for facet in projects.rows[number].facets:
                few.setdefault(facet, []).append(number)
        facets = few
    every: dict[str, dict[str, Sequence[int]]] = {
        name: {} for name, _ in counted_by(projects.collection)
    }
    for facet, numbers in facets.items():
        name, _, value = facet.partition("/")
        if name in every and (name != "location" or value in _COUNTRIES):
            every[name][value] = numbers
    return every


def _tallies(
    having: Mapping[str, Sequence[int]], members: Mapping[str, Sequence[int]], projects: int
) -> tuple[list[str], Iterator[tuple[str, Mapping[int, int]]]]:
    """The values of a filter, ascending; and each facet with how many of its members have each, by
    number.
    """
    values = sorted(having)
    # Of each project the numbers of the values that it has; few have several.
    numbers: list[tuple[int, ...]] = [()] * projects
    for number, value in enumerate(values):
        one = (number,)
        for position in having[value]:
            numbers[position] += one
    return values, (
        (facet, Counter(chain.from_iterable(map(numbers.__getitem__, positions))))
        for facet, positions in members.items()
    )


def _chosen(name: str, tally: Mapping[int, int], values: int, most: int | None) -> Iterable[int]:
    """The numbers of the values that are shown, in order, of so many values."""
    if name == "year":
        return sorted(tally)
    # One number of both sorts faster than a pair.
    ordered = sorted([number - values * count for number, count in tally.items()])
    return (both % values for both in ordered[:most])
