"""The charts above a list: of the records that it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from support.browser import Visiting

Counts = dict[str, int]


def counts(page: Page, query: str) -> Counts:
    """label -> count of the status of projects, from the API."""
    answer: Any = page.request.get(f"/api/projects?mode=count&by=status{query}").json()
    return {one["label"]: one["count"] for one in answer["counts"]["status"]["values"]}


def ranked(page: Page, title: str) -> Counts:
    """label -> count of a chart on the page."""
    rows = page.locator("#overview figure").filter(has_text=re.compile(f"^{title}")).locator("li")
    return {
        row.locator("bdi").inner_text(): int(row.locator(".count").inner_text())
        for row in rows.all()
    }


def test_the_charts_are_those_of_the_whole_list_without_another_request(
    site: str, visit: Visiting
) -> None:
    window = visit(site)
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))
    page = window.go("/projects/")
    expect(page.locator("#overview figure")).to_have_count(3)
    assert ranked(page, "Status") == counts(page, "")
    # When nothing else is to be done, the engine and the manifest are read for a later search.
    assert not [url for url in asked if re.search("/api/(?!search.js|index/[a-z]+/manifest)", url)]
    bars = page.locator("#overview .bars")
    assert (bars.get_attribute("aria-label") or "").startswith("From 1981 to 20")


def test_the_charts_follow_what_is_chosen(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?year=2005..2010")
    expect(page.locator("#overview figure")).to_have_count(3)
    assert ranked(page, "Status") == counts(page, "&year=2005..2010")
    assert page.locator("#overview .bars > span").count() == 6
    assert page.locator("#overview .ends").inner_text().split() == ["2005", "2010"]
    page.locator("#overview").get_by_role("link", name="Acquired").click()
    expect(page).to_have_url(re.compile(r"\?year=2005\.\.2010&status=acquired$"))
    # All records that are left have this status: it has no chart, the others do.
    expect(page.locator("#overview figure")).to_have_count(2)
    assert not ranked(page, "Status")


def test_a_chart_of_places_is_left_out_where_places_are_chosen(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?location=us,de")
    expect(page.locator("#overview figure")).to_have_count(2)
    assert not ranked(page, "Location")


def test_charts_are_folded_on_a_phone_and_as_they_were_left(site: str, visit: Visiting) -> None:
    page = visit(site, phone=True).go("/projects/?status=active")
    assert not page.locator("#overview figure").count()
    page.locator("#overview > summary").click()
    expect(page.locator("#overview figure")).to_have_count(2)
    page.goto("/programs/")
    expect(page.locator("#overview figure").first).to_be_visible()
    page.locator("#overview > summary").click()
    page.goto("/projects/")
    expect(page.locator("#overview > summary")).to_be_visible()
    assert page.locator("#overview").get_attribute("open") is None


def test_all_scripts_of_a_list_with_charts_are_small(built_content: Path) -> None:
    from brotli import compress

    from generator.grammar.paths import SEARCH_SCRIPT

    files = [*(built_content / "assets").glob("list-*.js"), built_content / SEARCH_SCRIPT[1:]]
    files += (built_content / "assets").glob("figures-*.js")
    assert len(files) == 3
    assert sum(len(compress(file.read_bytes())) for file in files) <= 31 * 1024
