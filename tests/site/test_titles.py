"""Titles of lists while filters change: the words of the pages that have one value."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from support.browser import Visiting
from support.listing import settled

#: The lists whose values are chosen.
LISTS = ("/projects/", "/programs/", "/organizations/")


def pages_of(page: Page) -> list[str]:
    """The pages of one value of each filter, from the panel of a list."""
    groups = page.locator("#groups .group").all()
    first = [group.locator("a").first for group in groups if group.locator("a").count()]
    return [link.get_attribute("href") or "" for link in first]


@pytest.mark.parametrize(
    ("registry", "lists"),
    [("site", LISTS), ("german_site", ("/projects/", "/organizations/"))],
)
def test_a_chosen_value_gives_the_title_of_its_page(
    request: pytest.FixtureRequest, visit: Visiting, registry: str, lists: tuple[str, ...]
) -> None:
    origin = request.getfixturevalue(registry)
    still, live = visit(origin, scripts=False), visit(origin)
    seen = 0
    for path in lists:
        for target in pages_of(still.go(path)):
            page = still.go(target)
            title = page.title()
            assert page.locator("h1").inner_text() == title.rpartition(" – ")[0]
            amount = page.locator("#count").inner_text()
            name, value = target.rstrip("/").split("/")[-2:]
            if title.count("(") > 0:  # other lists have the same words
                continue
            page = live.go(f"{path}?{name.replace('-', '_')}={value}&sort=name")
            settled(page)
            expect(page).to_have_title(title)
            expect(page.locator("h1")).to_have_text(title.rpartition(" – ")[0])
            expect(page.locator("#count")).to_have_text(amount)
            seen += 1
    assert seen > 8


def test_several_filters_and_words_are_in_the_title(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    registry = page.title().rpartition(" – ")[2]
    page.goto("/projects/?tag_topic=climate,health&location=us&status=active")
    expect(page).to_have_title(
        f"Active Climate or Health projects in the United States – {registry}"
    )
    page.goto("/projects/?q=solar&year=2010..2020&tag_topic=not:climate")
    expect(page).to_have_title(
        f"solar – Projects, Topic: none of Climate, Founded: 2010 to 2020 – {registry}"
    )
    page.locator("#chosen button").first.click()
    expect(page).to_have_title(re.compile(r"^solar – Projects, Founded: "))
    page.go_back()
    expect(page).to_have_title(re.compile("none of Climate"))


def test_the_title_of_the_calendar_has_what_is_chosen(site: str, visit: Visiting) -> None:
    page = visit(site).go("/calendar/")
    own = page.title()
    page.goto("/calendar/?kind=deadline,event&q=open")
    chosen = own.replace("events", "deadlines or events")
    expect(page).to_have_title(f"open – {chosen}")
    page.locator("#chosen button").last.click()
    expect(page).to_have_title(re.compile(f"{re.escape(own)}$"))
