"""The reference of the API in a browser: code in tabs, and the explorer of queries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import Visit, Visiting
from support.lanes import sample

REFERENCE = "/docs/api/projects/"
EXPLORER = "/docs/api/explorer/"
PROJECTS = "/api/projects?mode=page&tag_topic=climate"


def opened(window: Visit, question: str = "") -> Page:
    page = window.go(EXPLORER + (f"#{question}" if question else ""))
    expect(page.locator("#result .badge")).to_be_visible()
    return page


def answer(page: Page) -> Any:
    """The document on the page after all requests have ended."""
    expect(page.locator("#result")).not_to_have_attribute("aria-busy", "true")
    return json.loads(page.locator("#result pre").inner_text())


@pytest.mark.parametrize("host", sample(["plain_site"], ["site"]))
def test_the_explorer_shows_the_request_the_bytes_and_the_answer(
    visit: Visiting, built_content: Path, request: pytest.FixtureRequest, host: str
) -> None:
    page = opened(visit(request.getfixturevalue(host)), PROJECTS)
    file = built_content / "api/projects/by/tag_topic/climate/page/1.json"
    assert answer(page) == json.loads(file.read_bytes())
    expect(page.locator("#result")).to_contain_text(f"{file.stat().st_size:,} bytes")
    expect(page.locator("#result .badge")).to_have_text("200")
    expect(page.locator("#result a")).to_have_attribute("href", PROJECTS)
    page.locator("#result summary").click()
    expect(page.locator("#result details")).to_contain_text("/api/projects/by/tag_topic/climate/")


def test_the_form_sends_a_query_and_the_back_button_goes_back(visit: Visiting, site: str) -> None:
    page = opened(visit(site), PROJECTS)
    expect(page.locator("[name=tag_topic]")).to_have_value("climate")
    page.locator("[name=year]").fill("2000..2024")
    page.locator("[name=sort]").select_option("-year")
    page.get_by_role("button", name="Send").click()
    query = f"{PROJECTS}&year=2000..2024&sort=-year"
    page.wait_for_url(f"**{EXPLORER}#{query}")
    expect(page.locator("#result .address")).to_contain_text("year=2000..2024")
    assert answer(page)["query"]["filters"] == {"tag_topic": "climate", "year": "2000..2024"}
    page.go_back()
    expect(page.locator("#asked")).to_have_value(PROJECTS)
    expect(page.locator("[name=year]")).to_have_value("")
    assert answer(page)["query"]["filters"] == {"tag_topic": "climate"}


#: A refused query, the choice that a reader takes, and the query that it gives.
REFUSED = [
    ("/api/projects?mode=page&location=kenya", "ke", "/api/projects?mode=page&location=ke"),
    ("/api/projects?mode=page&years=2011", "year", "/api/projects?mode=page&year=2011"),
    ("/api/projects?year=2011", "page", "/api/projects?year=2011&mode=page"),
    ("/api/projects?mode=page&q=climte", "climate", "/api/projects?mode=page&q=climate"),
    ("/api/projects/climewrks", "climeworks", "/api/projects/climeworks"),
]


def test_a_refused_query_offers_valid_choices(visit: Visiting, site: str) -> None:
    window = visit(site)
    page = opened(window)
    for query, choice, instead in REFUSED:
        page.locator("#asked").fill(query)
        page.keyboard.press("Enter")
        page.locator("#result button", has_text=choice).first.click()
        page.wait_for_url(f"**#{instead}")
        expect(page.locator("#result .badge")).to_have_text("200")
    # A browser reports each requested file that does not exist.
    window.faults[:] = [fault for fault in window.faults if "status of 40" not in fault]


def test_known_values_are_suggested(visit: Visiting, site: str) -> None:
    page = opened(visit(site))
    page.locator("[name=tag_topic]").focus()
    option = page.locator("#of-tag_topic option[value=climate]")
    option.wait_for(state="attached")
    assert option.inner_text().startswith("Climate")


def test_no_other_host_is_queried(visit: Visiting, site: str) -> None:
    page = opened(visit(site))
    for query in ("//evil.example/api", "/api/\\..\\..", "javascript:alert(1)", "/"):
        page.locator("#asked").fill(query)
        page.keyboard.press("Enter")
        expect(page.locator("#result .badge, #result .bad").first).to_be_visible()


def test_a_former_slug_leads_to_the_present_one(
    visit: Visiting, awkward_site: str, built_awkward: Path
) -> None:
    moved = next(
        (file.stem, document["data"]["replaced_by"])
        for file in sorted((built_awkward / "api/projects/slug").iterdir())
        if (document := json.loads(file.read_bytes()))["kind"] == "moved"
    )
    page = opened(visit(awkward_site), f"/api/projects/{moved[0]}")
    page.locator("#result button").click()
    page.wait_for_url(f"**#/api/projects/{moved[1]}")
    present = page.locator(f"#result .address a[href='/api/projects/{moved[1]}']")
    expect(present).to_be_visible()
    expect(page.locator("#result .badge")).to_have_text("200")
    assert answer(page)["data"]["slug"] == moved[1]


def test_commands_are_copied_with_the_address_of_the_site(visit: Visiting, site: str) -> None:
    window = visit(site, permissions=["clipboard-read", "clipboard-write"])
    page = window.go("/docs/api/")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"curl {site}/api/dashboard.json"


TYPED = "/api/projects?mode=page&q=a%20robot&nonsense=1&year=2010.."


def test_the_form_changes_one_parameter_of_what_was_typed(visit: Visiting, site: str) -> None:
    window = visit(site)
    page = opened(window)
    page.locator("#asked").fill(TYPED)
    page.keyboard.press("Enter")
    expect(page.locator("#result .badge")).to_have_text("400")
    expect(page.locator("#asked")).to_have_value(TYPED)
    expect(page.locator("[name=year]")).to_have_value("2010..")
    page.locator("[name=status]").fill("active")
    expect(page.locator("#asked")).to_have_value(f"{TYPED}&status=active")
    page.locator("[name=year]").fill("")
    expect(page.locator("#asked")).to_have_value(
        "/api/projects?mode=page&q=a%20robot&nonsense=1&status=active"
    )
    # A browser reports each refused query.
    window.faults[:] = [fault for fault in window.faults if "400" not in fault]


def test_code_has_a_tab_for_each_language(site: str, visit: Visiting) -> None:
    page = visit(site).go(REFERENCE)
    first, second = page.locator(".ways.tabbed").nth(0), page.locator(".ways.tabbed").nth(1)
    assert first.get_by_role("tab").all_inner_texts()[:3] == ["curl", "Python", "JavaScript"]
    assert first.locator(".code:visible").count() == 1
    assert first.locator("pre:visible").inner_text().startswith("curl ")
    first.get_by_role("tab", name="curl").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(first.get_by_role("tab", name="JavaScript")).to_be_focused()
    assert first.locator("pre:visible").inner_text().startswith("const answer = await fetch(")
    # The language is chosen for the whole page.
    selected = second.locator('[role=tab][aria-selected="true"]')
    assert selected.text_content() == "JavaScript"
    expect(first.get_by_role("button", name="Copy")).to_be_visible()


def test_without_a_script_every_language_is_there(site: str, visit: Visiting) -> None:
    page = visit(site, scripts=False).go(REFERENCE)
    ways = page.locator(".ways").first
    assert ways.locator(".code:visible").count() == ways.locator(".code").count() >= 3
