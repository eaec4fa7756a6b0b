"""Boxes at rows, and the tray of what is chosen with the way to compare it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support import audit, registries
from support import browser as browsers
from support.browser import Visiting
from support.listing import names, settled
from support.sites import Publish


def tick(page: Page, place: int) -> str:
    """Tick the box of a row; returns its name."""
    row = page.locator("#rows .entries > li").nth(place)
    row.locator(".pick").check()
    return row.locator(".name").inner_text()


def chosen(page: Page) -> list[str]:
    return page.locator("#tray bdi").all_inner_texts()


def test_the_tray_keeps_what_is_chosen_over_pages_filters_and_orders(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/")
    expect(page.locator("#tray")).to_be_hidden()
    picked = [tick(page, 1)]
    expect(page.locator("#tray")).to_be_visible()
    expect(page.locator("#tray").get_by_role("link", name="Compare")).to_be_hidden()
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**/page/2/")
    picked.append(tick(page, 3))
    expect(page.locator("#tray bdi")).to_have_count(2)
    page.goto("/projects/?status=acquired&sort=-year")
    settled(page)
    picked.append(tick(page, 0))
    expect(page.locator("#tray bdi")).to_have_text(picked)
    expect(page.locator("#tray [role=status]")).to_have_text("3 chosen")
    # Another kind has its own; where a record is seen again, its box is ticked.
    page.goto("/programs/")
    expect(page.locator("#rows .pick").first).to_be_attached()
    expect(page.locator("#tray")).to_be_hidden()
    page.goto("/projects/?sort=name")
    settled(page)
    place = names(page).index(picked[0])
    expect(page.locator("#rows .pick").nth(place)).to_be_checked()
    expect(page.locator("#rows .pick:checked")).to_have_count(1 + (picked[2] in names(page)))
    page.locator("#tray").get_by_role("link", name="Compare").click()
    expect(page.locator(".versus thead .name")).to_have_text(picked)
    page.go_back()
    page.get_by_role("button", name=f"Remove {picked[1]}").click()
    expect(page.locator("#tray bdi")).to_have_text([picked[0], picked[2]])
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#tray")).to_be_hidden()
    expect(page.locator("#rows .pick:checked")).to_have_count(0)


def test_no_more_is_chosen_than_can_be_compared(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    picked = [tick(page, place) for place in range(4)]
    expect(page.locator("#tray bdi")).to_have_text(picked)
    fifth = page.locator("#rows .pick").nth(4)
    fifth.click()
    expect(page.locator("#tray [role=status]")).to_have_text("At most 4. Remove one first.")
    expect(fifth).not_to_be_checked()
    assert chosen(page) == picked
    page.locator("#rows .pick").first.click()
    expect(page.locator("#tray bdi")).to_have_text(picked[1:])


def test_nothing_of_the_tray_is_read_before_a_box_is_ticked(site: str, visit: Visiting) -> None:
    window = visit(site)
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))
    page = window.go("/projects/")
    expect(page.locator("#rows .pick")).to_have_count(50)
    assert not [url for url in asked if "tray" in url]
    tick(page, 0)
    expect(page.locator("#tray")).to_be_visible()
    assert len([url for url in asked if "tray" in url]) == 2  # the script and its style sheet


@pytest.mark.parametrize("width", [1440, 820, 390])
def test_boxes_and_the_tray_are_within_reach_of_keys(
    site: str, visit: Visiting, width: int
) -> None:
    page = visit(site, viewport={"width": width, "height": 800}).go("/projects/")
    box = page.locator("#rows .pick").nth(1)
    assert box.evaluate("one => getComputedStyle(one).opacity") == "0"
    page.locator("#rows .pick").first.focus()
    page.keyboard.press("Space")
    expect(page.locator("#tray")).to_be_visible()
    assert audit.covered_stops(page, "Tab", 60) == []
    box.focus()
    assert box.evaluate("one => getComputedStyle(one).opacity") == "1"
    page.keyboard.press("Space")
    expect(page.locator("#tray").get_by_role("link", name="Compare")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert audit.violations(page) == [] and audit.overflow(page) == []


@pytest.mark.parametrize("view", ["list", "compact", "cards", "table"])
@pytest.mark.parametrize("registry", ["site", "german_site"])
def test_boxes_of_a_phone_are_seen_and_cover_nothing(
    request: pytest.FixtureRequest, visit: Visiting, registry: str, view: str
) -> None:
    page = visit(request.getfixturevalue(registry), phone=True).go("/projects/")
    page.locator("#more > summary").click()
    page.locator(f"#view-{view}").click()
    page.keyboard.press("Escape")
    boxes = page.locator("#rows .pick")
    expect(boxes.first).to_be_visible()
    faults = page.locator("#rows .entries > li:not(.rest)").evaluate_all(
        """rows => rows.flatMap(row => {
        const a = row.querySelector(".pick").getBoundingClientRect()
        const texts = [...row.querySelectorAll(".name, .badge, .year, .counts")].filter(one => {
          const range = document.createRange()
          range.selectNodeContents(one)
          return [...range.getClientRects()].some(b => b.width && a.left < b.right - 1
            && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        })
        const isSmall = a.width < 24 || a.height < 24 || a.right > innerWidth
        return [...texts.map(one => one.textContent), ...isSmall ? ["small"] : []]
      })"""
    )
    assert faults == []
    assert boxes.first.evaluate("one => getComputedStyle(one).opacity") == "1"
    assert audit.overflow(page) == []


def test_a_registry_without_comparisons_has_no_boxes(publish: Publish, visit: Visiting) -> None:
    content = registries.content(registry={"leave_out": ["compare"]})
    with browsers.served(publish("no-comparisons", content)) as origin:
        page = visit(origin).go("/projects/")
        expect(page.locator("#view-list")).to_be_attached()
        assert page.locator("#tray, .pick").count() == 0
