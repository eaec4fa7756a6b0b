"""What visitors come for: next dates, the active share of a cohort, the correction of a record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import icalendar
import pytest
from playwright.sync_api import Locator, Page, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish, Serving

TODAY = "2026-10-01"
NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
#: What the page of the cohort says of its projects, by language.
ACTIVE = {"en": "75% of 4 projects active", "de": "75 % aktiv (4 Projekte)"}


#: In the words of a page: download as CSV, share, and what is said then.
BAR = {
    "en": ("Download as CSV", "Share", "Link copied."),
    "de": ("Als CSV herunterladen", "Teilen", "Link kopiert."),
}


PROJECTS: dict[str, Any] = {f"p-{n}": {"name": f"P {n}", "year": 2008 + n} for n in range(11)} | {
    f"member-{n}": {"name": f"Member {n}", "year": 2009, "programs": ["spring"],
                    "status": "active" if n else "inactive"}
    for n in range(4)
}  # fmt: skip
EVENTS = {
    "health-call": {"name": "Health call", "kind": "deadline", "due": "2026-10-05",
                    "tags": {"topic": ["health", "climate"]}},
    "climate-call": {"name": "Second call", "kind": "deadline", "due": "2026-11-05",
                     "tags": {"topic": ["climate"]}},
    "meeting": {"name": "Meeting", "kind": "event", "starts": "2026-10-02"},
    "climate-late": {"name": "Third call", "kind": "deadline", "due": "2026-12-05",
                     "tags": {"topic": ["climate"]}},
}  # fmt: skip


@pytest.fixture(scope="module", params=["en", "de"])
def visited(request: pytest.FixtureRequest, publish: Publish) -> Iterator[tuple[str, str]]:
    language = request.param
    content = registries.content(
        registry={"language": language, "repository": "https://github.com/acme/registry"},
        projects=PROJECTS,
        programs={"spring": {"name": "Spring 2026", "type": "accelerator", "kind": "cohort",
                             "year": 2026, "organization": "mill"}},
        organizations={"mill": {"name": "Mill", "category": "investor"}},
        events=EVENTS,
    )  # fmt: skip
    with browsers.served(publish(f"visitors-{language}", content, day=TODAY)) as origin:
        yield origin, language


def at(now: datetime, visited: tuple[str, str], visit: Visiting, path: str, **how: Any) -> Page:
    window = visit(visited[0], **how)
    window.page.clock.set_fixed_time(now)
    return window.go(path)


def test_a_deadline_among_the_next_is_put_into_a_calendar_from_home(
    visited: tuple[str, str], visit: Visiting
) -> None:
    page = at(NOW, visited, visit, "/")
    page.locator(".dates > li", has_text="Second call").locator(".add").click()
    with page.expect_download() as saved:
        page.locator(".adding[open] a").first.click()
    (event,) = icalendar.Calendar.from_ical(Path(saved.value.path()).read_bytes()).events
    assert event["SUMMARY"] == "Second call"


def test_what_closes_this_week_comes_first_of_what_closes(
    visited: tuple[str, str], visit: Visiting
) -> None:
    page = at(NOW, visited, visit, "/")
    page.locator(".welcome .chips a[href*='kind=']").click()
    expect(page.locator("#chosen button")).to_have_count(3)  # two kinds, and all
    names = page.locator(".dates > li:visible .name")
    expect(names).to_have_text(["Health call", "Second call", "Third call"])


def test_home_leaves_out_what_is_over_since_the_build(
    visited: tuple[str, str], visit: Visiting
) -> None:
    page = at(datetime(2026, 10, 12, tzinfo=UTC), visited, visit, "/")
    expect(page.locator(".dates > li:visible .name")).to_have_text(["Second call", "Third call"])
    expect(page.locator(".dates .add:visible")).to_have_count(2)


def test_bars_of_a_chart_are_as_tall_as_they_are_drawn(
    visited: tuple[str, str], visit: Visiting
) -> None:
    bars = visit(visited[0], phone=True).go("/").locator(".chart.years .plot rect")
    heights = bars.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height / one.getAttribute('height'))"
    )
    assert len(heights) > 3 and max(heights) - min(heights) < 0.2, heights


@pytest.mark.parametrize("phone", [False, True])
def test_the_active_share_of_a_cohort_is_seen_at_first(
    visited: tuple[str, str], visit: Visiting, phone: bool
) -> None:
    how = {"phone": True} if phone else {"viewport": {"width": 1440, "height": 900}}
    page = at(NOW, visited, visit, "/programs/spring/", **how)
    share = page.locator(".standing > p").first
    expect(share).to_have_text(ACTIVE[visited[1]])
    expect(share).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("phone", [False, True])
def test_a_filtered_list_is_downloaded_and_shared_in_one_action_each_without_scrolling(
    visited: tuple[str, str], visit: Visiting, phone: bool
) -> None:
    """An action is one press; what it needs is in the window, also when rows were scrolled away."""
    window = visit(visited[0], phone=phone)
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = window.go("/projects/?status=active")
    expect(page.locator("#chosen button")).to_have_count(1)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    download, share, said = BAR[visited[1]]
    before = page.evaluate("scrollY")
    with page.expect_download() as saved:
        page.get_by_role("button", name=download).click()
    assert Path(saved.value.path()).read_text("utf-8-sig").count("\n") == 1 + len(PROJECTS) - 1
    page.get_by_role("button", name=share).click()
    expect(page.locator("#downloads [role=status]")).to_have_text(said)
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert page.evaluate("scrollY") == before > 0


@pytest.fixture(scope="module")
def cohorts(publish: Publish) -> Iterator[str]:
    program = {"type": "accelerator", "organization": "mill"}
    content = registries.content(
        projects={
            f"p-{n}": {"name": f"P {n}", "programs": ["spring" if n % 2 else "autumn"]}
            for n in range(8)
        },
        programs={
            "mill-program": {**program, "name": "Mill", "kind": "program"},
            "spring": {**program, "name": "Spring 2026", "kind": "cohort", "year": 2026,
                       "parent": "mill-program"},
            "autumn": {**program, "name": "Autumn 2026", "kind": "cohort", "year": 2026,
                       "parent": "mill-program"},
        },
        organizations={"mill": {"name": "Mill", "category": "investor"}},
        events={},
    )  # fmt: skip
    with browsers.served(publish("visitors-cohorts", content, day=TODAY)) as origin:
        yield origin


@pytest.mark.parametrize("phone", [False, True])
def test_two_cohorts_are_compared_in_two_actions_from_the_list_of_programs(
    cohorts: str, visit: Visiting, phone: bool
) -> None:
    """An action is one thing that a visitor decides: which two, by their boxes, and to compare."""
    page = visit(cohorts, phone=phone).go("/programs/")
    for name in ("Spring 2026", "Autumn 2026"):
        page.get_by_role("checkbox", name=f"Compare {name}").check()
    page.locator("#tray").get_by_role("link", name="Compare").click()
    page.wait_for_url("**/compare/?program=spring,autumn")
    expect(page.locator(".versus thead .name")).to_have_text(["Spring 2026", "Autumn 2026"])


def pressed(*targets: Locator) -> int:
    """Press these and return the number of actions."""
    for target in targets:
        target.click()
    return len(targets)


def test_the_three_next_deadlines_of_a_topic_take_two_actions(
    visited: tuple[str, str], visit: Visiting
) -> None:
    page = at(NOW, visited, visit, "/calendar/")
    actions = pressed(
        page.locator("#filter-kind input").first,
        page.locator("#filter-tag_topic").get_by_label("Climate"),
    )
    rows = page.locator("#agenda .dates > li:visible .name")
    expect(rows).to_have_text(["Health call", "Second call", "Third call"])
    words = {"en": "Upcoming Climate deadlines", "de": "Kommende Fristen zu Climate"}
    expect(page.locator("h1")).to_have_text(words[visited[1]])
    assert actions <= 2


def test_a_calendar_of_one_topic_on_a_static_host_takes_two_actions(
    publish: Publish, visit: Visiting, serve: Serving
) -> None:
    settings = {"feeds": ["tag_topic"]}
    out = publish("visitors-feeds", registries.content(registry=settings, events=EVENTS), day=TODAY)
    origin = serve(out, plain=True)
    page = at(NOW, (origin, "en"), visit, "/calendar/")
    actions = pressed(
        page.locator("#filter-tag_topic").get_by_label("Climate"),
        page.locator("#subscribe > summary"),
    )
    link = page.get_by_role("link", name="Calendar file (.ics)")
    expect(link).to_be_visible()
    expect(page.locator("#subscribe .of")).to_have_text("Upcoming Climate events")
    address = str(link.get_attribute("href"))
    assert address == str(page.locator("#subscribe code").text_content())
    path = urlsplit(address).path
    assert not urlsplit(address).query and (out / path[1:]).is_file()
    found = icalendar.Calendar.from_ical(page.request.get(address).body()).events
    names = sorted(event["SUMMARY"] for event in found)
    assert names == ["Health call", "Second call", "Third call"]
    assert actions <= 2


def test_a_record_is_corrected_in_one_action(visited: tuple[str, str], visit: Visiting) -> None:
    for path, file in {
        "/projects/p-1/": "projects/p-1.yaml",
        "/programs/spring/": "programs/spring.yaml",
        "/organizations/mill/": "organizations/mill.yaml",
        "/calendar/health-call/": "events/health-call.yaml",
    }.items():
        page = visit(visited[0], viewport={"width": 1440, "height": 900}).go(path)
        link = page.get_by_role("link", name={"en": "Correct", "de": "Korrigieren"}[visited[1]])
        expect(link).to_be_in_viewport(ratio=1)
        editor = f"https://github.com/acme/registry/edit/main/content/{file}"
        expect(link).to_have_attribute("href", editor)
