"""The search box reads values of several filters, has all results last, says what Enter opens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.searchbox import groups, option, search, search_box
from support.sites import Publish

GERMANY, FRANCE = [{"country": "DE", "city": "Berlin"}], [{"country": "FR", "city": "Paris"}]


def content(language: str) -> registries.Content:
    """Projects with topics and countries, and records of an own kind with filters of its own."""
    intelligence = {"en": "Artificial intelligence", "de": "Künstliche Intelligenz"}[language]
    topics = {"fintech": "Fintech", "ai": intelligence, "energy": "Energy"}
    areas = {"test-runner": "Test runner", "linter": "Linter"}
    kinds = {"tools": {"one": "tool", "has": ["website", "locations"],
                       "fields": {"area": {"label": "Area", "type": "choice", "values": areas,
                                           "filter": True}}}}  # fmt: skip
    registry = {"language": language, "kinds": kinds,
                "tag_families": {"topic": {"label": "Topic", "tags": topics},
                                 "industry": {"label": "Industry"}}}  # fmt: skip
    projects: dict[str, Any] = {
        "payhaus": {"name": "Payhaus", "tags": {"topic": ["fintech"]}, "locations": GERMANY},
        "geldwerk": {"name": "Geldwerk", "tags": {"topic": ["fintech", "ai"]},
                     "locations": GERMANY, "status": "inactive"},
        "zahl": {"name": "Zahl", "tags": {"topic": ["fintech"], "industry": ["fintech"]},
                 "locations": GERMANY},
        "argent": {"name": "Argent", "tags": {"topic": ["fintech", "ai"]}, "locations": FRANCE},
        "penser": {"name": "Penser", "tags": {"topic": ["ai"]}, "locations": FRANCE},
        "guide": {"name": "Guide", "description": "For fintech companies that go to Germany.",
                  "tags": {"topic": ["energy"]}, "locations": FRANCE},
        "energy-france": {"name": "Energy France", "tags": {"topic": ["energy"]},
                          "locations": FRANCE},
    }  # fmt: skip
    tools = {
        "runner": {"name": "Runner", "area": "test-runner", "locations": FRANCE},
        "sprinter": {"name": "Sprinter", "area": "test-runner", "locations": GERMANY},
    }
    return registries.content(registry=registry, projects=projects, tools=tools)


@pytest.fixture(scope="module")
def read_site(publish: Publish) -> Iterator[str]:
    with browsers.served(publish("box-en", content("en")), plain=True) as origin:
        yield origin


@pytest.fixture(scope="module")
def german(publish: Publish) -> Iterator[str]:
    with browsers.served(publish("box-de", content("de")), plain=True) as origin:
        yield origin


def first(page: Page) -> tuple[str, str, str]:
    """Name, right side and address of the first option."""
    one = page.locator("#find-found [role=option]").first
    texts = one.locator(".name").inner_text(), one.locator(".aside").inner_text()
    return *texts, str(one.get_attribute("href"))


@pytest.mark.parametrize(
    ("words", "name", "amount", "query"),
    [
        ("fintech germany", "Fintech · Germany", "3 projects", "tag_topic=fintech&location=de"),
        ("germany FINTECH", "Germany · Fintech", "3 projects", "tag_topic=fintech&location=de"),
        ("fintech ger", "Fintech · Germany", "3 projects", "tag_topic=fintech&location=de"),
        ("fintech projects in germany", "Fintech · Germany", "3 projects",
         "tag_topic=fintech&location=de"),
        ("artificial intelligence france", "Artificial intelligence · France", "2 projects",
         "tag_topic=ai&location=fr"),
        ("active fintech germany", "Active · Fintech · Germany", "2 projects",
         "tag_topic=fintech&location=de&status=active"),
    ],
)  # fmt: skip
def test_values_of_different_filters_are_offered_together(
    read_site: str, visit: Visiting, words: str, name: str, amount: str, query: str
) -> None:
    page = visit(read_site).go("/")
    search(page, words)
    expect(page.locator("#find-found .name").first).to_contain_text(" · ")
    shown, aside, href = first(page)
    assert (shown, aside.split(" · ")[1], href) == (name, amount, f"/projects/?{query}")
    assert groups(page)[0] == "Filters"
    option(page, name).click()
    page.wait_for_url(f"**{href}")
    expect(page.locator("#said")).to_have_text(amount)


def test_filters_of_an_own_kind_are_read_too(read_site: str, visit: Visiting) -> None:
    page = visit(read_site).go("/")
    search(page, "test runner france")
    expect(page.locator("#find-found .name").first).to_contain_text(" · ")
    runner = (
        "Test runner · France",
        "Area, Country · 1 tool",
        "/tools/?location=fr&area=test-runner",
    )
    assert first(page) in (runner, (*runner[:2], "/tools/?area=test-runner&location=fr"))


def test_labels_are_read_in_the_language_of_the_page(german: str, visit: Visiting) -> None:
    page = visit(german).go("/")
    page.keyboard.press("/")
    search_box(page).fill("künstliche intelligenz aus frankreich")
    expect(page.locator("#find-found .name").first).to_contain_text(" · ")
    name, aside, href = first(page)
    assert (name, aside) == ("Künstliche Intelligenz · Frankreich", "Topic, Land · 2 Projekte")
    assert href == "/projects/?tag_topic=ai&location=fr"


@pytest.mark.parametrize("words", ["linter germany", "fintech germany payhaus", "fintech ai"])
def test_no_filters_are_offered_without_records_or_with_other_words(
    read_site: str, visit: Visiting, words: str
) -> None:
    page = visit(read_site).go("/")
    search(page, words)
    page.wait_for_load_state("networkidle")
    assert not [name for name in page.locator("#find-found .name").all_inner_texts() if "·" in name]


def test_all_results_stand_at_the_end_with_their_number(read_site: str, visit: Visiting) -> None:
    page = visit(read_site).go("/")
    search(page, "fintech germany")
    last = page.locator("#find-found [role=option]").last
    expect(last).to_have_text("All results: 4 projects")
    expect(last).to_have_attribute("href", "/projects/?q=fintech+germany")
    search(page, "runner")
    expect(page.locator("#find-found [role=option]").last).to_have_text("All results: 2 tools")


@pytest.mark.parametrize(
    ("words", "path", "said"),
    [
        ("payhaus", "/projects/payhaus/", "Enter opens Payhaus."),
        ("PÄYHAUS", "/projects/payhaus/", "Enter opens Payhaus."),
        ("energy france", "/projects/energy-france/", "Enter opens Energy France."),
        ("fintech germany", "/projects/?tag_topic=fintech&location=de",
         "Enter opens Fintech · Germany."),
        ("fintech ger", "/projects/?q=fintech+ger", None),
        ("payh", "/projects/?q=payh", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("at_once", [False, True], ids=["shown", "at once"])
def test_enter_opens_what_the_words_name_or_all_results(
    read_site: str, visit: Visiting, words: str, path: str, said: str | None, at_once: bool
) -> None:
    page = visit(read_site).go("/programs/")
    search(page, "launch")
    search_box(page).fill(words)
    if not at_once:
        mark = page.locator(".enter")
        expect(page.locator("#find-found [role=option]", has=mark)).to_have_attribute("href", path)
        text = page.locator("#find-said")
        expect(text).to_contain_text(said or "result")
        assert said or "Enter" not in text.inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}")
