"""The search box of a page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


def search_box(page: Page) -> Locator:
    return page.locator("#find-words")


def search(page: Page, words: str) -> None:
    """Type words and wait for their results."""
    page.keyboard.press("/")
    expect(search_box(page)).to_be_focused()
    expect(search_box(page)).to_have_attribute("role", "combobox")
    search_box(page).fill(words)
    expect(page.locator("#find-said")).to_have_text(re.compile("result|Nothing"))


def groups(page: Page) -> list[str]:
    return page.locator("#find-found .kind").all_inner_texts()


def option(page: Page, text: str) -> Locator:
    return page.locator("#find-found [role=option]", has_text=text)
