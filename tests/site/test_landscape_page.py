"""The landscape in a browser: words dim tiles, filters leave only some, boxes open, tiles have
cards, and the page can be read without a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support import audit
from support import browser as browsers
from support.browser import Visiting
from support.registries import content
from support.sites import Publish


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


# --- filters, and what a box opens to ---

#: More projects than a box shows at first, in two topics, by status and country.
_STATUSES = ("active", "acquired", "inactive", "public")
_COUNTRIES = ("DE", "US", "KE")
_MANY: dict[str, dict[str, Any]] = {
    f"kite-{n:03}": {
        "name": f"Kite {n}" if n else "Kite <b>0</b>",
        "status": _STATUSES[n % 3 if n % 7 else 3],
        "team_size": (n * 37) % 400 + 1,
        "locations": [{"country": _COUNTRIES[i % 3]} for i in range(n % 5, n % 5 + n % 3)],
        "tags": {"topic": ["climate"] if n % 9 else ["climate", "space"]},
    }
    for n in range(150)
}


@pytest.fixture(scope="module")
def many_site(publish: Publish) -> Iterator[str]:
    with browsers.served(publish("many-tiles", content(projects=_MANY))) as origin:
        yield origin


def tiles(page: Page, box: str) -> list[str]:
    """The slugs of the visible tiles of a box."""
    section = page.locator(f"section[aria-labelledby=box-{box}]")
    if section.is_hidden():
        return []
    return [
        str(link.get_attribute("href")).split("/")[-2] for link in section.locator("li a").all()
    ]


def wanted(tag: str, status: str = "", country: str = "") -> list[str]:
    """The slugs of a box as the records say, the largest first."""
    found = [
        (-project["team_size"], project["name"].casefold(), slug)
        for slug, project in _MANY.items()
        if tag in project["tags"]["topic"]
        and status in ("", project["status"])
        and (not country or country in [one["country"].lower() for one in project["locations"]])
    ]
    return [slug for *_, slug in sorted(found)]


def test_a_box_opens_to_exactly_the_rest(many_site: str, visit: Visiting) -> None:
    page = visit(many_site).go("/landscape/")
    first = tiles(page, "1")
    every = wanted("climate")
    assert len(first) == 60 and set(first) <= set(every)
    drawn = page.locator("#box-1 + div ul").inner_html()
    page.get_by_role("button", name="90 more: Climate").click()
    expect(page.locator("#box-1 + div li")).to_have_count(150)
    opened = tiles(page, "1")
    assert opened[:60] == first and sorted(opened) == sorted(every)
    sizes = [_MANY[slug]["team_size"] for slug in opened]
    assert sizes == sorted(sizes, reverse=True)
    # The script draws the tiles that the page came with.
    assert page.locator("#box-1 + div ul").inner_html().startswith(drawn.strip())
    expect(page.locator("#box-1 + div li:nth-child(61) a")).to_be_focused()
    expect(page.locator(".more:visible")).to_have_count(0)
    assert page.locator("#landscape b").count() == 0


@pytest.mark.parametrize(
    ("status", "country"), [("acquired", ""), ("", "ke"), ("inactive", "us"), ("public", "de")]
)
def test_filters_leave_the_tiles_that_the_records_say_and_the_address_keeps_them(
    many_site: str, visit: Visiting, status: str, country: str
) -> None:
    page = visit(many_site).go("/landscape/")
    for name, value in (("status", status), ("location", country)):
        page.locator(f"#dimmer [name={name}]").select_option(value)
    boxes = {box: wanted(tag, status, country) for box, tag in (("1", "climate"), ("2", "space"))}
    every = len({*boxes["1"], *boxes["2"]})
    expect(page.locator("#dim-says")).to_have_text(f"{every} of 150 projects")
    for _ in range(2):
        for box, slugs in boxes.items():
            assert sorted(tiles(page, box)) == sorted(slugs)
            for count in page.locator(f"#box-{box} .count, [href='#box-{box}'] .count").all():
                assert count.text_content() == str(len(slugs))
        page.reload()
        expect(page.locator("#dim-says")).to_have_text(f"{every} of 150 projects")
    page.locator("#dimmer [name=status]").select_option("")
    page.locator("#dimmer [name=location]").select_option("")
    expect(page.locator("#dim-says")).to_have_text("")
    expect(page).to_have_url(f"{many_site}/landscape/")
    assert len(tiles(page, "1")) == 60


def test_words_find_tiles_of_a_closed_box_and_go_with_filters(
    many_site: str, visit: Visiting
) -> None:
    page = visit(many_site).go("/landscape/")
    hidden = next(slug for slug in wanted("climate") if slug not in tiles(page, "1"))
    page.locator("#dim").fill(_MANY[hidden]["name"])
    tile = page.locator(f"#landscape .lit[href='/projects/{hidden}/']").first
    expect(tile).to_be_visible()
    expect(page).to_have_url(re.compile(r"/landscape/\?q=Kite"))
    other = next(one for one in _STATUSES if one != _MANY[hidden]["status"])
    page.locator("#dimmer [name=status]").select_option(other)
    expect(tile).to_have_count(0)
    page.go_back()
    expect(page).not_to_have_url(re.compile("landscape"))


def test_without_the_file_the_form_and_more_lead_to_the_list(
    many_site: str, visit: Visiting
) -> None:
    window = visit(many_site)
    window.context.route("**/tiles-*.json", lambda route: route.abort())
    page = window.go("/landscape/")
    page.locator("#dimmer [name=location]").select_option("ke")
    expect(page.locator("#dim-says")).to_have_text(re.compile("could not be loaded"))
    page.locator("#dim").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/projects/\?q=&status=&location=ke"))
    expect(page.locator("#count")).to_have_text(f"{len(wanted('climate', '', 'ke'))} of 150")
    page.goto(f"{many_site}/landscape/")
    page.get_by_role("button", name="90 more").click()
    expect(page).to_have_url(re.compile("/projects/tag-topic/climate/"))
    window.faults.clear()


def test_without_javascript_more_leads_to_the_list(many_site: str, visit: Visiting) -> None:
    page = visit(many_site, scripts=False).go("/landscape/")
    page.get_by_role("link", name="90 more: Climate").click()
    expect(page).to_have_url(re.compile("/projects/tag-topic/climate/"))


# --- cards ---


def test_tiles_have_cards(many_site: str, visit: Visiting) -> None:
    page = visit(many_site).go("/landscape/")
    tile = page.locator("#landscape li a").nth(5)
    tile.hover()
    card = page.locator(".card")
    expect(card).to_be_visible()
    expect(card.locator("h2")).to_have_text((tile.text_content() or "").partition(" (")[0])
    box, over = tile.bounding_box(), card.bounding_box()
    assert box and over
    assert over["y"] >= box["y"] + box["height"] or over["y"] + over["height"] <= box["y"]
    page.keyboard.press("Escape")
    tile.focus()
    page.keyboard.press("Space")
    expect(card).to_be_focused()
    assert audit.violations(page) == []


def test_on_a_phone_a_tap_on_a_tile_opens_its_card_and_leads_to_the_record_without_one(
    many_site: str, visit: Visiting
) -> None:
    window = visit(many_site, phone=True)
    page = window.go("/landscape/")
    tile = page.locator("#landscape li a").first
    path = str(tile.get_attribute("href"))
    tile.tap()
    card = page.locator(".card")
    expect(card).to_be_visible()
    expect(card.get_by_role("link", name="Open")).to_have_attribute("href", path)
    card.get_by_role("button", name="Close").tap()
    expect(card).to_be_hidden()
    window.context.route("**/slug/*.json", lambda route: route.abort())
    other = page.locator("#landscape li a").nth(1)
    path = str(other.get_attribute("href"))
    other.tap()
    expect(page).to_have_url(f"{many_site}{path}")
    window.faults.clear()
