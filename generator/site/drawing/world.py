"""The map of the world: countries with how many records each has → what is drawn of them.

The shapes are those of the theme's `world.json` (tests/hosts/world.mjs writes ours).
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


class _Map(Model):
    """What `world.json` holds: by country code the path of its shape, or of a small one the point
    where it lies, and all land that is no country's.
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
        read: _Map = _Map.validator.validate_json(data)
        return read
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ThemeError(f"{FILE} is no map: {where or 'the file'}: {first['msg']}") from error


def countries(rows: Iterable[Row]) -> list[Row]:
    """The rows of the filter location that are countries."""
    return [row for row in rows if len(row.value) == 2]


def world(site: Site, rows: Iterable[Row]) -> World:
    """The map of countries; of those with most records first, so that a reader hears them first."""
    drawn = _read(site.theme.file(FILE))
    shown = sorted((row for row in countries(rows) if row.count), key=lambda row: -row.count)
    known = classes(row.count for row in shown)
    steps = {row.value: next(c.step for c in known if row.count <= c.high) for row in shown}
    places = [
        Country(row, steps[row.value], drawn.shapes.get(row.value), drawn.dots.get(row.value))
        for row in shown
    ]
    others = [shape for code, shape in drawn.shapes.items() if code not in steps]
    return World(drawn.width, drawn.height, places, [*others, drawn.rest], known)
