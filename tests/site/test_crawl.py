"""Every page of registries of every shape, as files and in a browser: links, valid HTML, size,
accessibility, and nothing wider than the window.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import brotli
import pytest
from playwright.sync_api import Browser, Page, expect

from generator.contract.addresses import page_folders
from generator.features.embed import EMBEDS
from generator.grammar.paths import ASSETS, NOT_FOUND, SEARCH, SEARCH_SCRIPT, SITEMAP
from generator.grammar.routes import routes
from generator.reader.deployment import Deployment
from support import audit, engines, pages
from support.browser import Visit, Visiting
from support.lanes import sample

HERE = Path(__file__).parent
NARROW = {"viewport": {"width": 320, "height": 640}}
#: The most bytes sent to a phone for a page; scripts as hosts with functions send them, by Brotli.
#: Of the scripts of a list 22 KB are search.js, which answers every query.
MOST_HTML, MOST_SCRIPTS, MOST_MAP = 30_000, 30 * 1024, 40_000


class Built(NamedTuple):
    """A build with its pages, and its future base URL."""

    out: Path
    pages: Mapping[str, pages.Html]
    base: str

    @property
    def prefix(self) -> str:
        return urlsplit(self.base).path


def read(out: Path) -> Built:
    grammar = Deployment.open(out).grammar
    origin = re.search(rb"<loc>(https?://[^/<]+)", (out / SITEMAP[1:]).read_bytes())
    return Built(out, pages.read(out), (origin[1].decode() if origin else "") + grammar.prefix)


OTHERS = ("built_awkward", "built_projects", "built_events", "conferences", "tools")
OWN = ("built_investors", "built_papers")
SHAPES = sample(["built_content", "built_prefix", "built_german", *OWN], OTHERS)
VALID = sample(["built_german", *OWN], ["built_prefix", "built_content", *OTHERS])


@pytest.fixture(params=SHAPES)
def built(request: pytest.FixtureRequest) -> Built:
    return read(request.getfixturevalue(request.param))


def broken(built: Built) -> list[str]:
    """Link targets that do not exist."""
    grammar = Deployment.open(built.out).grammar
    return pages.broken(built.out, built.base, {SEARCH, *(r.path for r in routes(grammar))})


def test_every_link_leads_to_a_file_and_every_anchor_to_a_part_of_a_page(built: Built) -> None:
    assert len(built.pages) > 20
    assert sum(len(page.links) for page in built.pages.values()) > 10 * len(built.pages)
    assert broken(built) == []


def test_no_page_has_an_id_twice(built: Built) -> None:
    twice = {
        path: [name for name, count in Counter(page.ids).items() if count > 1]
        for path, page in built.pages.items()
    }
    assert {path: names for path, names in twice.items() if names} == {}


def test_every_page_is_at_the_path_given_to_hosts(built: Built) -> None:
    kinds = Deployment.open(built.out).grammar.kinds
    places = tuple(f"{place}/" for place in (*page_folders(kinds), EMBEDS, ASSETS))
    assert {path for path in built.pages if not path.startswith(places)} == {"/", NOT_FOUND}


def test_a_page_names_its_own_address_and_is_in_the_sitemap(built_prefix: Path) -> None:
    built = read(built_prefix)
    maps = b"".join(file.read_bytes() for file in built.out.glob("sitemap*.xml")).decode()
    listed = set(re.findall(r"<loc>([^<]+)</loc>", maps))
    pages_of_map = {url.removeprefix(built.base) for url in listed if not url.endswith(".xml")}
    assert "/" in pages_of_map and "/projects/" in pages_of_map
    assert pages_of_map <= built.pages.keys()
    for path in pages_of_map:
        canonical = [url for tag, rel, url in built.pages[path].links if rel == "canonical"]
        assert canonical == [built.base + path], path


@pytest.mark.parametrize("built", VALID, indirect=True)
def test_every_page_is_valid_html(built: Built) -> None:
    engines.need("html-validate")
    files = [built.out / pages.file_of(path) for path in pages.telling(built.pages)]
    done = subprocess.run(
        ["node", str(HERE / "valid.mjs")],
        input="\n".join(map(str, files)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    errors = [
        f"{pages.path_of(Path(path), built.out)} line {line}: {rule}: {message}"
        for path, line, rule, message in json.loads(done.stdout)
    ]
    assert errors == [], "\n".join(errors[:50])


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


def test_no_page_is_too_large_for_a_phone(built_content: Path) -> None:
    every = pages.read(built_content)
    weights = {path: weight(built_content, path, page) for path, page in every.items()}
    lists = re.compile(r"/(?:projects|programs|organizations|calendar)/")
    assert {path: html for path, (html, _) in weights.items() if html > MOST_HTML} == {}
    assert sum(1 for path in weights if lists.match(path)) > 100
    assert {path: code for path, (_, code) in weights.items() if code > MOST_SCRIPTS} == {}
    drawn = re.search(
        rb"<svg[^>]*>.*?</svg>", (built_content / "map/index.html").read_bytes(), re.S
    )
    assert drawn is not None and 1_000 < len(gzip.compress(drawn[0])) < MOST_MAP


# --- in a browser ---


class Reader(NamedTuple):
    """How a reader looks at pages: options of `visit`, and checks."""

    options: dict[str, Any]
    axe: bool = False
    thin: bool = False
    keyboard: bool = False


READERS = {
    "desktop": Reader({}, axe=True, keyboard=True),
    "phone": Reader({"phone": True, "dark": True, **NARROW}, axe=True, thin=True),
    "no-scripts": Reader({"phone": True, "scripts": False, **NARROW}),
}


@pytest.mark.parametrize(
    ("registry", "reader", "part"),
    sample(
        [("german", "phone", 4), ("content", "no-scripts", 1)],
        [
            ("plain", "desktop", 1),
            *product(("content", "projects", "events", "german"), READERS, (1,)),
            *product(("tools", "conferences", "investors", "papers"), ("desktop", "phone"), (1,)),
        ],
    ),
)
def test_pages_have_no_fault(
    visit: Visiting, registry: str, reader: str, part: int, request: pytest.FixtureRequest
) -> None:
    """A few pages that together have every kind of element; every `part`th of them."""
    look = READERS[reader]
    origin, out = {
        "content": ("site", "built_content"),
        "plain": ("plain_site", "built_content"),
        "tools": ("tools_site", "tools"),
        "conferences": ("conferences_site", "conferences"),
    }.get(registry, (f"{registry}_site", f"built_{registry}"))
    window = visit(request.getfixturevalue(origin), **look.options)
    faults: list[str] = []
    for path in pages.telling(pages.read(request.getfixturevalue(out)))[::part]:
        page = window.go(path, "idle" if registry == "plain" else "load")
        # What is being fetched is dimmed.
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        faults += audit.overflow(page)
        if look.keyboard:
            faults += audit.unseen_stops(page)
        if look.axe:
            faults += audit.violations(page, thin=look.thin)
            page.emulate_media(color_scheme="light" if "dark" in look.options else "dark")
            faults += audit.violations(page, "colours", thin=True)
            page.emulate_media(color_scheme="dark" if "dark" in look.options else "light")
    assert faults == [], "\n\n".join(faults)


def open_the_search_box(page: Page) -> None:
    page.goto("/")
    page.locator("#find-words").focus()
    expect(page.locator("#find-words")).to_have_attribute("role", "combobox")
    page.locator("#find-words").fill("nigeria")
    expect(page.locator("#find-found [role=option]", has_text="Country · ").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    box = page.locator("#find-found").bounding_box()
    assert box is not None and box["x"] >= 0


def choose_a_view(page: Page, view: str) -> None:
    page.goto("/projects/?location=us")
    if not page.locator(".views").is_visible():  # on a phone they are in a menu
        page.locator("#more > summary").click()
    page.get_by_role("button", name=view, exact=True).click()


STATES = ("search box", "Table", "Cards", "Compact")


@pytest.mark.parametrize(
    ("state", "phone"),
    sample([("search box", True)], product(STATES, (True, False))),
)
def test_what_a_reader_opens_is_accessible_and_fits(
    visit: Visiting, site: str, state: str, phone: bool
) -> None:
    page = visit(site, phone=phone, dark=phone).page
    if state == "search box":
        open_the_search_box(page)
    else:
        choose_a_view(page, state)
    assert audit.violations(page) + audit.overflow(page) == []


#: What is wrong with a page that the windows of all tests report.
WRONG = """async () => {
  console.error("a bug");
  document.body.setAttribute("style", "color: red");
  for (const where of ["/api/nothing.json", "http://other.invalid/"])
    await fetch(where).catch(() => {});
  alert("hello");
  setTimeout(() => { throw new Error("uncaught") });
  await new Promise(done => setTimeout(done, 50));
}"""


def test_every_fault_is_reported(browser: Browser, awkward_site: str) -> None:
    window = Visit(browser, awkward_site)
    window.go("/404.html").evaluate(WRONG)
    faults = "\n".join(window.faults)
    window.close()
    for fault in (
        *("error at", "a bug", "uncaught", "dialog at", "hello", "policy at"),
        *("style-src-attr: inline", "connect-src: http://other.invalid/"),
        *("status of 404 (Not Found) (", "/api/nothing.json)"),
    ):
        assert fault in faults, faults
