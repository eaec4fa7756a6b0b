"""The world map: countries with their number of records -> shapes and colours.

The shapes are in the theme's `world.json` (tests/hosts/world.mjs writes ours).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pydantic import BaseModel, ValidationError

from generator.site.charts import ChartValue, Class, classes
from generator.site.page_context import Site
from generator.site.theme import ThemeError

FILE = "world.json"

#: The closest zoom; shapes have too few points for more.
MAX_ZOOM = 6.0
#: A zoom closer than this is used: others look like the whole world.
MIN_ZOOM = 1.2
#: The part of the map that stays free around the countries with records.
MARGIN = 0.08
#: A part of a country this much smaller than its largest part does not count: remote islands.
MAIN_PART = 0.4
#: The radius of the point of a small country.
RADIUS = 4

_TOKENS = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")

#: Left, top, right and bottom.
Box = tuple[float, float, float, float]


class Country(NamedTuple):
    """A country with records: the step of its colour and its shape, or the point of a small one."""

    row: ChartValue
    step: int
    shape: str | None
    point: tuple[int, int] | None


class Zoom(NamedTuple):
    """How the map is moved and enlarged so that the countries with records fill it."""

    scale: float
    x: float
    y: float

    @property
    def radius(self) -> float:
        """The radius of points, which keep their size."""
        return round(RADIUS / self.scale, 2)


class World(NamedTuple):
    """A map: its size, the countries with records, and the outlines of all other land.

    `zoom` is None if the countries with records are all over the world.
    """

    width: int
    height: int
    countries: list[Country]
    land: list[str]
    classes: list[Class]
    zoom: Zoom | None


class _Map(BaseModel, strict=True):
    """The content of `world.json`.

    By country code `shapes` has SVG paths and `dots` the points of small countries; `rest` is the
    path of land without a country.
    """

    width: int
    height: int
    shapes: dict[str, str]
    dots: dict[str, tuple[int, int]]
    rest: str


@lru_cache(maxsize=4)
def _read(data: bytes) -> _Map:
    """Raises ValidationError."""
    return _Map.model_validate_json(data)


def countries(rows: Iterable[ChartValue]) -> list[ChartValue]:
    """The rows of the filter "location" whose values are countries."""
    return [row for row in rows if len(row.value) == 2]


def world(site: Site, rows: Iterable[ChartValue]) -> World:
    """The map of countries, those with the most records first, which screen readers read first.

    Raises ThemeError.
    """
    try:
        world_map = _read(site.theme.file(FILE))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ThemeError(
            f"{site.theme.display_path(FILE)} is no map: {key or 'the file'}: {first['msg']}"
        ) from error
    counted = sorted((row for row in countries(rows) if row.count), key=lambda row: -row.count)
    ranges = classes(row.count for row in counted)
    steps = {row.value: next(c.step for c in ranges if row.count <= c.high) for row in counted}
    shapes, dots = world_map.shapes, world_map.dots
    drawn = [
        Country(row, steps[row.value], shapes.get(row.value), dots.get(row.value))
        for row in counted
    ]
    land = [*(shape for code, shape in shapes.items() if code not in steps), world_map.rest]
    zoom = _zoom(world_map.width, world_map.height, drawn)
    return World(world_map.width, world_map.height, drawn, land, ranges, zoom)


def _zoom(width: int, height: int, drawn: Iterable[Country]) -> Zoom | None:
    """The zoom to some countries, with a margin; None if it shows most of the world."""
    boxes: list[Box] = []
    for country in drawn:
        box = _main_box(country.shape) if country.shape else _point_box(country)
        if box is None and country.shape:
            return None
        boxes += [box] if box is not None else []
    if not boxes:
        return None
    left, top, right, bottom = _around(boxes)
    room = 1 - 2 * MARGIN
    scale = min(room * width / max(right - left, 1), room * height / max(bottom - top, 1), MAX_ZOOM)
    if scale < MIN_ZOOM:
        return None
    x = width / 2 - scale * (left + right) / 2
    y = height / 2 - scale * (top + bottom) / 2
    # The map stays within its frame.
    x = min(0, max(width - scale * width, x))
    y = min(0, max(height - scale * height, y))
    return Zoom(round(scale, 2), round(x, 1), round(y, 1))


def _point_box(country: Country) -> Box | None:
    return (*country.point, *country.point) if country.point is not None else None


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


@lru_cache(maxsize=512)
def _main_box(shape: str) -> Box | None:
    """The box around the large parts of a shape; None if the path has curves."""
    boxes = []
    for points in _parts(shape):
        if points is None:
            return None
        lefts, tops = zip(*points, strict=True)
        boxes.append((min(lefts), min(tops), max(lefts), max(tops)))
    if not boxes:
        return None
    sizes = [(right - left) * (bottom - top) for left, top, right, bottom in boxes]
    least = MAIN_PART * max(sizes)
    return _around([box for box, size in zip(boxes, sizes, strict=True) if size >= least])


def _parts(shape: str) -> Iterator[list[tuple[float, float]] | None]:
    """The points of each part of a path of straight lines; None at another command."""
    points: list[tuple[float, float]] = []
    x = y = start_x = start_y = 0.0
    command, numbers = "", iter(_TOKENS.findall(shape))
    for token in numbers:
        if token.isalpha():
            command = token
            if command in "Zz":
                x, y = start_x, start_y
            elif command not in "MmLlHhVv":
                yield None
                return
            continue
        relative, value = command.islower(), float(token)
        if command in "Vv":
            y = value + (y if relative else 0)
        elif command in "Hh":
            x = value + (x if relative else 0)
        else:
            second = float(next(numbers, "0"))
            x, y = value + (x if relative else 0), second + (y if relative else 0)
        if command in "Mm":
            if points:
                yield points
            points, start_x, start_y = [], x, y
            command = "l" if relative else "L"
        points.append((x, y))
    if points:
        yield points
