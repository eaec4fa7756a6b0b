"""Finding a value of a long filter in the panel of a list."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser import Visiting


@pytest.mark.parametrize("words", ["qqqq", "...", "%"])
def test_a_value_that_is_not_found_is_said(site: str, visit: Visiting, words: str) -> None:
    window = visit(site)
    page = window.go("/projects/")
    page.locator("#filter-location > summary").click()
    lookup = page.get_by_label("Find a value of Location")
    lookup.fill(words)
    group = page.locator("#filter-location")
    expect(group.get_by_role("status")).to_have_text(f"Nothing found for “{words}”.")
    expect(lookup).to_be_focused()
    lookup.fill("germ")
    expect(group.locator("label", has_text="Germany").first).to_be_visible()
    assert group.get_by_role("status").count() == 0
    lookup.fill("")
    expect(group.locator("label", has_text="United States").first).to_be_visible()
