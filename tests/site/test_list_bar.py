"""What stays at the top of a list while one scrolls, and where names begin by their letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support import audit, registries
from support import browser as browsers
from support.browser import Visiting
from support.listing import settled
from support.sites import Publish

#: What is always there, and what there is of one filter.
ALWAYS = ("#q", "#order", "#count", "[data-key=csv]", "[data-key=share]", "#more > summary")
CHIP = "#chosen button >> nth=0"
WIDTHS = (1440, 1000, 820, 390, 320)


def scrolled(page: Page, width: int) -> Page:
    """The page in a window of a width, scrolled over its rows."""
    page.set_viewport_size({"width": width, "height": 800})
    settled(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
    return page


@pytest.mark.parametrize("registry", ["site", "german_site"])
def test_actions_count_and_chips_stay_in_sight_in_one_line_or_two(
    request: pytest.FixtureRequest, visit: Visiting, registry: str
) -> None:
    page = visit(request.getfixturevalue(registry)).go("/projects/?status=active")
    expect(page.locator(CHIP)).to_be_visible()
    for width in WIDTHS:
        scrolled(page, width)
        for part in ALWAYS:
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        expect(page.locator(CHIP)).to_be_in_viewport(ratio=0.2)
        assert page.locator(".list-bar").evaluate("one => one.clientHeight") == (
            52 if width == 1440 else 96
        )
        assert audit.overflow(page) == []


def test_many_chips_move_sideways_and_the_bar_keeps_its_height(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    heights: list[list[int]] = []
    for query in ("", "?status=active,public&location=us,de,fr&year=2000..2020&q=data"):
        page.goto(f"/projects/{query}")
        settled(page)
        heights.append([])
        for width in WIDTHS:
            bar = scrolled(page, width).locator(".list-bar")
            heights[-1].append(bar.evaluate("one => one.clientHeight"))
    assert heights[0] == heights[1]
    last = page.locator("#chosen button").last
    last.focus()
    expect(last).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.locator("#chosen button")).to_have_count(0)


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_that_has_the_focus_is_below_the_bar(
    site: str, visit: Visiting, width: int
) -> None:
    page = scrolled(visit(site).go("/projects/"), width)
    rows = page.locator("#rows .entries > li")
    for place in (3, 11, 30):
        rows.nth(place).evaluate("row => row.scrollIntoView()")
        assert audit.violations(page, "reach") == [], place
    rows.nth(30).locator(".name").focus()
    assert audit.covered_stops(page, "Shift+Tab", 40) == []
    # What is in the bar is in sight: the page stays where it is.
    page.evaluate("scrollTo(0, 2000)")
    for part in ("#order", "[data-key=csv]", "#more > summary"):
        page.locator(part).evaluate("one => one.focus()")
        assert page.evaluate("scrollY") == 2000, part


def test_the_order_says_what_it_is_and_the_newest_are_offered_first(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/")
    order = page.get_by_label("Sort:")
    assert order.locator("option").all_inner_texts()[:2] == ["Newest", "Name"]
    assert order.evaluate("one => one.selectedOptions[0].text") == "Name"
    order.select_option("Newest")
    expect(page).to_have_url(re.compile(r"\?sort=-year$"))
    page.goto("/projects/?sort=name")
    settled(page)
    assert order.evaluate("one => one.selectedOptions[0].text") == "Name"
    page.goto("/projects/?q=data")
    settled(page)
    assert order.evaluate("one => one.selectedOptions[0].text") == "Best match"
    order.select_option("Name")
    expect(page).to_have_url(re.compile(r"\?q=data&sort=name$"))


def test_a_menu_of_the_bar_closes_by_escape_and_beside_it(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    opener = page.locator("#more > summary")
    opener.press("Enter")
    expect(page.locator("#twin")).to_be_visible()
    page.locator("#twin").focus()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    expect(page.locator("#twin")).to_be_hidden()
    opener.click()
    page.locator("h1").click()
    expect(page.locator("#twin")).to_be_hidden()


def test_a_phone_shares_by_its_own_means(site: str, visit: Visiting) -> None:
    window = visit(site, phone=True)
    window.page.add_init_script("navigator.share = async what => { window.shared = what }")
    page = window.go("/projects/?status=active")
    settled(page)
    page.locator("[data-key=share]").click()
    assert page.evaluate("shared") == {"title": page.title(), "url": page.url}


def test_without_a_script_the_bar_has_the_count_the_orders_and_the_data(
    site: str, visit: Visiting
) -> None:
    page = visit(site, scripts=False).go("/projects/")
    expect(page.locator("#count")).to_have_text("1–50 of 175")
    assert page.locator("#sorts a").all_inner_texts()[0] == "Newest"
    page.locator("#more > summary").click()
    expect(page.locator("#twin")).to_be_visible()
    for part in ("[data-key=csv]", "[data-key=share]", ".views"):
        expect(page.locator(part)).to_be_hidden()
    page.locator(".letters").get_by_text("P", exact=True).click()
    page.wait_for_url("**/projects/page/3/#letter-p")
    expect(page.locator("#letter-p")).to_be_in_viewport(ratio=1)


# --- letters ---

_NAMES = [
    *("3D Hubs", "99designs", "(Bracket)", "«Quoted»", "Älpha", "Æon", "Ωmega", "東京", "Ювелир"),
    *("Éclair", "eclair two", "Ößel", "zeta", "Žižka", "ﬁne", "Ｗide", "☃ Snow", "~tilde"),
    *(f"{letter}{n:02}" for letter in "bdmprs" for n in range(25)),
]


@pytest.fixture(scope="module")
def named(publish: Publish) -> Iterator[str]:
    projects: dict[str, Any] = {
        f"n-{n}": {"name": name, "year": 2000 + n % 3, "status": "active" if n else "inactive"}
        for n, name in enumerate(_NAMES)
    }
    content = registries.content(projects=projects, programs={}, organizations={}, events={})
    with browsers.served(publish("letters", content)) as origin:
        yield origin


def initial(name: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    first = {"æ": "a", "ø": "o"}.get(plain[0].lower(), plain[0].lower())
    return first.upper() if "a" <= first <= "z" else "#" if first < "a" else "…"


@pytest.mark.parametrize("path", ["/projects/", "/projects/year/2001/"])
def test_each_letter_leads_to_the_first_name_with_it(
    named: str, visit: Visiting, path: str
) -> None:
    page = visit(named).go(path)
    root, number, first = "/api" + path.removesuffix("/").replace("/year", "/by/year"), 1, {}
    while (answer := page.request.get(f"{root}/page/{number}.json")).ok:
        for row in answer.json()["data"]:
            first.setdefault(initial(row["name"]), row["name"])
        number += 1
    letters = page.locator(".letters a")
    assert number > 2 and letters.all_inner_texts() == [*first]
    for letter, name in first.items():
        page.locator(".letters").get_by_text(letter, exact=True).click()
        expect(page.locator("#rows li:target .name")).to_have_text(name)
        expect(page.locator("#rows li:target")).to_be_in_viewport(ratio=1)
        page.goto(path)


def test_letters_are_in_the_order_of_names_alone(named: str, visit: Visiting) -> None:
    page = visit(named).go("/projects/")
    expect(page.locator(".letters")).to_be_visible()
    page.locator("#order").select_option("Newest")
    settled(page)
    expect(page.locator(".letters")).to_be_hidden()
    page.goto("/projects/sort/-year/")
    expect(page.locator(".letters")).to_have_count(0)
    # One page has no letters.
    page.goto("/projects/status/inactive/")
    expect(page.locator(".letters")).to_have_count(0)


def test_a_letter_of_the_same_page_keeps_its_rows(named: str, visit: Visiting) -> None:
    page = visit(named).go("/projects/")
    page.evaluate("window.same = true")
    page.locator(".letters").get_by_text("B", exact=True).click()
    expect(page.locator("#letter-b")).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(200)
    assert page.evaluate("same && scrollY") > 200
    assert "#letter-b" in page.url
