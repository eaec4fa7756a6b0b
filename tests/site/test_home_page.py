"""The home page: what is above the fold, what it says about the records, and how much it loads."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.lanes import sample
from support.sites import Publish, Serving

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MOST = 30_000  # compressed bytes of the page with what it loads
STATUSES = ("active", "acquired", "public", "inactive")

#: Two cohorts of a year, with these numbers of projects by status; those of later years do not yet
#: differ, and one is too small.
COHORTS = {
    "spring-2024": {"active": 9, "inactive": 3},
    "autumn-2024": {"active": 6, "acquired": 2},
    "spring-2025": {"active": 12},
    "autumn-2025": {"active": 1, "inactive": 1},
}


def of_cohorts() -> registries.Content:
    launch = {"type": "accelerator", "organization": "north-college"}
    programs: dict[str, Any] = {"launch": {"name": "Launch", "kind": "program", **launch}}
    projects: dict[str, Any] = {}
    for slug, statuses in COHORTS.items():
        season, year = slug.split("-")
        programs[slug] = {
            "name": f"{season.title()} {year}",
            "starts": f"{year}-{'04' if season == 'spring' else '10'}-01",
            **{"kind": "cohort", "parent": "launch", "year": int(year), **launch},
        }
        for status in [status for status, count in statuses.items() for _ in range(count)]:
            number = len(projects)
            projects[f"p-{number}"] = {
                **{"name": f"Project {number}", "status": status, "programs": [slug]},
                "year": int(year) - number % 3,
            }
    return registries.content(projects=projects, programs=programs, events={})


@pytest.fixture(scope="module")
def cohorts_site(publish: Publish) -> Iterator[str]:
    with browsers.served(publish("cohorts-at-home", of_cohorts())) as origin:
        yield origin


def names_above_the_fold(page: Page, height: int) -> list[str]:
    """The names of the records that are whole in the first window."""
    rows = page.locator(".front li:has(.name)")
    boxes = [(row, row.bounding_box()) for row in rows.all()]
    return [
        row.locator(".name").inner_text()
        for row, box in boxes
        if box and box["y"] + box["height"] <= height
    ]


@pytest.mark.parametrize(
    "origin, phone, least",
    [
        ("site", False, 8), ("site", True, 4), ("german_site", False, 8), ("german_site", True, 4),
        ("tools_site", False, 8), ("conferences_site", False, 6),
    ],
)  # fmt: skip
def test_records_are_above_the_fold(
    origin: str, phone: bool, least: int, visit: Visiting, request: pytest.FixtureRequest
) -> None:
    options = {} if phone else DESKTOP
    window = visit(request.getfixturevalue(origin), phone=phone, **options)
    window.page.clock.set_fixed_time(NOW)
    page = window.go("/")
    found = names_above_the_fold(page, 844 if phone else 900)
    assert len(found) >= least and len({*found}) == len(found)
    rows = page.locator(".front .brief > li")
    assert {box["height"] for row in rows.all() if (box := row.bounding_box())} <= {44}


@pytest.mark.parametrize("width", [1280, 1440])
def test_what_to_browse_is_one_line(site: str, visit: Visiting, width: int) -> None:
    page = visit(site, viewport={"width": width, "height": 900}).go("/")
    line = page.locator(".welcome .chips")
    tops = {box["y"] for chip in line.locator("li").all() if (box := chip.bounding_box())}
    assert len(tops) == 1 and line.locator("li").count() > 4
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth")


# --- the finding ---


def records(out: Path) -> list[dict[str, Any]]:
    files = (out / "api/projects/slug").glob("*.json")
    documents = [json.loads(file.read_bytes()) for file in files]
    return [document["data"] for document in documents if document["kind"] != "moved"]


def legend(part: Locator) -> dict[str, int]:
    texts = part.locator(".legend li").all_inner_texts()
    return {text.rpartition(" ")[0].lower(): int(text.rpartition(" ")[2]) for text in texts}


def test_the_finding_counts_the_records(site: str, built_content: Path, visit: Visiting) -> None:
    found = records(built_content)
    counts = Counter(record["status"] for record in found)
    share = round(100 * counts["active"] / sum(counts.values()))
    page = visit(site, **DESKTOP).go("/")
    expect(page.locator("#finding")).to_have_text(f"{share}% of the projects are still active")
    part = page.locator(".finding")
    assert legend(part) == {status: counts[status] for status in STATUSES}
    part.locator("summary").click()
    heads = [head.lower() for head in part.locator("thead th").all_inner_texts()]
    assert heads == ["year", "projects", *STATUSES]
    by_year = {
        row.locator("th").inner_text(): [int(n) for n in row.locator("td").all_inner_texts()]
        for row in part.locator("tbody tr").all()
    }
    dated = [record for record in found if record["year"]]
    assert by_year == {
        str(year): [len(of), *(sum(r["status"] == status for r in of) for status in STATUSES)]
        for year in {record["year"] for record in dated}
        if (of := [record for record in dated if record["year"] == year])
    }


def test_the_parts_of_each_bar_make_up_its_number(site: str, visit: Visiting) -> None:
    page = visit(site, **DESKTOP).go("/")
    bars = page.locator("#chart-years .plot g")
    assert bars.count() > 10
    for bar in bars.all():
        total, *parts = map(int, re.findall(r"\d+", bar.locator("title").inner_html())[1:])
        assert total == sum(parts)
        heights = [int(rect.get_attribute("height") or 0) for rect in bar.locator("rect").all()]
        tops = [int(rect.get_attribute("y") or 0) for rect in bar.locator("rect").all()]
        assert 0 not in heights
        assert all(a == b + h for a, b, h in zip(tops, tops[1:], heights[1:], strict=False))


def test_the_two_latest_cohorts_that_differ_are_compared(
    cohorts_site: str, visit: Visiting
) -> None:
    page = visit(cohorts_site, **DESKTOP).go("/")
    rows = page.locator(".pair tbody tr")
    assert [row.locator("th").inner_text() for row in rows.all()] == ["Autumn 2024", "Spring 2024"]
    texts = [row.locator("td").last.inner_text() for row in rows.all()]
    assert texts == ["75% of 8", "75% of 12"]
    page.locator(".finding a", has_text="Compare").click()
    page.wait_for_url(re.compile(r"/compare/\?program=spring-2024,autumn-2024"))
    expect(page.locator(".versus thead .name")).to_have_text(["Spring 2024", "Autumn 2024"])


# --- shapes ---

NONE = registries.content(projects={}, programs={}, organizations={}, events={})
ALONE = {**NONE, "projects": {"a": {"name": "Only one"}}}
SHAPES = [
    "projects_site", "events_site", "german_site", "tools_site", "conferences_site",
    "investors_site", "papers_site", "awkward_site",
]  # fmt: skip


def check_columns(page: Page) -> None:
    """Every part has words, and there are two columns where both have a part."""
    for part in page.locator(".front > *").all():
        assert part.inner_text().strip()
    if page.locator(".front").count():
        columns = "front => getComputedStyle(front).gridTemplateColumns.split(' ').length"
        both = page.locator(".front > .finding").count()
        assert page.locator(".front").evaluate(columns) == 1 + both
        assert both <= page.locator(".front > .first").count()
    assert page.locator("main .part:has(.body:empty)").count() == 0


@pytest.mark.parametrize("origin", sample(SHAPES[:4], SHAPES[4:]))
def test_no_column_is_empty(origin: str, visit: Visiting, request: pytest.FixtureRequest) -> None:
    check_columns(visit(request.getfixturevalue(origin), **DESKTOP).go("/"))


@pytest.mark.parametrize("name", ["alone", "none"])
def test_a_registry_of_one_record_or_none_has_no_second_column(
    name: str, publish: Publish, visit: Visiting, serve: Serving
) -> None:
    origin = serve(publish(f"home-{name}", {"alone": ALONE, "none": NONE}[name]))
    page = visit(origin, **DESKTOP).go("/")
    check_columns(page)
    expect(page.locator(".finding")).to_have_count(0)
    expect(page.locator(".front .name")).to_have_count(int(name == "alone"))


# --- what it loads ---


def test_the_page_is_light_and_reads_the_map_when_it_comes_near(site: str, visit: Visiting) -> None:
    window = visit(site, **DESKTOP)
    loaded = dict[str, int]()

    def count(response: Response) -> None:
        loaded[response.url.rpartition("/")[2]] = len(gzip.compress(response.body()))

    window.page.on("response", count)
    page = window.go("/")
    assert sum(loaded.values()) <= MOST, loaded
    assert not any(name.endswith(".svg") for name in loaded)
    with page.expect_response(re.compile(r"/assets/world-\w+\.svg")) as drawing:
        page.locator("#where").scroll_into_view_if_needed()
    assert drawing.value.body().count(b"<title>") == int(
        page.locator("#where + p").inner_text().split()[1]
    )


def test_without_scripts_the_map_is_a_picture(site: str, visit: Visiting) -> None:
    page = visit(site, scripts=False).go("/")
    picture = page.locator("#chart-world img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_be_visible()
    expect(page.locator("#chart-world > svg")).to_be_hidden()
