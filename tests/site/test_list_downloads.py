"""A list as a file: CSV that a spreadsheet opens, and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from support.browser import Visiting
from support.listing import api, settled, wait_for


def press(page: Page, form: str) -> None:
    """Press the button of a form: CSV is in the bar, JSON among what else the list is."""
    if form == "JSON":
        page.locator("#more > summary").click()
    page.get_by_role("button", name=form).click()


def saved(page: Page, form: str) -> tuple[str, bytes]:
    """The name and the bytes of a file that a page offers."""
    with page.expect_download() as downloading:
        press(page, form)
    return downloading.value.suggested_filename, Path(downloading.value.path()).read_bytes()


def rows_of(page: Page) -> list[dict[str, str]]:
    """The rows of the CSV that a page offers."""
    _, raw = saved(page, "CSV")
    assert raw.startswith(b"\xef\xbb\xbf")  # by which Excel knows UTF-8
    return [*csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""))]


def hostile(route: Route) -> None:
    document = route.fetch().json()
    document["data"][0] |= {"name": '=1+1, "so"', "summary": "@a\n-b", "year": -5}
    route.fulfill(json=document)


@pytest.mark.parametrize("form", ["CSV", "JSON"])
def test_a_download_has_the_filtered_list(site: str, visit: Visiting, form: str) -> None:
    page = visit(site).go("/projects/?status=active&sort=-year")
    total = wait_for(page, "status=active")
    name, raw = saved(page, form)
    assert re.fullmatch(rf"[a-z0-9-]+-projects-active-20\d\d-\d\d-\d\d\.{form.lower()}", name)
    wanted = [
        row["slug"]
        for number in range(1, 1 + -(-total // 50))
        for row in api(page, f"mode=page&status=active&sort=-year&page={number}")["data"]
    ]
    if form == "JSON":
        whole = json.loads(raw)
        assert whole["query"] == {"q": None, "sort": "-year", "filters": {"status": "active"}}
        found = [row["slug"] for row in whole["data"]]
    else:
        rows = [*csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""))]
        found = [row["slug"] for row in rows]
        assert {"name", "year", "tag_topic", "locations", "website"} <= {*rows[0]}
    assert found == wanted
    expect(page.get_by_role("button", name=form)).to_be_focused()


def test_a_download_has_no_spreadsheet_formulas(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    page.route("**/api/projects/page/1.json", hostile)
    row, *_ = rows_of(page)
    assert (row["name"], row["summary"], row["year"]) == ('\'=1+1, "so"', "'@a\n'-b", "-5")


def test_a_download_can_be_stopped(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    pending: list[Route] = []
    page.route("**/api/projects/page/2.json", lambda route: pending.append(route))
    press(page, "JSON")
    expect(page.locator("#downloads [role=status]")).to_have_text("Loading page 2 of 4")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    pending[0].continue_()
    expect(page.locator("#downloads [role=status]")).to_have_text("Cancelled.")
    expect(page.get_by_role("button", name="JSON")).to_be_focused()


def test_a_csv_has_names_beside_slugs_and_the_address_of_each_page(
    site: str, visit: Visiting
) -> None:
    page = visit(site).go("/projects/?status=acquired&location=us")
    total = wait_for(page, "status=acquired&location=us")
    rows = rows_of(page)
    assert len(rows) == total
    programs = {
        one["value"]: one["label"]
        for one in page.request.get("/api/projects/filters/program.json").json()["data"]["values"]
    }
    named = [row for row in rows if row["programs"]]
    assert named
    for row in named:
        slugs = row["programs"].split("; ")
        assert row["program_name"] == "; ".join(programs[slug] for slug in slugs)
    for row in rows:
        assert row["page"] == f"{site}/projects/{row['slug']}/"
        assert row["status_name"] == "Acquired" and "United States" in row["countries"]
        assert len(row["tag_topic"].split("; ")) == len(row["tag_topic_name"].split("; "))
    assert page.request.get(rows[0]["page"]).ok and page.request.get(rows[0]["href"]).ok


@pytest.mark.parametrize("path", ["/programs/", "/organizations/"])
def test_a_csv_of_programs_and_organizations_has_the_same_columns_in_every_row(
    site: str, visit: Visiting, path: str
) -> None:
    rows = rows_of(visit(site).go(path))
    assert len(rows) > 50 and all(None not in row and None not in row.values() for row in rows)
    if path == "/programs/":
        assert {"organization", "organization_name", "type_name", "projects"} <= {*rows[0]}
    else:
        assert {"category_name", "programs", "projects"} <= {*rows[0]}
        assert "program_name" not in rows[0]  # `programs` is a number here


def test_the_name_of_a_download_says_what_is_in_it(german_site: str, visit: Visiting) -> None:
    page = visit(german_site).go("/projects/?q=Künstlich&year=2005..&location=de")
    expect(page.locator("#downloads button").first).to_be_visible()
    settled(page)
    name, _ = saved(page, "CSV")
    assert re.search(r"-künstlich-deutschland-ab-2005-20\d\d-\d\d-\d\d\.csv$", name), name
