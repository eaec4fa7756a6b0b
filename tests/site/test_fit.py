"""The site fits its registry: dates of conferences without a project, and tools without a program
or a date.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.site.paths import ROOTS
from support import commands, pages, registries, shapes
from support.browser import Visiting
from support.markup import Page, parse


def page(out: Path, path: str) -> Page:
    return parse((out / pages.file_of(path)).read_bytes())


def html(out: Path, path: str) -> str:
    return (out / pages.file_of(path)).read_text("utf-8")


def words(out: Path, path: str) -> str:
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", html(out, path), flags=re.S)
    return " ".join(re.sub("<[^>]*>", " ", body).split())


def navigation(out: Path) -> list[str]:
    masthead = re.search(r'<header class="masthead">.*?</header>', html(out, "/"), re.S)
    assert masthead is not None
    links = re.findall(r'<li><a href="([^"]*)"', masthead[0])
    return links


def sections(out: Path, path: str = "/") -> list[str]:
    return re.findall(r'<section class="part" aria-labelledby="([^"]*)"', html(out, path))


def test_the_navigation_begins_with_the_largest_collection_and_has_no_empty_one(
    conferences: Path, tools: Path
) -> None:
    assert navigation(conferences) == [
        "/calendar/", "/programs/", "/organizations/", "/map/", "/docs/api/",
    ]  # fmt: skip
    assert navigation(tools) == [
        "/projects/", "/organizations/", "/landscape/", "/compare/", "/docs/api/",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "empty"), [("conferences", ["projects"]), ("tools", ["programs", "events"])]
)
def test_no_page_leads_to_an_empty_collection_and_none_is_there(
    name: str, empty: list[str], request: pytest.FixtureRequest
) -> None:
    out: Path = request.getfixturevalue(name)
    for collection in empty:
        assert not (out / ROOTS[collection][1:]).exists()
        assert not (out / f"docs/api/{collection}").exists()
        below = re.compile(rf"{ROOTS[collection]}/|/docs/api/{collection}/")
        for path, read in pages.read(out).items():
            links = [to for _, _, to in read.links if below.match(to)]
            assert links == [], path
        assert ROOTS[collection] + "/" not in (out / "sitemap.xml").read_text()


@pytest.mark.parametrize("name", ["conferences", "tools"])
def test_every_link_of_the_site_leads_to_a_page(name: str, request: pytest.FixtureRequest) -> None:
    out: Path = request.getfixturevalue(name)
    broken = {
        (path, to)
        for path, read in pages.read(out).items()
        for tag, _, to in read.links
        if tag == "a" and to.startswith("/") and not to.startswith("/api/")
        if not (out / pages.file_of(re.sub("[?#].*", "", to))).is_file()
    }
    assert broken == set()


def test_the_home_page_of_dates_begins_with_the_next_ones(conferences: Path) -> None:
    assert sections(conferences)[0] == "next"
    rows = page(conferences, "/").all("li")
    assert rows
    shown = re.findall(r'<a class="name" href="(/calendar/[^"]*)"', html(conferences, "/"))
    upcoming = json.loads((conferences / "api/calendar/events/upcoming/page/1.json").read_bytes())[
        "data"
    ]

    def day(event: dict[str, Any]) -> str:
        begun = (event["starts_at"] or "")[:10] <= commands.TODAY
        last: str = event["ends_at"] or "without an end"  # after all years
        return last if begun else event["starts_at"]

    wanted = [f"/calendar/{event['slug']}/" for event in sorted(upcoming, key=day)[:10]]
    assert shown == wanted


def test_the_home_page_of_dates_counts_dates_and_topics_of_series(conferences: Path) -> None:
    text = words(conferences, "/")
    assert "120 dates" in text and "Dates by year" in text
    assert "The most common tags of series" in text
    assert not re.search(r"\bprojects?\b", text.lower())
    assert 'action="/programs/"' in html(conferences, "/")


def test_the_home_page_of_tools_has_charts_of_several_bars_only(tools: Path) -> None:
    text, shown = words(tools, "/"), html(tools, "/")
    assert sections(tools) == ["subjects", "who", "kinds", "state", "use"]
    charts = re.findall(r'<figure class="chart[^"]*" id="([^"]*)"', shown)
    assert charts == [
        "chart-projects-tag-category", "chart-projects-tag-language", "chart-organizations",
        "chart-projects-field-stage", "chart-organizations-category",
    ]  # fmt: skip
    for chart in charts:
        figure = shown[shown.index(f'id="{chart}"') :].partition("</figure>")[0]
        assert figure.partition("<tbody>")[2].count("<tr>") > 1, chart
    assert "Status" not in text and "Active" not in text
    for absent in ("Coming up", "calendar", "programs", "Locations", "Place", "Year"):
        assert not re.search(rf"\b{absent}\b", text), absent
    assert not re.search(r"\b0(\.0)? ?%.*?\b0(\.0)? ?%", text.partition("Website")[2][:40])


def test_the_lead_of_registry_yaml_comes_first(tmp_path: Path) -> None:
    base = shapes.conferences(30)
    for lead, first, search in (
        ("organizations", "/organizations/", "organizations"),
        ("projects", "/calendar/", "programs"),  # without a project the largest leads
    ):
        folder = tmp_path / lead
        registry = {**base["registry"], "site": {"lead": lead}}
        content = registries.write(folder / "content", {**base, "registry": registry})
        out = commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)
        assert navigation(out)[0] == first
        assert f'action="/{search}/"' in html(out, "/")


def test_newest_records_are_those_of_the_latest_years(built_content: Path) -> None:
    years = json.loads((built_content / "api/dashboard.json").read_bytes())["data"][
        "projects_by_year"
    ]
    shown = html(built_content, "/")
    newest = shown[shown.index('aria-labelledby="newest"') :].partition("</section>")[0]
    slugs = re.findall(r'<a class="name" href="/projects/([^"/]*)/"', newest)
    by_year = json.loads((built_content / "api/projects/sort/-year/page/1.json").read_bytes())[
        "data"
    ]
    assert slugs == [row["slug"] for row in by_year[:6]]
    assert by_year[0]["year"] == years[-1]["year"]
    assert 'href="/projects/sort/-year/"' in newest


def test_filters_that_cannot_narrow_a_list_are_left_out(tools: Path) -> None:
    shown = re.findall(r'<details class="group" id="filter-([^"]*)"', html(tools, "/projects/"))
    assert shown == [
        "tag_category", "tag_language", "organization", "organization_category", "field_stage",
    ]  # fmt: skip


def test_orders_by_records_that_do_not_exist_are_left_out(conferences: Path, tools: Path) -> None:
    assert "Most projects" not in words(conferences, "/programs/")
    assert not (conferences / "programs/sort/-projects").exists()
    assert "Most tools" in words(tools, "/organizations/")
    assert not (tools / "organizations/sort/-programs").exists()


def test_a_record_has_no_chart_of_one_bar(tools: Path) -> None:
    members = json.loads((tools / "api/organizations/page/1.json").read_bytes())["data"]
    several = max(members, key=lambda member: member["projects"])
    assert several["projects"] > 1
    shown = html(tools, f"/organizations/{several['slug']}/")
    assert "figures-of-tag-category" in shown
    assert "figures-of-tag-licence" not in shown and "figures-of-status" not in shown
    for member in (one for one in members if one["projects"] == 1):
        assert "figures-of" not in html(tools, f"/organizations/{member['slug']}/")


def test_the_map_shows_collections_with_places(conferences: Path, tools: Path) -> None:
    assert not (tools / "map").exists()
    assert "Map: Organizations" in words(conferences, "/map/")
    assert not (conferences / "map/organizations").exists()
    assert "Shown on the map" not in html(conferences, "/map/")


def test_compare_needs_projects_with_values(conferences: Path, tools: Path) -> None:
    assert not (conferences / "compare").exists()
    asked = set(re.findall(r'data-by="([^"]*)"', html(tools, "/compare/")))
    assert asked == {"facts", "tag_category", "tag_language", "year"}


def test_tools_without_a_program_are_compared_by_their_most_frequent_tags(
    visit: Visiting, tools_site: str
) -> None:
    window = visit(tools_site).go("/compare/")
    window.wait_for_selector("#subjects li:nth-child(2)")
    window.wait_for_selector('[data-by="tag_language"] table')
    assert not window.locator('[data-by="year"]').is_visible()
    assert "program" not in window.locator("main").inner_text().lower()


def test_a_filter_that_narrows_nothing_does_not_appear_while_others_are_chosen(
    visit: Visiting, tools_site: str
) -> None:
    window = visit(tools_site).go("/projects/")
    window.locator("#filter-field_stage summary").click()
    window.locator("#filter-field_stage label").first.click()
    window.wait_for_url("**field_stage=*")
    window.wait_for_selector("#filter-tag_language input")
    assert window.locator("#filter-status, #filter-team_size, #filter-year").count() == 0


def test_the_404_page_and_the_reference_offer_what_is_there(conferences: Path) -> None:
    assert "All projects" not in words(conferences, "/404.html")
    assert "All dates" in words(conferences, "/404.html")
    text = words(conferences, "/docs/api/")
    assert "/api/projects?" not in text and "/api/projects/slug" not in text
