"""The card of a record over a list: what opens it, what it shows, and how it leaves."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from generator import PACKAGE
from support.browser import Visit, Visiting

#: The bytes of a list page that the card may take before it is opened.
MOST = 600
HOSTILE = {
    "slug": "x",
    "name": "<img src=x onerror=alert(1)>",
    "summary": "</p><script>alert(2)</script>",
    "status": "<b>active</b>",
    "website": "javascript:alert(3)",
    "locations": [{"country": "DE", "region": None, "city": "<i>Berlin</i>", "slug": "de-x"}],
    "tags": {"topic": ['"><u>x</u>']},
    "programs": [{"slug": "p", "name": "<s>P</s>", "href": "javascript:alert(4)"}],
    "year": 2020,
}


def record(page: Page, slug: str) -> dict[str, Any]:
    data: dict[str, Any] = page.request.get(f"/api/projects/slug/{slug}.json").json()["data"]
    return data


def opened(page: Page) -> Locator:
    card = page.locator(".card")
    expect(card).to_be_visible()
    return card


def first(page: Page) -> Locator:
    return page.locator("#rows .name").first


def slug_of(link: Locator) -> str:
    return str(link.get_attribute("href")).rstrip("/").rpartition("/")[2]


def asked_for(window: Visit) -> list[str]:
    """The addresses that the page asks for from now on."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url.removeprefix(window.origin))

    window.page.on("request", note)
    return asked


# --- what it shows ---


def test_the_card_has_what_the_record_is(site: str, visit: Visiting) -> None:
    window = visit(site)
    page = window.go("/projects/")
    link = page.locator("#rows li:has(.notes):has(.chips) .name").first
    known = record(page, slug_of(link))
    link.focus()
    page.keyboard.press("Space")
    card = opened(page)
    expect(card).to_have_attribute("role", "dialog")
    expect(card).to_have_accessible_name(known["name"])
    expect(card.locator("p").first).to_have_text(known["summary"])
    expect(card.locator(".badge")).to_have_text(known["status"].title())
    expect(card.get_by_text("Open", exact=True)).to_have_attribute(
        "href", str(link.get_attribute("href"))
    )
    away = card.get_by_role("link", name="Website")
    expect(away).to_have_attribute("href", known["website"])
    expect(away).to_have_attribute("rel", "noopener nofollow ugc")
    place = known["locations"][0]
    expect(card.locator(".about")).to_contain_text(place["city"] or place["region"])
    row = link.locator("xpath=ancestor::li[1]")
    chips = card.locator(".chip").all_text_contents()
    assert len(chips) == len(set(chips))
    assert set(row.locator(".chip").all_text_contents()) <= set(chips)


def test_own_kinds_have_their_own_badge_and_no_words_of_startups(
    investors_site: str, visit: Visiting
) -> None:
    page = visit(investors_site).go("/investors/")
    page.get_by_role("link", name="Birch Capital").first.focus()
    page.keyboard.press("Space")
    card = opened(page)
    expect(card.locator(".badge")).to_have_text("Seed")
    expect(card.locator(".about")).to_contain_text("Berlin, Germany")
    expect(card.get_by_role("link", name="Website")).to_have_count(0)


def test_the_card_is_in_the_language_of_the_site(german_site: str, visit: Visiting) -> None:
    page = visit(german_site).go("/projects/")
    first(page).focus()
    page.keyboard.press("Space")
    expect(opened(page).get_by_role("link", name="Öffnen")).to_be_visible()


def test_markup_in_a_record_is_text_and_other_addresses_are_no_links(
    site: str, visit: Visiting
) -> None:
    window = visit(site)
    body = json.dumps({"kind": "project", "data": HOSTILE})
    window.context.route(
        "**/slug/*.json", lambda route: route.fulfill(body=body, content_type="application/json")
    )
    page = window.go("/projects/")
    first(page).focus()
    page.keyboard.press("Space")
    card = opened(page)
    expect(card.locator("h2")).to_have_text(HOSTILE["name"])
    expect(card.locator("p").first).to_have_text(HOSTILE["summary"])
    assert card.locator("img, script, b, i, s, u").count() == 0
    links = [str(link.get_attribute("href")) for link in card.locator("a").all()]
    assert links and all(link.startswith("/") for link in links)


# --- opening and closing ---


def test_a_resting_pointer_opens_the_card_beside_the_name_and_nothing_is_read_before(
    site: str, visit: Visiting
) -> None:
    window = visit(site)
    page = window.go("/projects/")
    page.evaluate("untilIdle()")
    asked = asked_for(window)
    link = page.locator("#rows .name").nth(3)
    link.hover()
    page.mouse.move(2, 2)
    page.wait_for_timeout(600)
    assert asked == []
    link.hover()
    card = opened(page)
    reads = [address for address in asked if address.endswith(".json")]
    assert f"/api/projects/slug/{slug_of(link)}.json" in reads
    name, box = link.bounding_box(), card.bounding_box()
    assert name and box and box["x"] >= name["x"] + name["width"]
    # The pointer may go to the card, over the row and over a gap.
    page.mouse.move(box["x"] + 40, box["y"] + 20, steps=12)
    page.wait_for_timeout(500)
    expect(card).to_be_visible()
    # The focus did not move, and Escape closes.
    expect(page.locator(":focus")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.mouse.move(2, 2)
    asked.clear()
    link.hover()
    expect(card).to_be_visible()
    assert asked == []
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()


def test_space_opens_the_card_and_escape_or_tab_give_the_focus_back(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/")
    link = first(page)
    link.focus()
    page.keyboard.press("Space")
    card = opened(page)
    expect(card).to_be_focused()
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(link).to_be_focused()
    page.keyboard.press("Space")
    expect(card).to_be_focused()
    stops = card.locator("a, button").count()
    for _ in range(stops):
        page.keyboard.press("Tab")
        assert card.evaluate("card => card.contains(document.activeElement)")
    page.keyboard.press("Tab")
    expect(card).to_be_hidden()
    behind = "link => link.compareDocumentPosition(document.activeElement) & 4"
    assert link.evaluate(behind)
    link.focus()
    page.keyboard.press("Space")
    expect(card).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(card).to_be_hidden()
    expect(link).to_be_focused()


def test_on_a_phone_a_tap_beside_the_name_opens_a_sheet_and_the_name_leads_to_the_record(
    site: str, visit: Visiting
) -> None:
    page = visit(site, phone=True).go("/projects/")
    link = first(page)
    page.locator("#rows li > .what > p").first.tap()
    card = opened(page)
    box = card.bounding_box()
    assert box and box["x"] == 0 and box["width"] == 390
    assert abs(box["y"] + box["height"] - 844) < 1
    close = card.get_by_role("button", name="Close")
    close.tap()
    expect(card).to_be_hidden()
    path = str(link.get_attribute("href"))
    link.tap()
    expect(page).to_have_url(f"{site}{path}")


def test_rows_that_the_script_draws_have_cards(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?sort=-year")
    first(page).focus()
    page.keyboard.press("Space")
    expect(opened(page).locator("h2")).to_have_text(first(page).inner_text())


@pytest.mark.parametrize("answer", [404, 0])
def test_without_the_record_there_is_no_card_and_the_link_stays(
    site: str, visit: Visiting, answer: int
) -> None:
    window = visit(site)

    def refuse(route: Route) -> None:
        route.fulfill(status=answer) if answer else route.abort()

    window.context.route("**/api/projects/slug/*.json", refuse)
    page = window.go("/projects/")
    link = first(page)
    link.focus()
    with page.expect_event("requestfinished" if answer else "requestfailed"):
        page.keyboard.press("Space")
    page.wait_for_timeout(300)
    expect(page.locator(".card")).to_be_hidden()
    expect(link).to_be_focused()
    window.context.unroute("**/api/projects/slug/*.json")
    page.keyboard.press("Space")
    opened(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/projects/[^/]+/$"))
    window.faults.clear()


def test_a_record_is_chosen_to_compare_on_its_card(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    first(page).focus()
    page.keyboard.press("Space")
    button = opened(page).get_by_role("button", name="Compare")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#rows li").first.get_by_role("checkbox")).to_be_checked()
    expect(page.locator("#tray")).to_contain_text(first(page).inner_text())


# --- what it costs ---


def test_the_card_costs_a_list_nothing_but_what_asks_for_it(site: str, visit: Visiting) -> None:
    page = visit(site).page
    html = page.request.get(f"{site}/projects/").text()
    told = re.search(r'"card":"/assets/card-[^"]+",', html)
    assert told and html.count("/assets/card-") == 1
    without = len(gzip.compress(html.replace(told[0], "").encode()))
    asking = (PACKAGE / "site/source/shared/peek.mjs").read_text()
    code = re.sub(r"//.*|^\s+", "", asking, flags=re.MULTILINE)
    grown = len(gzip.compress(html.encode())) - without
    assert grown + len(gzip.compress(code.encode())) < MOST
