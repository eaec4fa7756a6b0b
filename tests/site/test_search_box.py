"""The search box of every page: best match, filters, the rest, recent searches, the keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from generator.grammar.paths import SEARCH_SCRIPT
from support import browser as browsers
from support import registries
from support.browser import Visit, Visiting
from support.lanes import sample
from support.searchbox import groups, option, search, search_box
from support.sites import Publish


def names_in(page: Page, label: str) -> list[str]:
    """The names in a group."""
    group = page.locator("#find-found [role=group]", has=page.get_by_text(label, exact=True))
    return group.locator(".name").all_inner_texts()


def hold_filters(page: Page) -> list[Route]:
    """Requests for the values of filters, which wait to be continued."""
    pending: list[Route] = []
    page.route("**/values.json", lambda route: pending.append(route))
    return pending


def everything(page: Page, words: str) -> Any:
    return page.request.get(f"/api/search?q={words}").json()


@pytest.mark.parametrize("path", sample(["/calendar/"], ["/projects/gitlab/", "/404.html"]))
def test_the_box_of_every_page_finds_in_all_collections_by_groups(
    site: str, visit: Visiting, path: str
) -> None:
    page = visit(site).go(path)
    search(page, "data")
    found = everything(page, "data")
    expect(page.locator("#find-said")).to_have_text(f"{found['total_items']} results")
    hits = {name: of for name, of in found["data"].items() if of["total_items"]}
    assert len(hits) > 1
    for name, of in hits.items():
        path = "/calendar/" if name == "events" else f"/{name}/"
        row, *_ = of["data"]
        shown = page.locator(f'#find-found [href^="{path}"]')
        expect(shown.first).to_be_attached()
        if name != "events":
            expect(shown.filter(has_text=row["name"]).first).to_be_attached()
    search(page, "open")
    found = everything(page, "open")["data"]
    last = option(page, f"All results: {found['projects']['total_items']} projects")
    expect(last).to_have_attribute("href", "/projects/?q=open")
    assert groups(page)[:2] == ["Best match", "Filters"]
    assert set(groups(page)[2:]) <= {name.capitalize() for name in found}


def dates_content() -> registries.Content:
    """Records of every collection whose names have a word, and dates before and after today."""
    named = {
        "projects": ["Harvest", "Harvest Moon", "Blue Harvest", "Harvester"],
        "organizations": ["Autumn Harvest"],
    }
    nouns = {"programs": {"one": "round", "many": "rounds"}}
    registry = {**registries.SMALL["registry"], "nouns": nouns}
    content: dict[str, Any] = {**registries.SMALL, "registry": registry}
    for collection, names in named.items():
        content[collection] = {
            **content[collection],
            **{
                name.lower().replace(" ", "-"): {
                    "name": name,
                    "year": 2001 + number,
                    **({"category": "investor"} if collection == "organizations" else {}),
                }
                for number, name in enumerate(names)
            },
        }
    content["projects"]["field"] = {"name": "Field", "description": "For the harvest.",
                                    "locations": [{"country": "NG", "city": "Lagos"}]}  # fmt: skip
    content["projects"]["mill"] = {"name": "Moulin d’Ombrage"}
    content["events"] = {
        f"fair-{year}": {"name": f"Harvest Fair {year}", "kind": "event",
                         "starts": f"{year}-05-01", "ends": f"{year}-05-02"}
        for year in range(1990, 2104, 3)
    }  # fmt: skip
    content["events"] |= {
        "mill-2024": {"name": "Mill Days 2024", "kind": "event", "starts": "2024-05-01"},
        "mill-2027": {"name": "Fourth Mill Days", "kind": "event", "starts": "2027-05-01"},
    }
    return content


@pytest.fixture(scope="module")
def harvest(publish: Publish) -> Iterator[str]:
    with browsers.served(publish("harvest", dates_content()), plain=True) as origin:
        yield origin


def test_the_best_match_is_an_equal_name_then_a_beginning_then_a_word_in_it(
    harvest: str, visit: Visiting
) -> None:
    page = visit(harvest).go("/")
    search(page, "harvest")
    assert groups(page)[0] == "Best match"
    best = names_in(page, "Best match")
    assert best[0] == "Harvest"
    assert len(best) == 5
    begins = [name.startswith("Harvest") for name in best]
    assert begins == sorted(begins, reverse=True)
    assert {"Autumn Harvest"} & set(best)
    assert "Field" not in best


def test_dates_that_are_ahead_come_before_those_that_are_over(
    harvest: str, visit: Visiting
) -> None:
    page = visit(harvest).go("/")
    page.clock.set_fixed_time("2026-11-21T12:00:00Z")
    search(page, "harvest fair")
    years = [int(name[-4:]) for name in names_in(page, "Best match")]
    assert years == [2029, 2032, 2035, 2038, 2041]
    page.clock.set_fixed_time("2034-01-01T12:00:00Z")  # long after the build
    search_box(page).fill("fair")
    expect(page.locator("#find-found .name mark").first).to_have_text("Fair")
    years = [int(name[-4:]) for name in names_in(page, "Best match")]
    assert years == [2035, 2038, 2041, 2044, 2029]


def test_the_next_edition_comes_before_past_ones_whatever_it_is_called(
    harvest: str, visit: Visiting
) -> None:
    page = visit(harvest).go("/")
    page.clock.set_fixed_time("2026-11-21T12:00:00Z")
    search(page, "mill")
    assert names_in(page, "Best match") == ["Fourth Mill Days", "Mill Days 2024"]


def test_a_cohort_comes_before_the_many_projects_that_were_in_it(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/")
    search(page, "winter 2020")
    assert names_in(page, "Best match") == ["Y Combinator Winter 2020"]
    expect(option(page, "Y Combinator Winter 2020").locator(".aside")).to_have_text("Cohort · 2020")
    search(page, "kubernetes")
    expect(page.locator("#find-found [role=option]").first).to_contain_text("Kubernetes")


def test_matched_letters_are_marked_and_the_right_says_kind_and_year_or_place_or_date(
    harvest: str, visit: Visiting
) -> None:
    page = visit(harvest).go("/")
    search(page, "harv")
    marked = page.locator("#find-found .name mark")
    assert set(marked.all_inner_texts()) == {"Harv"}
    weight = marked.first.evaluate("element => getComputedStyle(element).fontWeight")
    assert int(weight) >= 700
    search_box(page).fill("ombrage")
    expect(marked).to_have_text(["Ombrage"])  # without the article before it
    search_box(page).fill("harvest moon")
    expect(option(page, "Harvest Moon").locator(".aside")).to_have_text("project · 2002")
    search_box(page).fill("launch")
    expect(option(page, "Launch").first.locator(".aside")).to_have_text("round")
    search_box(page).fill("field")
    expect(option(page, "Field").locator(".aside").first).to_have_text("project · Lagos")
    search_box(page).fill("fair 2029")
    expect(option(page, "Fair 2029").locator(".aside")).to_have_text("Event · 1 May 2029")


@pytest.mark.parametrize("plain", sample([True], [False]))
def test_a_filter_is_offered_where_the_word_is_its_value(
    site: str, plain_site: str, visit: Visiting, plain: bool
) -> None:
    page = visit(plain_site if plain else site).go("/")
    search(page, "nigeria")
    offered = option(page, "Country").first
    expect(offered.locator(".name")).to_have_text("Nigeria")
    expect(offered.locator(".aside")).to_have_text("Country · 4 projects")
    offered.click()
    page.wait_for_url("**/projects/?location=ng")
    expect(page.locator("#said")).to_have_text("4 projects")


def test_filters_are_offered_in_the_language_of_the_page(german_site: str, visit: Visiting) -> None:
    page = visit(german_site).go("/")
    page.keyboard.press("/")
    search_box(page).fill("deutsch")  # no word of a record
    expect(option(page, "Land · ").first).to_contain_text("Deutschland")
    shown = page.locator("#find-found [role=option]").count()
    expect(page.locator("#find-said")).to_have_text(f"{shown} Ergebnisse")
    search_box(page).fill("nigeria")
    expect(option(page, "Land · ").first).to_contain_text("Nigeria")
    search_box(page).fill("südafr")
    expect(option(page, "Land · ").first).to_contain_text("Südafrika")
    search_box(page).fill("nordam")
    expect(option(page, "Kontinent · ").first).to_contain_text("Nordamerika")


def test_a_typed_word_reads_each_file_once_and_few_in_all(plain_site: str, visit: Visiting) -> None:
    window = visit(plain_site)
    page = window.go("/map/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("/")
    expect(search_box(page)).to_have_attribute("role", "combobox")
    page.keyboard.type("payments", delay=20)
    expect(page.locator("#find-said")).to_have_text(re.compile("result"))
    page.wait_for_load_state("networkidle")
    assert len(asked) == len(set(asked))
    assert len(asked) <= 25
    rows = [url for url in asked if "/rows/" in url or "/page/" in url]
    assert len(rows) <= 6
    search(page, "nigeria")
    expect(option(page, "Country").first).to_be_visible()
    assert len([url for url in asked if url.endswith("/values.json")]) == 3


def test_the_keyboard_reaches_every_result(site: str, visit: Visiting) -> None:
    page = visit(site).go("/programs/")
    search(page, "data")
    field, options = search_box(page), page.locator("#find-found [role=option]")
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#find-found [role=listbox]")).to_have_attribute("id", "find-list")
    expect(option(page, "Topic · ").first).to_be_visible()
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
    expect(option(page, "Topic · ").first).to_be_visible()
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
    expect(option(page, "Country · ").first).to_be_visible()
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


def test_a_typing_error_shows_the_results_of_the_suggestion_and_says_so(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/")
    search(page, "nigerai")
    said = "No results for “nigerai”. Showing nigeria."
    expect(page.locator("#find-found .note-line")).to_have_text(said)
    expect(page.locator("#find-said")).to_contain_text(said)
    total = everything(page, "nigeria")["total_items"]
    expect(page.locator("#find-said")).to_contain_text(f"{total} results")
    expect(option(page, "Country · 4 projects")).to_contain_text("Nigeria")
    expect(page.locator("#find-found .name", has_text="Flutterwave")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=nigeria")
    search(page, "qqqqqqqq")
    expect(page.locator("#find-found .note-line")).to_have_text("Nothing found for “qqqqqqqq”.")


@pytest.mark.parametrize("key", ["/", "Control+k", "Meta+k"])
def test_a_key_leads_to_the_box(site: str, visit: Visiting, key: str) -> None:
    page = visit(site).go("/projects/")
    if key != "/":
        page.locator("#q").focus()
        search_box(page).evaluate("field => field.value = 'robot'")
    page.keyboard.press(key)
    expect(search_box(page)).to_be_focused()
    assert search_box(page).evaluate("field => field.selectionEnd") == (0 if key == "/" else 5)


def test_the_field_shows_its_key_where_there_are_keys(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    hint = page.locator("#find kbd")
    expect(hint).to_be_visible()
    expect(hint).to_have_text("/")
    search_box(page).focus()
    expect(hint).to_be_hidden()
    expect(visit(site, phone=True).go("/projects/").locator("#find kbd")).to_be_hidden()
    expect(visit(site, scripts=False).go("/projects/").locator("#find kbd")).to_be_hidden()


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
