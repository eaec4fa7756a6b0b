"""The page of a year in a browser: twelve months at a glance, whose days lead to their dates, and
below them the next dates of each month; what is over is folded, also long after the build.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

BUILT = date(2026, 10, 20)
#: 400 deadlines, one or two a day, and none in the last week of the year.
DUE = {f"call-{n:03}": date(2026, 1, 1) + timedelta(days=n * 357 // 400) for n in range(400)}
PER_DAY = Counter(DUE.values())
FAIR = {"name": "Fair", "kind": "event", "program": "launch",
        "starts": "2026-11-28", "ends": "2026-12-26"}  # fmt: skip
WINDOW = {"name": "Window", "kind": "application_window", "program": "launch",
          "opens": "2026-03-01", "closes": "2026-12-29"}  # fmt: skip
#: The days of December that have an event; the fair is in the month in which it ends.
SHARED = Counter(date(2026, 12, day) for day in range(1, 27))


def content() -> registries.Content:
    events: dict[str, dict[str, object]] = {
        slug: {"name": f"Call {slug[5:]}", "kind": "deadline", "due": f"{day} 12:00",
               "timezone": "UTC", "organization": "north-college" if slug.endswith("7")
               else "harbour-fund"}
        for slug, day in DUE.items()
    }  # fmt: skip
    later = {"name": "Later", "kind": "deadline", "program": "launch", "due": "2027-02-03"}
    return {
        **registries.SMALL,
        "events": {**events, "fair": FAIR, "window": WINDOW, "later": later},
    }


@pytest.fixture(scope="module")
def years(publish: Publish) -> Iterator[str]:
    with browsers.served(publish("years", content(), day=BUILT.isoformat())) as origin:
        yield origin


def visited(visit: Visiting, origin: str, now: date, **options: object) -> Page:
    window = visit(origin, **options)
    window.page.clock.set_fixed_time(datetime(now.year, now.month, now.day, 9, tzinfo=UTC))
    return window.go("/calendar/year/2026/")


def unfolded(page: Page) -> list[str]:
    return page.locator(".folded[open] h2").all_text_contents()


def day(page: Page, of: date) -> Locator:
    return page.locator(f'#wall a[href$="#d-{of}"]')


def test_a_year_is_twelve_tables_whose_days_lead_to_their_dates(
    years: str, visit: Visiting
) -> None:
    page = visited(visit, years, BUILT)
    tables = page.get_by_role("table")
    expect(tables).to_have_count(12)
    names = [name.strip() for name in page.locator("#wall caption").all_text_contents()]
    assert names[0] == "January" and names[11] == "December"
    march = page.get_by_role("table", name="March")
    expect(march.get_by_role("columnheader")).to_have_count(7)
    links = page.locator("#wall td a")
    found = {
        date.fromisoformat(href[-10:]): name
        for href, name in links.evaluate_all(
            "links => links.map(a => [a.getAttribute('href'), a.getAttribute('aria-label')])"
        )
    }
    numbers = PER_DAY + SHARED + Counter([date(2026, 12, 29)])
    assert found == {
        on: f"{on.day}, {'One date' if number == 1 else f'{number} dates'}"
        for on, number in numbers.items()
    }
    expect(day(page, date(2026, 12, 29)).locator("..")).to_have_class("application_window l1")
    expect(day(page, date(2026, 12, 25)).locator("..")).to_have_class("event l1")
    march.get_by_role("link", name="14, ").click()
    expect(page).to_have_url(f"{years}/calendar/month/2026-03/#d-2026-03-14")
    expect(page.locator(".day:target")).to_contain_text("14")


@pytest.mark.parametrize("width, columns", [(1440, 4), (820, 2), (390, 2), (360, 1)])
def test_hundreds_of_dates_fit_a_few_screens(
    years: str, visit: Visiting, width: int, columns: int
) -> None:
    window = visit(years, viewport={"width": width, "height": 900})
    window.page.clock.set_fixed_time(datetime(2026, 10, 20, 9, tzinfo=UTC))
    page = window.go("/calendar/year/2026/")
    assert page.evaluate("document.documentElement.scrollHeight") <= (2900 if width > 900 else 5200)
    tops = page.locator("#wall table").evaluate_all(
        "t => t.map(x => x.getBoundingClientRect().top)"
    )
    assert tops.count(tops[0]) == columns
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_is_over_is_folded_also_when_the_page_is_old(years: str, visit: Visiting) -> None:
    page = visited(visit, years, BUILT)
    assert unfolded(page) == ["October 2026", "November 2026", "December 2026"]
    part = page.locator(".part", has=page.get_by_role("heading", name="October 2026"))
    assert (
        part.locator(".name").all_text_contents()
        == [f"Call {slug[5:]}" for slug, due in DUE.items() if due >= BUILT][:5]
    )
    every = sum(due.month == 10 for due in DUE.values())
    link = part.get_by_role("link", name=f"All {every} dates in October 2026")
    expect(link).to_have_attribute("href", f"{years}/calendar/month/2026-10/")
    assert unfolded(visited(visit, years, BUILT, scripts=False)) == unfolded(page)
    late = visited(visit, years, date(2026, 12, 10))
    assert unfolded(late) == ["December 2026"]
    today = late.locator("#wall [aria-current=date]")
    expect(today).to_have_text("10")
    assert unfolded(visited(visit, years, date(2027, 2, 1))) == []


def test_a_filter_finds_the_dates_of_the_whole_year_and_marks_their_days(
    years: str, visit: Visiting
) -> None:
    page = visited(visit, years, BUILT)
    chosen = {due for slug, due in DUE.items() if slug.endswith("7")}
    page.locator("#q").fill("call 007")
    expect(page.locator(".dates > li:visible .name")).to_have_text(["Call 007"])
    expect(page.locator("#wall td:not(.none) > a")).to_have_count(1)
    page.locator("#q").fill("")
    expect(page.locator(".folded")).to_have_count(12)
    expect(page.locator("#wall td:not(.none) > a")).to_have_count(
        len({*DUE.values(), *SHARED, date(2026, 12, 29)})
    )
    assert unfolded(page) == ["October 2026", "November 2026", "December 2026"]
    page.goto(f"{years}/calendar/year/2026/?organization=north-college")
    expect(page.locator("#wall td:not(.none) > a")).to_have_count(len(chosen))
    expect(page.locator(".dates > li:visible")).to_have_count(len(chosen))
    expect(day(page, min(chosen))).to_have_attribute("title", "One date")
    expect(day(page, min(chosen))).to_have_attribute(
        "href", f"{years}/calendar/month/2026-01/?organization=north-college#d-{min(chosen)}"
    )


def test_the_wall_is_printed_on_one_page(years: str, visit: Visiting) -> None:
    page = visited(visit, years, BUILT, viewport={"width": 680, "height": 960})
    page.emulate_media(media="print")
    wall = page.locator("#wall")
    box = wall.bounding_box()
    assert box is not None and box["y"] + box["height"] <= 960
    expect(wall).to_have_css("break-after", "page")
    tops = page.locator("#wall table").evaluate_all(
        "t => t.map(x => x.getBoundingClientRect().top)"
    )
    assert tops.count(tops[0]) == 4
