"""Hostile texts of records, on every page of the site.

The same registry is built twice, once with plain words instead of each hostile text.  The pages of
both have the same elements with the same attributes in the same order, so every element comes from
a template.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from generator.site.fields import external_link
from generator.site.theme import Theme
from support import commands, markup, registries
from support.hostile import HOSTILE, Words, content


def build(folder: Path, plain: bool) -> Path:
    content_folder = registries.write(folder / "content", content(Words(plain)))
    return commands.build(content_folder, folder / "out", "--as-of", commands.TODAY, site=True)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("hostile"), plain=False)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("plain"), plain=True)


def pages(out: Path) -> dict[str, markup.Page]:
    return {
        path.relative_to(out).as_posix(): markup.parse(path.read_bytes())
        for path in sorted(out.rglob("*.html"))
    }


def test_no_page_has_an_element_or_an_attribute_that_its_template_did_not_write(
    hostile: Path, plain: Path
) -> None:
    found, wanted = pages(hostile), pages(plain)
    assert len(found) > 60
    # The name of a place is in the addresses of its lists, which are not pages.
    assert list(found) == list(wanted)
    for path, page in found.items():
        assert page.skeleton == wanted[path].skeleton, path


def test_every_link_leads_to_a_page(hostile: Path) -> None:
    leads = re.compile(r"(https?|webcal)://|/data/|#|mailto:").match
    attributes = ("href", "src", "action", "formaction", "xlink:href", "data", "poster", "srcset")
    for path, page in pages(hostile).items():
        for element in page.elements:
            for name in attributes:
                address = element.attributes.get(name)
                assert address is None or leads(address), (path, address)
            assert not any(name.startswith("on") for name in element.attributes), path
            assert "style" not in element.attributes, path


def test_json_in_pages_has_the_data_of_records(hostile: Path) -> None:
    record = json.loads((hostile / "api/projects/slug/project-02.json").read_bytes())["data"]
    page = pages(hostile)["projects/project-02/index.html"]
    assert page.things["Organization"]["name"] == record["name"]
    assert page.meta("og:title") == record["name"]
    assert page.meta("description") == record["summary"]
    assert page.one("h1").text == record["name"]
    for path, each in pages(hostile).items():
        for script in each.all("script"):
            if script.attributes.get("type") in ("application/json", "application/ld+json"):
                json.loads(script.text)
            else:
                is_early = script.text == Theme("en").early  # the policy has its digest
                assert is_early or script.attributes["src"].startswith("/data/"), path
                assert is_early or not script.text, path


def test_texts_in_another_direction_are_isolated(hostile: Path) -> None:
    """A name in another direction is in an element of its own."""
    page = pages(hostile)["projects/project-02/index.html"]
    assert page.one("h1").attributes["dir"] == "auto"
    turned = [
        element
        for element in page.elements
        if "עברית" in element.text and element.tag in ("a", "dd", "li")
    ]
    for element in turned:
        inner = [e for e in page.elements if "עברית" in e.text and element.tag in e.within]
        assert "dir" in element.attributes or any(
            e.tag == "bdi" or e.attributes.get("dir") == "auto" for e in inner
        )


def test_the_sitemap_and_the_drawings_are_xml(hostile: Path) -> None:
    for path in [*hostile.rglob("*.xml"), *hostile.rglob("*.svg"), *hostile.rglob("*.atom")]:
        ElementTree.fromstring(path.read_bytes())
    (drawn,) = (hostile / "assets").glob("card-*.png")
    assert drawn.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt://x.example/%0aalert(1)", "data:text/html,<b>",
     "//x.example", "https://x.example/ x", "https://x.example/\u202e", "ftp://x.example",
     " https://x.example"],
)  # fmt: skip
def test_an_address_of_another_scheme_is_only_text(address: str) -> None:
    html = external_link(address)
    assert (html.elsewhere, html.href) == ("", "")


def test_the_words_reach_the_pages(hostile: Path) -> None:
    """Otherwise the tests above would prove nothing."""
    every: Callable[[str], bool] = " ".join(
        page.one("main").text for page in pages(hostile).values()
    ).__contains__
    assert [text for text in HOSTILE if not every(text)] == []
