"""`/map/` in a browser: the drawn countries and their links."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from generator.features.map.views import cities
from support.browser import Visiting
from support.lanes import sample

MAPS = {
    "projects": "/map/",
    "programs": "/map/programs/",
    "organizations": "/map/organizations/",
}


@pytest.mark.parametrize("name", sample(["projects"], MAPS))
def test_map_and_table_have_the_numbers_of_the_api(
    site: str, visit: Visiting, built_content: Path, name: str
) -> None:
    page = visit(site, scripts=False).go(MAPS[name])
    document = json.loads((built_content / f"api/{name}/filters/location.json").read_bytes())
    values = [v for v in document["data"]["values"] if re.fullmatch("[a-z]{2}", v["value"])]
    counted = {v["label"]: str(v["count"]) for v in values}
    rows = page.locator("#table tbody tr")
    assert {
        row.locator("th").inner_text(): row.locator("td").inner_text() for row in rows.all()
    } == counted
    links = page.locator("#map a")
    labels = [str(a.get_attribute("aria-label")).rpartition(": ") for a in links.all()]
    assert {label: number for label, _, number in labels} == counted
    assert {a.get_attribute("href") for a in links.all()} == {
        f"/{name}/location/{v['value']}/" for v in values
    }


def test_the_keyboard_opens_the_records_of_a_country(site: str, visit: Visiting) -> None:
    page = visit(site).go("/map/")
    page.locator("#map a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/projects/location/us/"))
    expect(page.locator("h1")).to_have_text("Projects in the United States")


def shapes(page: Page) -> dict[str, dict[str, float]]:
    """Country -> the place and size of its shape on the screen."""
    return {
        str(link.get_attribute("aria-label")).partition(":")[0]: dict(link.bounding_box() or {})
        for link in page.locator("#map a").all()
    }


@pytest.mark.parametrize("scripts", sample([True], [False]))
def test_the_map_shows_where_records_are_and_the_whole_world(
    european_site: str, visit: Visiting, scripts: bool
) -> None:
    page = visit(european_site, scripts=scripts).go("/map/")
    frame = page.locator("#map svg").first.bounding_box()
    assert frame
    near = shapes(page)
    assert set(near) == {"Germany", "Denmark", "Malta"}
    for box in near.values():
        assert frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"]
    page.get_by_label("Show the whole world").check()
    far = shapes(page)
    assert near["Germany"]["height"] > 3 * far["Germany"]["height"]
    # A small country is a point of the same size.
    assert abs(near["Malta"]["height"] - far["Malta"]["height"]) < 2


def test_cities_are_listed_and_lead_to_their_records(european_site: str, visit: Visiting) -> None:
    page = visit(european_site).go("/map/")
    rows = page.locator("#places tbody tr")
    assert [row.inner_text().split("\n\t") for row in rows.all()] == [
        ["Berlin, Germany", "2"],
        ["Munich, Germany", "1"],
        ["Copenhagen, Denmark", "1"],
        ["Valletta, Malta", "1"],
    ]
    page.get_by_role("link", name="Berlin, Germany").click()
    expect(page.locator("#said")).to_have_text("2 projects")
    assert sorted(page.locator("#rows .name").all_inner_texts()) == ["Berlin 0", "Berlin 1"]
    expect(page.locator("#chosen")).to_contain_text("Berlin, Germany")
    # Without a script the same address has the records of the country.
    plain = visit(european_site, scripts=False).go("/projects/location/de/?location=de-berlin")
    assert plain.locator("#rows .name").count() == 3


def test_a_region_with_cities_is_no_city() -> None:
    values = [
        {"value": "north-america", "label": "North America", "count": 3},
        {"value": "us-california", "label": "California, United States", "count": 2},
        {"value": "us-california-los-angeles", "label": "Los Angeles, California, United States"},
        {"value": "us", "label": "United States", "count": 3},
        {"value": "us-nevada", "label": "Nevada, United States", "count": 1},
    ]
    assert [value["value"] for value in cities(values)] == [
        "us-california-los-angeles",
        "us-nevada",
    ]


def test_records_and_rows_link_to_the_city(european_site: str, visit: Visiting) -> None:
    window = visit(european_site)
    city = "/projects/location/de/?location=de-munich"
    for path in ("/projects/de-2/", "/projects/", "/projects/?q=munich"):
        page = window.go(path)
        link = page.locator("main").get_by_role("link", name="Munich, Germany")
        assert link.first.get_attribute("href") == city, path
