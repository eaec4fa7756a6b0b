"""The sizes of tiles: of each project a level from 0 to LEVELS - 1, and what a level means.

The level of a number is the highest bound that it reaches; bounds are round numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from generator.grammar.filters import Facet
from generator.kinds.declare import OWN_FIELD_PREFIX
from generator.model.settings.registry import Settings as Registry
from generator.model.tables.table import Table

LEVELS = 4
#: The share of the known numbers that are at or above the bound of each level from 1 on.
_SHARES = (0.5, 0.12, 0.01)
#: The number that sizes are by if registry.yaml names nothing.
DEFAULT = "team_size"


class Sizes:
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
        else:
            self._by_number(table, column(size))

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


def number_names(settings: Registry) -> list[str]:
    """The numbers of projects that can be a size: those that tables have."""
    fields = settings.grammar().fields.get("projects", {})
    own = [
        key
        for key, f in fields.items()
        if f.type == "number" and (f.ranged or f.sorts.pages or f.sorts.queries)
    ]
    return [DEFAULT, *own]


def column(name: str) -> str:
    """The name of a number in tables."""
    return name if name == DEFAULT else OWN_FIELD_PREFIX + name
