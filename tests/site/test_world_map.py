"""`/map/` in a browser: the drawn countries and their links."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from generator.site.fit import MAPPED
from generator.site.views.map import map_paths
from support.browser import Visiting


@pytest.mark.parametrize("name", MAPPED)
def test_map_and_table_have_the_numbers_of_the_api(
    site: str, visit: Visiting, built_content: Path, name: str
) -> None:
    page = visit(site, scripts=False).go(dict(map_paths(MAPPED))[name])
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
    expect(page.locator("h1")).to_have_text("United States")


def test_pages_with_a_map_are_small(built_content: Path) -> None:
    for path in ("map/index.html", "index.html", "embed/map/index.html"):
        assert len(gzip.compress((built_content / path).read_bytes())) < 30 * 1024, path
