"""A date in the reader's own calendar: the file that the browser saves, and the forms of Google and
Outlook; from the page of a date, and from a row of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import icalendar
import pytest
from playwright.sync_api import Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
#: A name that means something in HTML, in URLs, in iCalendar and in JavaScript, in several widths.
HOSTILE = '<b>&amp; "quote"; #1, 50% +C:\\New</b> é日本 \U0001f44d ${x} ' + 20 * "long "
EVENTS: dict[str, dict[str, Any]] = {
    "hostile": {"name": HOSTILE.strip(), "kind": "deadline", "due": "2026-11-30",
                "program": "launch", "summary": "Two; \\, and \"three\".",
                "tags": {"topic": ["climate"]},
                "locations": [{"country": "NO", "city": "Bergen"}], "aliases": ["was-called-so"]},
    "days": {"name": "Days", "kind": "event", "starts": "2026-11-02", "ends": "2026-11-04",
             "status": "tentative"},
    "window": {"name": "Window", "kind": "application_window", "opens": "2026-09-20",
               "closes": "2026-11-20 17:00", "timezone": "Europe/Zurich"},
    "rolling": {"name": "Always", "kind": "application_window", "rolling": True},
    "off": {"name": "Off", "kind": "deadline", "due": "2026-11-03", "status": "cancelled"},
    "over": {"name": "Past", "kind": "deadline", "due": "2026-09-03"},
}  # fmt: skip
#: slug -> its time in the forms of Google and Outlook.
TIMES = {
    "hostile": ("20261201T115959Z/20261201T115959Z", "2026-12-01T11:59:59Z",
                "2026-12-01T11:59:59Z"),
    "days": ("20261102/20261105", "2026-11-02", "2026-11-05"),
    "window": ("20260919T220000Z/20261120T160000Z", "2026-09-19T22:00:00Z",
               "2026-11-20T16:00:00Z"),
}  # fmt: skip


@pytest.fixture(scope="module")
def built(publish: Publish) -> Path:
    base = {"base_url": "https://dates.example/sub"}
    return publish("adding", registries.content(events=EVENTS, registry=base), day="2026-10-01")


@pytest.fixture(scope="module")
def dates(built: Path) -> Iterator[str]:
    with browsers.served(built) as origin:
        yield origin


def downloaded(page: Page) -> bytes:
    """What the browser saves for the first link of an open menu."""
    with page.expect_download() as saved:
        page.locator(".adding[open] a").first.click()
    return Path(saved.value.path()).read_bytes()


def vevents(feed: bytes) -> list[bytes]:
    return re.findall(rb"BEGIN:VEVENT.*?END:VEVENT\r\n", feed, re.DOTALL)


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("slug", list(TIMES))
def test_the_file_of_a_date_is_the_entry_of_the_feeds(
    dates: str, built: Path, visit: Visiting, slug: str, scripts: bool
) -> None:
    window = visit(dates, scripts=scripts)
    window.page.clock.set_fixed_time(NOW)
    page = window.go(f"/sub/calendar/{slug}/")
    page.locator(".adding > summary").click()
    data = downloaded(page)
    (entry,) = vevents(data)
    # Byte for byte: UID, folds, escapes and times.
    assert entry in vevents((built / "api/calendar/events.ics").read_bytes())
    (event,) = icalendar.Calendar.from_ical(data).events
    assert event["SUMMARY"] == EVENTS[slug]["name"]


@pytest.mark.parametrize("slug", list(TIMES))
def test_the_forms_of_google_and_outlook_are_filled_in(
    dates: str, visit: Visiting, slug: str
) -> None:
    window = visit(dates)
    window.page.clock.set_fixed_time(NOW)
    menu = window.go(f"/sub/calendar/{slug}/").locator(".adding")
    google, outlook = (
        urlsplit(
            str(menu.get_by_role("link", name=name, include_hidden=True).get_attribute("href"))
        )
        for name in ("Google Calendar", "Outlook")
    )
    dates_of, start, end = TIMES[slug]
    page = f"https://dates.example/sub/calendar/{slug}/"
    place = ["Bergen, Norway"] if slug == "hostile" else None
    details = [f'Two; \\, and "three".\n\n{page}' if slug == "hostile" else page]
    assert google.netloc + google.path == "calendar.google.com/calendar/render"
    filled = parse_qs(google.query)
    assert filled.pop("location", None) == place
    assert filled == {"action": ["TEMPLATE"], "text": [EVENTS[slug]["name"]], "dates": [dates_of],
                      "details": details}  # fmt: skip
    assert outlook.netloc + outlook.path == "outlook.live.com/calendar/0/deeplink/compose"
    filled = parse_qs(outlook.query)
    assert filled.pop("location", None) == place
    assert filled.pop("allday", None) == (["true"] if slug == "days" else None)
    assert filled == {"path": ["/calendar/action/compose"], "rru": ["addevent"],
                      "subject": [EVENTS[slug]["name"]], "startdt": [start], "enddt": [end],
                      "body": details}  # fmt: skip


def test_a_program_can_be_subscribed_to_beside_its_date(
    dates: str, site: str, visit: Visiting
) -> None:
    window = visit(dates)
    window.page.clock.set_fixed_time(NOW)
    page = window.go("/sub/calendar/hostile/")
    feed = page.get_by_role("link", name="Subscribe to Launch", exact=True)
    address = "webcal://dates.example/sub/api/calendar/events/by/program/launch.ics"
    expect(feed).to_have_attribute("href", address)
    # Without a base URL there is no address that another program could subscribe to.
    page = visit(site).go("/calendar/ces-2027/")
    feed = page.get_by_role("link", name="Subscribe to Consumer Technology Association")
    path = "/api/calendar/events/by/organization/consumer-technology-association.ics"
    expect(feed).to_have_attribute("href", path)


def test_a_link_opens_the_menu_of_a_date(dates: str, visit: Visiting) -> None:
    window = visit(dates)
    window.page.clock.set_fixed_time(NOW)
    page = window.go("/sub/calendar/days/#add")
    expect(page.get_by_role("link", name="Google Calendar")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#add[open] > summary")).to_be_focused()
    expect(page.get_by_role("heading", name="Days", exact=True)).to_be_in_viewport()
    assert not window.go("/sub/calendar/days/").locator("#add[open]").count()


@pytest.mark.parametrize("slug", ["rolling", "off", "over"])
def test_what_has_no_end_is_over_or_cancelled_is_not_added(
    dates: str, visit: Visiting, slug: str
) -> None:
    page = visit(dates).go(f"/sub/calendar/{slug}/")
    expect(page.locator(".adding")).to_have_count(0)


def test_what_ended_since_the_build_is_not_added(dates: str, visit: Visiting) -> None:
    window = visit(dates)
    window.page.clock.set_fixed_time(datetime(2026, 12, 24, tzinfo=UTC))
    page = window.go("/sub/calendar/window/")
    expect(page.locator(".until")).to_have_text("Closed")
    expect(page.locator(".adding")).to_be_hidden()


def test_a_row_of_a_list_has_the_menu_of_its_date(dates: str, built: Path, visit: Visiting) -> None:
    window = visit(dates)
    window.page.clock.set_fixed_time(NOW)
    page = window.go("/sub/calendar/")
    expect(page.locator(".dates .add")).to_have_count(len(TIMES))
    page.get_by_role("link", name="Add to calendar: Days").click()
    menu = page.locator("#agenda .adding[open]")
    expect(menu.locator("summary")).to_be_focused()
    assert vevents(downloaded(page))[0] in vevents((built / "api/calendar/events.ics").read_bytes())
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(page.locator("#agenda .adding > summary")).to_be_focused()
    page.locator("#agenda .adding > summary").click()
    page.locator("h1").click()
    expect(menu).to_have_count(0)
    plain = visit(dates, scripts=False).go("/sub/calendar/")
    plain.get_by_role("link", name="Add to calendar: Days").click()
    plain.wait_for_url("**/calendar/days/#add")
