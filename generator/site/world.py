"""The map of the world: countries with how many records each has → what is drawn of them.

The shapes are those of the theme's `world.json` (tests/hosts/world.mjs writes ours).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from generator.site.charts import Class, Row, classes

if TYPE_CHECKING:
    from generator.site.frame import Site

FILE = "world.json"


class Country(NamedTuple):
    """A country that has records, with the step of its colour: its shape, or for a small one the
    point (across, down) where it lies.
    """

    row: Row
    step: int
    shape: str | None
    point: tuple[int, int] | None


class World(NamedTuple):
    """A map: its size, the countries that have records, and the outlines of all other land."""

    width: int
    height: int
    countries: list[Country]
    land: list[str]
    classes: list[Class]


@lru_cache(maxsize=4)
def _read(data: bytes) -> Any:
    return orjson.loads(data)


def countries(rows: Iterable[Row]) -> list[Row]:
    """The rows of the filter location that are countries."""
    return [row for row in rows if len(row.value) == 2]


def world(site: Site, rows: Iterable[Row]) -> World:
    """The map of countries; of those with most records first, so that a reader hears them first."""
    drawn = _read(site.theme.file(FILE))
    shown = sorted((row for row in countries(rows) if row.count), key=lambda row: -row.count)
    known = classes(row.count for row in shown)
    steps = {row.value: next(c.step for c in known if row.count <= c.high) for row in shown}
    return World(
        drawn["width"],
        drawn["height"],
        [
            Country(
                row,
                steps[row.value],
                drawn["shapes"].get(row.value),
                tuple(drawn["dots"][row.value]) if row.value in drawn["dots"] else None,
            )
            for row in shown
        ],
        [*(shape for code, shape in drawn["shapes"].items() if code not in steps), drawn["rest"]],
        known,
    )
