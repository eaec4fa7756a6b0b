"""The script in the head of a list (generator/site/source/early.mjs): what an address asks for is
fetched before the engine is there, and once.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from generator.grammar.paths import SEARCH_SCRIPT
from support.browser import Visiting
from support.listing import settled

#: Query of a list -> the file that is fetched before the engine is there.
BEGUN = {
    "status=active": "**/api/projects/by/status/active/page/1.json",
    "location=europe": "**/api/projects/by/location/europe/page/1.json",
    "tag_topic=data&status=active": "**/api/index/projects/keys/*.txt",
    "tag_topic=data,hardware": "**/api/index/projects/keys/*.txt",
    "q=robot": "**/api/index/projects/keys/*.txt",
    "q=robot&status=active&sort=-year": "**/api/index/projects/keys/*.txt",
    "year=2010..": "**/api/index/projects/manifest.json",
    "q=r%C3%B6bot": "**/api/index/projects/manifest.json",
}


def rows(page: Page) -> list[str]:
    expect(page.locator("html")).not_to_have_class(re.compile("asked"))
    settled(page)
    return page.locator("#rows .name").all_inner_texts()


@pytest.mark.parametrize("query", BEGUN)
def test_what_is_asked_is_fetched_before_the_engine_and_each_file_once(
    plain_site: str, visit: Visiting, query: str
) -> None:
    page = visit(plain_site, phone=True).page
    asked: list[str] = []
    engine: list[Route] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route(f"**{SEARCH_SCRIPT}", lambda route: engine.append(route))
    with page.expect_request(BEGUN[query]):
        page.goto(f"{plain_site}/projects/?{query}", wait_until="commit")
    while not engine:
        page.wait_for_timeout(20)
    engine[0].continue_()
    assert rows(page)
    page.wait_for_load_state("networkidle")
    assert len(asked) == len(set(asked))


def test_the_rows_of_one_filter_need_neither_engine_nor_index(
    plain_site: str, visit: Visiting
) -> None:
    page = visit(plain_site, phone=True).page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route(f"**{SEARCH_SCRIPT}", lambda route: None)  # never answered
    page.goto(f"{plain_site}/projects/?status=active")
    document = page.request.get(f"{plain_site}/api/projects/by/status/active/page/1.json").json()
    assert rows(page)[:10] == [row["name"] for row in document["data"]][:10]
    assert not [url for url in asked if "/api/index/" in url]


#: Rejects what is fetched by a text, as the early script does; the engine fetches a URL.
_LOSE = """{
  const real = fetch
  window.lost = []
  window.fetch = (address, ...more) => {
    if (typeof address !== "string") return real(address, ...more)
    lost.push(address)
    return Promise.reject(new TypeError("lost"))
  }
}"""


@pytest.mark.parametrize("query", ["status=active", "q=robot&status=active"])
def test_what_fails_early_is_fetched_again(plain_site: str, visit: Visiting, query: str) -> None:
    window = visit(plain_site)
    expected = rows(window.go(f"/projects/?{query}"))
    page = window.context.new_page()
    page.add_init_script(_LOSE)
    page.goto(f"{plain_site}/projects/?{query}")
    assert rows(page) == expected
    assert page.evaluate("lost.length")
    page.close()


@pytest.mark.parametrize("query", ["&", "=", "status=&q=", "q=%20", "status=%", "utm_source=x"])
def test_an_address_that_asks_for_nothing_is_no_fault(
    plain_site: str, visit: Visiting, query: str
) -> None:
    page = visit(plain_site).page
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{plain_site}/projects/?{query}", wait_until="networkidle")
    expect(page.locator("html")).not_to_have_class(re.compile("asked"))
    assert not faults
