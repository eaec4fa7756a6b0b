"""search.js as published, imported from a plain file host, which cannot answer a query itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.grammar.paths import SEARCH_SCRIPT
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from support import alike, browser
from support.answers import as_in_browsers
from support.engines import node

HERE = Path(__file__).parent


@pytest.fixture(params=["", "/registry"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A build, and its URL on a plain file server."""
    out = alike.build(tmp_path, f"https://example.org{request.param}")
    with browser.served(out, plain=True) as origin:
        yield out, origin + request.param


def test_a_page_of_another_site_can_ask_a_host_of_files(served: tuple[Path, str]) -> None:
    out, url = served
    prefix = Deployment.open(out).grammar.prefix
    targets = [
        "/api/projects?mode=page&q=stack&sort=-year",
        f"{prefix}/api/projects?mode=page&q=%C5%82%C3%B3d%C5%BA",
        "/api/programs?mode=page&kind=program&type=accelerator",
        "/api/projects?mode=page&page=2",
        "/api/projects?mode=page&q=stack&page=77",
        "/api/projects?mode=page&year=1801",
        "/api/projects?limit=5",
        "/api/projects?mode=page&q=stakk",
        "/api/projects/apart",
        "/api/dashboard",
    ]
    options = ("--no-warnings", "--experimental-vm-modules")
    given = {"module": url + SEARCH_SCRIPT, "targets": targets}
    found = node(*options, HERE / "import.mjs", given=given)
    site = Deployment.open(out)
    wanted = [answer("GET", target, site) for target in targets]
    assert {each.status for each in wanted} == {200, 400, 404}
    assert [(a["status"], a["body"].encode()) for a in found] == as_in_browsers(
        [(each.status, each.body) for each in wanted]
    )
