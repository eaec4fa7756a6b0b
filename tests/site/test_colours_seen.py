"""What the colours of pages mean: the accent is of what can be used or is chosen, a status has one
colour wherever it is shown, and the time that is left is amber, then red.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from generator.model.settings.colours import accent_of
from generator.site.colours import tokens
from support import registries
from support.browser import Visiting
from support.sites import Publish, Serving

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
STATUSES = {"active": "good", "acquired": "done", "public": "best", "inactive": "quiet"}

#: Elements in the accent, as text, ground, line or picture, that nothing can be done with.
WORN = """accent => {
  const usable = 'a, button, summary, input, select, label, .skip, .emblem, [aria-current],'
    + '[aria-selected=true], [aria-pressed=true], .chosen, .group .years'
  const seen = ['color', 'backgroundColor', 'fill', 'stroke', 'borderTopColor',
    'borderInlineStartColor', 'borderBottomColor']
  return [...document.querySelectorAll('body, body *')].filter(element =>
    !element.closest(usable) && [null, '::before', '::after'].some(part => {
      const style = getComputedStyle(element, part)
      return seen.some(name => style[name] === accent)
    })).map(element => element.outerHTML.slice(0, 80))
}"""


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def statuses() -> registries.Content:
    """Projects of every status, with a date of each distance that has a colour."""
    projects = {
        f"{status}-{n}": {"name": f"{status} {n}", "status": status, "programs": ["launch-2025"],
                          "year": 2020 + n, "tags": {"topic": ["climate", "space"]}}
        for status in STATUSES
        for n in range(4)
    }  # fmt: skip
    events = {
        f"call-{hours}": {"name": f"Call {hours}", "kind": "deadline", "program": "launch",
                          "due": f"{NOW + timedelta(hours=hours):%Y-%m-%d %H:%M}",
                          "timezone": "UTC"}
        for hours in (71, 73, 335, 337)
    }  # fmt: skip
    window = {"name": "Window", "kind": "application_window", "program": "launch",
              "opens": "2026-11-22", "closes": "2026-12-30"}  # fmt: skip
    return {**registries.SMALL, "projects": projects, "events": {**events, "window": window}}


@pytest.fixture(scope="session")
def built_statuses(publish: Publish) -> Path:
    return publish("statuses", statuses())


def visited(visit: Visiting, origin: str, path: str, **options: object) -> Page:
    window = visit(origin, **options)
    window.page.clock.set_fixed_time(NOW)
    return window.go(path)


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_wears_the_accent_that_cannot_be_used(
    built_statuses: Path, visit: Visiting, serve: Serving, dark: bool
) -> None:
    accent = tokens(accent_of(str(registries.SMALL["registry"]["name"])), dark)["accent"]
    origin = serve(built_statuses)
    window = visit(origin, dark=dark)
    window.page.clock.set_fixed_time(NOW)
    for path in (
        "/", "/projects/", "/projects/acquired-1/", "/programs/launch-2025/", "/calendar/",
        "/calendar/month/2026-11/", "/calendar/call-71/", "/landscape/", "/compare/",
        "/docs/api/",
    ):  # fmt: skip
        page = window.go(path)
        expect(page.locator("h1").first).to_be_visible()
        assert rgb(accent) == page.evaluate(
            "getComputedStyle(document.body).getPropertyValue('--accent')"
            ".replace(/#(..)(..)(..)/, (_, ...c) =>"
            " `rgb(${c.slice(0, 3).map(x => parseInt(x, 16)).join(', ')})`)"
        )
        assert page.evaluate(WORN, rgb(accent)) == [], path


@pytest.mark.parametrize("dark", [False, True])
def test_a_status_has_one_colour_as_a_badge_a_bar_a_legend_and_a_tile(
    built_statuses: Path, visit: Visiting, serve: Serving, dark: bool
) -> None:
    known = tokens(accent_of("any"), dark)
    origin = serve(built_statuses)
    window = visit(origin, dark=dark)
    page = window.go("/programs/launch-2025/")
    legend = page.locator(".standing .legend rect, .standing .strip rect")
    assert legend.count() == 8
    for tone in STATUSES.values():
        for part in page.locator(f".standing rect.{tone}").all():
            expect(part).to_have_css("fill", rgb(known[tone]))
    # Neighbours are apart by the colour of the page.
    expect(page.locator(".strip rect").first).to_have_css("stroke", rgb(known["paper"]))
    page = window.go("/landscape/")
    for status, tone in STATUSES.items():
        tile = page.locator(f".landscape a[href$='/{status}-1/']").first
        expect(tile).to_have_css("border-left-color", rgb(known[tone]))
        key = page.locator(".keys").get_by_text(status.capitalize(), exact=True)
        expect(key).to_have_css("border-left-color", rgb(known[tone]))
    page = window.go("/projects/")
    for status, tone in STATUSES.items():
        row = page.locator(f".entries > li:has(a[href$='/{status}-1/'])")
        colour = known["soft" if tone == "quiet" else tone]
        expect(row.locator(".badge")).to_have_css("color", rgb(colour))


def test_the_time_left_is_red_below_three_days_and_amber_below_fourteen(
    built_statuses: Path, visit: Visiting, serve: Serving
) -> None:
    known = tokens(accent_of("any"))
    tones = {"call-71": "bad", "call-73": "warn", "call-335": "warn", "call-337": "", "window": ""}
    origin = serve(built_statuses)
    page = visited(visit, origin, "/calendar/")
    for slug, tone in tones.items():
        left = page.locator(f"#e-{slug} [data-countdown]")
        expect(left).to_have_css("color", rgb(known[tone or "ink"]))
    page.clock.set_fixed_time(NOW + timedelta(hours=2))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#e-call-73 [data-countdown]")).to_have_css("color", rgb(known["bad"]))
    page = visited(visit, origin, "/calendar/call-71/")
    left = page.locator(".until")
    expect(left).to_have_css("color", rgb(known["bad"]))


def test_the_accent_of_a_registry_without_one_is_that_of_its_name(built_statuses: Path) -> None:
    accent = accent_of(str(registries.SMALL["registry"]["name"]))
    [icon] = (built_statuses / "assets").glob("favicon-*.svg")
    assert f'fill="{accent}"' in icon.read_text()
