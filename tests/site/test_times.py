"""Times of dates in a browser, in any time zone and across clock changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.commands import build

#: A half-hour offset without summer time; a zone a day ahead; a half-hour offset with a clock
#: change at 0:01 on the first of November 2026.
ZONES = ("Asia/Kolkata", "Pacific/Auckland", "America/St_Johns")
#: Chromium's text for the name of a zone.
CALLED = {"Asia/Kolkata": "Asia/Calcutta"}
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
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    content = registries.write(tmp_path_factory.mktemp("dated") / "content")
    registry = content / "registry.yaml"
    registry.write_text(
        registry.read_text().replace("{", '{"base_url": "https://dates.example",', 1)
    )
    events = content / "events"
    for slug, (due, zone) in TIMES.items():
        (events / f"{slug}.yaml").write_text(
            f"name: {slug}\nkind: deadline\ndue: {due}\ntimezone: {zone}\n"
        )
    (events / "days.yaml").write_text(
        "name: Days\nkind: event\nstarts: 2026-11-02\nends: 2026-11-04\n"
    )
    (events / "window.yaml").write_text(
        "name: Window\nkind: application_window\nopens: 2026-10-20\ncloses: 2026-11-20\n"
    )
    (events / "off.yaml").write_text(
        "name: Off\nkind: deadline\ndue: 2026-11-03\nstatus: cancelled\n"
    )
    return build(content, content.parent / "out", "--as-of", "2026-10-25", site=True)


@pytest.fixture(scope="module")
def dates(dated: Path) -> Iterator[str]:
    with browsers.served(dated) as origin:
        yield origin


def at(page: Page, zone: str, local: str) -> None:
    """Set the clock to a local time in a zone."""
    page.clock.set_fixed_time(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)))


def instant(slug: str) -> datetime:
    due, zone = TIMES[slug]
    if zone == "AoE":
        return datetime.fromisoformat(f"{due}T23:59:59").replace(tzinfo=UTC) + timedelta(hours=12)
    return datetime.fromisoformat(due).replace(tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize("zone", ZONES)
def test_the_readers_time_is_shown_next_to_the_sources(
    dates: str, visit: Visiting, zone: str
) -> None:
    window = visit(dates, timezone=zone)
    for slug, (due, source) in TIMES.items():
        page = window.go(f"/calendar/{slug}/")
        when = instant(slug).astimezone(ZoneInfo(zone))
        times = page.locator(".when dd")
        day = datetime.fromisoformat(due)
        expect(times).to_contain_text(f"{day.day} {day:%B %Y}")
        expect(times.locator(".zone")).to_have_text(source.replace("_", " "))
        expect(times.locator(".here")).to_have_text(
            "Also your time"
            if zone == source
            else f"Your time ({CALLED.get(zone, zone.replace('_', ' '))}):"
            f" {when:%a}, {when.day} {when:%B %Y}, {when:%H:%M}"
        )


@pytest.mark.parametrize("zone", ZONES)
def test_whole_days_are_the_same_everywhere(dates: str, visit: Visiting, zone: str) -> None:
    window = visit(dates, timezone=zone)
    at(window.page, zone, "2026-10-30T23:50")
    page = window.go("/calendar/days/")
    assert page.locator(".when dd").all_inner_texts() == [
        "Mon, 2 November 2026",
        "Wed, 4 November 2026",
    ]
    until = page.locator(".until")
    for now, says in (
        ("2026-10-30T23:50", "Starts in 3 days"),
        ("2026-11-01T00:10", "Starts tomorrow"),
        ("2026-11-02T00:00", "Ends in 2 days"),
        ("2026-11-04T23:59", "Today"),
        ("2026-11-05T00:00", "Over"),
    ):
        at(page, zone, now)
        page.reload()
        expect(until).to_have_text(says)


@pytest.mark.parametrize(
    ("zone", "slug", "now", "says"),
    [
        # 25 hours when clocks go back in between; 23 hours when they go forward.
        ("America/St_Johns", "johns-after", "2026-10-31T23:59", "Due tomorrow"),
        ("America/St_Johns", "johns-after", "2026-10-30T12:00", "Due in 2 days"),
        ("America/St_Johns", "johns-after", "2026-11-01T20:59", "Due in 3 hours"),
        ("Pacific/Auckland", "auckland-after", "2026-09-26T03:30", "Due in 22 hours"),
        ("Pacific/Auckland", "auckland-after", "2026-09-25T23:00", "Due in 2 days"),
        ("Pacific/Auckland", "auckland-after", "2026-09-27T01:30", "Due in 30 minutes"),
        ("Asia/Kolkata", "kolkata", "2026-11-29T12:00", "Due in 2 days"),
        ("Asia/Kolkata", "kolkata", "2026-12-01T00:00", "Over"),
        ("Asia/Kolkata", "aoe", "2026-11-01T17:29", "Due in 1 minute"),
        ("Asia/Kolkata", "aoe", "2026-11-01T17:30", "Over"),
        ("Asia/Kolkata", "window", "2026-10-18T12:00", "Opens in 2 days"),
        ("Asia/Kolkata", "window", "2026-10-22T12:00", "Closes in 30 days"),
    ],
)
def test_the_time_left_until_a_date(
    dates: str, visit: Visiting, zone: str, slug: str, now: str, says: str
) -> None:
    window = visit(dates, timezone=zone)
    at(window.page, zone, now)
    expect(window.go(f"/calendar/{slug}/").locator(".until")).to_have_text(says)


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


def test_a_window_is_on_each_of_its_days_in_the_month(dates: str, visit: Visiting) -> None:
    page = visit(dates).go("/calendar/month/2026-11/")
    bars = page.locator(".bar", has_text="Window")
    assert [bar.get_attribute("class") for bar in bars.all()] == [
        "bar application_window c7 w1 since on",
        "bar application_window c1 w7 since on",
        "bar application_window c1 w7 since on",
        "bar application_window c1 w5 since",
    ]
    assert page.locator(".bar a", has_text="Window").count() == 1
    assert page.locator(".dates .name", has_text="Window").count() == 1
    phone = visit(dates, phone=True).go("/calendar/month/2026-11/")
    assert not phone.locator("section.month").is_visible()
    assert phone.locator(".dates .name", has_text="Window").is_visible()


def test_without_a_script_every_time_is_also_in_utc(dates: str, visit: Visiting) -> None:
    page = visit(dates, scripts=False).go("/calendar/aoe/")
    assert page.locator(".when .here").inner_text() == "1 November 2026, 11:59 UTC"
    assert "anywhere on Earth" in page.locator("main").inner_text()
    assert not page.locator(".until").is_visible()


def test_a_feed_can_be_subscribed_to(dates: str, site: str, visit: Visiting) -> None:
    page = visit(dates).go("/calendar/kind/deadline/")
    feed = "dates.example/api/calendar/events/by/kind/deadline.ics"
    assert page.locator(".subscribe a").first.get_attribute("href") == f"webcal://{feed}"
    page.locator(".subscribe summary").click()
    assert page.locator(".subscribe code").inner_text() == f"https://{feed}"
    expect(page.locator(".subscribe .copy")).to_be_visible()
    other = visit(site).go("/calendar/")
    file = f"{site}/api/calendar/events.ics"
    expect(other.locator(".subscribe a").first).to_have_attribute("href", file)
    other.locator(".subscribe summary").click()
    expect(other.locator(".subscribe code")).to_have_text(file)
