"""How a list looks: as rows, cards, lines and a table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from support import commands, engines
from support.browser import Visiting

AXE = commands.ROOT / "tests" / "hosts" / "node_modules" / "axe-core" / "axe.min.js"


def choose(page: Page, view: str) -> None:
    page.locator("#view").select_option(label=view)


def left(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["x"]


def test_the_chosen_view_is_that_of_the_next_list(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    assert page.locator("#results").get_attribute("data-view") == "list"
    choose(page, "Compact")
    expect(page.locator("#rows .notes").first).to_be_hidden()
    page.goto("/programs/?type=accelerator")
    expect(page.locator("#results")).to_have_attribute("data-view", "compact")
    expect(page.get_by_label("View", exact=True)).to_have_value("compact")
    expect(page.locator("#results")).not_to_have_attribute("aria-busy", "true")
    assert not page.locator("#rows .chips").first.is_visible()


def test_an_unknown_view_that_the_browser_kept_is_a_list(site: str, visit: Visiting) -> None:
    window = visit(site)
    window.context.add_init_script('localStorage.setItem("registry:/", \'{"view": "gone"}\')')
    page = window.go("/projects/")
    assert page.locator("#results").get_attribute("data-view") == "list"


@pytest.mark.parametrize("path", ["/projects/", "/programs/", "/organizations/"])
def test_a_table_has_the_facts_under_their_heads(site: str, visit: Visiting, path: str) -> None:
    page = visit(site).go(path)
    choose(page, "Table")
    heads = page.locator(".heads > span:visible")
    words = {"/projects/": "Program", "/programs/": "Organization", "/organizations/": "Category"}[
        path
    ]
    assert words in heads.all_inner_texts()
    for kind in ("name", "places", "year"):
        cells = page.locator(f".entries .{kind}")
        head = page.locator(f".heads > .{kind}")
        for cell in (cells.first, cells.last):
            assert abs(left(cell) - left(head)) < 1, kind
    # Nothing is over another thing: the cells of a row are beside each other.
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_table_names_the_usual_status_too(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?status=active&sort=-year")
    expect(page.locator("#said")).to_have_text(re.compile("^[1-9]"))
    badge = page.locator("#rows .badge").first
    assert not badge.is_visible()
    choose(page, "Table")
    assert badge.is_visible() and badge.inner_text() == "Active"


def test_a_record_has_the_initials_of_its_name(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    row = page.locator("#rows li").filter(has_text="Akamai Technologies").first
    face = row.locator(".face")
    assert face.inner_text() == "AT" and face.get_attribute("aria-hidden") == "true"


@pytest.mark.parametrize("view", ["Cards", "Compact", "Table"])
@pytest.mark.parametrize("phone", [False, True])
def test_every_view_is_accessible_and_as_wide_as_the_window(
    site: str, visit: Visiting, view: str, phone: bool
) -> None:
    engines.need("axe-core")
    page = visit(site, phone=phone, dark=phone).go("/projects/?location=us")
    choose(page, view)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(AXE.read_text("utf-8"))
    options = {"rules": {"target-size": {"enabled": True}}}
    found = page.evaluate("async asked => (await axe.run(asked)).violations", options)
    assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
