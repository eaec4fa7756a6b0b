"""Each kind of page for different readers: no faults, nothing wider than a phone, static content on
a plain file host without scripts, and the size of each page.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import brotli
import pytest

from generator.grammar.paths import SEARCH_SCRIPT
from support import pages
from support.browser import Visiting

NARROW = {"viewport": {"width": 320, "height": 640}}
#: The most bytes sent to a phone for a page, compressed.
#: Compressed bytes; scripts as hosts with functions send them, by Brotli.
MOST_HTML, MOST_SCRIPTS, MOST_MAP = 30_000, 30 * 1024, 40_000


@pytest.fixture(scope="module")
def every(built_content: Path) -> Mapping[str, pages.Html]:
    return pages.read(built_content)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_page_is_as_wide_as_a_small_phone_and_nothing_fails(
    visit: Visiting, site: str, every: Mapping[str, pages.Html], scripts: bool, dark: bool
) -> None:
    window = visit(site, phone=True, scripts=scripts, dark=dark, **NARROW)
    wide = {}
    for path in pages.telling(every):
        width = window.go(path, "load").evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide[path] = width
    assert wide == {}


def test_pages_work_on_a_host_of_plain_files(
    visit: Visiting, plain_site: str, every: Mapping[str, pages.Html]
) -> None:
    window = visit(plain_site)
    for path in pages.telling(every):
        window.go(path)


def test_a_missing_page_is_reported_in_the_style_of_the_site(visit: Visiting, site: str) -> None:
    window = visit(site)
    answer = window.page.goto(f"{site}/projects/nobody/", wait_until="networkidle")
    assert answer is not None and answer.status == 404
    assert window.page.locator("main h1").count() == 1
    assert window.page.locator("header a[href='/']").count() >= 1
    # The browser itself reports every answer with status 404.
    assert window.faults and all("404" in fault for fault in window.faults)
    window.faults.clear()


def test_a_page_without_scripts_links_to_values_pages_and_records(
    visit: Visiting, site: str
) -> None:
    page = visit(site, scripts=False).go("/projects/")
    page.locator("#filters a[href*='/projects/tag-topic/']").first.click(force=True)
    page.wait_for_url("**/projects/tag-topic/**")
    page.go_back()
    page.locator("a[rel=next]").first.click()
    page.wait_for_url("**/projects/page/2/")
    page.locator("main h2 a, main h3 a, main .row a, main li a").first.click()
    page.wait_for_url(lambda url: not url.endswith("/page/2/"))
    assert page.locator("h1").count() == 1


def weight(out: Path, path: str, page: pages.Html) -> tuple[int, int]:
    """The compressed bytes of a page's HTML and scripts, including search.js if the page queries
    the API.
    """
    html = (out / pages.file_of(path)).read_bytes()
    scripts = {link for tag, _, link in page.links if tag == "script"}
    scripts |= {link for _, rel, link in page.links if "modulepreload" in rel}
    if any(b"search.js" in (out / link[1:]).read_bytes() for link in scripts):
        scripts.add(SEARCH_SCRIPT)
    return len(gzip.compress(html)), sum(compressed_size(out / link[1:]) for link in scripts)


@cache
def compressed_size(script: Path) -> int:
    return len(brotli.compress(script.read_bytes()))


def test_no_page_is_too_large_for_a_phone(
    built_content: Path, every: Mapping[str, pages.Html]
) -> None:
    weights = {path: weight(built_content, path, page) for path, page in every.items()}
    lists = re.compile(r"/(?:projects|programs|organizations|calendar)/")
    assert {path: html for path, (html, _) in weights.items() if html > MOST_HTML} == {}
    assert sum(1 for path in weights if lists.match(path)) > 100
    assert {path: code for path, (_, code) in weights.items() if code > MOST_SCRIPTS} == {}
    drawn = re.search(
        rb"<svg[^>]*>.*?</svg>", (built_content / "map/index.html").read_bytes(), re.S
    )
    assert drawn is not None and 1_000 < len(gzip.compress(drawn[0])) < MOST_MAP
