"""The charts of numbers above a list: medians of what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

_CITIES = [{"country": "DE", "city": "Kiel"}, {"country": "FI", "city": "Oulu"}]


@pytest.fixture(scope="module")
def measured(publish: Publish) -> Iterator[str]:
    """Forty projects of four years, of which all but those of the last have raised money, and five
    have a team size.
    """
    raised = {"label": "Raised", "type": "number", "unit": "EUR", "filter": True}
    projects: dict[str, dict[str, Any]] = {
        f"p-{n:02}": {
            "name": f"Project {n}",
            "year": 2010 + n % 4,
            "status": "active" if n < 30 else "acquired",
            "locations": [_CITIES[n % 2]],
            **({"fields": {"raised": 1000 * (n % 4) + n / 2}} if n % 4 < 3 else {}),
            **({"team_size": n} if n < 5 else {}),
        }
        for n in range(40)
    }
    registry = {"language": "de", "fields": {"projects": {"raised": raised}}}
    records = registries.content(registry=registry, projects=projects)
    with browsers.served(publish("measured", records)) as origin:
        yield origin


def charts(page: Page) -> list[str]:
    expect(page.locator("#overview figure").last).to_contain_text("Median von")
    return page.locator("#overview figcaption").all_inner_texts()


def asked(page: Page, query: str) -> Any:
    answer = page.request.get(f"/api/projects?mode=count&by=year&stat=field_raised{query}")
    return answer.json()


def german(number: float) -> str:
    text = f"{number:,.1f}".removesuffix(".0")
    return text.translate(str.maketrans(",.", ".,")) + " EUR"


@pytest.mark.parametrize("query", ["", "status=active"])
def test_medians_by_year_are_beside_the_counts(measured: str, visit: Visiting, query: str) -> None:
    page = visit(measured).go(f"/projects/?{query}")
    page.locator("#overview > summary").click()
    labels = charts(page)
    assert labels[-1] == "Raised, Median" and "Jahr" in labels
    assert not [label for label in labels if "Team" in label]  # which few records have
    found = asked(page, f"&{query}" if query else "")
    figure, stat = page.locator("#overview figure").last, found["stat"]
    low, middle, high = (german(stat[key]) for key in ("min", "median", "max"))
    expect(figure).to_contain_text(f"Median von {stat['n']}: {middle}. Von {low} bis {high}.")
    titles = [bar.get_attribute("title") for bar in figure.locator(".bars > span").all()]
    values = sorted(found["counts"]["year"]["values"], key=lambda one: one["value"])
    wanted = [
        f"{one['value']}: {german(one['stat']['median'])}" for one in values if one["stat"]["n"]
    ]
    assert titles == wanted and len(titles) == 3
    says = figure.locator(".bars").get_attribute("aria-label") or ""
    assert says.startswith("Von 2010 bis 2012. Der höchste Balken ist 2012 mit 2.")


def test_one_year_has_a_median_and_no_bars_and_few_records_have_none(
    measured: str, visit: Visiting
) -> None:
    page = visit(measured).go("/projects/?year=2011")
    page.locator("#overview > summary").click()
    assert charts(page)[-1] == "Raised, Median"
    stat = asked(page, "&year=2011")["stat"]
    figure = page.locator("#overview figure").last
    expect(figure).to_contain_text(f"Median von 10: {german(stat['median'])}.")
    assert figure.locator(".bars").count() == 0
    page.goto("/projects/?year=2013")
    expect(page.locator("#overview figcaption", has_text="Status")).to_be_visible()
    expect(page.locator("#overview figcaption", has_text="Raised")).to_have_count(0)
