"""The map of the world: its shapes and its drawing."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace

import pytest

from generator.kinds.types import COUNTRIES
from generator.site.drawing.charts import ChartValue
from generator.site.drawing.world import FILE, World, countries, world
from generator.site.theme import Theme, ThemeError
from support.drawings import drawn, elements, site


def places(*rows: tuple[str, int]) -> list[ChartValue]:
    return [
        ChartValue(COUNTRIES[code.upper()], count, f"/projects/location/{code}/", code)
        for code, count in rows
    ]


def world_of(*rows: tuple[str, int]) -> World:
    return world(site(), places(*rows))


def test_the_map_is_small() -> None:
    assert len(gzip.compress(site().theme.file(FILE), 9)) < 40 * 1024


def test_every_country_has_a_shape_or_a_point() -> None:
    whole = world_of(*((code.lower(), 1) for code in COUNTRIES))
    nowhere = [c.row.value for c in whole.countries if c.shape is None and c.point is None]
    assert nowhere == ["aq"]
    assert not [c.row.value for c in whole.countries if c.shape and c.point]


def test_shapes_are_paths_within_the_drawing() -> None:
    whole = world_of(*((code.lower(), 1) for code in COUNTRIES))
    shapes = [*whole.land, *(c.shape for c in whole.countries if c.shape)]
    for shape in shapes:
        assert re.fullmatch(r"(?:M\d+ \d+l(?:-?\d+(?: |(?=-)|(?=z)))+z)*", shape)
        for x, y in re.findall(r"M(\d+) (\d+)", shape):
            assert int(x) <= whole.width and int(y) <= whole.height
    for country in whole.countries:
        if country.point:
            assert 0 <= country.point[0] <= whole.width
            assert 0 <= country.point[1] <= whole.height


def test_west_is_left_and_north_is_up() -> None:
    points = {
        c.row.value: c.point for c in world_of(("mt", 1), ("sg", 1), ("bm", 1), ("mu", 1)).countries
    }
    mt, sg, bm, mu = (points[code] for code in ("mt", "sg", "bm", "mu"))
    assert mt and sg and bm and mu
    assert bm[0] < mt[0] < mu[0] < sg[0]
    assert mt[1] < bm[1] < sg[1] < mu[1]


def test_countries_with_most_records_are_darkest_and_first() -> None:
    shown = world_of(("de", 9), ("us", 400), ("sg", 1), ("fr", 0)).countries
    assert [c.row.value for c in shown] == ["us", "de", "sg"]
    assert [c.step for c in shown] == [5, 4, 3]


def test_regions_cities_and_remote_are_on_no_map() -> None:
    rows = [ChartValue("x", 1, None, value) for value in ("de", "de-berlin", "remote")]
    assert [row.value for row in countries(rows)] == ["de"]


def test_a_map_without_links_is_one_image_with_a_description() -> None:
    page = elements(drawn("world('m', 'Map', rows, 'Projects')", rows=places(("us", 2), ("de", 1))))
    picture = next(page.iter("svg"))
    assert picture.get("role") == "img" and picture.get("aria-label") == "Map"
    assert [e.text for e in page.iter("desc")] == ["2 countries. Most are in United States: 2."]
    assert not list(page.iter("a"))


def test_countries_without_a_place_on_the_map_are_not_drawn() -> None:
    rows = places(("aq", 2), ("de", 1))
    page = elements(drawn("world('m', 'Map', rows, 'Projects', linked=true)", rows=rows))
    assert [a.get("aria-label") for a in page.iter("a")] == ["Germany: 1"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"{", "the file: Invalid JSON"),
        (b'{"width": 1, "height": 1, "shapes": {"de": 3}, "dots": {}, "rest": ""}', "shapes.de: "),
        (b'{"width": 1, "height": 1, "shapes": {}, "dots": {"de": [1]}, "rest": ""}', "dots.de.1"),
    ],
)
def test_an_invalid_custom_map_is_an_error_of_the_theme(data: bytes, fault: str) -> None:
    theirs = replace(site(), theme=Theme("en", {FILE: data}))
    with pytest.raises(ThemeError, match=re.escape(f"{FILE} is no map: {fault}")):
        world(theirs, places(("de", 1)))


def test_an_empty_map_has_a_message() -> None:
    html = drawn("world('m', 'Map', [], 'Projects')")
    assert "No data yet." in html and "legend" not in html
