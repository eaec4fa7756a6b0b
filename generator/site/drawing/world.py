"""The world map: countries with their number of records -> shapes and colours.

The shapes are in the theme's `world.json` (tests/hosts/world.mjs writes ours).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple

from generator.model.models import Model
from generator.model.validator import ValidationError
from generator.site.drawing.charts import Class, Row, classes
from generator.site.page_context import Site
from generator.site.theme import ThemeError

FILE = "world.json"


class Country(NamedTuple):
    """A country with records: the step of its colour and its shape, or the point of a small one."""

    row: Row
    step: int
    shape: str | None
    point: tuple[int, int] | None


class World(NamedTuple):
    """A map: its size, the countries with records, and the outlines of all other land."""

    width: int
    height: int
    countries: list[Country]
    land: list[str]
    classes: list[Class]


class _Map(Model):
    """The content of `world.json`.

    By country code `shapes` has SVG paths and `dots` the points of small countries; `rest` is the
    path of land without a country.
    """

    extra: ClassVar[Literal["ignore"]] = "ignore"

    width: int
    height: int
    shapes: dict[str, str]
    dots: dict[str, tuple[int, int]]
    rest: str


@lru_cache(maxsize=4)
def _read(data: bytes) -> _Map:
    """Raises ThemeError."""
    try:
        world_map: _Map = _Map.validator.validate_json(data)
        return world_map
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ThemeError(f"{FILE} is no map: {key or 'the file'}: {first['msg']}") from error


def countries(rows: Iterable[Row]) -> list[Row]:
    """The rows of the filter `location` whose values are countries."""
    return [row for row in rows if len(row.value) == 2]


def world(site: Site, rows: Iterable[Row]) -> World:
    """The map of countries, those with the most records first, which screen readers read first."""
    world_map = _read(site.theme.file(FILE))
    counted = sorted((row for row in countries(rows) if row.count), key=lambda row: -row.count)
    ranges = classes(row.count for row in counted)
    steps = {row.value: next(c.step for c in ranges if row.count <= c.high) for row in counted}
    shapes, dots = world_map.shapes, world_map.dots
    drawn = [
        Country(row, steps[row.value], shapes.get(row.value), dots.get(row.value))
        for row in counted
    ]
    land = [*(shape for code, shape in shapes.items() if code not in steps), world_map.rest]
    return World(world_map.width, world_map.height, drawn, land, ranges)
