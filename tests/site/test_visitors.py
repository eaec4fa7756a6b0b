"""What visitors come for, in few actions: a click, or a word that is typed, is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import icalendar
import pytest
from playwright.sync_api import Locator, Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

TODAY = "2026-10-01"
NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
#: What the page of the cohort says of its projects, by language.
ACTIVE = {"en": "75% of 4 projects active", "de": "75 % aktiv (4 Projekte)"}


def project(n: int, **fields: Any) -> dict[str, Any]:
    country, city = (("DE", "Berlin"), ("FR", "Paris"), ("US", "Boston"))[n % 3]
    return {
        "name": f"Brightmill {n:02}",
        "year": 2008 + n % 11,
        "tags": {"topic": [("climate", "health")[n % 2]]},
        "locations": [{"country": country, "city": city}],
    } | fields


PROJECTS = {f"brightmill-{n:02}": project(n) for n in range(60)} | {
    f"member-{n}": project(n, name=f"Member {n}", programs=["spring"],
                           status="active" if n else "inactive")
    for n in range(4)
}  # fmt: skip
EVENTS = {
    "health-call": {"name": "Health call", "kind": "deadline", "due": "2026-10-05",
                    "tags": {"topic": ["health"]}},
    "climate-call": {"name": "Second call", "kind": "deadline", "due": "2026-11-05",
                     "tags": {"topic": ["climate"]}},
    "meeting": {"name": "Meeting", "kind": "event", "starts": "2026-10-02"},
    "climate-late": {"name": "Third call", "kind": "deadline", "due": "2026-12-05",
                     "tags": {"topic": ["climate"]}},
}  # fmt: skip


class Visitor:
    """A visitor of a page, whose actions are counted."""

    def __init__(self, page: Page):
        self.page, self.actions = page, 0

    def press(self, what: Locator) -> None:
        self.actions += 1
        what.click()

    def type(self, where: Locator, text: str) -> None:
        self.actions += 1
        where.fill(text)
        where.blur()


@pytest.fixture(scope="module", params=["en", "de"])
def visited(request: pytest.FixtureRequest, publish: Publish) -> Iterator[tuple[str, str]]:
    language = request.param
    content = registries.content(
        registry={"language": language},
        projects=PROJECTS,
        programs={"spring": {"name": "Spring 2026", "type": "accelerator", "kind": "cohort",
                             "year": 2026, "organization": "mill"}},
        organizations={"mill": {"name": "Mill", "category": "investor"}},
        events=EVENTS,
    )  # fmt: skip
    with browsers.served(publish(f"visitors-{language}", content, day=TODAY)) as origin:
        yield origin, language


def begun(visited: tuple[str, str], visit: Visiting, path: str, **how: Any) -> Visitor:
    origin, _ = visited
    window = visit(origin, **how)
    window.page.clock.set_fixed_time(NOW)
    return Visitor(window.go(path))


def test_climate_companies_in_germany_after_2015(visited: tuple[str, str], visit: Visiting) -> None:
    one = begun(visited, visit, "/")
    page = one.page
    one.press(page.locator(".browse a", has_text="Climate").first)
    one.press(page.locator('[data-key="location/de"]'))
    one.type(page.locator('[data-key="year/from"]'), "2016")
    wanted = [slug for slug, fields in PROJECTS.items() if fields["year"] > 2015
              and fields["tags"]["topic"] == ["climate"]
              and fields["locations"][0]["country"] == "DE"]  # fmt: skip
    expect(page.locator("#rows .entries .name")).to_have_count(len(wanted))
    assert one.actions <= 5 and wanted


def test_the_next_deadline_of_a_topic_is_put_into_a_calendar(
    visited: tuple[str, str], visit: Visiting
) -> None:
    one = begun(visited, visit, "/calendar/")
    page = one.page
    one.type(page.locator("#q"), "climate")
    expect(page.locator(".dates > li:visible")).to_have_count(2)
    one.press(page.locator(".dates > li:visible .add").first)
    with page.expect_download() as saved:
        one.press(page.locator(".adding[open] a").first)
    (event,) = icalendar.Calendar.from_ical(Path(saved.value.path()).read_bytes()).events
    assert event["SUMMARY"] == "Second call" and one.actions <= 3


def test_a_deadline_among_the_next_is_put_into_a_calendar_from_home(
    visited: tuple[str, str], visit: Visiting
) -> None:
    one = begun(visited, visit, "/")
    row = one.page.locator(".dates > li", has_text="Second call")
    one.press(row.locator(".add"))
    with one.page.expect_download() as saved:
        one.press(one.page.locator(".adding[open] a").first)
    (event,) = icalendar.Calendar.from_ical(Path(saved.value.path()).read_bytes()).events
    assert event["SUMMARY"] == "Second call" and one.actions <= 3


def test_what_closes_this_week_comes_first_of_what_closes(
    visited: tuple[str, str], visit: Visiting
) -> None:
    one = begun(visited, visit, "/")
    one.press(one.page.locator(".browse a[href*='kind=']"))
    expect(one.page.locator("#chosen button")).to_have_count(3)  # two kinds, and all
    names = one.page.locator(".dates > li:visible .name")
    expect(names).to_have_text(["Health call", "Second call", "Third call"])


def test_home_leaves_out_what_is_over_since_the_build(
    visited: tuple[str, str], visit: Visiting
) -> None:
    window = visit(visited[0])
    window.page.clock.set_fixed_time(datetime(2026, 10, 12, tzinfo=UTC))
    page = window.go("/")
    expect(page.locator(".dates > li:visible .name")).to_have_text(["Second call", "Third call"])
    expect(page.locator(".dates .add:visible")).to_have_count(2)


def test_bars_of_a_chart_are_as_tall_as_they_are_drawn(
    visited: tuple[str, str], visit: Visiting
) -> None:
    bars = visit(visited[0], phone=True).go("/").locator(".chart .plot .bar")
    heights = bars.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height / one.getAttribute('height'))"
    )
    assert len(heights) > 3 and max(heights) - min(heights) < 0.2, heights


@pytest.mark.parametrize("phone", [False, True])
def test_the_active_share_of_a_cohort_is_seen_at_first(
    visited: tuple[str, str], visit: Visiting, phone: bool
) -> None:
    window = {"viewport": {"width": 1440, "height": 900}}
    how = {"phone": True} if phone else window
    one = begun(visited, visit, "/programs/spring/", **how)
    share = one.page.locator(".standing > p").first
    expect(share).to_have_text(ACTIVE[visited[1]])
    expect(share).to_be_in_viewport(ratio=1)


def test_a_misspelt_company_is_found_at_once(visited: tuple[str, str], visit: Visiting) -> None:
    one = begun(visited, visit, "/")
    box = one.page.locator("#find-words")
    box.focus()
    box.press_sequentially("brihgtmill")
    one.actions += 1
    found = one.page.locator("#find-found")
    expect(found.locator(".name").first).to_have_text(re.compile("Brightmill"))
    expect(found).to_contain_text("brihgtmill")  # says what was not found
    assert one.actions == 1
