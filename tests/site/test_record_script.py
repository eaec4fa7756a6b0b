"""The page of a record in a browser: the way back to the results, what is copied, sorted tables."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from support.browser import Visiting

CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def way(page: Page) -> list[str]:
    """The links beside the breadcrumbs."""
    return page.locator("#results a").all_inner_texts()


def test_a_record_leads_back_to_the_results_and_on_to_the_next(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?status=public")
    rows = page.locator("#rows .name")
    expect(page.locator("#results")).not_to_have_attribute("aria-busy", "true")
    expect(rows.nth(2)).to_be_visible()
    names = rows.all_inner_texts()
    rows.first.click()
    expect(page.locator("h1")).to_have_text(names[0])
    assert way(page) == ["Back to the results", "Next"]
    for name in names[1:3]:
        page.locator("#results").get_by_text("Next").click()
        expect(page.locator("h1")).to_have_text(name)
    page.locator("#results").get_by_text("Previous").click()
    expect(page.locator("h1")).to_have_text(names[1])
    page.locator("#results").get_by_text("Back").click()
    page.wait_for_url("**/projects/?status=public")
    expect(rows.first).to_have_text(names[0])


def test_without_results_and_without_scripts_there_is_no_way_back(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/stripe/")
    expect(page.locator("html.js")).to_be_attached()
    expect(page.locator("#results")).to_be_hidden()
    page = visit(site, scripts=False).go("/projects/stripe/")
    expect(page.locator("#results")).to_be_hidden()
    expect(page.locator("#copy-link")).to_be_hidden()
    page.get_by_text("Cite", exact=True).click()
    expect(page.locator(".drop pre")).to_be_visible()


def test_the_address_and_the_citation_are_copied(site: str, visit: Visiting) -> None:
    page = visit(site, **CLIPBOARD).go("/projects/stripe/?utm_source=x#facts")
    page.locator("#copy-link").click()
    expect(page.locator("#said")).to_have_text("Copied")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address.endswith("/projects/stripe/")
    page.get_by_text("Cite", exact=True).click()
    page.locator(".drop .copy").click()
    expect(page.locator(".drop .copy")).to_have_text("Copied")
    cited = page.evaluate("navigator.clipboard.readText()")
    assert cited == f"“Stripe”. Open Launch Registry. {address}"
    page.keyboard.press("Escape")
    expect(page.locator(".drop pre")).to_be_hidden()


def test_the_heads_of_the_table_of_cohorts_sort_it(site: str, visit: Visiting) -> None:
    page = visit(site).go("/programs/yc-accelerator/")
    table = page.locator(".cohorts")
    rows = table.locator("tbody th")
    newest = rows.all_inner_texts()

    def column(number: int) -> list[float]:
        cells = table.locator(f"tbody td:nth-child({number})").all_inner_texts()
        return [float(cell.strip("%") or -1) for cell in cells]

    for number, name in ((3, "Projects"), (4, "Active")):
        head = table.get_by_role("button", name=name)
        head.click()
        assert column(number) == sorted(column(number), reverse=True)
        head.click()
        assert column(number) == sorted(column(number))
    expect(table.locator("[aria-sort]")).to_have_count(1)
    table.get_by_role("button", name="Year").click()
    assert rows.all_inner_texts() == newest
    table.get_by_role("button", name="Cohort").click()
    assert rows.all_inner_texts() == sorted(newest)


def test_a_cohort_is_compared_with_another_of_its_program(site: str, visit: Visiting) -> None:
    page = visit(site).go("/programs/yc-winter-2009/")
    page.get_by_text("Compare with…").click()
    panel = page.locator(".drop .choose")
    other = panel.locator("a").first.inner_text()
    panel.locator("a").first.click()
    page.wait_for_url(re.compile("/compare/[?]program=[a-z0-9-]+,yc-winter-2009$"))
    expect(page.locator("#comparison")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator(".versus > thead .name").first).to_have_text(other)
    page.goto("/projects/stripe/")
    page.get_by_text("Compare with…").click()
    expect(page.locator("#seek")).to_be_focused()
