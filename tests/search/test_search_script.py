"""search.js as published, imported from a plain file host, which cannot answer a query itself."""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.grammar.paths import SEARCH_SCRIPT
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from support import alike, commands, registries
from support.engines import need

HERE = Path(__file__).parent


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """No log."""


@pytest.fixture(params=["", "/registry"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A build, and its URL on a plain file server."""
    host = tmp_path / "host"
    out = host / request.param.strip("/")
    base = f"https://example.org{request.param}"
    registries.write(
        tmp_path / "content", registries.content(alike.content(), registry={"base_url": base})
    )
    host.mkdir(exist_ok=True)
    commands.build(tmp_path / "content", out, "--as-of", commands.TODAY, "--host", "github-pages")
    handler = functools.partial(_Handler, directory=str(host))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield out, f"http://127.0.0.1:{server.server_port}{request.param}"
        server.shutdown()


def test_a_page_of_another_site_can_ask_a_host_of_files(served: tuple[Path, str]) -> None:
    need()
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
        "/api/projects/apart",
        "/api/dashboard",
    ]
    given = json.dumps({"module": url + SEARCH_SCRIPT, "targets": targets})
    command = ["node", "--no-warnings", "--experimental-vm-modules", str(HERE / "import.mjs")]
    run = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    site = Deployment.open(out)
    wanted = [answer("GET", target, site) for target in targets]
    assert {found.status for found in wanted} == {200, 400, 404}
    assert [(a["status"], a["body"].encode()) for a in json.loads(run.stdout)] == [
        (f.status, f.body) for f in wanted
    ]
