"""Records whose texts look like scripts, elements and script addresses: in a browser they stay
plain text, and none is wider than a phone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support import browser as browsers
from support import commands, hostile, pages, registries
from support.browser import Visiting

PREFIX = urlsplit(hostile.BASE).path
NARROW = {"viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    content = registries.write(folder / "content", hostile.content(hostile.Words(plain=False)))
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


@pytest.fixture(scope="module")
def hostile_site(built: Path) -> Iterator[str]:
    with browsers.served(built) as origin:
        yield f"{origin}{PREFIX}"


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
