"""The API reference in a browser: code in tabs, beside the text where there is room."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser import Visiting

PAGE = "/docs/api/projects/"


def test_code_has_a_tab_for_each_language(site: str, visit: Visiting) -> None:
    page = visit(site).go(PAGE)
    first, second = page.locator(".ways.tabbed").nth(0), page.locator(".ways.tabbed").nth(1)
    assert first.get_by_role("tab").all_inner_texts()[:3] == ["curl", "Python", "JavaScript"]
    assert first.locator(".code:visible").count() == 1
    assert first.locator("pre:visible").inner_text().startswith("curl ")
    first.get_by_role("tab", name="curl").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(first.get_by_role("tab", name="JavaScript")).to_be_focused()
    assert first.locator("pre:visible").inner_text().startswith("const answer = await fetch(")
    # The language is chosen for the whole page.
    selected = second.locator('[role=tab][aria-selected="true"]')
    assert selected.text_content() == "JavaScript"
    expect(first.get_by_role("button", name="Copy")).to_be_visible()


def test_examples_are_beside_the_text_where_there_is_room(site: str, visit: Visiting) -> None:
    for phone, beside in ((False, True), (True, False)):
        page = visit(site, phone=phone).go(PAGE)
        text, code = page.locator(".endpoint .beside").first.locator("> div").all()
        left, right = text.bounding_box(), code.bounding_box()
        assert left and right
        assert (left["x"] + left["width"] <= right["x"]) is beside
        assert (left["y"] + left["height"] <= right["y"]) is not beside


def test_without_a_script_every_language_is_there(site: str, visit: Visiting) -> None:
    page = visit(site, scripts=False).go(PAGE)
    ways = page.locator(".ways").first
    assert ways.locator(".code:visible").count() == ways.locator(".code").count() >= 3
