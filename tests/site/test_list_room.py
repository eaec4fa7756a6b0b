"""How many records a list shows on the first screen, the bar that stays in sight, and the header
and the filters of a phone.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support.browser import Visiting
from support.listing import box, settled, wait_for

_ROWS_IN_VIEW = """() => [...document.querySelectorAll("#rows .entries > li:not(.rest)")]
  .map(row => row.getBoundingClientRect())
  .filter(box => box.height && box.bottom <= innerHeight).length"""
_SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, summary, input, select, label")]
  .filter(one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter(one => !one.matches(".unseen, .skip") && !(one.type === "checkbox"))
  .filter(one => getComputedStyle(one).display !== "inline" && !one.closest(".colophon"))
  .filter(one => { const box = one.getBoundingClientRect()
    return box.height && (box.height < 23.5 || box.width < 23.5) })
  .map(one => one.outerHTML.slice(0, 120))"""


def rows_in_view(page: Page, width: int, height: int) -> int:
    page.set_viewport_size({"width": width, "height": height})
    settled(page)
    rows: int = page.evaluate(_ROWS_IN_VIEW)
    return rows


def test_eight_records_are_on_the_first_screen(shape: str, visit: Visiting) -> None:
    page = visit(shape).go("/")
    links = page.locator(".masthead nav a").evaluate_all("links => links.map(a => a.pathname)")
    for root in {"/projects/", "/programs/"} & set(links):
        path = f"{root}?year=2000.."
        page.goto(path)
        page.wait_for_load_state("networkidle")
        every = page.locator("#rows .entries > li").count()
        assert rows_in_view(page, 1440, 900) >= min(8, every), path
        assert rows_in_view(page, 1024, 768) >= min(4, every), path
        assert page.evaluate("document.documentElement.scrollWidth") <= 1024


def test_three_records_are_on_the_first_screen_of_a_phone(site: str, visit: Visiting) -> None:
    page = visit(site, phone=True).go("/projects/?status=active")
    settled(page)
    assert page.evaluate(_ROWS_IN_VIEW) >= 3
    header, brand = page.locator(".masthead"), page.locator(".brand")
    assert (header.bounding_box() or {})["height"] < 64
    for one in (brand, page.locator("#find-words"), page.locator(".menu")):
        expect(one).to_be_in_viewport()
    assert page.evaluate(_SMALL_TARGETS) == []
    assert not page.locator(".masthead nav").is_visible()
    page.locator(".menu").click()
    page.locator(".masthead nav").get_by_role("link", name="Programs").click()
    page.wait_for_url("**/programs/")


def test_the_menu_of_a_phone_and_its_filters_need_no_script(site: str, visit: Visiting) -> None:
    page = visit(site, phone=True, scripts=False).go("/projects/")
    page.locator(".list-bar [for=filters-open]").click()
    page.locator("#filters-title").wait_for()
    page.get_by_text("Close", exact=True).click()
    assert not page.locator("#filters-title").is_visible()
    page.locator(".list-bar [for=filters-open]").click()
    page.locator("#filter-status a", has_text="Acquired").click()
    page.wait_for_url("**/projects/status/acquired/")
    page.locator(".menu").click()
    page.locator(".masthead nav").get_by_role("link", name="Map").click()
    page.wait_for_url("**/map/")


def test_search_orders_and_views_stay_in_sight(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    page.mouse.wheel(0, 3000)
    page.wait_for_function("scrollY > 1000")
    for name in ("#q", "#order", "#view-compact"):
        expect(page.locator(name)).to_be_in_viewport()
    page.locator("#rows .name").nth(9).focus()
    top = page.locator("#rows .name").nth(9).bounding_box()
    bar = page.locator(".list-bar").bounding_box()
    assert top is not None and bar is not None and top["y"] >= bar["y"] + bar["height"]
    views = page.locator("#views button")
    assert views.all_inner_texts() == ["List", "Compact", "Cards", "Table"]
    page.locator("#view-compact").click()
    expect(page.locator("#results")).to_have_attribute("data-view", "compact")


def test_filters_are_in_the_order_of_questions_with_five_values_each(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/")
    names = [one.get_attribute("id") for one in page.locator("#groups > details").all()]
    assert names[:4] == ["filter-status", "filter-location", "filter-year", "filter-tag_topic"]
    for name in ("status", "year", "tag_topic"):
        group = page.locator(f"#filter-{name}")
        if group.get_attribute("open") is None:
            group.locator("> summary").click()
        assert group.locator("input[type=checkbox]:visible").count() <= 5


def test_what_was_typed_to_find_a_value_stays_after_a_tick(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    lookup = page.get_by_label("Find a value of Location")
    lookup.fill("germ")
    box(page, "location", "de").check()
    wait_for(page, "location=de", "/projects/?location=de")
    expect(lookup).to_have_value("germ")
    expect(page.locator("#filter-location label", has_text="United States")).to_have_count(0)
    lookup.fill("ken")
    box(page, "location", "ke").check()
    wait_for(page, "location=de,ke", "/projects/?location=de,ke")
    expect(lookup).to_have_value("ken")


def test_years_are_chosen_by_their_chart(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    bars = page.locator("#filter-year .years > span")
    first = int((bars.first.get_attribute("title") or "").partition(":")[0])
    bars.nth(2005 - first).hover()
    page.mouse.down()
    bars.nth(2010 - first).hover()
    page.mouse.up()
    wait_for(page, "year=2005..2010", "/projects/?year=2005..2010")
    expect(page.get_by_role("group", name="Year").get_by_label("From")).to_have_value("2005")
    expect(page.locator("#filter-year .years .in")).to_have_count(6)
    page.locator("#filter-year .years > span").nth(2012 - first).click()
    wait_for(page, "year=2012", "/projects/?year=2012")


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("tag_topic=Climate", "tag_topic=climate"), ("location=Germany,ke", "location=de,ke")],
)
def test_a_value_that_is_spelled_otherwise_is_corrected(
    asked: str, meant: str, site: str, visit: Visiting
) -> None:
    window = visit(site)
    page = window.go(f"/projects/?{asked}")
    wait_for(page, meant, f"/projects/?{meant}")
    window.faults.clear()  # the first query is refused


def test_every_empty_result_has_a_way_out(site: str, visit: Visiting) -> None:
    window = visit(site)
    for query in ("q=qqqqqqq", "q=qqqqqqq&status=active", "location=ke&status=public"):
        page = window.go(f"/projects/?{query}")
        page.locator("#rows").get_by_role("link", name="All projects").click()
        expect(page.locator("#count")).to_contain_text("of 175")


def test_what_is_short_keeps_its_words_on_a_phone(german_site: str, visit: Visiting) -> None:
    page = visit(german_site, phone=True).go("/organizations/")
    settled(page)
    heights = page.locator("#rows .badge").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert heights and max(heights) < 32
    page.goto("/projects/")
    page.locator(".list-bar [for=filters-open]").click()
    year = page.locator("#filter-year[data-name]")
    year.locator("> summary").click()
    first, last = (one.bounding_box() for one in year.locator(".ends > span").all())
    assert first is not None and last is not None and last["x"] - first["x"] > 200
