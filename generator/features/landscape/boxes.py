"""The projects of a registry by the tags of one family, and by those of a second one in it, and the
sizes of their tiles: of each project a level from 0 to LEVELS - 1, and what a level means.

The level of a number is the highest bound that it reaches; bounds are round numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from generator.grammar.filters import Facet
from generator.kinds.declare import Declared
from generator.model.tables.table import Table

#: The most boxes of a page, and the most tiles, which bound its bytes.
MAX_BOXES, MAX_TILES = 100, 6_000
#: The most tiles of a group at first.
MAX_FIRST = 60
#: The statuses of projects in the order of the legend.
STATUSES = ("active", "public", "acquired", "inactive")
#: A family is a part of another if this share of the projects of its tags has one tag of the other
#: for each of its tags, and if its tags have this many projects on average.
_WITHIN, _PROJECTS = 0.95, 3

Members = Mapping[str, Sequence[int]]


class TileGroup(NamedTuple):
    """The projects of a box with one tag of the second family, or without one if `tag` is "", the
    largest first.
    """

    tag: str
    positions: Sequence[int]


class Box(NamedTuple):
    """The projects of one tag in groups; `tag` is "" for those that are in no other box."""

    tag: str
    total: int
    groups: Sequence[TileGroup]


class LandscapePage(NamedTuple):
    """A page of the landscape: the family of its boxes, and that of their groups or ""."""

    family: str
    second: str = ""


def members_of(table: Table, family: str) -> Members:
    """The positions of each tag of a family, the most frequent tags first."""
    name = f"tag_{family}"
    tags = [facet for facet in table.members if facet.filter == name and table.members[facet]]
    tags.sort(key=lambda facet: (-len(table.members[facet]), facet))
    return {facet.value: table.members[facet] for facet in tags}


def pages_of(table: Table, families: Iterable[str], named: Sequence[str]) -> list[LandscapePage]:
    """The pages: one for each family with at least two tags that is not a part of another.

    `families` are in the order of registry.yaml; `named` are those that the settings name.
    """
    members = {family: members_of(table, family) for family in families}
    members = {family: tags for family, tags in members.items() if len(tags) > 1}
    order = [family for family in named[:1] if family in members]
    order += [family for family in members if family not in order]
    pages, within = list[LandscapePage](), set[str]()
    for family in order:
        if family in within:
            continue
        others = [other for other in order if other not in within and other != family]
        if family in named:
            second = next((other for other in named[1:] if other in others), "")
        else:
            second = next((o for o in others if _is_within(members[o], members[family])), "")
        within |= {family, second}
        pages.append(LandscapePage(family, second))
    return pages


def _is_within(parts: Members, whole: Members) -> bool:
    """Whether each tag of a family belongs to one tag of another."""
    if len(parts) <= len(whole):
        return False
    tags: dict[int, str] = {}
    for tag, positions in whole.items():
        for position in positions:
            if tags.setdefault(position, tag) != tag:
                return False  # boxes share projects
    total = sum(map(len, parts.values()))
    counts = (Counter(map(tags.get, positions)) for positions in parts.values())
    same = sum(max(count for tag, count in of.items() if tag) for of in counts if any(of))
    return same >= _WITHIN * total and total >= _PROJECTS * len(parts)


def status_numbers(table: Table) -> bytearray:
    """The status of each project, as its index in STATUSES."""
    statuses = bytearray(len(table.slugs))
    for number, status in enumerate(STATUSES):
        for position in table.members.get(Facet("status", status), ()):
            statuses[position] = number
    return statuses


def boxes_of(table: Table, page: LandscapePage, sizes: TileSizes, with_rest: bool) -> list[Box]:
    """The boxes of a page, those with the most projects first.

    `with_rest`: a last box has the projects that are in no other.
    """
    boxes = dict([*members_of(table, page.family).items()][:MAX_BOXES])
    if with_rest:
        seen = set[int]().union(*boxes.values())
        rest = [position for position in range(len(table.slugs)) if position not in seen]
        if rest:
            boxes[""] = rest
    second = members_of(table, page.second) if page.second else {}
    return [
        Box(tag, len(positions), [sizes.group(*part) for part in _parts(positions, second)])
        for tag, positions in boxes.items()
    ]


def first_tiles(boxes: Sequence[Box]) -> int:
    """The number of tiles that a page has of each group at first."""
    totals = [len(group.positions) for box in boxes for group in box.groups]
    fitting = (
        n for n in range(MAX_FIRST, 1, -1) if sum(min(n, total) for total in totals) <= MAX_TILES
    )
    return next(fitting, 1)


def _parts(positions: Sequence[int], second: Members) -> list[tuple[str, Sequence[int]]]:
    """The positions of a box by the tags of the second family; a project is in the first of its
    tags.
    """
    if not second:
        return [("", positions)]
    left, parts = set(positions), list[tuple[str, Sequence[int]]]()
    for tag, members in second.items():
        found = [position for position in members if position in left]
        if found:
            parts.append((tag, found))
            left.difference_update(found)
    parts.sort(key=lambda part: -len(part[1]))
    return [*parts, ("", sorted(left))] if left else parts


# --- sizes ---

LEVELS = 4
#: The share of the known numbers that are at or above the bound of each level from 1 on.
_SHARES = (0.5, 0.12, 0.01)


class TileSizes:
    """The level and the weight of each row of a table; those of the largest weight come first.

    `tags` has the tags of each family, `size` is what sizes are by: one of them, or a number.
    """

    def __init__(self, table: Table, tags: Mapping[str, Iterable[str]], size: str):
        total = len(table.slugs)
        self.levels, self.weights = bytearray(total), [0.0] * total
        #: The least number of each level from 1 on, or the tag of each level by its number.
        self.bounds: tuple[int, ...] = ()
        self.tags: dict[int, str] = {}
        if size in tags:
            self._by_tag(table, size, tags[size])
        elif (name := column(table.collection.declared, size)) in table.collection.numbers:
            self._by_number(table, name)

    def group(self, tag: str, positions: Iterable[int]) -> TileGroup:
        return TileGroup(tag, sorted(positions, key=lambda n: -self.weights[n]))  # stable

    @property
    def occurring(self) -> list[int]:
        """The levels that occur, the largest first."""
        return sorted(set(self.levels), reverse=True)

    def _by_tag(self, table: Table, family: str, listed: Iterable[str]) -> None:
        members = [(tag, table.members.get(Facet(f"tag_{family}", tag), ())) for tag in listed]
        members = [(tag, positions) for tag, positions in members if positions]
        for rank, (tag, positions) in enumerate(members):
            level = max(1, LEVELS - 1 - rank)
            self.tags.setdefault(level, tag)
            for position in positions:
                self.levels[position] = max(self.levels[position], level)
                self.weights[position] = max(self.weights[position], len(members) - rank)

    def _by_number(self, table: Table, name: str) -> None:
        index = table.collection.numbers.index(name)
        for position, numbers in enumerate(table.numbers):
            self.weights[position] = numbers[index] or 0
        self.bounds = bounds_of(self.weights)
        for position, weight in enumerate(self.weights):
            self.levels[position] = bisect_right(self.bounds, weight)


def bounds_of(numbers: Iterable[float]) -> tuple[int, ...]:
    """The least number of each level from 1 on: rounded down to 1, 2 or 5 times a power of ten.

    Numbers of 0 and below have level 0.
    """
    known = sorted(number for number in numbers if number > 0)
    found = set[int]()
    for share in _SHARES if known else ():
        found.add(round_down(known[int(len(known) * (1 - share))]))
    return tuple(bound for bound in sorted(found) if bound > known[0])


def round_down(number: float) -> int:
    """The greatest 1, 2 or 5 times a power of ten that is not above a number; at least 1."""
    power = 1
    while power * 10 <= number:
        power *= 10
    return next((factor * power for factor in (5, 2) if factor * power <= number), power)


def column(kind: Declared, size: str) -> str:
    """The name of a number in tables."""
    return next((f.name for f in kind.own if f.path[-1] == size), size)
