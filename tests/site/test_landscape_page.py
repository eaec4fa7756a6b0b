"""The search of the landscape dims the other projects, and the page can be read without it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.browser import Visiting


def test_a_search_dims_the_others_and_enter_goes_from_one_to_the_next(
    tools_site: str, visit: Visiting
) -> None:
    window = visit(tools_site)
    page = window.go("/landscape/")
    tiles = page.locator(".landscape .tile-list a")
    name = (tiles.nth(3).text_content() or "").strip()
    word = re.split(r"\W+", name)[0]
    page.locator("#dim").fill(word.upper())
    expect(page.locator("#dim-says")).to_have_text(re.compile("^[1-9][0-9]* "))
    found = page.locator(".landscape a.lit")
    assert found.count() and all(word.lower() in text.lower() for text in found.all_text_contents())
    dimmed = page.locator(".landscape .tile-list a:not(.lit)").first
    expect(dimmed).to_have_css("opacity", "0.22")
    expect(found.first).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    expect(found.first).to_have_class(re.compile("here"))
    if found.count() > 1:
        page.keyboard.press("Enter")
        expect(found.nth(1)).to_have_class(re.compile("here"))
    page.locator("#dim").fill("qqqqqq")
    expect(page.locator("#dim-says")).to_have_text(re.compile("^0 "))
    page.locator("#dim").fill("")
    expect(page.locator("#dim-says")).to_have_text("")
    expect(dimmed).to_have_css("opacity", "1")
    assert window.faults == []


def test_without_javascript_every_project_is_a_link_and_there_is_no_search(
    tools_site: str, visit: Visiting
) -> None:
    page = visit(tools_site, scripts=False).go("/landscape/")
    assert page.locator(".landscape .tile-list a").count() >= 100
    expect(page.locator("#dim")).to_be_hidden()
    expect(page.locator(".landscape img").first).to_have_attribute("width", "20")
