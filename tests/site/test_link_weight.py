"""What a link to a search reads before its first ten rows are shown: counted, and not timed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from generator.grammar.paths import SEARCH_SCRIPT
from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

THINGS = ("pump", "roof", "sensor", "battery", "turbine", "meter", "panel", "grid", "heater", "car")
#: Bytes of a link to a list, of which nothing else has to be known.
MOST_BYTES = 55_000


@pytest.fixture(scope="module")
def many(publish: Publish) -> Iterator[str]:
    """A registry whose frequent words have their first rows made ahead."""
    content: Any = registries.content()
    for n in range(1200):
        thing, other = THINGS[n % 10], THINGS[n // 10 % 10]
        content["projects"][f"made-{n}"] = {
            "name": f"{thing.title()} {n}", "summary": f"Number {n * n} of a {other} in a town.",
            "year": 2000 + n % 20, "tags": {"topic": [("climate", "health", "space")[n % 3]]},
        }  # fmt: skip
    content["projects"]["made-77"]["name"] = "Seldom"
    with browsers.served(publish("many", content), plain=True) as origin:
        yield origin


def read_by(page: Page, address: str) -> dict[str, int]:
    """The paths that were read until ten rows were shown, with the bytes on their way."""
    page.add_init_script(
        """new MutationObserver(() => {
          const isShown = document.querySelector('#rows .searched li')
          if (!isShown || window.read) return
          window.read = [...performance.getEntriesByType('navigation'),
                         ...performance.getEntriesByType('resource')]
            .filter(one => one.responseEnd).map(one => [one.name, one.transferSize])
        }).observe(document, { subtree: true, childList: true })"""
    )
    page.goto(address)
    page.wait_for_function("() => window.read")
    read: list[tuple[str, int]] = page.evaluate("read")
    return {urlsplit(url).path: size for url, size in read}


def test_a_link_to_a_frequent_word_reads_neither_engine_nor_rows(
    many: str, visit: Visiting
) -> None:
    page = visit(many, phone=True).page
    read = read_by(page, f"{many}/projects/?q=battery")
    assert SEARCH_SCRIPT not in read
    assert not [path for path in read if "/rows/" in path]
    assert len([path for path in read if "/words/" in path]) == 1
    assert len(read) <= 12
    assert sum(read.values()) <= MOST_BYTES
    expect(page.locator("#said")).to_have_text("228 projects")
    assert page.locator("#rows .name").first.inner_text().startswith("Battery ")
    # What follows the first ten is answered by the engine, perhaps before it is scrolled to.
    page.locator("#rows li.rest").first.evaluate("one => one.scrollIntoView()")
    names = page.locator("#rows .name")
    expect(names.nth(19)).to_be_attached()
    shown = names.all_inner_texts()
    assert len({*shown}) == len(shown)


@pytest.mark.parametrize("query", ["q=seldom", "q=battery+pump", "q=battery&year=2003", "q=batt"])
def test_other_words_are_answered_by_the_engine(many: str, visit: Visiting, query: str) -> None:
    page = visit(many, phone=True).page
    read = read_by(page, f"{many}/projects/?{query}")
    assert SEARCH_SCRIPT in read
    assert len(read) <= 17
    assert page.locator("#rows .name").count()
