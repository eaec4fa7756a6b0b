"""The filters of a list: groups that open and close, places as a tree, finding a value, years, and
filters on a phone.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from support.browser import Visiting
from support.listing import api, box, counted, settled, wait_for, wait_for_total


def is_open(page: Page, name: str) -> bool:
    return page.locator(f"#filter-{name}").get_attribute("open") is not None


def chosen_places(page: Page) -> list[str]:
    boxes = page.locator("#filter-location input:checked")
    return [str(box.get_attribute("data-key")) for box in boxes.all() if box.is_visible()]


def test_an_opened_group_is_open_on_the_next_page(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    assert is_open(page, "status") and not is_open(page, "tag_topic")
    page.locator("#filter-status > summary").click()
    page.locator("#filter-tag_topic > summary").click()
    page.locator('[data-key="tag_topic/data"]').check()
    expect(page.locator("#filter-tag_topic > summary .count")).to_have_text("1 chosen")
    page.goto("/projects/")
    expect(page.locator("#filter-tag_topic")).to_have_attribute("open", "")
    assert not is_open(page, "status")


def test_the_group_of_a_chosen_value_is_open(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?tag_topic=data,hardware")
    expect(page.locator("#filter-tag_topic > summary .count")).to_have_text("2 chosen")
    assert is_open(page, "tag_topic") and not is_open(page, "tag_model")
    # The chosen values are the first.
    values = page.locator("#filter-tag_topic input[type=checkbox]")
    assert [one.is_checked() for one in values.all()][:3] == [True, True, False]


def test_a_browser_that_stores_nothing_filters_and_searches_all_the_same(
    site: str, visit: Visiting
) -> None:
    window = visit(site)
    window.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked') } })"
    )
    page = window.go("/projects/")
    page.locator('[data-key="status/active"]').check()
    expect(page.locator("#chosen button").first).to_have_text(re.compile("Status: Active"))
    page.locator("#find-words").fill("robot")  # recent searches are not kept
    page.locator("#find-found [role=option]", has_text="All results").first.click()
    page.wait_for_url("**/?q=robot")


def test_places_are_a_tree_of_continents_countries_regions_and_cities(
    site: str, visit: Visiting
) -> None:
    for scripts in (False, True):
        page = visit(site, scripts=scripts).go("/projects/")
        continent = page.locator("#filter-location .choices > li").first
        assert continent.locator("bdi").first.inner_text() == "North America"
        country = continent.locator("> details > ul > li").filter(has_text="United States")
        assert country.is_visible()
        region = country.locator("> details li").filter(has_text="California").first
        assert not region.is_visible()
        country.locator("> details > summary").click()
        assert region.is_visible()
        assert region.locator("bdi").first.inner_text() == "California"
        assert page.get_by_text("Places in United States").count()
    page.locator('[data-key="location/africa"]').check()
    expect(page.locator("#chosen button").first).to_have_text("Location: Africa×")


def test_a_chosen_city_is_seen_within_its_country(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?location=ee-tallinn")
    expect(page.locator("#said")).to_have_text(re.compile("^3 "))
    expect(page.locator("#filter-location")).to_have_attribute("open", "")
    assert chosen_places(page) == ["location/ee-tallinn"]
    label = page.locator("label", has=page.locator('[data-key="location/ee-tallinn"]'))
    expect(label.locator("bdi")).to_have_text("Tallinn")
    expect(page.locator("#chosen button").first).to_have_text(re.compile("Tallinn, Estonia"))


@pytest.mark.parametrize("path", ["/projects/", "/calendar/"])
def test_a_finger_opens_the_filters_and_chooses(site: str, visit: Visiting, path: str) -> None:
    """What is pressed stays where it is: a tap is a click on what is below the finger then."""
    page = visit(site, phone=True).go(path)
    page.locator('label[for="filters-open"]').tap()
    expect(page.locator("#filters-open")).to_be_checked()
    page.locator("#groups .group[data-name] > summary").first.tap()
    box = page.locator('#groups input[type="checkbox"]:visible').first
    box.tap()
    expect(page.locator("#chosen button").first).to_be_attached()


def test_filters_of_a_phone_say_how_many_are_active_and_lead_to_the_results(
    site: str, visit: Visiting
) -> None:
    page = visit(site, phone=True).go("/projects/?status=active")
    label, done = page.locator('label[for="filters-open"]'), page.locator("#filters .done button")
    expect(label).to_have_text("Filters (1)")
    assert not done.is_visible()
    label.click()
    expect(done).to_be_in_viewport()
    page.locator("#filter-tag_topic[data-name] > summary").click()
    settled(page)
    page.wait_for_load_state("networkidle")
    page.locator('[data-key="tag_topic/data"]').check()
    total = page.request.get("/api/projects?mode=count&status=active&tag_topic=data").json()
    expect(done).to_have_text(f"Show {total['total_items']} results")
    expect(label).to_have_text("Filters (2)")
    done.click()
    expect(page.locator("#count")).to_be_focused()
    expect(page.locator("#count")).to_be_in_viewport()
    assert not page.locator("#groups").is_visible() and not done.is_visible()


def test_a_chosen_value_that_few_records_have_has_its_number(site: str, visit: Visiting) -> None:
    page = visit(site).page
    every = page.request.get(f"{site}/api/projects/filters/location.json").json()["data"]["values"]
    rare = every[-1]
    assert rare["value"] not in [one["value"] for one in every[:50]]
    page.goto(f"/projects/?location={rare['value']}")
    chosen = page.locator("label", has=page.locator(f'[data-key="location/{rare["value"]}"]'))
    expect(chosen.locator(".count")).to_have_text(str(rare["count"]))


def test_values_are_found_by_a_word_or_it_is_said_that_there_is_none(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/")
    lookup = page.get_by_label("Find a value of Location")
    group = page.locator("#filter-location")
    for words in ("qqqq", "..."):
        lookup.fill(words)
        expect(group.get_by_role("status")).to_have_text(f"Nothing found for “{words}”.")
    lookup.fill("")
    lookup.press_sequentially("tor", delay=10)
    (answer,) = api(page, "mode=count&by=location&like=tor")["counts"].values()
    expect(group.locator("input[type=checkbox]")).to_have_count(len(answer["values"]))
    assert counted(page, "location") == {v["value"]: v["count"] for v in answer["values"]}
    expect(lookup).to_be_focused()
    lookup.fill("germ")
    expect(group.locator("label", has_text="Germany").first).to_be_visible()
    assert group.get_by_role("status").count() == 0
    lookup.fill("")
    expect(group.locator("label", has_text="United States").first).to_be_visible()


def test_places_are_named_in_the_language(german_site: str, visit: Visiting) -> None:
    prepared = visit(german_site, scripts=False).go("/projects/").locator("#filter-location bdi")
    places = ["Nordamerika", "Vereinigte Staaten", "California"]
    assert prepared.all_text_contents()[:3] == places
    page = visit(german_site).go("/projects/?location=fi-helsinki")
    wait_for_total(page, 1)
    expect(page.locator("#chosen button").first).to_have_text("Ort: Helsinki, Finnland×")
    labels = page.locator("#filter-location li bdi")
    expect(labels.filter(has_text="Finnland").first).to_be_attached()
    # The chosen value is the first, with the places that it is in.
    known = labels.all_text_contents()
    assert known[:3] == ["Europa", "Finnland", "Helsinki"]
    start = known.index("Nordamerika")
    assert known[start : start + 3] == places
    page.goto("/projects/?year=2005..")
    expect(page.locator("#chosen button").first).to_have_text("Jahr: ab 2005×")
    expect(page.locator("#rows .notes").first).to_contain_text("Südafrika")


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
    expect(page.get_by_role("group", name="Founded").get_by_label("From")).to_have_value("2005")
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
