"""Records whose texts look like scripts, elements and script addresses stay plain text on every
page and in a browser.

The same registry is built twice, once with plain words instead of each hostile text.  The pages of
both have the same elements with the same attributes in the same order, so every element comes from
a template.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from generator.site.theme import Theme
from support import browser as browsers
from support import hostile, markup, pages
from support.browser import Visiting
from support.sites import Publish

PREFIX = urlsplit(hostile.BASE).path
NARROW = {"viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def built(publish: Publish) -> Path:
    return publish("hostile", hostile.content(hostile.Words(plain=False)))


@pytest.fixture(scope="module")
def hostile_site(built: Path) -> Iterator[str]:
    with browsers.served(built) as origin:
        yield f"{origin}{PREFIX}"


@functools.cache
def parsed(out: Path) -> Mapping[str, markup.Page]:
    """path -> page."""
    return {
        path.relative_to(out).as_posix(): markup.parse(path.read_bytes())
        for path in sorted(out.rglob("*.html"))
    }


def skeleton(page: markup.Page) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The structure of a page without the links in descriptions, which CommonMark allows."""
    link = ("a", ("section", "div", "p"), ("href", "class", "rel"))
    return [one for one in page.skeleton if (one[0], one[1][-3:], one[2]) != link]


def test_no_page_has_an_element_or_an_attribute_that_its_template_did_not_write(
    built: Path, publish: Publish
) -> None:
    found, wanted = (
        parsed(built),
        parsed(publish("plain-words", hostile.content(hostile.Words(plain=True)))),
    )
    assert len(found) > 60
    # The name of a place is in the addresses of its lists, which are not pages.
    assert list(found) == list(wanted)
    for path, page in found.items():
        assert skeleton(page) == skeleton(wanted[path]), path


def test_every_link_leads_to_a_page(built: Path) -> None:
    file = r"data:text/calendar;charset=utf-8,BEGIN%3AVCALENDAR[\w.~%-]*$"  # quoted as a whole
    leads = re.compile(rf"(https?|webcal)://|/data/|#|mailto:|{file}", re.ASCII).match
    attributes = ("href", "src", "action", "formaction", "xlink:href", "data", "poster", "srcset")
    for path, page in parsed(built).items():
        for element in page.elements:
            for name in attributes:
                address = element.attributes.get(name)
                assert address is None or leads(address), (path, address)
            assert not any(name.startswith("on") for name in element.attributes), path
            assert "style" not in element.attributes, path


def test_scripts_are_files_or_json(built: Path) -> None:
    for path, each in parsed(built).items():
        for script in each.all("script"):
            if script.attributes.get("type") in ("application/json", "application/ld+json"):
                json.loads(script.text)
            else:
                is_early = script.text == Theme("en").early  # the policy has its digest
                assert is_early or script.attributes["src"].startswith("/data/"), path
                assert is_early or not script.text, path


def test_the_sitemap_and_the_drawings_are_xml(built: Path) -> None:
    for path in [*built.rglob("*.xml"), *built.rglob("*.svg"), *built.rglob("*.atom")]:
        ElementTree.fromstring(path.read_bytes())
    (drawn,) = (built / "assets").glob("card-*.png")
    assert drawn.read_bytes().startswith(b"\x89PNG")


def test_the_words_reach_the_pages(built: Path) -> None:
    """Otherwise the tests above would prove nothing."""
    every: Callable[[str], bool] = " ".join(
        page.one("main").text for page in parsed(built).values()
    ).__contains__
    assert [text for text in hostile.HOSTILE if not every(text)] == []


@pytest.mark.slow
def test_texts_of_records_stay_text_and_fit_a_phone(
    visit: Visiting, hostile_site: str, built: Path
) -> None:
    every = pages.read(built)
    records = [path for path in every if path.startswith("/projects/project-")]
    assert len(records) > 10
    window = visit(hostile_site, phone=True, **NARROW)
    wide = {}
    for path in dict.fromkeys([*pages.telling(every), *records]):
        page = window.go(path, "load")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide[path] = width
        assert page.evaluate("document.querySelectorAll('[onerror], [onload]').length") == 0
    assert wide == {}


def test_texts_of_records_drawn_by_scripts_stay_text(visit: Visiting, hostile_site: str) -> None:
    window = visit(hostile_site, phone=True, **NARROW)
    for query in ("script", "alert", "raw", "onload", "%3Cscript%3E"):
        page = window.go(f"/projects/?q={query}")
        page.wait_for_selector("#state, [role=status]", state="attached")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, query
        assert page.evaluate("document.querySelectorAll('main img, main style').length") == 0
