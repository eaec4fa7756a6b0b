"""Dates in a browser: times in any zone and across clock changes, and lists long after the build:
what is next and over, search, jumps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from generator.build import build as build_here
from generator.published.history.provenance import Moment
from generator.site import calendar, years
from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish, Serving

BUILT = date(2026, 10, 1)
#: A deadline every third day, on two pages of upcoming dates and more than two of all.
DAYS = {f"call-{n + 10:02}": BUILT + timedelta(days=3 * n + 1) for n in range(-8, 18)}


def calls_content() -> registries.Content:
    """The dates of DAYS, and a fair."""
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
    return {**registries.SMALL, "registry": registry, "events": events}


@pytest.fixture(scope="module")
def calls(publish: Publish) -> Iterator[str]:
    with browsers.served(publish("calls", calls_content(), day=BUILT.isoformat())) as origin:
        yield origin


def visited(visit: Visiting, origin: str, path: str, now: str, **options: object) -> Page:
    window = visit(origin, **options)
    window.page.clock.set_fixed_time(datetime.fromisoformat(now).replace(tzinfo=UTC))
    return window.go(path)


def headings(page: Page) -> list[str]:
    return page.locator("#agenda h2").all_text_contents()


def names(page: Page, heading: str) -> list[str]:
    part = page.locator("#agenda .part", has=page.get_by_role("heading", name=heading, exact=True))
    return part.locator(".name").all_text_contents()


def test_a_page_built_weeks_ago_shows_what_is_next_today(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-25T12:00")
    ahead = [slug for slug, day in DAYS.items() if day > date(2026, 10, 25)]
    expect(page.locator(".head .lead")).to_have_text(f"{len(ahead) + 1} upcoming dates")
    assert headings(page)[:2] == ["In progress", "October 2026"]
    assert headings(page)[-1] == "Past"
    assert names(page, "In progress") == ["Fair"]
    assert names(page, "Past")[0] == "Call 17"  # 23 October, the last before
    first = page.locator("#agenda .part", has_text="October 2026").locator(".countdown").first
    expect(first).to_have_text("Due in 15 hours")

    page = visited(visit, calls, "/calendar/", "2027-06-01T12:00")
    expect(page.locator(".head .lead")).to_have_text("0 upcoming dates")
    assert headings(page) == ["Past"]


def choose(page: Page, name: str, label: str) -> None:
    """Check or clear a value of a filter."""
    page.locator(f"#filter-{name}").get_by_label(label).click()


def test_search_and_filters_find_dates_and_the_count_follows(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-01T12:00")
    ahead = [slug for slug, day in DAYS.items() if day > BUILT]
    lead, rows = page.locator(".head .lead"), page.locator("#agenda .name:visible")
    expect(lead).to_have_text(f"{len(ahead) + 1} upcoming dates")
    box = page.get_by_role("searchbox", name="Search the dates")
    box.fill("call 27")
    expect(rows).to_have_text(["Call 27"])
    expect(lead).to_have_text("One upcoming date")
    expect(page.locator("#found")).to_have_text("1 date, 1 upcoming")
    assert page.url.endswith("/calendar/?q=call+27")
    what = page.locator("#agenda li:visible .what")
    expect(what.locator(".more > bdi")).to_have_text(
        ["Bergen, Norway", "Germany", "Online", "Fee: 20 EUR", "Climate", "Health"]
    )
    expect(what.locator("p:not(.facts-line)")).to_have_text("For <heat> pumps.")
    page.reload()
    expect(rows).to_have_text(["Call 27"])
    box.fill("+++")
    expect(page.locator("#found")).to_have_text("Type a word with letters or digits.")
    assert page.goto(f"{calls}/calendar/?q=%2B%2B%2B")
    expect(box).to_have_value("+++")
    expect(page.locator("#found")).to_have_text("Type a word with letters or digits.")
    box.fill("nothing like it")
    expect(page.get_by_text("No dates match.")).to_be_visible()
    box.fill("")
    expect(page.get_by_text("No dates match.")).not_to_be_visible()
    choose(page, "kind", "Event")
    expect(rows).to_have_text(["Fair"])
    choose(page, "kind", "Deadline")  # either of the two
    expect(rows).to_have_count(len(ahead) + 1)
    page.get_by_role("button", name="Remove Kind: Event").click()
    choose(page, "organization", "Harbour Fund")
    expect(rows).to_have_count(sum(DAYS[slug].day % 2 == 0 for slug in ahead))


def test_the_numbers_beside_the_values_are_those_of_the_other_filters(
    calls: str, visit: Visiting
) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-01T12:00")
    of = page.locator("#filter-organization")
    count = of.locator("li", has_text="Harbour Fund").locator(".count")
    ahead = [day for day in DAYS.values() if day > BUILT]
    expect(count).to_have_text(str(sum(day.day % 2 == 0 for day in ahead)))
    choose(page, "kind", "Event")
    expect(count).to_have_text("0")
    choose(page, "kind", "Event")
    choose(page, "organization", "North College")
    expect(count).to_have_text(str(sum(day.day % 2 == 0 for day in ahead)))


def test_back_undoes_a_filter_and_the_words_of_a_search(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-01T12:00")
    rows = page.locator("#agenda .name:visible")
    every = rows.count()
    choose(page, "kind", "Event")
    expect(rows).to_have_text(["Fair"])
    box = page.locator("#q")
    box.press_sequentially("call", delay=200)
    expect(page.get_by_text("No dates match.")).to_be_visible()
    page.go_back()
    expect(rows).to_have_text(["Fair"])
    expect(box).to_have_value("")
    page.go_back()
    expect(rows).to_have_count(every)
    expect(page.locator("#chosen button")).to_have_count(0)
    page.go_forward()
    expect(rows).to_have_text(["Fair"])
    page.locator("#agenda .name:visible").click()
    page.wait_for_url("**/calendar/fair/")
    page.go_back()
    expect(rows).to_have_text(["Fair"])


def test_the_filters_of_a_view_are_those_of_the_next(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/kind/event/", "2026-10-25T12:00")
    page.get_by_role("link", name="Month", exact=True).click()
    page.wait_for_url("**/calendar/month/2026-10/?kind=event")
    page = visited(visit, calls, "/calendar/?kind=deadline", "2026-10-25T12:00")
    page.get_by_role("link", name="Month", exact=True).click()
    page.wait_for_url("**/calendar/month/2026-10/?kind=deadline")
    days = [slug for slug, day in DAYS.items() if f"{day:%Y-%m}" == "2026-10"]
    expect(page.locator(".head .lead")).to_have_text(f"{len(days)} dates")
    expect(page.locator(".bar:visible")).to_have_count(len(days))
    expect(page.locator(".dates .name:visible")).to_have_count(len(days))
    choose(page, "organization", "Harbour Fund")
    even = [slug for slug in days if DAYS[slug].day % 2 == 0]
    expect(page.locator(".bar:visible")).to_have_count(len(even))
    page.get_by_role("link", name="November 2026").click()
    page.wait_for_url("**/calendar/month/2026-11/?kind=deadline&organization=harbour-fund")


def test_a_phone_has_the_grid_of_a_month_and_a_day_leads_to_its_dates(
    calls: str, visit: Visiting
) -> None:
    for scripts in (True, False):
        page = visited(visit, calls, "/calendar/month/2026-10/", "2026-10-25T12:00", phone=True,
                       scripts=scripts)  # fmt: skip
        width = page.locator(".month").bounding_box()
        assert width is not None and 300 < width["width"] <= 390
        first = min(slug for slug, day in DAYS.items() if f"{day:%Y-%m}" == "2026-10")
        day = DAYS[first].day
        page.locator(".day a", has_text=re.compile(rf"\b{day}$")).click()
        row = page.locator(f"#e-{first}")
        expect(row).to_be_in_viewport()


def test_the_filters_without_a_script_are_links(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-01T12:00", scripts=False)
    page.locator("#filter-organization").get_by_role("link", name="Harbour Fund").click()
    page.wait_for_url("**/calendar/organization/harbour-fund/")
    page.get_by_role("link", name="Year", exact=True).click()
    page.wait_for_url("**/calendar/year/2026/")
    expect(page.get_by_role("searchbox", name="Search the dates")).not_to_be_visible()


def test_a_list_of_a_value_has_what_is_next_first_and_what_is_over_last(
    calls: str, visit: Visiting
) -> None:
    page = visited(visit, calls, "/calendar/kind/deadline/", "2026-10-25T12:00")
    expect(page.locator("#agenda .name")).to_have_count(len(DAYS))
    assert headings(page) == ["October 2026", "November 2026", "Past"]
    over = [f"Call {s[5:]}" for s, day in sorted(DAYS.items(), key=lambda d: d[1], reverse=True)
            if day <= date(2026, 10, 25)]  # fmt: skip
    assert names(page, "Past") == over
    assert not page.locator(".pager").is_visible()
    expect(page.locator(".head .lead")).to_have_text(f"{len(DAYS)} dates")
    page = visited(visit, calls, "/calendar/year/2026/", "2026-10-25T12:00")
    months = Counter(day.month for day in DAYS.values()) + Counter([11])
    shown = sum(min(number, years.SHOWN) for number in months.values())
    expect(page.locator("#agenda .name")).to_have_count(shown)
    expect(page.locator(".head .lead")).to_have_text(f"{len(DAYS) + 1} dates")
    assert headings(page) == ["September 2026", "October 2026", "November 2026"]


def test_each_month_is_one_heading_in_the_order_of_local_days(
    publish: Publish, visit: Visiting, serve: Serving
) -> None:
    dues = {
        "utc": ("2027-06-01 11:59", "UTC"),
        "aoe": ("2027-05-31", "AoE"),
        "york": ("2027-06-01 15:00", "America/New_York"),
        "over": ("2027-05-01", "UTC"),
    }
    events = {
        slug: {"name": slug, "kind": "deadline", "due": due, "timezone": zone}
        for slug, (due, zone) in dues.items()
    }
    out = publish("edges", registries.content(events=events), day="2027-04-01")
    origin = serve(out)
    page = visited(visit, origin, "/calendar/", "2027-04-02T12:00")
    assert headings(page) == ["May 2027", "June 2027"]
    assert names(page, "May 2027") == ["over", "aoe"]
    page = visited(visit, origin, "/calendar/", "2027-05-20T12:00")
    assert headings(page) == ["May 2027", "June 2027", "Past"]
    assert names(page, "June 2027") == ["utc", "york"]
    page = visited(visit, origin, "/calendar/year/2027/", "2027-05-20T12:00")
    assert headings(page) == ["May 2027", "June 2027"]


def test_the_readers_time_comes_first_on_what_is_ahead(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/kind/deadline/", "2026-10-01T12:00",
                   timezone="Pacific/Honolulu")  # fmt: skip
    row = page.locator("#agenda li", has_text="Call 10")
    words = row.locator(".at").inner_text().split()
    assert " ".join(words) == "Thu 1 October, 17:00 2 October 2026, 12:00 Tokyo"
    expect(page.locator("#zone")).to_have_text(
        "Times are in your zone (Honolulu) first, then as announced."
    )
    assert row.locator(".tag b").inner_text() == "2"  # the day as announced
    over = page.locator("#agenda li", has_text="Call 09")
    expect(over.locator(".at")).to_have_text("29 September 2026, 12:00 Tokyo")
    expect(over.locator(".countdown")).to_have_text("Closed")
    grey = "el => getComputedStyle(el).color"
    soft = over.locator(".zone").evaluate(grey)
    assert over.locator(".countdown").evaluate(grey) == soft
    assert row.locator(".countdown").evaluate(grey) != soft


def test_no_zone_is_named_where_all_clocks_show_the_same(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-01T12:00", timezone="Asia/Tokyo")
    expect(page.locator("#zone")).to_be_hidden()
    expect(page.locator(".here")).to_have_count(0)


def test_a_row_has_two_lines(calls: str, visit: Visiting) -> None:
    for zone in ("Pacific/Honolulu", "Asia/Tokyo"):
        page = visited(visit, calls, "/calendar/kind/deadline/", "2026-10-01T12:00",
                       timezone=zone, viewport={"width": 1440, "height": 900})  # fmt: skip
        rows = page.locator("#agenda .dates > li")
        heights = rows.evaluate_all("all => all.map(row => row.getBoundingClientRect().height)")
        assert max(heights) <= 56


def test_the_heading_says_what_is_chosen(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/?kind=deadline&tag_topic=health", "2026-10-25T12:00")
    heading = page.locator("h1")
    expect(heading).to_have_text("Upcoming Health deadlines")
    assert page.title() == "Upcoming Health deadlines – Small Registry"
    page.get_by_role("button", name="Clear all").click()
    expect(heading).to_have_text("Upcoming events")
    page.goto(f"{calls}/calendar/kind/deadline/?organization=harbour-fund")
    expect(heading).to_have_text("Deadlines of Harbour Fund")
    page.goto(f"{calls}/calendar/month/2026-11/?kind=deadline,event")
    expect(heading).to_have_text("November 2026: deadlines or events")


def test_rows_of_a_program_have_its_summary_and_not_its_name(
    conferences_site: str, visit: Visiting
) -> None:
    page = visited(visit, conferences_site, "/programs/", "2026-11-22T12:00")
    slug = str(page.locator(".entries .name").first.get_attribute("href")).split("/")[-2]
    page = visited(visit, conferences_site, f"/calendar/program/{slug}/", "2026-11-22T12:00")
    row = page.locator("#agenda .dates > li").first
    expect(row.locator(".line > p")).to_contain_text("every year.")
    expect(row.locator(f'.owner[href="/programs/{slug}/"]')).to_have_count(0)


def test_agenda_month_and_year_are_one_step_away(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/month/2026-09/", "2026-10-25T12:00")
    page.get_by_role("link", name="Today").click()
    page.wait_for_url("**/calendar/month/2026-10/")
    page.get_by_role("link", name="Year", exact=True).click()
    page.wait_for_url("**/calendar/year/2026/")
    page.get_by_role("link", name="Today").click()
    expect(page.get_by_role("heading", name="October 2026")).to_be_focused()
    page.get_by_role("link", name="Agenda", exact=True).click()
    page.wait_for_url("**/calendar/")
    expect(page.get_by_role("link", name="Agenda", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    page.get_by_role("link", name="Month", exact=True).click()
    page.wait_for_url("**/calendar/month/2026-10/")


def test_an_open_page_moves_what_ended_to_the_end(calls: str, visit: Visiting) -> None:
    window = visit(calls)
    window.page.clock.install(time=datetime(2026, 10, 2, 2, 58, tzinfo=UTC))
    page = window.go("/calendar/")
    assert "Past" not in headings(page)
    page.locator("#agenda .name", has_text="Call 11").focus()
    page.clock.run_for(4 * 60_000)
    assert names(page, "Past") == ["Call 10"]
    expect(page.locator("#agenda .name", has_text="Call 11")).to_be_focused()


def test_the_feed_is_never_of_another_selection_than_the_list(calls: str, visit: Visiting) -> None:
    page = visited(visit, calls, "/calendar/", "2026-10-25T12:00")
    file = page.locator('.subscribe [data-feed="file"]')
    more = page.get_by_text("This calendar has more dates than your selection")
    every = "/api/calendar/events.ics"
    college = ("organization", "North College")
    feed_of_college = "/api/calendar/events/by/organization/north-college.ics"
    steps = (
        (college, feed_of_college),
        # No host answers a feed of both; that of the organization has all of these dates.
        (("organization_category", "University"), f"{feed_of_college} and more"),
        (college, None),  # the category alone has no feed either
        (("organization_category", "University"), every),
        (("kind", "Event"), "/api/calendar/events/by/kind/event.ics"),
        (("kind", "Deadline"), None),  # both kinds
    )
    for (name, label), feed in steps:
        if page.locator(f"#filter-{name}:not([open])").count():
            page.locator(f"#filter-{name} > summary").click()
        choose(page, name, label)
        path = (feed or every).removesuffix(" and more")
        expect(file).to_have_attribute("href", re.compile(re.escape(path) + "$"))
        expect(more).to_have_count(int(feed != path))
    choose(page, "kind", "Deadline")
    page.locator("#subscribe > summary").click()
    expect(page.locator("#subscribe .of")).to_have_text("Upcoming events")
    page.locator("#q").fill("fair")
    expect(more).to_be_visible()  # words are in no feed


def calls_served(folder: Path, serve: Serving) -> str:
    """Builds the calls in this process, whose bounds a test changes."""
    moment = Moment(datetime(2026, 10, 1, tzinfo=UTC), BUILT, None)
    content = registries.write(folder / "content", calls_content())
    assert not build_here(str(content), folder / "out", moment).failed
    return serve(folder / "out")


def test_the_pages_of_a_long_list_are_read_when_they_are_needed(
    tmp_path: Path, visit: Visiting, serve: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendar, "MAX_ROWS", 10)
    origin = calls_served(tmp_path, serve)
    page = visited(visit, origin, "/calendar/", "2026-10-01T12:00")
    assert "Call 27" not in page.locator("#agenda").inner_text()
    page.locator("#q").fill("call 27")
    expect(page.locator("#agenda .name:visible")).to_have_text(["Call 27"])
    page.locator("#q").fill("")
    ahead = [slug for slug, day in DAYS.items() if day > BUILT]
    expect(page.locator("#agenda .name:visible")).to_have_count(len(ahead) + 1)
    expect(page.locator(".pager")).to_be_hidden()
    page = visited(visit, origin, "/calendar/kind/deadline/", "2026-10-25T12:00")
    assert headings(page) == ["October 2026", "November 2026", "Past"]


def test_a_list_too_long_to_be_read_is_asked_from_the_api(
    tmp_path: Path, visit: Visiting, serve: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendar, "MAX_SEARCHED", 4)
    origin = calls_served(tmp_path, serve)
    page = visited(visit, origin, "/calendar/", "2026-10-25T12:00", timezone="Asia/Tokyo")
    prepared = names(page, "October 2026")
    found, rows = page.locator("#found"), page.locator("#agenda .name")
    choose(page, "kind", "Event")
    expect(found).to_have_text("One date")
    expect(rows).to_have_text(["Fair"])
    page.get_by_role("button", name="Remove Kind: Event").click()
    choose(page, "kind", "Deadline")
    ahead = [slug for slug, day in DAYS.items() if day > BUILT]
    expect(found).to_have_text(f"{len(ahead)} dates. The first 10 are shown.")
    expect(page.locator(".pager")).to_be_hidden()
    page.locator("#q").fill("call 27")
    expect(rows).to_have_text(["Call 27"])
    row = page.locator("#agenda li")
    expect(row.locator(".at")).to_have_text("22 November 2026, 12:00")
    expect(row.locator(".countdown")).to_have_text("Due in 28 days")
    page.locator("#q").fill("")
    page.get_by_role("button", name="Remove Kind: Deadline").click()
    expect(page.locator("#agenda .name", has_text=prepared[0])).to_be_visible()
    page.goto(f"{origin}/calendar/kind/deadline/?q=call+27")
    expect(rows).to_have_text(["Call 27"])


# --- pinned dates ---


def pin(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Pin: {name}", exact=True).click()


def test_pinned_dates_come_first_until_they_are_over(calls: str, visit: Visiting) -> None:
    window = visit(calls)
    window.page.clock.set_fixed_time(datetime(2026, 10, 1, 12, tzinfo=UTC))
    page = window.go("/calendar/")
    assert "Pinned" not in headings(page)
    pin(page, "Call 20")
    pin(page, "Call 12")
    expect(page.get_by_role("button", name="Pin: Call 12")).to_be_focused()
    for _ in range(2):
        assert headings(page)[0] == "Pinned"
        assert names(page, "Pinned") == ["Call 12", "Call 20"]
        assert "Call 12" not in names(page, "October 2026")
        expect(page.locator("#e-call-12 .star")).to_have_attribute("aria-pressed", "true")
        page.reload()
        page.wait_for_selector("#e-call-12 .star")
    page = window.go("/calendar/call-20/")
    button = page.get_by_role("button", name="Pin", exact=True)
    expect(button).to_have_attribute("aria-pressed", "true")
    page.clock.set_fixed_time(datetime(2026, 10, 20, 12, tzinfo=UTC))
    page = window.go("/calendar/")
    assert names(page, "Pinned") == ["Call 20"]
    assert page.evaluate("localStorage['registry.pins']") == '["call-20"]'
    pin(page, "Call 20")
    assert "Pinned" not in headings(page)
    assert page.evaluate("Object.keys(localStorage)") == []


def test_a_date_is_pinned_where_a_browser_keeps_nothing(calls: str, visit: Visiting) -> None:
    window = visit(calls)
    window.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })"
    )
    window.page.clock.set_fixed_time(datetime(2026, 10, 1, 12, tzinfo=UTC))
    page = window.go("/calendar/")
    pin(page, "Call 20")
    assert names(page, "Pinned") == ["Call 20"]


# --- the times of one date ---

#: The reader's zone: a half-hour offset without summer time, which Chromium calls Calcutta.
ZONE = "Asia/Kolkata"
#: What people call the zones.
ZONE_NAMES = {
    "Asia/Kolkata": "Kolkata", "Pacific/Auckland": "Auckland",
    "America/St_Johns": "St Johns", "Europe/Zurich": "Zurich", "AoE": "UTC−12 (AoE)",
}  # fmt: skip
#: Instants around the clock changes of these zones and of the zones of the sources.
TIMES = {
    "auckland-before": ("2026-09-27 01:59", "Pacific/Auckland"),
    "auckland-after": ("2026-09-27 03:00", "Pacific/Auckland"),
    "johns-before": ("2026-11-01 00:30", "America/St_Johns"),
    "johns-after": ("2026-11-01 23:59", "America/St_Johns"),
    "zurich": ("2027-03-28 01:30", "Europe/Zurich"),
    "kolkata": ("2026-12-01 00:00", "Asia/Kolkata"),
    "utc": ("2026-11-01 04:30", "UTC"),
    "aoe": ("2026-10-31", "AoE"),
}


@pytest.fixture(scope="module")
def dates(publish: Publish) -> Iterator[str]:
    events: dict[str, dict[str, object]] = {
        slug: {"name": slug, "kind": "deadline", "due": due, "timezone": zone}
        for slug, (due, zone) in TIMES.items()
    }
    events["days"] = {"name": "Days", "kind": "event", "starts": "2026-11-02", "ends": "2026-11-04"}
    events["window"] = {"name": "Window", "kind": "application_window",
                        "opens": "2026-10-20", "closes": "2026-11-20"}  # fmt: skip
    events["off"] = {"name": "Off", "kind": "deadline", "due": "2026-11-03", "status": "cancelled"}
    events |= registries.SMALL["events"]
    content = registries.content(events=events, registry={"base_url": "https://dates.example"})
    with browsers.served(publish("dates", content, day="2026-10-25")) as origin:
        yield origin


def at(page: Page, zone: str, local: str) -> None:
    """Set the clock to a local time in a zone."""
    page.clock.set_fixed_time(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)))


def instant(slug: str) -> datetime:
    due, zone = TIMES[slug]
    if zone == "AoE":
        return datetime.fromisoformat(f"{due}T23:59:59").replace(tzinfo=UTC) + timedelta(hours=12)
    return datetime.fromisoformat(due).replace(tzinfo=ZoneInfo(zone))


def test_the_readers_time_is_shown_next_to_the_sources(dates: str, visit: Visiting) -> None:
    window = visit(dates, timezone=ZONE)
    at(window.page, ZONE, "2026-09-01T12:00")
    for slug, (due, source) in TIMES.items():
        page = window.go(f"/calendar/{slug}/")
        when = instant(slug).astimezone(ZoneInfo(ZONE))
        times = page.locator(".when dd")
        day = datetime.fromisoformat(due)
        expect(times).to_contain_text(f"{day.day} {day:%B %Y}")
        expect(times.locator(".zone")).to_have_text(ZONE_NAMES.get(source, source))
        own, is_first = times.locator(".here"), times.locator(".here:first-child")
        if source == ZONE:
            expect(own).to_have_text("Also your time")
            expect(is_first).to_have_count(0)
            continue
        words = f"{when:%a}, {when.day} {when:%B %Y}, {when:%H:%M}"
        expect(is_first).to_have_text(f"{words} your time (Calcutta)")
    days = window.go("/calendar/days/").locator(".when dd")
    expect(days).to_have_text(["Mon, 2 November 2026", "Wed, 4 November 2026"])
    at(window.page, ZONE, "2027-06-01T12:00")
    over = window.go("/calendar/aoe/").locator(".when dd")
    expect(over.locator(".here")).to_have_count(0)
    expect(over.locator(".zone")).to_have_text("UTC−12 (AoE)")
    expect(over.locator(".utc")).to_have_text("1 November 2026, 11:59 UTC")


@pytest.mark.parametrize(
    ("zone", "slug", "now", "says"),
    [
        # 25 hours when clocks go back in between; 23 hours when they go forward.
        ("America/St_Johns", "johns-after", "2026-10-31T23:59", "Due tomorrow"),
        ("America/St_Johns", "johns-after", "2026-11-01T20:59", "Due in 3 hours"),
        ("Pacific/Auckland", "auckland-after", "2026-09-26T03:30", "Due in 22 hours"),
        (ZONE, "aoe", "2026-11-01T17:29", "Due in 1 minute"),
        (ZONE, "aoe", "2026-11-01T17:30", "Closed"),
        (ZONE, "aoe", "2024-11-02T12:00", "Due in 729 days"),
        (ZONE, "aoe", "2020-11-01T12:00", "Due in 6 years"),
        (ZONE, "days", "2026-10-30T23:50", "Starts in 3 days"),
        (ZONE, "days", "2026-11-01T00:10", "Starts tomorrow"),
        (ZONE, "days", "2026-11-02T00:00", "Ends in 2 days"),
        (ZONE, "days", "2026-11-04T23:59", "Today"),
        (ZONE, "days", "2026-11-05T00:00", "Ended"),
        (ZONE, "window", "2026-10-18T12:00", "Opens in 2 days"),
        (ZONE, "window", "2026-10-22T12:00", "Closes in 30 days"),
        (ZONE, "window", "2026-12-22T12:00", "Closed"),
    ],
)
def test_the_time_left_until_a_date(
    dates: str, visit: Visiting, zone: str, slug: str, now: str, says: str
) -> None:
    window = visit(dates, timezone=zone)
    at(window.page, zone, now)
    expect(window.go(f"/calendar/{slug}/").locator(".until")).to_have_text(says)


def test_the_time_left_is_the_largest_of_the_band_and_the_round_is_said(
    conferences_site: str, visit: Visiting
) -> None:
    page = visited(visit, conferences_site, "/calendar/?q=paper+round+2", "2026-11-01T12:00")
    page.locator("#agenda .name:visible").first.click()
    band = page.locator(".band")
    expect(band.locator(".round")).to_have_text("Round 2 of 2")
    expect(band.locator(".until")).to_have_css("font-size", "40px")
    expect(band.locator(".until")).to_have_text(re.compile(r"^Due in \d+ days$"))


def test_passing_time_updates_the_page_without_extra_words(dates: str, visit: Visiting) -> None:
    window = visit(dates, timezone="Europe/Zurich")
    page = window.page
    page.clock.install(time=datetime(2026, 10, 31, 23, 56, 30, tzinfo=ZoneInfo("Europe/Zurich")))
    window.go("/calendar/")
    page.evaluate(
        """() => {
          window.changed = []
          new MutationObserver((all) => changed.push(...all.map((one) => one.target.textContent)))
            .observe(document.querySelector('main'),
                     { childList: true, characterData: true, subtree: true })
        }"""
    )
    spoken = ":is([aria-live], [role=timer], [role=status]) .countdown"
    assert page.locator(".countdown").count() and not page.locator(spoken).count()
    page.clock.run_for(3 * 60_000)
    assert page.evaluate("changed") == []
    page.clock.run_for(60_000)  # now it is November
    assert "Starts tomorrow" in page.evaluate("changed")


def test_a_month_marks_the_present_day_of_the_reader(dates: str, visit: Visiting) -> None:
    for zone, day in (("Pacific/Auckland", "3"), ("America/St_Johns", "2")):
        window = visit(dates, timezone=zone)
        window.page.clock.set_fixed_time(datetime(2026, 11, 2, 14, tzinfo=UTC))
        page = window.go("/calendar/month/2026-11/")
        expect(page.locator(".day[aria-current=date]")).to_have_text(re.compile(rf"\b{day}$"))
