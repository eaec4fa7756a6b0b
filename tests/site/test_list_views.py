"""How the list of a page looks: its rows, views, charts, logos, excerpts, and what a
screen has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from generator.grammar.headers import MEDIA_POLICY
from support import browser as browsers
from support import german, registries
from support.browser import Visit, Visiting
from support.lanes import sample
from support.listing import names, settled
from support.sites import Publish

# --- rows ---


def drawn_rows(window: Visit, path: str) -> tuple[str, str]:
    """The rows of a list as the page has them, and as the script draws them."""
    prepared = window.go(path).locator("#rows").inner_html()
    live = window.go(f"{path}?sort=name")
    expect(live.locator("#said")).not_to_be_empty()
    names(live)
    expect(live.locator("#rows [data-of]")).to_have_count(0)
    # The first row of a letter has an address on the page.
    between = re.compile(r"(?<=>)\s+(?=<)|^\s+|\s+$|(?<=<li) id=\"letter-\w+\"")
    return between.sub("", prepared), between.sub("", live.locator("#rows").inner_html())


LISTS = ("/projects/", "/programs/", "/organizations/")


@pytest.mark.parametrize(
    ("registry", "path"),
    sample(
        [
            ("site", "/projects/"),
            ("german_site", "/projects/"),
            ("german_site", "/organizations/"),
            ("awkward_site", "/programs/"),
        ],
        product(("site", "awkward_site"), LISTS),
    ),
)
def test_rows_drawn_by_the_script_are_those_of_the_page(
    request: pytest.FixtureRequest, visit: Visiting, registry: str, path: str
) -> None:
    """Texts, places, own fields, logos and initials."""
    prepared, drawn = drawn_rows(visit(request.getfixturevalue(registry)), path)
    assert drawn == prepared


def test_values_of_own_fields_are_in_the_language_of_the_page(
    german_site: str, visit: Visiting
) -> None:
    page = visit(german_site).go("/projects/?q=kite")
    said = {key.title(): ", ".join(texts) for key, (_, _, texts) in german.OWN.items()}
    notes = page.locator("#rows .own").first.locator("bdi")
    expect(notes).to_have_text([f"{label}: {text}" for label, text in said.items()])


def test_every_kind_of_logo_is_drawn_and_runs_nothing(german_site: str, visit: Visiting) -> None:
    page = visit(german_site).go("/projects/?q=good+logo")
    pictures = page.locator("#rows .face img")
    expect(pictures).to_have_count(len(german.LOGOS))
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth > 0"), picture.get_attribute("src")
    answer = page.goto(str(pictures.first.get_attribute("src")))
    assert answer is not None
    assert answer.headers["content-security-policy"] == MEDIA_POLICY
    assert page.locator("svg").count() == 1
    assert page.evaluate("self.origin") == "null", "the sandbox gives the picture no origin"


# --- views ---


def choose(page: Page, view: str) -> None:
    if not page.locator(".views").is_visible():
        page.locator("#more > summary").click()
    page.get_by_role("button", name=view, exact=True).click()


def left(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["x"]


def test_the_chosen_view_is_that_of_the_next_list(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    assert page.locator("#results").get_attribute("data-view") == "list"
    choose(page, "Compact")
    expect(page.locator("#rows .notes").first).to_be_hidden()
    page.goto("/programs/?type=accelerator")
    expect(page.locator("#results")).to_have_attribute("data-view", "compact")
    expect(page.get_by_role("button", name="Compact")).to_have_attribute("aria-pressed", "true")
    settled(page)
    assert not page.locator("#rows .chips").first.is_visible()


@pytest.mark.parametrize("path", sample(["/projects/"], LISTS))
def test_a_table_has_the_facts_under_their_heads(site: str, visit: Visiting, path: str) -> None:
    page = visit(site).go(path)
    choose(page, "Table")
    heads = page.locator(".heads > span:visible")
    words = {"/projects/": "Program", "/programs/": "Organization", "/organizations/": "Category"}[
        path
    ]
    assert words in heads.all_inner_texts()
    for kind in ("name", "places", "year"):
        cells = page.locator(f".entries .{kind}")
        head = page.locator(f".heads > .{kind}")
        for cell in (cells.first, cells.last):
            assert abs(left(cell) - left(head)) < 1, kind
    # Nothing is over another thing: the cells of a row are beside each other.
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


#: The columns of a table that are empty, or have no head.
_EMPTY_COLUMNS = """() => [...document.querySelectorAll(".heads > span")]
  .filter(head => head.checkVisibility())
  .filter(head => {
    const kind = head.className === "tags" ? "chips" : head.className
    const cells = [...document.querySelectorAll(`#rows .entries .${kind}`)]
    return !head.textContent || !cells.some(one => one.checkVisibility() && one.textContent)
  })
  .map(head => head.outerHTML)"""
_TABLES = {
    "site": LISTS, "german_site": LISTS[::2], "tools_site": LISTS[::2],
    "investors_site": ["/projects/", "/investors/", "/rounds/"],
}  # fmt: skip


@pytest.mark.parametrize("registry", _TABLES)
def test_a_table_has_no_empty_column_and_each_has_a_head(
    request: pytest.FixtureRequest, visit: Visiting, registry: str
) -> None:
    page = visit(request.getfixturevalue(registry)).page
    for path in _TABLES[registry]:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(path)
        page.locator("#view-table").click()
        for width in (1440, 820, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(_EMPTY_COLUMNS) == [], (path, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_table_names_the_usual_status_too(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?status=active&sort=-year")
    expect(page.locator("#said")).to_have_text(re.compile("^[1-9]"))
    badge = page.locator("#rows .badge").first
    assert not badge.is_visible()
    choose(page, "Table")
    assert badge.is_visible() and badge.inner_text() == "Active"


#: The names that are under something else, and the greatest height of a row, in every view.
_OVERLAPS = """() => {
  const found = []
  const beside = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 3
  for (const view of ['list', 'cards', 'compact', 'table']) {
    document.querySelector(`#view-${view}`).click()
    for (const row of document.querySelectorAll('#rows .entries > li:has(.name)')) {
      const name = row.querySelector('.name').getBoundingClientRect()
      for (const part of row.querySelectorAll('.aside > *')) {
        const box = part.getBoundingClientRect()
        if (!box.width || beside(name, box) || beside(box, name)) continue
        found.push(`${view}: ${row.textContent}`)
      }
      if (row.offsetHeight > 200) found.push(`${view}: ${row.offsetHeight} px: ${row.textContent}`)
    }
  }
  return found
}"""


def test_nothing_is_over_a_name_and_no_name_breaks_into_syllables(
    german_site: str, visit: Visiting
) -> None:
    page = visit(german_site).go("/organizations/")
    assert page.locator("#rows .entries > li").count() > 9  # names alone, in columns
    for width in (1440, 1024, 760, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(_OVERLAPS) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


# --- names that begin alike, and those of other scripts ---

_NAME = "International Institute for Applied Systems Research, Division"
_ALIKE: dict[str, Any] = {
    **{
        f"division-{number}": {
            "name": f"{_NAME} {number}",
            "programs": ["launch-2024"],
            "locations": [{"country": "DE", "region": "BY", "city": "Garmisch-Partenkirchen"}],
        }
        for number in range(4)
    },
    "arabic": {"name": "شركة البرمجيات", "summary": "نحن نصنع البرمجيات للجميع."},
    "tall": {"name": "Tall", "logo": "tall.svg"},
}
_PROGRAM = {"type": "accelerator", "organization": "north-college"}
_TALL = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="28" height="226"><path d="M0 0h9v9"/></svg>'
)


@pytest.fixture(scope="module")
def alike(publish: Publish) -> Iterator[str]:
    content = registries.content(
        projects=_ALIKE,
        programs={
            "launch": {**_PROGRAM, "name": "The Programme for Founders", "kind": "program"},
            "launch-2024": {**_PROGRAM, "name": "The International Programme, Spring 2024",
                            "kind": "cohort", "parent": "launch"},
        },
        events={},
    )  # fmt: skip
    files = {"projects/tall.svg": _TALL}
    with browsers.served(publish("alike", content, files=files)) as origin:
        yield origin


_CUT = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1
  || one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"""


def test_a_phone_shows_all_of_what_tells_a_row_from_another(alike: str, visit: Visiting) -> None:
    page = visit(alike, phone=True).go("/projects/")
    assert page.locator("#rows .notes").count() > 3
    for part in (".name", ".notes", ".notes > span > *"):
        assert page.locator(f"#rows {part}").evaluate_all(_CUT) == []
    choose(page, "Compact")
    assert page.locator("#rows .name").evaluate_all(_CUT) == []


#: Where the text of an element begins, not its box.
_BEGINS = """one => { const range = document.createRange()
  range.selectNodeContents(one)
  return range.getBoundingClientRect().left }"""


@pytest.mark.parametrize("phone", [False, True])
def test_a_name_from_right_to_left_begins_where_the_others_do(
    alike: str, visit: Visiting, phone: bool
) -> None:
    page = visit(alike, phone=phone).go("/projects/")
    rows = page.locator("#rows .entries > li")
    name = rows.filter(has_text="شركة").locator(".name")
    other = rows.filter(has_text="Tall").locator(".name")
    assert abs(name.evaluate(_BEGINS) - other.evaluate(_BEGINS)) < 2
    page.goto("/projects/arabic/")
    assert abs(page.locator("h1").evaluate(_BEGINS) - left(page.locator("h1"))) < 2


def test_a_tall_logo_is_whole(alike: str, visit: Visiting) -> None:
    page = visit(alike).go("/projects/")
    picture = page.locator("#rows .face img")
    frame = picture.locator("xpath=..").bounding_box()
    assert picture.bounding_box() == frame and frame and frame["height"] == frame["width"]


def test_an_empty_box_of_a_dark_page_looks_like_the_other_fields(
    site: str, visit: Visiting
) -> None:
    page = visit(site, dark=True).go("/projects/")
    look = "one => getComputedStyle(one).borderColor + getComputedStyle(one).backgroundColor"
    box = page.locator("#filter-status input[type=checkbox]").first
    assert box.evaluate(look) == page.locator("#q").evaluate(look)


# --- charts ---


Counts = dict[str, int]


def counts(page: Page, query: str) -> Counts:
    """label -> count of the status of projects, from the API."""
    answer: Any = page.request.get(f"/api/projects?mode=count&by=status{query}").json()
    return {one["label"]: one["count"] for one in answer["counts"]["status"]["values"]}


def open_charts(page: Page) -> None:
    page.locator("#overview > summary").click()


def ranked(page: Page, title: str) -> Counts:
    """label -> count of a chart on the page."""
    rows = page.locator("#overview figure").filter(has_text=re.compile(f"^{title}")).locator("li")
    return {
        row.locator("bdi").inner_text(): int(row.locator(".count").inner_text())
        for row in rows.all()
    }


def test_the_charts_are_those_of_the_whole_list_without_another_request(
    site: str, visit: Visiting
) -> None:
    window = visit(site)
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))
    page = window.go("/projects/")
    open_charts(page)
    expect(page.locator("#overview figure")).to_have_count(3)
    assert ranked(page, "Status") == counts(page, "")
    # When nothing else is to be done, the engine and the manifest are read for a later search.
    assert not [url for url in asked if re.search("/api/(?!search.js|index/[a-z]+/manifest)", url)]
    bars = page.locator("#overview .bars")
    assert (bars.get_attribute("aria-label") or "").startswith("From 1981 to 20")


def test_the_charts_follow_what_is_chosen(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/?year=2005..2010")
    open_charts(page)
    expect(page.locator("#overview figure")).to_have_count(3)
    assert ranked(page, "Status") == counts(page, "&year=2005..2010")
    assert page.locator("#overview .bars > span").count() == 6
    assert page.locator("#overview .ends").inner_text().split() == ["2005", "2010"]
    page.locator("#overview").get_by_role("link", name="Acquired").click()
    expect(page).to_have_url(re.compile(r"\?year=2005\.\.2010&status=acquired$"))
    # All records that are left have this status: it has no chart, the others do.
    expect(page.locator("#overview figure")).to_have_count(2)
    assert not ranked(page, "Status")
    page.goto("/projects/?location=us,de")
    expect(page.locator("#overview figure")).to_have_count(2)
    assert not ranked(page, "Location")


def test_a_printed_list_is_as_wide_as_the_paper(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    page.emulate_media(media="print")
    for width in (700, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        box = page.locator("#rows").bounding_box()
        assert box and box["width"] > 0.95 * width
    expect(page.locator("#overview")).to_be_hidden()
    expect(page.locator(".seek")).to_be_hidden()


def test_charts_are_folded_until_they_are_asked_for_and_as_they_were_left(
    site: str, visit: Visiting
) -> None:
    page = visit(site, phone=True).go("/projects/?status=active")
    assert not page.locator("#overview figure").count()
    page.locator("#overview > summary").click()
    expect(page.locator("#overview figure")).to_have_count(2)
    page.goto("/programs/")
    expect(page.locator("#overview figure").first).to_be_visible()
    page.locator("#overview > summary").click()
    page.goto("/projects/")
    expect(page.locator("#overview > summary")).to_be_visible()
    assert page.locator("#overview").get_attribute("open") is None


def test_a_list_that_cannot_be_shown_keeps_no_place_for_charts(site: str, visit: Visiting) -> None:
    window = visit(site)
    page = window.go("/projects/?year=2016..2015")
    expect(page.locator("#rows .title")).to_have_text("Founded cannot be “2016..2015”.")
    expect(page.locator("#overview")).to_be_hidden()
    page.locator("#rows a", has_text="All projects").click()
    open_charts(page)
    expect(page.locator("#overview figure").first).to_be_visible()
    page.goto("/projects/?tag_topic=nothing-of-the-kind")
    expect(page.locator("#rows .title")).to_have_text("No projects found.")
    expect(page.locator("#overview")).to_be_hidden()
    window.faults.clear()  # the page of an unknown value is asked for, and is missing


# --- excerpts of texts that rows do not show, for the words of a search that are in them ---


RECORDS = "/api/projects/slug/"


def test_a_word_in_a_text_that_is_not_shown_has_an_excerpt(site: str, visit: Visiting) -> None:
    window = visit(site)
    read: list[str] = []
    window.context.on("request", lambda request: read.append(request.url))
    page = window.go("/projects/?q=burbn")
    row = page.locator("#rows li", has_text="Instagram")
    expect(row.locator(".snippet mark")).to_have_text("Burbn")
    expect(row.locator(".snippet")).to_contain_text("It grew out of a check-in app called Burbn.")
    assert [url.rpartition("/")[2] for url in read if RECORDS in url] == ["instagram.json"]


def test_only_rows_on_the_screen_are_read(european_site: str, visit: Visiting) -> None:
    window = visit(european_site, viewport={"width": 1280, "height": 500})
    page = window.go("/projects/?q=granite")
    expect(page.locator(".snippet").first).to_have_text("Number 0. Made of granite.")
    page.wait_for_timeout(500)
    assert 0 < page.locator(".snippet").count() < 15
    # Names alone would stand in columns until the first excerpt, and those of both be read.
    assert page.locator(".entries").evaluate("one => getComputedStyle(one).columnCount") == "auto"
    page.locator("#rows .entries > li").last.scroll_into_view_if_needed()
    expect(page.locator("#rows .entries > li").last.locator(".snippet")).to_be_visible()


# --- how much is on a screen ---

_ROWS_IN_VIEW = """() => [...document.querySelectorAll("#rows .entries > li:not(.rest)")]
  .map(row => row.getBoundingClientRect())
  .filter(box => box.height && box.bottom <= innerHeight).length"""
_SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, summary, input, select, label")]
  .filter(one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter(one => !one.matches(".unseen, .skip") && !(one.type === "checkbox"))
  .filter(one => getComputedStyle(one).display !== "inline" && !one.closest(".colophon"))
  .filter(one => { const box = one.getBoundingClientRect()
    return box.height && (box.height < 23.5 || box.width < 23.5) })
  .map(one => one.outerHTML.slice(0, 120))"""


def rows_in_view(page: Page, width: int, height: int) -> int:
    page.set_viewport_size({"width": width, "height": height})
    settled(page)
    rows: int = page.evaluate(_ROWS_IN_VIEW)
    return rows


def test_eight_records_are_on_the_first_screen(shape: str, visit: Visiting) -> None:
    page = visit(shape).go("/")
    links = page.locator(".masthead nav a").evaluate_all("links => links.map(a => a.pathname)")
    for root in {"/projects/", "/programs/"} & set(links):
        path = f"{root}?year=2000.."
        page.goto(path)
        page.wait_for_load_state("networkidle")
        every = page.locator("#rows .entries > li").count()
        assert rows_in_view(page, 1440, 900) >= min(8, every), path
        assert rows_in_view(page, 1024, 768) >= min(4, every), path
        assert page.evaluate("document.documentElement.scrollWidth") <= 1024


def test_three_records_are_on_the_first_screen_of_a_phone(site: str, visit: Visiting) -> None:
    page = visit(site, phone=True).go("/projects/?status=active")
    settled(page)
    assert page.evaluate(_ROWS_IN_VIEW) >= 3
    header, brand = page.locator(".masthead"), page.locator(".brand")
    assert (header.bounding_box() or {})["height"] < 64
    for one in (brand, page.locator("#find-words"), page.locator(".menu")):
        expect(one).to_be_in_viewport()
    assert page.evaluate(_SMALL_TARGETS) == []
    assert not page.locator(".masthead nav").is_visible()
    page.locator(".menu").click()
    page.locator(".masthead nav").get_by_role("link", name="Programs").click()
    page.wait_for_url("**/programs/")


def test_the_menu_of_a_phone_and_its_filters_need_no_script(site: str, visit: Visiting) -> None:
    page = visit(site, phone=True, scripts=False).go("/projects/")
    page.locator(".list-bar [for=filters-open]").click()
    page.locator("#filters-title").wait_for()
    page.get_by_text("Close", exact=True).click()
    assert not page.locator("#filters-title").is_visible()
    page.locator(".list-bar [for=filters-open]").click()
    page.locator("#filter-status a", has_text="Acquired").click()
    page.wait_for_url("**/projects/status/acquired/")
    page.locator(".menu").click()
    page.locator(".masthead nav").get_by_role("link", name="Map").click()
    page.wait_for_url("**/map/")


def test_search_orders_and_views_stay_in_sight(site: str, visit: Visiting) -> None:
    page = visit(site).go("/projects/")
    page.mouse.wheel(0, 3000)
    page.wait_for_function("scrollY > 1000")
    for name in ("#q", "#order", "#view-compact", "#count", "[data-key=csv]", "[data-key=share]"):
        expect(page.locator(name)).to_be_in_viewport(ratio=1)
    page.locator("#rows .name").nth(9).focus()
    top = page.locator("#rows .name").nth(9).bounding_box()
    bar = page.locator(".list-bar").bounding_box()
    assert top is not None and bar is not None and top["y"] >= bar["y"] + bar["height"]
    for name in ("List", "Compact", "Cards", "Table"):
        assert not page.locator("#views").get_by_role("button", name=name).inner_text()
    page.locator("#view-compact").click()
    expect(page.locator("#results")).to_have_attribute("data-view", "compact")


def test_what_is_short_keeps_its_words_on_a_phone(german_site: str, visit: Visiting) -> None:
    page = visit(german_site, phone=True).go("/organizations/")
    settled(page)
    heights = page.locator("#rows .badge").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert heights and max(heights) < 32
    page.goto("/projects/")
    page.locator(".list-bar [for=filters-open]").click()
    year = page.locator("#filter-year[data-name]")
    year.locator("> summary").click()
    first, last = (one.bounding_box() for one in year.locator(".ends > span").all())
    assert first is not None and last is not None and last["x"] - first["x"] > 200
