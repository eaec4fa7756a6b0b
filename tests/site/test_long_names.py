"""Long names in lists, long German labels beside facts, and names from right to left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from support import browser as browsers
from support import registries
from support.browser import Visiting
from support.sites import Publish

LONG = "Gesellschaft zur Förderung der Erneuerung von Anlagen für Wärme und Strom in " * 2
ARABIC = "شركة الطاقة"
#: Labels of own fields: each of one word.
LABELS = ("Förderprogramm", "Wirtschaftszweig", "Unternehmensform")
WIDTHS = (390, 820, 1440)


@pytest.fixture(scope="module")
def named(publish: Publish) -> Iterator[str]:
    fields = {f"f{n}": {"label": label, "type": "text"} for n, label in enumerate(LABELS)}
    values = dict.fromkeys(fields, "Förderprogramm")
    content = registries.content(
        registry={"language": "de", "fields": {"projects": fields}},
        projects={
            "long": {"name": LONG.strip(), "fields": values, "summary": "Wärme für alle."},
            "arabic": {"name": ARABIC, "summary": "Strom."},
            **{f"p-{n:02}": {"name": f"P {n}", "summary": "Strom."} for n in range(40)},
        },
    )
    with browsers.served(publish("long-names", content)) as origin:
        yield origin


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("view", ["detailed", "compact", "cards", "table"])
def test_a_long_name_in_a_list_is_not_cut(
    named: str, visit: Visiting, width: int, view: str
) -> None:
    page = visit(named, viewport={"width": width, "height": 900}).go("/projects/")
    page.locator("#results").evaluate("(results, view) => { results.dataset.view = view }", view)
    name = page.locator("#rows .name", has_text="Gesellschaft")
    expect(name).to_be_visible()
    shown = name.evaluate(
        "e => [e.scrollWidth <= e.clientWidth + 1, e.scrollHeight <= e.clientHeight + 2,"
        " getComputedStyle(e).textOverflow]"
    )
    assert shown == [True, True, "clip"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("media", ["screen", "print"])
def test_a_word_of_a_label_or_a_value_is_in_one_line(
    named: str, visit: Visiting, width: int, media: str
) -> None:
    page = visit(named, viewport={"width": width, "height": 900}).go("/projects/long/")
    page.emulate_media(media="print" if media == "print" else "screen")
    lines = page.locator(".side .facts :is(dt, dd), .text .facts :is(dt, dd)").evaluate_all(
        """all => all.map(one => { const range = document.createRange()
        range.selectNodeContents(one)
        const tops = [...range.getClientRects()].map(box => box.top)
        return [one.textContent, new Set(tops).size] })"""
    )
    assert {text: number for text, number in lines if text in LABELS} == dict.fromkeys(LABELS, 1)


def test_a_name_from_right_to_left_begins_where_the_others_do(named: str, visit: Visiting) -> None:
    page = visit(named).go("/projects/")
    left = {
        text: page.locator("#rows .name", has_text=text).evaluate(
            "e => { const range = document.createRange(); range.selectNodeContents(e);"
            " return range.getBoundingClientRect().left }"
        )
        for text in (ARABIC, "P 10")
    }
    assert left[ARABIC] == pytest.approx(left["P 10"], abs=2)
    head = visit(named).go("/projects/arabic/").locator("h1")
    expect(head).to_have_css("text-align", "left")
