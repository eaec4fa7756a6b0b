"""The search box of every page: results while typing, filters, recent searches, the keyboard."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from generator.grammar.paths import SEARCH_SCRIPT
from support.browser import Visit, Visiting
from support.lanes import sample


def search_box(page: Page) -> Locator:
    return page.locator("#find-words")


def search(page: Page, words: str) -> None:
    """Type words and wait for their results."""
    page.keyboard.press("/")
    expect(search_box(page)).to_be_focused()
    expect(search_box(page)).to_have_attribute("role", "combobox")
    search_box(page).fill(words)
    expect(page.locator("#find-said")).to_have_text(re.compile("result|Nothing"))


def groups(page: Page) -> list[str]:
    return page.locator("#find-found .kind").all_inner_texts()


def option(page: Page, text: str) -> Locator:
    return page.locator("#find-found [role=option]", has_text=text)


def hold_filters(page: Page) -> list[Route]:
    """Requests for the values of filters, which wait to be continued."""
    pending: list[Route] = []
    page.route("**/columns/*/values/**", lambda route: pending.append(route))
    return pending


def everything(page: Page, words: str) -> Any:
    return page.request.get(f"/api/search?q={words}").json()


@pytest.mark.parametrize(
    "path", sample(["/calendar/"], ["/", "/programs/", "/projects/gitlab/", "/404.html"])
)
def test_the_box_of_every_page_finds_in_all_collections(
    site: str, visit: Visiting, path: str
) -> None:
    page = visit(site).go(path)
    search(page, "data")
    found = everything(page, "data")
    expect(page.locator("#find-said")).to_have_text(f"{found['total_items']} results")
    hits = {name: of for name, of in found["data"].items() if of["total_items"]}
    assert len(hits) > 1
    assert len([kind for kind in groups(page) if kind != "Filters"]) == len(hits)
    for of in hits.values():
        for row in of["data"][:3]:
            expect(page.locator("#find-found .name", has_text=row["name"]).first).to_be_attached()


@pytest.mark.parametrize("plain", sample([True], [False]))
def test_a_filter_is_offered_where_the_word_is_its_value(
    site: str, plain_site: str, visit: Visiting, plain: bool
) -> None:
    page = visit(plain_site if plain else site).go("/")
    search(page, "nigeria")
    offered = option(page, "Country: ").first
    expect(offered).to_contain_text("Nigeria")
    expect(offered).to_contain_text("4 projects")
    offered.click()
    page.wait_for_url("**/projects/?location=ng")
    expect(page.locator("#said")).to_have_text("4 projects")


def test_filters_are_offered_in_the_language_of_the_page(german_site: str, visit: Visiting) -> None:
    page = visit(german_site).go("/")
    page.keyboard.press("/")
    search_box(page).fill("nigeria")
    expect(option(page, "Land: ").first).to_contain_text("Nigeria")
    search_box(page).fill("südafr")
    expect(option(page, "Land: ").first).to_contain_text("Südafrika")
    search_box(page).fill("nordam")
    expect(option(page, "Ort: ").first).to_contain_text("Nordamerika")


def test_the_keyboard_reaches_every_result(site: str, visit: Visiting) -> None:
    page = visit(site).go("/programs/")
    search(page, "data")
    field, options = search_box(page), page.locator("#find-found [role=option]")
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#find-found [role=listbox]")).to_have_attribute("id", "find-list")
    expect(option(page, "Topic: ").first).to_be_visible()
    for at in (0, 1, 0):
        page.keyboard.press(
            "ArrowUp" if at == 0 and field.get_attribute("aria-activedescendant") else "ArrowDown"
        )
        expect(options.nth(at)).to_have_attribute("aria-selected", "true")
        assert field.get_attribute("aria-activedescendant") == options.nth(at).get_attribute("id")
        expect(field).to_be_focused()
    page.keyboard.press("ArrowUp")
    assert field.get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    href = str(options.last.get_attribute("href"))
    page.keyboard.press("Escape")
    expect(page.locator("#find-found")).not_to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "false")
    assert field.input_value() == "data"
    page.keyboard.press("ArrowUp")
    expect(option(page, "Topic: ").first).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{href}")


def test_filters_that_arrive_later_do_not_change_the_chosen_option(
    plain_site: str, visit: Visiting
) -> None:
    page = visit(plain_site).go("/")
    pending = hold_filters(page)
    search(page, "nigeria")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#find-found [aria-selected=true]")
    href = str(chosen.get_attribute("href"))
    for route in pending:
        route.continue_()
    expect(option(page, "Country: ").first).to_be_visible()
    expect(chosen).to_have_attribute("href", href)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{href}")


def test_filters_that_arrive_during_a_click_do_not_move_the_option(
    plain_site: str, visit: Visiting
) -> None:
    page = visit(plain_site).go("/")
    pending = hold_filters(page)
    search(page, "nigeria")
    pressed = page.locator("#find-found [role=option]").first
    href = str(pressed.get_attribute("href"))
    pressed.hover()
    page.mouse.down()
    for route in pending:
        route.continue_()
    page.wait_for_load_state("networkidle")
    page.mouse.up()
    page.wait_for_url(f"**{href}")


def test_typing_drops_the_choice(site: str, visit: Visiting) -> None:
    page = visit(site).go("/")
    search(page, "data")
    page.keyboard.press("ArrowDown")
    # Values of filters that arrive later come before the option: its number is not known.
    expect(search_box(page)).to_have_attribute("aria-activedescendant", re.compile(r"find-\d+"))
    page.keyboard.type("b")
    assert search_box(page).get_attribute("aria-activedescendant") is None


def test_enter_leads_to_the_list_with_the_most_results(site: str, visit: Visiting) -> None:
    page = visit(site).go("/calendar/")
    search(page, "accelerator")
    found = everything(page, "accelerator")["data"]
    del found["events"]
    most = max(found, key=lambda name: found[name]["total_items"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{most}/?q=accelerator")
    expect(page.locator("#said")).to_have_text(re.compile(f"^{found[most]['total_items']} "))


def test_recent_searches_are_kept_and_can_be_cleared(site: str, visit: Visiting) -> None:
    window = visit(site)
    page = window.go("/")
    search(page, "robot")
    option(page, "All results").first.click()
    page.wait_for_url("**/?q=robot")
    page = window.go("/programs/")
    page.keyboard.press("/")
    expect(page.locator("#find-found .kind")).to_have_text("Recent searches")
    option(page, "robot").click()
    expect(page.locator("#find-said")).to_have_text(re.compile("result"))
    assert search_box(page).input_value() == "robot"
    search_box(page).fill("")
    option(page, "Clear recent searches").click()
    expect(page.locator("#find-found")).not_to_be_visible()
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (".", "Type a word with letters or digits."),
        ("100 %", "result"),
        ("a.i. data", "result"),
        ("one two three four five six seven eight nine", "Search takes up to eight words."),
    ],
)
def test_no_input_is_refused(site: str, visit: Visiting, typed: str, said: str) -> None:
    page = visit(site).go("/")
    page.keyboard.press("/")
    search_box(page).fill(typed)
    expect(page.locator("#find-said")).to_contain_text(re.compile(f"{said}|Nothing found"))
    if said[0].isupper():
        expect(page.locator("#find-found .note-line")).to_contain_text(said)
    assert "/api/" not in page.locator("#find").inner_text()


def test_a_mistyped_word_gets_suggestions_in_the_box(site: str, visit: Visiting) -> None:
    page = visit(site).go("/")
    search(page, "robtics")
    expect(page.locator("#find-found .note-line")).to_have_text("Nothing found for “robtics”.")
    meant = page.locator("#find-found .kind", has_text="Did you mean").locator("xpath=..")
    meant.locator("[role=option]").first.click()
    expect(page.locator("#find-said")).to_have_text(re.compile("result"))


def test_a_lost_connection_is_said(browser: Browser, site: str) -> None:
    window = Visit(browser, site)
    page = window.go("/")
    search_box(page).focus()
    expect(search_box(page)).to_have_attribute("role", "combobox")
    page.wait_for_load_state("networkidle")
    window.context.set_offline(True)
    search_box(page).fill("robot")
    expect(page.locator("#find-said")).to_contain_text("Check your connection")
    window.close()


#: What the query module does -> what the page says.
FAULTS = {
    "throw new TypeError('a fault of the module')": "because of an error of this site",
    'return new Response(\'{"status": 500, "detail": "x"}\', {status: 500})': "an error of this",
    "return new Response('<html>', {status: 502})": "because of an error of this site",
    "return new Response('no JSON')": "because of an error of this site",
    "return new Response('{\"status\": 503}', {status: 503})": "The registry is updating",
}


@pytest.mark.parametrize("does", sample([*FAULTS][1::3], FAULTS))
def test_a_fault_of_the_search_is_no_lost_connection(site: str, visit: Visiting, does: str) -> None:
    page = visit(site).page
    script = f"""export const ask = async () => {{ {does} }}, prepare = async () => {{}}
export const fetchBeside = fetch"""
    page.route(
        f"**{SEARCH_SCRIPT}",
        lambda route: route.fulfill(body=script, content_type="text/javascript"),
    )
    page.goto("/projects/?q=robot")
    expect(page.locator("#rows .title")).to_contain_text(FAULTS[does])
    search_box(page).fill("robot")
    expect(page.locator("#find-said")).to_contain_text(FAULTS[does])
    expect(page.locator("#overview")).to_be_hidden()


def test_without_a_script_the_box_leads_to_a_list(site: str, visit: Visiting) -> None:
    page = visit(site, scripts=False).go("/programs/")
    search_box(page).fill("data")
    search_box(page).press("Enter")
    page.wait_for_url("**/projects/?q=data")
    assert page.locator("#rows .name").count()


def test_a_page_loads_little_script_before_the_box_is_used(
    site: str, visit: Visiting, built_content: Path
) -> None:
    (box,) = (built_content / "assets").glob("box-*.js")
    assert len(gzip.compress(box.read_bytes())) < 512
    asked: list[str] = []
    window = visit(site)
    window.page.on("request", lambda request: asked.append(request.url))
    window.go("/map/")
    assert not [url for url in asked if "find-" in url]
