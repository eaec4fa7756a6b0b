"""Logos on pages, initials in their place, and a logo that somebody opens in a tab of its own."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from generator.grammar.headers import MEDIA_POLICY
from support import browser as browsers
from support import commands, part
from support.browser import Visiting
from support.logos import add_logos
from support.malicious_svg import GOOD
from support.once import once

NAMED = ("airbnb", "y-combinator", "zipline")
LOGO = re.compile(r"/media/[0-9a-f]{32}\.svg")


def build(folder: Path) -> Path:
    content = folder / "content"
    part.copy(content, *NAMED, one_in=6)
    with (content / "registry.yaml").open("a") as settings:
        settings.write("\nbase_url: https://registry.example\n")
    shutil.rmtree(content / "events")
    assert add_logos(content) > 20
    for number, raw in enumerate(GOOD.values()):
        (content / f"projects/good-{number}.svg").write_bytes(raw)
        (content / f"projects/good-{number}.yaml").write_text(
            f"name: A good logo {number}\nlogo: good-{number}.svg\n"
        )
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "built-logos", build)


@pytest.fixture(scope="module")
def with_logos(built: Path) -> Iterator[str]:
    with browsers.served(built) as origin:
        yield origin


def first_page(built: Path, collection: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads((built / f"api/{collection}/page/1.json").read_bytes())[
        "data"
    ]
    return rows


@pytest.mark.parametrize("scripts", [False, True])
@pytest.mark.parametrize("collection", ["projects", "organizations"])
def test_rows_have_the_logo_or_initials(
    with_logos: str, visit: Visiting, built: Path, collection: str, scripts: bool
) -> None:
    page = visit(with_logos, scripts=scripts).go(f"/{collection}/")
    for row in first_page(built, collection)[:10]:
        entry = page.locator(
            "#rows .entries > li", has=page.get_by_role("link", name=row["name"], exact=True)
        )
        picture = entry.first.locator(".face img")
        if row["logo"]:
            expect(picture).to_have_attribute("src", row["logo"])
            expect(picture).to_have_attribute("alt", "")
            expect(picture).to_have_attribute("loading", "lazy")
        else:
            expect(picture).to_have_count(0)
            expect(entry.first.locator(".face")).to_have_text(re.compile(r"^[\w]{1,2}$"))


def test_the_script_of_lists_makes_the_same_marks_as_the_build(
    with_logos: str, visit: Visiting
) -> None:
    def marks(address: str, rows: int, scripts: bool) -> list[str]:
        page = visit(with_logos, scripts=scripts).go(address)
        expect(page.locator("#rows .face")).to_have_count(rows)
        return [mark.evaluate("e => e.outerHTML") for mark in page.locator("#rows .face").all()]

    searched = marks("/projects/?q=good+logo", len(GOOD), scripts=True)
    prepared = marks("/projects/", 10, scripts=False)
    assert set(searched) <= set(prepared)


def test_every_kind_of_logo_is_drawn_and_breaks_no_policy(with_logos: str, visit: Visiting) -> None:
    page = visit(with_logos, scripts=False).go("/projects/")
    pictures = page.locator("#rows .face img")
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth > 0"), picture.get_attribute("src")


def test_a_record_page_has_its_logo_and_says_so_to_search_engines(
    with_logos: str, visit: Visiting, built: Path
) -> None:
    row = next(row for row in first_page(built, "organizations") if row["logo"])
    page = visit(with_logos).go(f"/organizations/{row['slug']}/")
    picture = page.locator("header .face.large img")
    expect(picture).to_have_attribute("src", row["logo"])
    graph = json.loads(page.locator("script[type='application/ld+json']").inner_text())["@graph"]
    assert graph[0]["logo"] == f"https://registry.example{row['logo']}"
    assert LOGO.fullmatch(row["logo"])


def test_a_logo_opened_alone_runs_nothing(with_logos: str, visit: Visiting, built: Path) -> None:
    row = next(row for row in first_page(built, "projects") if row["logo"])
    page = visit(with_logos).page
    answer = page.goto(with_logos + row["logo"])
    assert answer is not None
    assert answer.headers["content-security-policy"] == MEDIA_POLICY
    assert page.locator("svg").count() == 1
    assert page.evaluate("self.origin") == "null", "the sandbox gives the picture no origin"


def test_a_registry_without_logos_has_no_pictures_of_records(built_content: Path) -> None:
    for page in ("projects", "organizations", "organizations/y-combinator"):
        assert '="/media/' not in (built_content / page / "index.html").read_text("utf-8")
