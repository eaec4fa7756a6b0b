"""A registry on its first day: names, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

NAMES = [f"Company {number}" for number in range(12)]


@pytest.fixture(scope="module")
def first_day(publish: Publish) -> Iterator[str]:
    projects = {name.lower().replace(" ", "-"): {"name": name} for name in NAMES}
    content = registries.content(projects=projects, programs={}, organizations={}, events={})
    with browsers.served(publish("first-day", content)) as origin:
        yield origin


def test_the_home_page_of_a_small_registry_has_every_record(
    first_day: str, visit: Visiting
) -> None:
    page = visit(first_day).go("/")
    assert sorted(page.locator("#main .entries .name").all_inner_texts()) == sorted(NAMES)
    expect(page.locator("#newest")).to_have_text("Projects")
    expect(page.locator("#main .part:has(.body:empty)")).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True])
def test_a_list_without_filters_and_charts_keeps_no_place_for_them(
    first_day: str, visit: Visiting, phone: bool
) -> None:
    page = visit(first_day, phone=phone).go("/projects/")
    for part in ("#filters", "#overview", '[for="filters-open"]'):
        expect(page.locator(part)).to_be_hidden()
    list_box, rows = page.locator("#list").bounding_box(), page.locator("#rows").bounding_box()
    assert list_box and rows and rows["width"] == list_box["width"]
    page.locator("#q").fill("company 7")
    expect(page.locator("#said")).to_have_text("1 project")
    expect(page.locator("#overview")).to_be_hidden()
