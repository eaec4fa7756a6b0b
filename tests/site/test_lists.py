"""The list of a page: searching, filtering, paging, and what it shows while it waits."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from support.browser import PHONE, Visit, Visiting
from support.lanes import sample
from support.listing import (
    SCROLL_ON,
    api,
    box,
    counted,
    group,
    names,
    settled,
    wait_for,
    wait_for_total,
)


@pytest.mark.parametrize("plain", sample([True], [False]))
def test_searching_finds_while_typing_and_marks_the_words(
    site: str, plain_site: str, visit: Visiting, plain: bool
) -> None:
    page = visit(plain_site if plain else site).go("/projects/")
    page.locator("#q").press_sequentially("robo", delay=20)
    found = page.request.get(f"{site}/api/projects?mode=page&q=robo").json()
    wait_for_total(page, found["page"]["total_items"], "/projects/?q=robo")
    assert names(page) == [row["name"] for row in found["data"]]
    marked = {text.lower() for text in page.locator("#rows mark").all_inner_texts()}
    assert marked == {"robo"}
    assert page.locator("#order").input_value() == ""
    assert page.locator("#order option").first.inner_text() == "Best match"
    assert page.title().startswith("robo – Projects – ")


def test_filters_combine_and_their_counts_are_those_of_the_api(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    box(page, "status", "active").check()
    wait_for(page, "status=active")
    box(page, "tag_topic", "data").check()
    box(page, "tag_topic", "hardware").check()
    query = "tag_topic=data,hardware&status=active"
    wait_for(page, query, f"/projects/?{query}")
    expect(box(page, "tag_topic", "hardware")).to_be_checked()
    for name in ("tag_topic", "tag_model", "organization_category", "location", "status"):
        (answer,) = api(page, f"mode=count&{query}&by={name}")["counts"].values()
        expected = {value["value"]: value["count"] for value in answer["values"]}
        group(page, name)
        expect(page.locator(f"#filter-{name} label:not(.none)")).to_have_count(len(expected))
        counts = counted(page, name)
        assert {value: n for value, n in counts.items() if n} == expected
    nothing = page.locator("#filter-tag_model input:disabled")
    assert nothing.count() > 0
    texts = [field.locator("xpath=..").text_content() or "" for field in nothing.all()]
    assert all(text.endswith("0") for text in texts)
    page.locator("#chosen button", has_text="Hardware").click()
    expect(box(page, "tag_topic", "hardware")).not_to_be_checked()  # its counts have loaded too
    expect(page.locator("#chosen button").first).to_be_focused()
    wait_for(page, "tag_topic=data&status=active")


def test_back_and_forward_restore_the_list(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    first, heading = names(page), page.locator("#count").inner_text()
    page.locator("#q").press_sequentially("data", delay=10)
    total = wait_for(page, "q=data", "?q=data")
    page.keyboard.press("Enter")
    box(page, "status", "active").check()
    narrowed = api(page, "mode=count&q=data&status=active")["total_items"]
    wait_for_total(page, narrowed, "?q=data&status=active")
    page.go_back()
    wait_for_total(page, total, "?q=data")
    expect(box(page, "status", "active")).not_to_be_checked()
    expect(box(page, "status", "active")).to_be_focused()
    page.go_back()
    expect(page.locator("#count")).to_have_text(heading)
    assert (names(page), page.locator("#q").input_value()) == (first, "")
    assert page.url.endswith("/projects/") and page.locator("h1").inner_text() == "Projects"
    page.go_forward()
    wait_for_total(page, total, "?q=data")
    assert page.locator("#q").input_value() == "data"


def test_back_from_a_record_restores_the_list(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?status=active")
    wait_for(page, "status=active")
    names(page)
    name = page.locator("#rows .name").nth(30)
    name.scroll_into_view_if_needed()
    before, text = page.evaluate("scrollY"), name.inner_text()
    name.click()
    expect(page.locator("h1")).to_have_text(text)
    page.go_back()
    wait_for(page, "status=active")
    expect(page.locator("#rows .name").nth(30)).to_be_in_viewport()
    assert before > 500 and abs(page.evaluate("scrollY") - before) < 60


def test_a_mistyped_word_gets_suggestions(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?q=robt")
    wait_for_total(page, 0)
    (meant,) = api(page, "mode=page&q=robt")["suggestions"]
    page.locator("#rows a", has_text=meant).click()
    wait_for(page, f"q={meant}", f"?q={meant}")
    expect(page.locator("#count")).to_be_focused()


def test_filters_that_find_nothing_get_links_to_searches_that_do(
    site: str, visit: Visiting
) -> None:
    """Each link says in words what it looks for, and how much it finds."""
    page = visit(site).go("/projects/?location=ke&status=public")
    wait_for_total(page, 0)
    alternatives = api(page, "mode=page&location=ke&status=public")["alternatives"]
    totals = [one["total_items"] for one in alternatives]
    assert [one["filters"] for one in alternatives] == [{"status": "public"}, {"location": "ke"}]
    expect(page.locator("#rows")).to_contain_text("These searches find something:")
    links = page.locator("#rows a")
    found = [f"Status: Public ({totals[0]})", f"Location: Kenya ({totals[1]})"]
    expect(links).to_have_text([*found, "All projects"])
    links.nth(1).click()
    wait_for_total(page, totals[1])
    expect(page.locator("#count")).to_be_focused()


def test_several_values_of_an_address_are_read_and_named(site: str, visit: Visiting) -> None:
    query = "tag_topic=all:data,developer-tools&status=not:acquired,inactive&year=1990..2015"
    page = visit(site).go(f"/projects/?{query}&sort=-year")
    found = api(page, f"mode=page&{query}&sort=-year")
    wait_for_total(page, found["page"]["total_items"])
    assert names(page) == [row["name"] for row in found["data"]]
    chips = [
        text.removesuffix("×").strip() for text in page.locator("#chosen button").all_inner_texts()
    ]
    assert chips == [
        "Topic: all of Data, Developer tools",
        "Founded: 1990 to 2015",
        "Status: none of Acquired, Inactive",
        "Clear all",
    ]
    page.locator("#chosen button").last.click()
    expect(page.locator("#chosen button")).to_have_count(0)


def test_an_unanswerable_query_is_reported_with_near_values(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?location=kenya&status=active")
    expect(page.locator("#rows .title")).to_have_text("No projects found.")
    assert "/api/" not in page.locator("#rows").inner_text()
    assert not page.locator("#rows .name").count() and not page.locator("#pages a").count()
    page.locator("#rows a", has_text=re.compile("^Kenya$")).click()
    wait_for(page, "location=ke&status=active")


@pytest.mark.parametrize(("path", "place"), [("/projects/", "#note"), ("/calendar/", "#found")])
def test_what_an_address_has_and_a_list_does_not_know_is_ignored_and_said(
    site: str, visit: Visiting, path: str, place: str
) -> None:
    window = visit(site)
    rows = "main .name:visible"
    own = window.go(path).locator(rows).all_inner_texts()
    page = window.go(f"{path}?ref=hn&lang=de&utm_source=x&q=")
    expect(page.locator(place)).to_have_text("Ignored in the address: ref=hn, lang=de")
    assert page.locator(rows).all_inner_texts() == own
    assert page.request.get("/api/projects?mode=page&ref=hn").status == 400
    page.locator("#q").fill("applications")
    expect(page).to_have_url(re.compile(r"/\?q=applications$"))
    expect(page.locator(place)).not_to_contain_text("Ignored")


def test_a_stray_parameter_beside_a_filter_leaves_the_filter(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?topic=climate&status=active&status=public")
    wait_for(page, "status=active")
    expect(page.locator("#note")).to_have_text(
        "Ignored in the address: topic=climate, status=public"
    )


def test_nothing_found_has_no_downloads_and_no_filters(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?q=qqqqqqq")
    expect(page.locator("#rows .title")).to_have_text("No projects found.")
    for part in ("[data-key=csv]", "#more", "#groups .group", "#overview", ".letters"):
        expect(page.locator(f"{part}:visible")).to_have_count(0)
    page.locator("#q").fill("")
    for part in ("[data-key=csv]", "#more", "#overview", ".letters"):
        expect(page.locator(part)).to_be_visible()
    page.locator("#more > summary").click()
    for part in ("[data-key=json]", "#twin", ".offer"):
        expect(page.locator(part)).to_be_visible()
    expect(page.locator("#groups .group").nth(5)).to_be_attached()
    # A filter that leaves nothing can be changed.
    page.goto("/projects/?location=ke&status=public")
    expect(page.locator("#groups .group")).to_have_count(2)


def test_foreign_parameters_of_an_address_are_ignored(site: str, visit: Visiting) -> None:
    window = visit(site)
    own = names(window.go("/projects/"))
    expected = api(window.page, "mode=page&year=2010..2015")
    for words in (
        "utm_source=a&utm_medium=email", "gclid=1&q=&mc_eid=2&mode=page"
    ):  # fmt: skip
        page = window.go(f"/projects/?{words}")
        settled(page)
        assert names(page) == own, words
        page = window.go(f"/projects/?{words}&year=2010..2015")
        wait_for_total(page, expected["page"]["total_items"])
        expect(page.locator("#chosen button")).to_have_count(1)


def test_more_than_eight_words_and_signs_are_searched_all_the_same(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/")
    page.locator("#q").fill("open source data for all of the people now")
    expect(page.locator("#note")).to_have_text(
        "Search takes up to eight words. Searched: open source data for all of the people"
    )
    wait_for(page, "q=open+source+data+for+all+of+the+people")
    for text in (".", "%", "%%%", "… !"):
        page.locator("#q").fill(text)
        expect(page.locator("#note")).to_have_text("Type a word with letters or digits.")
        expect(page.locator("#count")).to_have_text(re.compile("^1–50 of"))
    page.goto("/projects/?q=%2B%2B%2B")
    expect(page.locator("#q")).to_have_value("+++")
    expect(page.locator("#note")).to_have_text("Type a word with letters or digits.")
    page.goto("/projects/?q=%25+data.")
    wait_for(page, "q=data")
    expect(page.locator("#note")).not_to_be_visible()


@pytest.mark.parametrize(
    ("typed", "asked", "said"),
    [
        ({"to": "20155"}, "..2015", "“20155” was read as 2015."),
        ({"from": "199"}, "", "“199” was left out."),
        ({"from": " 2015", "to": "2010 "}, "2010..2015", ""),
    ],
)
def test_a_slip_in_a_year_is_corrected_and_said(
    site: str, visit: Visiting, typed: dict[str, str], asked: str, said: str
) -> None:
    page = visit(site).go("/projects/")
    for which, text in typed.items():
        box(page, "year", which).fill(text)
        box(page, "year", which).press("Enter")
        settled(page)
    expect(page.locator("#note")).to_have_text(said)
    if asked:
        wait_for(page, f"year={asked}", f"?year={asked}")


def test_no_more_values_can_be_ticked_than_can_be_asked_for(site: str, visit: Visiting) -> None:
    window = visit(site)
    values = api(window.page, "mode=count&by=location")["counts"]["location"]["values"]
    first = ",".join(value["value"] for value in values[:10])
    page = window.go(f"/projects/?location={first}")
    wait_for(page, f"location={first}")
    group = page.locator("#filter-location")
    expect(group.get_by_text("Up to 10 values at once.")).to_be_visible()
    expect(group.locator("input:checked")).to_have_count(10)
    assert group.locator("input[type=checkbox]:enabled").count() == 10


def test_pages_and_orders_of_a_search(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?status=active")
    total = wait_for(page, "status=active")
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#count")).to_be_focused()
    expect(page.locator("#count")).to_have_text(re.compile("^51–"))
    assert page.url.endswith("?status=active&page=2")
    found = api(page, "mode=page&status=active&page=2")
    assert names(page) == [row["name"] for row in found["data"]]
    page.locator("#order").select_option(label="Newest")
    wait_for_total(page, total, "?status=active&sort=-year")
    found = api(page, "mode=page&status=active&sort=-year")
    expect(page.locator("#rows .name").first).to_have_text(found["data"][0]["name"])
    assert names(page) == [row["name"] for row in found["data"]]


def test_a_list_of_one_value_is_narrowed_and_widened(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/tag-topic/climate/")
    expect(box(page, "tag_topic", "climate")).to_be_checked()
    box(page, "status", "active").check()
    wait_for(page, "tag_topic=climate&status=active", "/projects/?tag_topic=climate&status=active")
    expect(page.locator("h1")).to_have_text("Active Climate projects")
    active, every = (api(page, f"mode=count{of}")["total_items"]
                     for of in ("&tag_topic=climate&status=active", ""))  # fmt: skip
    expect(page.locator("#count")).to_have_text(f"{active} of {every}")
    page.go_back()
    expect(page.locator("h1")).to_have_text("Climate projects")
    expect(page.locator("#count")).to_have_text(f"9 of {every}")


def test_the_keyboard_reaches_everything(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    page.locator("#q").focus()
    page.keyboard.type("robot")
    wait_for(page, "q=robot")
    for key, place in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0)):
        page.keyboard.press(key)
        expect(page.locator("#rows .name").nth(place)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#count")).to_have_text(re.compile("^1–50 of"))
    box(page, "status", "active").focus()
    page.keyboard.press("Space")
    wait_for(page, "status=active")
    expect(box(page, "status", "active")).to_be_focused()


def test_without_a_script_a_list_reads_filters_by_one_value_and_pages(
    site: str, visit: Visiting
) -> None:
    page = visit(site, scripts=False).go("/projects/")
    assert not page.locator("#q").is_visible() and "JavaScript" in page.content()
    first = names(page)
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**/projects/page/2/")
    assert names(page) != first
    page.get_by_role("link", name="Newest").click()
    page.wait_for_url("**/projects/sort/-year/")
    page.goto("/projects/")
    page.locator("#filter-tag_topic > summary").click()
    page.locator("#filter-tag_topic a", has_text="Hardware").first.click()
    page.wait_for_url("**/projects/tag-topic/hardware/")
    assert page.locator("h1").inner_text() == "Hardware projects" and len(names(page)) == 19
    page.get_by_role("link", name="Remove the filter").click()
    page.wait_for_url("**/projects/")
    assert names(page) == first


@pytest.fixture
def slow(site: str, visit: Visiting) -> Iterator[tuple[Page, list[Route]]]:
    """A page whose reads of rows wait until they are continued, and the waiting reads."""
    page, waiting = visit(site).page, list[Route]()
    page.route("**/api/index/projects/rows/**", lambda route: waiting.append(route))
    yield page, waiting
    page.unroute_all(behavior="ignoreErrors")


def test_a_link_to_a_search_never_shows_the_whole_list(slow: tuple[Page, list[Route]]) -> None:
    page, waiting = slow
    page.goto("/projects/?q=data")
    expect(page.locator("#results .waiting")).to_have_text("Searching the projects …")
    expect(page.locator("#q")).to_have_value("data")
    for part in ("#rows", "#pages", "#count"):
        expect(page.locator(part)).not_to_be_visible()
    assert page.locator("#results .waiting").bounding_box()["height"] > 800  # type: ignore[index]
    page.wait_for_timeout(300)
    while page.locator("html.asked").count():
        while waiting:
            waiting.pop().continue_()
        page.wait_for_timeout(20)
    wait_for(page, "q=data")
    expect(page.locator("#results .waiting")).not_to_be_visible()
    assert page.locator("#rows mark").count()


def test_rows_are_read_while_one_scrolls(site: str, visit: Visiting) -> None:
    page = visit(site, phone=True).go("/projects/?q=data")
    total = wait_for(page, "q=data")
    count = min(50, total)
    assert 10 <= page.locator("#rows .name").count() < count
    height = page.evaluate("document.documentElement.scrollHeight")
    assert len(names(page)) == count
    rows = api(page, "mode=page&q=data")["data"]
    assert names(page) == [row["name"] for row in rows]
    # The place of rows that are not read yet is about as high as they are.
    assert abs(page.evaluate("document.documentElement.scrollHeight") - height) < height / 4


def test_rows_that_cannot_be_read_are_offered_again(browser: Browser, site: str) -> None:
    window = Visit(browser, site, **PHONE)
    page = window.go("/projects/?q=data")
    wait_for(page, "q=data")
    window.context.set_offline(True)
    page.evaluate(SCROLL_ON)
    again = page.locator("#rows .rest button")
    expect(again.first).to_be_visible()
    window.context.set_offline(False)
    before = page.locator("#rows .name").count()
    again.first.click()
    expect(page.locator("#rows .name").nth(before)).to_be_visible()
    window.close()


def test_a_script_that_cannot_be_loaded_hides_nothing(browser: Browser, site: str) -> None:
    window = Visit(browser, site)
    window.page.route("**/assets/list-*.js", lambda route: route.abort())
    page = window.go("/projects/?q=data")
    expect(page.locator("#rows .name").first).to_be_visible()
    window.close()


def test_a_late_answer_is_not_shown(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    pending: list[Route] = []
    page.route("**/api/projects/by/tag_topic/data/page/1.json", lambda route: pending.append(route))
    box(page, "tag_topic", "data").check()
    expect(page.locator("#results")).to_have_attribute("aria-busy", "true")
    box(page, "tag_topic", "data").uncheck()
    box(page, "status", "active").check()
    total = wait_for(page, "status=active")
    pending[0].continue_()
    page.wait_for_timeout(300)
    wait_for_total(page, total, "?status=active")


def test_a_lost_connection_is_reported_and_retried(browser: Browser, site: str) -> None:
    window = Visit(browser, site)
    page = window.go("/projects/")
    window.context.set_offline(True)
    box(page, "status", "active").check()
    expect(page.locator("#rows .title")).to_contain_text("could not be loaded")
    assert not page.locator("#rows .name").count()
    window.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    wait_for(page, "status=active")
    window.close()
