"""Excerpts of texts that rows do not show, for the words of a search that are in them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.commands import build

RECORDS = "/api/projects/slug/"


def test_a_word_in_a_text_that_is_not_shown_has_an_excerpt(site: str, visit: Visiting) -> None:
    window = visit(site)
    read: list[str] = []
    window.context.on("request", lambda request: read.append(request.url))
    page = window.go("/projects/?q=burbn")
    row = page.locator("#rows li", has_text="Instagram")
    expect(row.locator(".snippet mark")).to_have_text("Burbn")
    expect(row.locator(".snippet")).to_contain_text("It grew out of a check-in app called Burbn.")
    assert [url.rpartition("/")[2] for url in read if RECORDS in url] == ["instagram.json"]


def test_rows_that_show_the_words_are_not_read(site: str, visit: Visiting) -> None:
    window = visit(site)
    read: list[str] = []
    window.context.on("request", lambda request: read.append(request.url))
    page = window.go("/projects/?q=gitlab")
    expect(page.locator("#rows mark").first).to_be_visible()
    page.wait_for_timeout(500)
    assert not [url for url in read if f"{RECORDS}gitlab.json" in url]
    assert page.locator(".snippet").count() == 0


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of 30 projects with a word that only their descriptions have."""
    projects = {
        f"p-{n:02}": {"name": f"Project {n}", "description": f"Number {n}. Made of granite."}
        for n in range(30)
    }
    content = {**registries.SMALL, "projects": projects}
    folder = registries.write(tmp_path_factory.mktemp("hidden") / "content", content)
    with browsers.served(build(folder, folder.parent / "out", site=True)) as origin:
        yield origin


def test_only_rows_on_the_screen_are_read(hidden: str, visit: Visiting) -> None:
    window = visit(hidden, viewport={"width": 1280, "height": 500})
    page = window.go("/projects/?q=granite")
    expect(page.locator(".snippet").first).to_have_text("Number 0. Made of granite.")
    page.wait_for_timeout(500)
    assert 0 < page.locator(".snippet").count() < 15
    page.locator("#rows .entries > li").last.scroll_into_view_if_needed()
    expect(page.locator("#rows .entries > li").last.locator(".snippet")).to_be_visible()
