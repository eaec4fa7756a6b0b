"""Charts and lists that other sites embed, and the snippets to copy for them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.browser import Visiting
from support.lanes import sample

LINE = re.compile(
    r'<iframe src="https?://[^/"]+/embed/([a-z-]+)/" title="[^"]+" width="100%"'
    r' height="\d+" loading="lazy"></iframe>'
)
CLIMATE = "/embed/list/?collection=projects&tag_topic=climate"


def charts(built: Path) -> list[str]:
    return sorted(path.parent.name for path in built.glob("embed/*/index.html"))


@pytest.mark.parametrize("plain", sample([False], [True]))
def test_a_list_has_the_matching_records_and_links_to_all_of_them(
    site: str, plain_site: str, visit: Visiting, plain: bool
) -> None:
    window = visit(plain_site if plain else site)
    page = window.go(CLIMATE)
    expect(page.get_by_role("link", name="All 9 projects")).to_have_attribute(
        "href", "/projects/tag-topic/climate/"
    )
    answer = page.request.get(f"{site}/api/projects?mode=page&tag_topic=climate").json()
    assert page.locator("#rows .name").all_inner_texts() == [r["name"] for r in answer["data"]]
    window.go("/embed/list/?collection=projects&location=us&year=2010..2012&sort=-year")
    link = page.get_by_role("link", name=re.compile(r"All \d+ projects"))
    expect(link).to_have_attribute("href", "/projects/?location=us&year=2010..2012&sort=-year")
    expect(page.locator("#rows > li")).to_have_count(10)


def test_the_snippet_to_copy_is_of_the_present_list(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/tag-topic/climate/")
    page.locator("#more > summary").click()
    page.get_by_text("Embed", exact=True).click()
    line = page.locator(".offer code")
    expect(page.locator(".offer").get_by_role("button", name="Copy")).to_be_visible()
    before = line.inner_text()
    assert before.startswith(f'<iframe src="{site}/embed/list/?collection=projects')
    page.locator("#q").fill("heat & light")
    expect(line).to_contain_text(
        '/embed/list/?collection=projects&q=heat+%26+light&tag_topic=climate"'
    )
    page.locator("#q").fill("")
    expect(line).to_have_text(before)


def test_an_unknown_list_is_reported(site: str, visit: Visiting) -> None:
    page = visit(site).go("/embed/list/?collection=nothing")
    expect(page.locator("#says")).to_contain_text("Choose one of: events, organizations")
    page.goto("/embed/list/?collection=projects&colour=red")
    expect(page.locator("#says")).to_contain_text("colour")


def test_the_snippets_to_copy_link_to_pages(
    site: str, visit: Visiting, built_content: Path
) -> None:
    page = visit(site).go("/")
    page.get_by_text("Embed", exact=True).click()
    lines = page.locator(".offer code").all_inner_texts()
    names = [LINE.fullmatch(line) for line in lines]
    assert sorted(name[1] for name in names if name) == [
        name for name in charts(built_content) if name not in ("list", "tag-support")
    ]
    page = visit(site).go("/projects/tag-topic/climate/")
    page.locator("#more > summary").click()
    page.get_by_text("Embed", exact=True).click()
    assert f'{CLIMATE}"' in page.locator(".offer code").inner_text()
