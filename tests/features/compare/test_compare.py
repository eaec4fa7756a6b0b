"""`/compare/` in a browser: the prepared page and the reader's choices."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from support.browser import Visiting
from support.lanes import sample

COUNTRIES = "/compare/?location=de&location=jp"


def names(page: Page) -> list[str]:
    return page.locator(".versus > thead .name").all_inner_texts()


def rows(page: Page, name: str) -> dict[str, list[str]]:
    """The rows of a part of the table: label -> cells, such as "43% 15", and the difference."""
    return {
        row.locator("> th").inner_text(): row.locator("> td").all_inner_texts()
        for row in page.locator(f'[data-by="{name}"] > tr:has(> th)').all()
    }


def wait_for(page: Page, text: str) -> None:
    expect(page.locator("#says")).to_have_text(text)


def count(site: str, page: Page, query: str) -> Any:
    return page.request.get(f"{site}/api/projects?mode=count&{query}").json()


@pytest.mark.parametrize("plain", sample([False], [True]))
def test_the_subjects_of_an_address_are_compared_with_the_numbers_of_the_api(
    site: str, plain_site: str, visit: Visiting, plain: bool
) -> None:
    page = visit(plain_site if plain else site).go(COUNTRIES)
    wait_for(page, "2 are compared.")
    assert names(page) == ["Germany", "Japan"]
    answers = [count(site, page, f"location={code}&by=status,tag_topic") for code in ("de", "jp")]
    assert page.locator(".versus .value").all_inner_texts() == [
        str(answer["total_items"]) for answer in answers
    ]
    for name in ("status", "tag_topic"):
        counted = [
            {v["label"]: v["count"] for v in answer["counts"][name]["values"]} for answer in answers
        ]
        table = rows(page, name)
        assert table
        for label, cells in table.items():
            assert [int(cell.split()[1]) for cell in cells[:2]] == [
                c.get(label, 0) for c in counted
            ]
    # The filter that chose the subjects has no part.
    assert page.locator('[data-by="location"]').count() == 0


def test_a_reader_adds_and_removes_subjects_and_goes_back(site: str, visit: Visiting) -> None:
    page = visit(site).go("/compare/")
    before = page.inner_html("[data-by=status]")
    page.get_by_label("Add a record, tag or country").fill("clim")
    page.get_by_role("button", name="Climate Topic 9").click()
    wait_for(page, "3 are compared.")
    assert page.url.endswith(
        "/compare/?program=yc-accelerator&program=apache-incubator&tag_topic=climate"
    )
    assert names(page)[2] == "Climate"
    expect(page.locator("#seek")).to_be_focused()
    page.get_by_role("button", name="Remove Apache Incubator").click()
    wait_for(page, "2 are compared.")
    assert names(page) == ["Y Combinator accelerator", "Climate"]
    page.go_back()
    wait_for(page, "3 are compared.")
    page.go_back()
    wait_for(page, "2 are compared.")
    assert names(page) == ["Y Combinator accelerator", "Apache Incubator"]
    assert "Climate" not in before
    page.reload()
    assert names(page) == ["Y Combinator accelerator", "Apache Incubator"]


def test_the_script_draws_the_prepared_page(site: str, visit: Visiting) -> None:
    page = visit(site).go("/compare/")
    names_of = ("facts", "status", "tag_topic", "tag_model", "tag_technology", "location", "year")
    prepared = {name: rows(page, name) for name in names_of}
    drawn = page.locator(".timeline rect").count()
    page.goto(f"{site}/compare/?program=yc-accelerator,apache-incubator&location=de")
    wait_for(page, "3 are compared.")
    page.get_by_role("button", name="Remove Germany").click()
    wait_for(page, "2 are compared.")
    assert {name: rows(page, name) for name in names_of} == prepared
    assert page.locator(".timeline rect").count() == drawn > 0


def test_the_keyboard_adds_up_to_four_without_leaving_the_field(site: str, visit: Visiting) -> None:
    page = visit(site).go(COUNTRIES)
    wait_for(page, "2 are compared.")
    field = page.locator("#seek")
    field.focus()
    page.keyboard.type("swit")
    found = page.get_by_role("button", name="Switzerland")
    expect(found).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(found).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(found).to_have_count(0)
    for word, name, count in (("switz", "Switzerland", 3), ("gitlab", "GitLab Project", 4)):
        page.keyboard.type(word)
        expect(page.get_by_role("button", name=name).first).to_be_visible()
        page.keyboard.press("Enter")
        wait_for(page, f"{count} are compared.")
        expect(field).to_be_focused()
    assert names(page)[2:] == ["Switzerland", "GitLab"]
    assert page.url.endswith("&project=gitlab")
    page.goto("/compare/?location=de,jp,us,fr,gb")
    wait_for(page, "4 are compared.")
    assert names(page) == ["Germany", "Japan", "United States", "France"]
    expect(page.locator("#seek-says")).to_contain_text("Remove one")
    page.get_by_label("Add a record, tag or country").fill("clim")
    page.wait_for_timeout(500)
    assert not page.locator("#seek-found").is_visible()


def test_records_are_compared_by_their_facts(
    site: str, visit: Visiting, built_content: Path
) -> None:
    page = visit(site).go("/compare/?project=gitlab,stripe&organization=y-combinator")
    wait_for(page, "3 are compared.")
    assert names(page) == ["GitLab", "Stripe", "Y Combinator"]
    facts = rows(page, "facts")
    for column, slug in enumerate(("gitlab", "stripe")):
        record = json.loads((built_content / f"api/projects/slug/{slug}.json").read_bytes())["data"]
        assert facts["Founded"][column] == str(record["year"])
        assert facts["Founders"][column].split("\n") == record["founders"]
    assert facts["Founders"][2] == "–"
    # Only the organization has projects to count.
    assert {tuple(cells[:2]) for cells in rows(page, "status").values()} == {("–", "–")}
    page = visit(site).go("/compare/?project=gitlab&project=stripe")
    wait_for(page, "2 are compared.")
    assert page.get_by_role("heading", name="Facts").is_visible()
    assert page.locator('[data-by="status"]').count() == 0
    facts = rows(page, "facts")
    assert facts["Program"][2] == "" and facts["Status"][2] in ("", "same")


def test_unknown_subjects_are_reported(site: str, visit: Visiting) -> None:
    window = visit(site)
    page = window.go("/compare/?program=yc-accelerator,nonsense")
    expect(page.locator("#says")).to_contain_text("“nonsense” is not in this registry.")
    assert names(page) == ["Y Combinator accelerator", "nonsense"]
    assert all(cells[1] == "–" for cells in rows(page, "status").values())
    assert all("404" in fault for fault in window.faults)
    window.faults.clear()
    page = visit(site).go(COUNTRIES)
    page.get_by_label("Add a record, tag or country").fill("qqqq")
    expect(page.get_by_text("Nothing found for “qqqq”.").first).to_be_visible()


def test_values_of_addresses_are_text(site: str, visit: Visiting) -> None:
    window = visit(site)
    page = window.go("/compare/?program=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&location=de")
    expect(page.locator("#says")).to_contain_text("1 is shown.")
    assert names(page)[0] == "<img src=x onerror=alert(1)>"
    window.faults[:] = [f for f in window.faults if "40" not in f]


def test_countries_are_called_and_searched_for_in_the_language(
    german_site: str, visit: Visiting
) -> None:
    page = visit(german_site).go("/compare/?location=de,za")
    wait_for(page, "2 werden verglichen.")
    page.get_by_label("Eintrag, Schlagwort oder Land hinzufügen").fill("staa")
    page.get_by_role("button", name="Vereinigte Staaten").click()
    wait_for(page, "3 werden verglichen.")
    assert names(page) == ["Deutschland", "Südafrika", "Vereinigte Staaten"]
    label, cells = next(iter(rows(page, "status").items()))
    assert label == "Aktiv" and re.fullmatch("\\d+\u00a0% \\d+", cells[2])


def test_a_link_never_shows_the_pair_that_the_page_came_with(site: str, visit: Visiting) -> None:
    page, waiting = visit(site).page, list[Route]()
    page.route("**/api/index/projects/keys/**", lambda route: waiting.append(route))
    page.goto("/compare/?tag_topic=data,hardware")
    expect(page.locator(".waiting")).to_have_text("Counting …")
    expect(page.locator(".versus").first).not_to_be_visible()
    while page.locator("html.asked").count():
        while waiting:
            waiting.pop().continue_()
        page.wait_for_timeout(20)
    expect(page.locator(".versus .name").first).to_have_text("Data")
    expect(page.locator(".waiting")).not_to_be_visible()
