"""The page for missing addresses: it leads to the record that was meant."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser import Visiting
from support.lanes import sample


def forgive(window: Any) -> None:
    """Drop the report of a browser for each address that does not exist."""
    window.faults[:] = [fault for fault in window.faults if "404" not in fault]


#: A misspelt address -> the address that was meant.
SPELLINGS = {
    "/projects/GitLab/": "/projects/gitlab/",
    "/Projects/git%4Cab.html": "/projects/gitlab/",
    "/projects/Hugging_Face": "/projects/hugging-face/",
    "/projects/tag-topic/Climate/": "/projects/tag-topic/climate/",
    "/Compare": "/compare/",
}


@pytest.mark.parametrize("host", sample(["site"], ["plain_site"]))
def test_another_spelling_leads_to_the_page(
    request: pytest.FixtureRequest, visit: Visiting, host: str
) -> None:
    window = visit(request.getfixturevalue(host))
    for path, target in SPELLINGS.items():
        page = window.go(path)
        page.wait_for_url(f"**{target}")
        assert "404" not in page.locator("main").inner_text()
    forgive(window)


def test_the_nearest_records_are_offered(site: str, visit: Visiting) -> None:
    window = visit(site)
    page = window.page
    answer = page.goto("/projects/climewrks/")
    assert answer is not None and answer.status == 404
    assert page.locator("header a[href='/']").count() >= 1
    near = page.locator("#near a").first
    expect(near).to_have_attribute("href", "/projects/climeworks/")
    near.click()
    expect(page.locator("h1")).to_have_text("Climeworks")
    forgive(window)


def test_words_of_the_address_are_ready_to_be_searched(site: str, visit: Visiting) -> None:
    window = visit(site)
    page = window.go("/old-blog/deep-learning")
    expect(page.locator("#find-words")).to_have_value("deep learning")
    assert page.get_by_role("link", name="Home page").get_attribute("href") == "/"
    forgive(window)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_page_speaks_to_visitors(site: str, visit: Visiting, scripts: bool) -> None:
    text = visit(site, scripts=scripts).go("/404.html").locator("main").inner_text()
    assert "All projects" in text
    assert "API" not in text and "mode=" not in text
