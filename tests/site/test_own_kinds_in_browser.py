"""Lists, the search box, comparisons and downloads of registries of own kinds, in a browser."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support import browser as browsers
from support import own_kinds
from support.browser import Visiting
from support.pages import file_of
from support.sites import Publish

ROWS = "#rows li:has(> .face)"


def settings() -> dict[str, object]:
    return {**own_kinds.TOOLS["registry"], "compare": {"of": "papers"}}


@pytest.fixture(scope="module")
def investors(publish: Publish) -> Path:
    german = {**own_kinds.INVESTORS["registry"], "language": "de"}
    return publish("investors-de", {**own_kinds.INVESTORS, "registry": german})


@pytest.fixture(scope="module")
def tools(publish: Publish) -> Path:
    return publish("papers-compared", {**own_kinds.TOOLS, "registry": settings()})


@pytest.fixture(scope="module")
def origins(investors: Path, tools: Path) -> Iterator[dict[str, tuple[str, Path]]]:
    with browsers.served(investors) as one, browsers.served(tools) as other:
        yield {"investors": (one, investors), "tools": (other, tools)}


def plain(html: str) -> str:
    """A row without what scripts add: the box to compare it, and marks."""
    return re.sub(
        r'<input class="pick"[^>]*>| (data-of|class)=""| data-of="[^"]*"', "", html
    ).strip()


@pytest.mark.parametrize(
    ("registry", "collection"),
    [("investors", "investors"), ("investors", "rounds"), ("investors", "projects"),
     ("investors", "organizations"), ("tools", "tools"), ("tools", "papers"), ("tools", "venues")],
)  # fmt: skip
def test_the_script_draws_the_rows_of_the_page(
    origins: dict[str, tuple[str, Path]], visit: Visiting, registry: str, collection: str
) -> None:
    origin, out = origins[registry]
    html = (out / file_of(f"/{collection}/")).read_text("utf-8")
    made = re.findall(r'(?s)<li><span class="face.*?</div></li>', html)
    page = visit(origin).go(f"/{collection}/?sort=name&page=1")
    rows = page.locator(ROWS)
    expect(rows).to_have_count(len(made))
    page.wait_for_function(f"document.querySelector('{ROWS}').summary")
    expect(page.locator("#rows [data-of]")).to_have_count(0)
    drawn = rows.evaluate_all("rows => rows.map(row => row.outerHTML)")
    assert [plain(row) for row in drawn] == [plain(row) for row in made]


def test_a_filter_through_a_relation_is_in_the_panel_and_in_the_address(
    origins: dict[str, tuple[str, Path]], visit: Visiting
) -> None:
    page = visit(origins["investors"][0]).go("/projects/?investor_location=us")
    expect(page.locator("#chosen button").first).to_contain_text(
        "Ort (Backed by): Vereinigte Staaten"
    )
    expect(page.locator(f"{ROWS} .name")).to_have_text(["Bloom", "Cairn"])
    page.locator("#filter-investor_stage > summary").click()
    page.locator("#filter-investor_stage label", has_text="Seed").click()
    page.wait_for_url("**/projects/?*investor_stage=seed*")
    expect(page.locator(f"{ROWS} .name")).to_have_text(["Bloom"])


def test_a_table_has_the_columns_of_the_kind(
    origins: dict[str, tuple[str, Path]], visit: Visiting
) -> None:
    page = visit(origins["tools"][0]).go("/papers/")
    page.get_by_role("button", name="Table", exact=True).click()
    heads = page.locator(".heads > span")
    expect(heads).to_have_text(["Name", "About, Venue", "Published", "Tags"])
    expect(page.locator("#rows .own").first).to_be_visible()
    expect(page.locator("#rows .own").first).to_contain_text("Published: 6 May 2024")


def csv_of(page: Page) -> list[dict[str, str]]:
    with page.expect_download() as downloading:
        page.get_by_role("button", name="CSV").click()
    raw = Path(downloading.value.path()).read_text("utf-8-sig")
    return [*csv.DictReader(io.StringIO(raw, newline=""))]


def test_a_download_has_own_fields_names_and_counts(
    origins: dict[str, tuple[str, Path]], visit: Visiting
) -> None:
    first = csv_of(visit(origins["tools"][0]).go("/papers/"))[0]
    assert (first["published"], first["about"]) == ("2024-05-06", "mapper; parse-it")
    assert (first["tool_name"], first["venue_name"]) == ("Mapper; Parse It", "Atlas Days")
    first = csv_of(visit(origins["tools"][0]).go("/tools/?sort=-papers"))[0]
    assert (first["slug"], first["papers"], first["tools_dependency"]) == ("parse-it", "2", "1")
    assert (first["licence"], first["licence_name"]) == ("gpl-3-0", "GPL 3.0")
    bloom = csv_of(visit(origins["investors"][0]).go("/projects/?q=bloom"))[0]
    assert bloom["field_backed_by"] == "birch-capital; quay-ventures"
    assert bloom["investor_name"] == "Birch Capital; Quay Ventures"


def test_the_search_box_finds_records_and_values_of_own_kinds(
    origins: dict[str, tuple[str, Path]], visit: Visiting
) -> None:
    page = visit(origins["tools"][0]).go("/")
    page.locator("#find-words").fill("mapper")
    found = page.locator("#find-found [role=option]")
    expect(found.filter(has_text="Mapper").first).to_be_visible()
    page.locator("#find-words").fill("gpl")
    expect(found.filter(has_text="GPL 3.0").first).to_contain_text("Licence")


def test_parts_of_own_kinds_are_compared(
    origins: dict[str, tuple[str, Path]], visit: Visiting
) -> None:
    page = visit(origins["tools"][0]).go("/compare/?tool=mapper,parse-it")
    heads = page.locator(".versus thead th")
    expect(heads.first).to_contain_text("Mapper")
    expect(heads.first).to_contain_text("1 papers")
    expect(heads.nth(1)).to_contain_text("2 papers")
    page.locator("#seek").fill("on pars")
    page.locator("#seek-found button", has_text="On parsing").click()
    page.wait_for_url("**/compare/?*paper=on-parsing*")
    expect(heads.nth(2)).to_contain_text("On parsing")
