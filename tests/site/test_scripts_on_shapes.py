"""Every script of the site on registries of other shapes than content/: projects alone, events
alone, and a registry in German with logos and own fields.
"""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from support.browser import Visit, Visiting

#: Collection -> its folder in the API and on the site.
PLACES = {
    "projects": ("/api/projects", "/projects/"),
    "programs": ("/api/programs", "/programs/"),
    "organizations": ("/api/organizations", "/organizations/"),
    "events": ("/api/calendar/events", "/calendar/"),
}
ROW = "#rows .name, .dates .name"


def get(page: Page, path: str) -> Any:
    """A document of the API."""
    return page.request.get(path).json()


def filled(page: Page) -> list[str]:
    """The collections with records."""
    counts = get(page, "/api/dashboard.json")["data"]["counts"]
    return [name for name in PLACES if counts[name]]


def start(window: Visit) -> tuple[Page, list[str]]:
    page = window.go("/")
    return page, filled(page)


def test_the_search_box_finds_leads_on_and_says_that_nothing_is_found(
    shape: str, visit: Visiting
) -> None:
    page, names = start(visit(shape))
    first = get(page, f"{PLACES[names[0]][0]}/page/1.json")["data"][0]
    word = max(re.findall(r"\w+", first["name"]), key=len).lower()
    found = get(page, f"/api/search?q={word}")
    box, said = page.locator("#find-words"), page.locator("#find-said")
    for press in ("Enter", "button"):
        page.goto("/")
        box.fill(word)
        expect(said).to_have_text(re.compile(rf"^{found['total_items']} [\w]+\b"))
        shown = page.locator("#find-found [role=option]")
        expect(shown.filter(has_text=first["name"]).first).to_be_visible()
        if press == "Enter":
            page.keyboard.press("Enter")
        else:
            page.locator("#find button").click()
        if first["name"].lower() == word:
            page.wait_for_url(f"**/{first['slug']}/")
            continue
        page.wait_for_url(f"**/?q={word}")
        expect(page.locator(ROW).filter(has_text=first["name"]).first).to_be_visible()
    box.fill("qqqqqq")
    expect(said).to_contain_text("qqqqqq")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=qqqqqq")


def test_lists_are_searched_filtered_sorted_and_seen_in_every_way(
    shape: str, visit: Visiting
) -> None:
    page, names = start(visit(shape))
    for name in names:
        root, path = PLACES[name]
        if name == "events":
            continue
        page.goto(path)
        total = get(page, f"{root}?mode=count")["total_items"]
        expect(page.locator("#count")).to_contain_text(f"{total:,}")
        value = page.locator("#groups label", has=page.locator("input")).first
        count = (value.locator(".count").text_content() or "").replace(",", "")
        value.click()
        expect(page.locator("#said")).to_have_text(re.compile(f"^{int(count):,} "))
        page.locator("#chosen button").first.click()
        for order in page.locator("#order option").all():
            page.locator("#order").select_option(order.get_attribute("value"))
            expect(page.locator("#results")).not_to_have_attribute("aria-busy", "true")
            expect(page.locator("#rows .name").first).to_be_visible()


def test_dates_are_filtered_and_a_month_is_one_step_away(shape: str, visit: Visiting) -> None:
    page, names = start(visit(shape))
    if "events" not in names:
        return
    page.goto("/calendar/")
    for group in page.locator("#groups > .group").all():
        if group.get_attribute("open") is None:
            group.locator("> summary").click()
        group.locator("label").first.click()
        expect(page.locator("#found")).to_have_text(re.compile("^[1-9][0-9]* "))
        expect(page.locator("#agenda .name:visible").first).to_be_visible()
        page.locator("#chosen button").last.click()
    page.locator(".perspectives [data-view=month]").click()
    page.wait_for_url("**/calendar/month/*/")
    expect(page.locator(".month .bar").first).to_be_attached()


def test_the_other_scripts_work_with_the_collections_that_are_there(
    shape: str, visit: Visiting
) -> None:
    window = visit(shape)
    page, names = start(window)
    page.goto("/embed/list/")
    expect(page.locator("#rows .name").first).to_be_visible()
    page.locator("#says a").click()
    expect(page.locator(ROW).first).to_be_visible()
    absent = next((name for name in PLACES if name not in names), None)
    if absent:
        page.goto(f"/embed/list/?collection={absent}")
        expect(page.locator("#says")).to_contain_text(re.compile("All[e]? 0 "))
        assert not page.locator("#says a").count()
    page.goto("/docs/api/explorer/")
    expect(page.locator("#result .badge")).to_have_text("200")
    page.goto("/")
    links = page.locator(".masthead nav a").evaluate_all("links => links.map(a => a.pathname)")
    for path in links:
        page.goto(path)
        expect(page.locator("h1")).to_be_visible()
    if "/compare/" in links:
        page.goto("/compare/")
        expect(page.locator("#comparison")).not_to_have_attribute("aria-busy", "true")
        page.locator("#seek").fill(get(page, "/api/projects/page/1.json")["data"][0]["name"])
        page.locator("#seek-found button").first.click()
        expect(page.locator(".versus thead th").first).to_be_visible()
    assert window.faults == []
    slug = get(page, f"{PLACES[names[0]][0]}/page/1.json")["data"][0]["slug"]
    page.goto(f"{PLACES[names[0]][1]}{slug}x/")
    expect(page.locator("#near a").first).to_be_visible()
    window.faults.clear()  # the page is missing


def test_records_without_a_program_are_compared_by_their_most_frequent_tags(
    german_site: str, visit: Visiting
) -> None:
    page = visit(german_site).go("/compare/")
    expect(page.locator(".versus thead th").nth(1)).to_be_visible()
    expect(page.locator('[data-by="tag_language"]')).to_be_visible()


def test_a_filter_that_narrows_nothing_does_not_appear_while_others_are_chosen(
    german_site: str, visit: Visiting
) -> None:
    page = visit(german_site).go("/projects/")
    page.locator("#filter-field_stage summary").click()
    page.locator("#filter-field_stage label").first.click()
    page.wait_for_url("**field_stage=*")
    expect(page.locator("#filter-tag_language input").first).to_be_attached()
    assert page.locator("#filter-program, #filter-team_size").count() == 0
