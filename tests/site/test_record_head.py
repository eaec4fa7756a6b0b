"""The page of a record at first sight: its name with a line, the buttons, the first facts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

WIDE = {"viewport": {"width": 1440, "height": 900}}
#: Pixels from the top of the page by which the first fact begins.
FIRST_FACT = 240
RECORDS = [
    ("site", "/projects/airbnb/"),
    ("site", "/programs/yc-winter-2009/"),
    ("site", "/programs/yc-accelerator/"),
    ("site", "/organizations/y-combinator/"),
    ("site", "/calendar/eic-accelerator-november-2026/"),
    ("german_site", "/projects/kite/"),
    ("investors_site", "/investors/quay-ventures/"),
    ("papers_site", "/papers/on-parsing/"),
]


def top(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box["y"]


def tops(page: Page, selector: str) -> set[int]:
    """The tops of all visible elements."""
    boxes = [one.bounding_box() for one in page.locator(selector).all()]
    return {round(box["y"]) for box in boxes if box is not None}


@pytest.mark.parametrize(("origin", "path"), RECORDS)
def test_the_first_fact_is_seen_at_once_beside_the_text(
    origin: str, path: str, visit: Visiting, request: pytest.FixtureRequest
) -> None:
    page = visit(request.getfixturevalue(origin), **WIDE).go(path)
    assert top(page, ".facts dt") < FIRST_FACT  # of a date, when it is
    assert page.locator(".line dd").count() or path.startswith("/papers/")
    assert len(tops(page, ".record > .actions .button, .record > .actions button:visible")) == 1
    name, button = page.locator("h1").bounding_box(), page.locator(".actions > *").first
    right = button.bounding_box()
    assert name and right and right["x"] > page.viewport_size["width"] / 2 and right["y"] < 180


def line(page: Page) -> list[str]:
    return page.locator(".line dd").all_inner_texts()


def test_the_line_under_a_name_says_what_the_facts_then_leave_out(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/airbnb/")
    place = "San Francisco, California, United States"
    assert line(page) == ["Public", "Y Combinator Winter 2009", place]
    links = page.locator(".line a").evaluate_all("all => all.map(one => one.pathname)")
    assert links == ["/projects/status/public/", "/programs/yc-winter-2009/",
                     "/projects/location/us/"]  # fmt: skip
    labels = page.locator(".facts dt").all_inner_texts()
    assert "Founded" in labels and not {"Status", "Program", "Location"} & {*labels}
    page = visit(site).go("/organizations/y-combinator/")
    assert page.locator(".line div:has(dt:not(.unseen))").inner_text().split() == [
        "Founded",
        "2005",
    ]


@pytest.fixture(scope="module")
def spread(publish: Publish) -> Iterator[str]:
    """The origin of a project in three programs and places, with a long summary."""
    cohort = registries.SMALL["programs"]["launch-2025"]
    places = [{"country": "DE", "city": city} for city in ("Berlin", "Kiel", "Jena")]
    content = registries.content(
        programs={f"c-{n}": cohort | {"name": f"Rise {n}", "year": 2020 + n} for n in range(3)}
        | registries.SMALL["programs"],
        projects={
            "wide": {"name": "Wide", "programs": ["c-0", "c-1", "c-2"], "locations": places,
                     "verified": "2026-03-05", "summary": "A long summary. " * 15},
        },
        events={},
    )  # fmt: skip
    with browsers.served(publish("spread", content)) as origin:
        yield origin


def test_of_many_values_the_line_has_the_first_and_the_facts_have_all(
    spread: str, visit: Visiting
) -> None:
    page = visit(spread, **WIDE).go("/projects/wide/")
    assert line(page) == ["Active", "Rise 0", "Rise 1", "+1", "Berlin, Germany",
                              "Kiel, Germany", "+1"]  # fmt: skip
    assert page.locator(".facts dt").all_inner_texts() == ["Programs", "Location"]
    assert top(page, ".facts dt") < FIRST_FACT
    expect(page.locator(".uses")).to_contain_text("Last checked 5 March 2026")


def test_on_a_phone_cohorts_come_before_facts_and_buttons_have_one_line(
    site: str, visit: Visiting
) -> None:
    page = visit(site, phone=True).go("/programs/yc-accelerator/")
    order = ("h1", ".line", ".actions", ".lead", ".standing", "table.cohorts", ".side .facts")
    found = [top(page, selector) for selector in order]
    assert found == sorted(found)
    assert len(tops(page, ".record > .actions .button, .record > .actions button:visible")) == 1
    page.get_by_text("Cite", exact=True).click()
    expect(page.locator(".drop pre")).to_be_in_viewport(ratio=1)


def test_similar_records_are_the_rows_of_lists(site: str, visit: Visiting) -> None:
    page = visit(site, **WIDE).go("/projects/airbnb/")
    rows = page.locator("[aria-labelledby=similar] .rows > li")
    assert 1 <= rows.count() <= 6
    expect(rows.first.locator(".name + p")).to_be_visible()
    heights = rows.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert max(heights) < 70, heights
