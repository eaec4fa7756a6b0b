"""The development server serves the site like a host, and shows an editor each save and its
problems at once.
"""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from generator.grammar import headers
from support import browser as browsers
from support import registries
from support.commands import lacking
from support.serving import SECONDS, serving

RECORD = "/projects/aurora-grid/"
PROBLEMS = "#registry-problems"


class Staying(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def get(url: str) -> tuple[int, Message, bytes]:
    """The answer without following redirects."""
    try:
        with urllib.request.build_opener(Staying).open(url, timeout=SECONDS) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


@pytest.fixture(scope="module", params=["", "/registry"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of the site of a small registry, with and without a path before it."""
    folder, prefix = tmp_path_factory.mktemp("served"), request.param
    base = {"base_url": f"https://registry.example{prefix}"} if prefix else {}
    registries.write(folder / "content", registries.content(registry=base))
    with serving(folder) as origin:
        assert f"at {origin}{prefix}/: the site, and the API" in (folder / "said").read_text()
        yield origin + prefix


@pytest.mark.parametrize("path", ["", "/projects", "/docs/api", RECORD.rstrip("/")])
def test_a_page_without_its_slash_redirects(served: str, path: str) -> None:
    assert get(f"{served}{path}/")[0] == 200
    if path:
        status, given, body = get(f"{served}{path}?q=a%20b")
        prefix = served.partition("//")[2].partition("/")[2]
        assert (status, body) == (308, b"")
        assert given["Location"] == f"{'/' + prefix if prefix else ''}{path}/?q=a%20b"


@pytest.mark.parametrize("path", ["/nothing", "/projects/nobody", "/projects/nobody/", "/docs"])
def test_a_missing_page_is_reported_by_a_page_of_the_site(served: str, path: str) -> None:
    status, given, body = get(served + path)
    assert (status, given["Content-Type"]) == (404, headers.MEDIA_TYPES["html"])
    assert b"<main" in body and b"/assets/" in body


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/projects/page", "/api/projects/page/"])
def test_folders_of_the_api_are_not_pages(served: str, path: str) -> None:
    assert get(served + path)[:1] == (404,)


def test_files_have_their_types_and_pages_their_policy(served: str) -> None:
    status, given, page = get(f"{served}/")
    assert (status, given["Content-Type"]) == (200, headers.MEDIA_TYPES["html"])
    assert given["Content-Security-Policy"] == headers.POLICY
    linked = {part.partition(b'"')[0].decode() for part in page.split(b'="')[1:]}
    kinds = {
        path.rpartition(".")[2]: path for path in linked if path[:1] == "/" and "/assets/" in path
    }
    assert {"css", "svg"} <= set(kinds)
    origin = "/".join(served.split("/")[:3])
    for ending, path in kinds.items():
        status, given, _ = get(origin + path)
        assert (status, given["Content-Type"]) == (200, headers.MEDIA_TYPES[ending])


def test_an_editor_sees_each_save_and_its_problems(tmp_path: Path) -> None:
    """An open page in a browser reloads by itself."""
    registries.write(tmp_path / "content")
    record = tmp_path / "content" / "projects" / "aurora-grid.yaml"
    text = record.read_text()
    try:
        with browsers.launched() as browser, serving(tmp_path, reload=True) as origin:
            window = browsers.Visit(browser, origin)
            page = window.page
            page.goto(origin + RECORD)
            heading = page.locator("h1")
            assert heading.inner_text() == "Aurora Grid"
            record.write_text(text.replace("Aurora Grid", "Aurora <b>Grid</b> & Co"))
            page.wait_for_selector("h1:has-text('Co')")
            assert heading.inner_text() == "Aurora <b>Grid</b> & Co"

            record.write_text(text.replace('"name"', '"colour": "blue", "name"', 1))
            page.wait_for_selector(PROBLEMS)
            problems = page.inner_text(PROBLEMS)
            assert "1 error in the content." in problems and "last good build" in problems
            assert (
                "aurora-grid.yaml:" in problems
                and "unknown-field" in problems
                and "colour" in problems
            )
            page.goto(f"{origin}/projects/")
            assert page.locator(PROBLEMS).count() == 1

            record.write_text(text)
            page.wait_for_selector(PROBLEMS, state="detached")

            own = tmp_path / "templates" / "site"
            own.mkdir(parents=True)
            (own / "home.md").write_text("Kept by the *harbour* office.")
            page.goto(f"{origin}/")
            page.wait_for_selector("main em:text('harbour')")
            assert window.faults == []
            window.close()
    except LookupError as error:
        lacking(str(error))
