"""Lists of dates in a browser, long after the build: what is next and over, search, jumps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from generator.build import build as build_here
from generator.build.provenance import Moment
from generator.site import calendar
from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.commands import build

BUILT = date(2026, 10, 1)
#: A deadline every third day, on two pages of upcoming dates and more than two of all.
DAYS = {f"call-{n + 10:02}": BUILT + timedelta(days=3 * n + 1) for n in range(-8, 18)}


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    events = {
        slug: {
            "name": f"Call {slug[5:]}",
            "kind": "deadline",
            "organization": "north-college" if day.day % 2 else "harbour-fund",
            "due": f"{day} 12:00",
            "timezone": "Asia/Tokyo",
        }
        for slug, day in DAYS.items()
    }
    events["fair"] = {"name": "Fair", "kind": "event", "program": "launch",
                      "starts": "2026-10-20", "ends": "2026-11-30"}  # fmt: skip
    events["call-27"] |= {
        "summary": "For <heat> pumps.",
        "locations": [{"country": "NO", "city": "Bergen"}, {"country": "DE"}],
        "online": True,
        "tags": {"topic": ["climate", "health"]},
        "fields": {"fee": 20, "note": "hidden"},
    }
    own = {"fee": {"label": "Fee", "type": "number", "unit": "EUR", "summary": True},
           "note": {"label": "Note", "type": "text"}}  # fmt: skip
    registry = {**registries.SMALL["registry"], "page_size": 10, "fields": {"events": own}}
    content = {**registries.SMALL, "registry": registry, "events": events}
    folder = registries.write(tmp_path_factory.mktemp("calls") / "content", content)
    return build(folder, folder.parent / "out", "--as-of", BUILT.isoformat(), site=True)


@pytest.fixture(scope="module")
def calls(dated: Path) -> Iterator[str]:
    with browsers.served(dated) as origin:
        yield origin


def visited(visit: Visiting, origin: str, path: str, now: str, **options: object) -> Page:
    window = visit(origin, **options)
    window.page.clock.set_fixed_time(datetime.fromisoformat(now).replace(tzinfo=UTC))
    return window.go(path)


def headings(page: Page) -> list[str]:
    return page.locator("#agenda h2").all_inner_texts()


def names(page: Page, heading: str) -> list[str]:
    part = page.locator("#agenda .part", has=page.get_by_role("heading", name=heading, exact=True))
    return part.locator(".name").all_inner_texts()


def test_a_page_built_weeks_ago_shows_what_is_next_today(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-25T12:00")
    ahead = [slug for slug, day in DAYS.items() if day > date(2026, 10, 25)]
    expect(page.locator(".head .lead")).to_have_text(f"{len(ahead) + 1} upcoming dates")
    assert headings(page)[:2] == ["In progress", "October 2026"]
    assert headings(page)[-1] == "Over"
    assert names(page, "In progress") == ["Fair"]
    assert names(page, "Over")[0] == "Call 17"  # 23 October, the last before
    first = page.locator("#agenda .part", has_text="October 2026").locator(".countdown").first
    expect(first).to_have_text("Due in 15 hours")


def test_a_page_where_all_is_over_says_so(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2027-06-01T12:00")
    expect(page.locator(".head .lead")).to_have_text("0 upcoming dates")
    assert headings(page) == ["Over"]


def test_without_a_script_the_page_is_as_it_was_built(calls: str, visit: Visiting) -> None:
    page = visit(calls, scripts=False).go("/calendar/")
    assert page.locator("#agenda h2").all_inner_texts()[0] == "October 2026"
    assert not page.locator("#finder").is_visible()
    assert page.locator(".pager").is_visible()
    assert page.get_by_role("link", name="Today").get_attribute("href") == "/calendar/"


def test_search_and_filters_find_the_dates_of_every_page(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-01T12:00")
    assert "Call 27" not in page.locator("#agenda").inner_text()
    page.locator("#finder").get_by_role("searchbox").fill("call 27")
    expect(page.locator("#agenda .name")).to_have_text(["Call 27"])
    expect(page.locator("#found")).to_have_text("1 date, 1 upcoming")
    assert page.url.endswith("/calendar/?q=call+27")
    what = page.locator("#agenda .what")
    expect(what.locator(".place")).to_have_text(["Bergen, Norway", "Germany", "Online"])
    expect(what.locator("p:not(.facts-line)")).to_have_text("For <heat> pumps.")
    expect(what.locator(".facts-line").last).to_have_text("Fee: 20 EUR")
    expect(what.locator(".chip")).to_have_text(["Climate", "Health"])
    page.reload()
    expect(page.locator("#agenda .name")).to_have_text(["Call 27"])
    page.locator("#finder").get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_text("No dates match.")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_text("No dates match.")).not_to_be_visible()
    page.get_by_label("Kind").select_option("event")
    expect(page.locator("#agenda .name")).to_have_text(["Fair"])
    page.get_by_label("Kind").select_option("")
    page.locator("#finder select[name=organization]").select_option("harbour-fund")
    wanted = [s for s, day in DAYS.items() if day > BUILT and day.day % 2 == 0]
    expect(page.locator("#agenda .name")).to_have_count(len(wanted))


def test_a_list_of_a_value_has_what_is_next_first_and_what_is_over_last(
    calls: str, visit: Visiting
) -> None:
    page = visited(visit, calls, "/calendar/kind/deadline/", "2026-10-25T12:00")
    expect(page.locator("#agenda .name")).to_have_count(len(DAYS))
    assert headings(page) == ["October 2026", "November 2026", "Over"]
    over = [f"Call {s[5:]}" for s, day in sorted(DAYS.items(), key=lambda d: d[1], reverse=True)
            if day <= date(2026, 10, 25)]  # fmt: skip
    assert names(page, "Over") == over
    assert not page.locator(".pager").is_visible()


def test_the_dates_of_a_year_stay_in_order(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/year/2026/", "2026-10-25T12:00")
    expect(page.locator("#agenda .name")).to_have_count(len(DAYS) + 1)
    assert headings(page) == ["September 2026", "October 2026", "November 2026"]


def test_times_are_shown_in_either_zone(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-01T12:00", timezone="Pacific/Honolulu")
    row = page.locator("#agenda li", has_text="Call 10")
    assert "2 October 2026, 12:00" in row.locator(".at").inner_text()
    assert row.locator(".tag b").inner_text() == "2"
    page.get_by_label("Times in my time zone").check()
    assert row.locator(".mine").inner_text() == "Thu, 1 October 2026, 17:00"
    assert not row.locator(".at").is_visible()
    assert row.locator(".tag b").inner_text() == "1"
    page.get_by_label("Times in my time zone").uncheck()
    assert row.locator(".at").is_visible()
    assert not row.locator(".mine").is_visible()
    month = visited(visit, calls, "/calendar/month/2026-10/", "2026-10-01T12:00",
                    timezone="Pacific/Honolulu")  # fmt: skip
    month.get_by_label("Times in my time zone").check()
    expect(month.locator(".mine").first).to_be_visible()


def test_today_and_a_month_are_one_step_away(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/month/2026-09/", "2026-10-25T12:00")
    page.get_by_role("link", name="Today").click()
    page.wait_for_url("**/calendar/month/2026-10/")
    page.get_by_label("Month or year").select_option(label="September 2026")
    page.get_by_role("button", name="Go").click()
    page.wait_for_url("**/calendar/month/2026-09/")
    page.get_by_label("Month or year").select_option(label="All of 2026")
    page.get_by_role("button", name="Go").click()
    page.wait_for_url("**/calendar/year/2026/")
    page = visited(visit, calls, "/calendar/", "2026-10-25T12:00")
    page.get_by_role("link", name="Today").click()
    expect(page.get_by_role("heading", name="In progress")).to_be_focused()


def test_an_open_page_moves_what_ended_to_the_end(calls: str, visit: Visiting) -> None:
    window = visit(calls)
    window.page.clock.install(time=datetime(2026, 10, 2, 2, 58, tzinfo=UTC))
    page = window.go("/calendar/")
    assert "Over" not in headings(page)
    page.locator("#agenda .name", has_text="Call 11").focus()
    page.clock.run_for(4 * 60_000)
    assert names(page, "Over") == ["Call 10"]
    expect(page.locator("#agenda .name", has_text="Call 11")).to_be_focused()


def test_the_feed_is_never_of_another_selection_than_the_list(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-25T12:00")
    file = page.locator('.subscribe [data-feed="file"]')
    more = page.get_by_text("This calendar has more dates than your selection")
    every = "/api/calendar/events.ics"
    steps = (
        ("organization", "north-college", "/api/calendar/events/by/organization/north-college.ics"),
        ("organization_category", "university", None),  # both: no host answers such a feed
        ("organization", "", None),  # the category alone has no feed either
        ("organization_category", "", every),
        ("kind", "event", "/api/calendar/events/by/kind/event.ics"),
    )
    for name, value, feed in steps:
        page.locator(f"#finder [name={name}]").select_option(value)
        expect(file).to_have_attribute("href", re.compile(re.escape(feed or every) + "$"))
        expect(more).to_have_count(0 if feed else 1)
    page.locator("#finder [name=q]").fill("fair")
    expect(more).to_be_visible()  # words are in no feed


def test_a_list_too_long_to_be_read_is_asked_from_the_api(
    dated: Path, tmp_path: Path, visit: Visiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendar, "MAX_SEARCHED", 4)
    moment = Moment(datetime(2026, 10, 1, tzinfo=UTC), BUILT, None)
    assert not build_here(str(dated.parent / "content"), tmp_path / "out", moment).failed
    with browsers.served(tmp_path / "out") as origin:
        page = visited(visit, origin, "/calendar/", "2026-10-25T12:00", timezone="Asia/Tokyo")
        prepared = names(page, "October 2026")
        found, rows = page.locator("#found"), page.locator("#agenda .name")
        page.locator("#finder [name=kind]").select_option("event")
        expect(found).to_have_text("One date")
        expect(rows).to_have_text(["Fair"])
        page.locator("#finder [name=kind]").select_option("deadline")
        ahead = [slug for slug, day in DAYS.items() if day > BUILT]
        expect(found).to_have_text(f"{len(ahead)} dates. The first 10 are shown.")
        expect(page.locator(".pager")).to_be_hidden()
        page.locator("#finder [name=q]").fill("call 27")
        expect(rows).to_have_text(["Call 27"])
        row = page.locator("#agenda li")
        expect(row.locator(".at")).to_have_text("22 November 2026, 12:00")
        expect(row.locator(".countdown")).to_have_text("Due in 28 days")
        page.locator("#reset").click()
        expect(page.locator("#agenda .name", has_text=prepared[0])).to_be_visible()
        page.goto(f"{origin}/calendar/kind/deadline/?q=call+27")
        expect(rows).to_have_text(["Call 27"])
