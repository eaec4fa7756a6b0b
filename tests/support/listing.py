"""The page of a list in a browser: what it shows, its filters, and the answers of the API."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

#: Scrolls to rows that are not read yet; whether there are any.
SCROLL_ON = """() => {
  const next = document.querySelector("#rows .rest")
  next?.scrollIntoView()
  return next !== null
}"""


def settled(page: Page) -> None:
    """Wait until the list and its counts are those of the address."""
    expect(page.locator("#results")).not_to_have_attribute("aria-busy", "true")


def wait_for_total(page: Page, total: int, path: str | None = None) -> None:
    """Wait until the address ends with a path, the list shows `total` records and its filters show
    counts: a search for fewer letters may have as many.
    """
    if path is not None:
        expect(page).to_have_url(re.compile(re.escape(path) + "$"))
    expect(page.locator("#said")).to_have_text(re.compile(rf"^{total:,} "))
    settled(page)


def api(page: Page, query: str) -> Any:
    """The answer to a query for projects."""
    return page.request.get(f"/api/projects?{query}").json()


def wait_for(page: Page, query: str, path: str | None = None) -> int:
    """Wait until the list shows the records of a query; returns their number."""
    total: int = api(page, f"mode=count&{query}")["total_items"]
    wait_for_total(page, total, path)
    return total


def names(page: Page) -> list[str]:
    """The names in a list, whose rows are read while one scrolls."""
    while page.evaluate(SCROLL_ON):
        page.wait_for_timeout(20)
    return page.locator("#rows .name").all_inner_texts()


def group(page: Page, name: str) -> Locator:
    """The group of a filter, which is opened if it is closed."""
    found = page.locator(f"#filter-{name}[data-name]")
    found.wait_for()
    if found.get_attribute("open") is None:
        found.locator("> summary").click()
    return found


def box(page: Page, name: str, value: str) -> Locator:
    """The box or field of a value of a filter."""
    return group(page, name).locator(f'[data-key="{name}/{value}"]')


def counted(page: Page, name: str) -> dict[str, int]:
    """value -> count, from the filters on the page."""
    return {
        str(box.get_attribute("data-key")).partition("/")[2]: int(
            box.locator("xpath=..").locator(".count").text_content() or ""
        )
        for box in page.locator(f"#filter-{name} input[type=checkbox]").all()
    }
