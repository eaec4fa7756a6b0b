"""What the projects of a program or an organization are: how many have each status, country and
year, and the most frequent tags of each family.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator.api.grammar import TAGS, Collection
from generator.records.fields import COUNTRIES
from generator.records.symbols import Symbols
from generator.tables.facets import declared, label
from generator.tables.table import Counts, Table

MOST_FREQUENT = 20  # tags of a family, and countries
#: Rows of which the numbers are counted in the time that one is read in.
_ROW = 16
#: filter -> `{value, label, count}`: years ascending, else by count descending, then value.
Breakdown = Mapping[str, list[dict[str, Any]]]

_COUNTRIES = frozenset(map(str.lower, COUNTRIES))


def breakdowns(projects: Table, symbols: Symbols, whose: Iterable[str]) -> dict[str, Breakdown]:
    """The breakdown of each of these facets of projects, such as `program/w22`."""
    tallies = _tallies(projects, {facet: projects.members.get(facet, ()) for facet in whose})
    names = dict(counted_by(projects.collection))
    known = declared(projects.collection, symbols)
    labelled = Counts(projects.collection, len(projects), {}, projects.labels)
    return {
        facet: {
            name: [
                {"value": value, "label": label(labelled, name, value, known), "count": count}
                for value, count in _shown(name, tally.get(name, {}), most)
            ]
            for name, most in names.items()
        }
        for facet, tally in tallies.items()
    }


def counted_by(collection: Collection) -> Iterator[tuple[str, int | None]]:
    """The filters that projects are counted by, each with how many of its values are shown."""
    for name, known in collection.filters.items():
        if known.vocabulary.startswith(TAGS) or name == "location":
            yield name, MOST_FREQUENT
        elif name in ("year", "status"):
            yield name, None


def _tallies(
    projects: Table, members: Mapping[str, Sequence[int]]
) -> dict[str, dict[str, dict[str, int]]]:
    """facet -> filter -> value -> how many of the facet's members have it.

    Projects of the same facets, such as those of one cohort, are counted once for all of these.
    """
    names = dict(counted_by(projects.collection))
    tallies: dict[str, dict[str, dict[str, int]]] = {facet: {} for facet in members}

    def told(name: str, value: str) -> bool:
        return name in names and (name != "location" or value in _COUNTRIES)

    def add(facet: str, name: str, value: str, count: int) -> None:
        tally = tallies[facet].setdefault(name, {})
        tally[value] = tally.get(value, 0) + count

    if sum(map(len, members.values())) * _ROW < len(projects.rows):
        for facet, numbers in members.items():
            for number in numbers:
                for name, _, value in (of.partition("/") for of in projects.rows[number].facets):
                    if told(name, value):
                        add(facet, name, value, 1)
        return tallies
    groups: list[tuple[str, ...]] = [()]
    group_of = array("I", bytes(4 * len(projects.rows)))
    for facet, numbers in members.items():
        joined: dict[int, int] = {}  # a group without this facet -> the one with it
        for number in numbers:
            group = group_of[number]
            if group not in joined:
                joined[group] = len(groups)
                groups.append((*groups[group], facet))
            group_of[number] = joined[group]
    for counted, numbers in projects.members.items():
        name, _, value = counted.partition("/")
        if told(name, value):
            for group, count in Counter(map(group_of.__getitem__, numbers)).items():
                for facet in groups[group]:
                    add(facet, name, value, count)
    return tallies


def _shown(name: str, tally: Mapping[str, int], most: int | None) -> list[tuple[str, int]]:
    by_value = sorted(tally.items())
    return by_value if name == "year" else sorted(by_value, key=lambda pair: -pair[1])[:most]
