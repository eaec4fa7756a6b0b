"""A feature answers addresses of the query tier, and calls of agents."""

from __future__ import annotations

import contextlib
import json
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support import registries
from support.installed import House, distribute, installed
from support.serving import Server

ROUTES = '''"""The address of the number of stars."""

from generator.grammar.routes import Service
from generator.outputs.openapi import response


def services(grammar):
    yield Service(("/api/stars",), "/api/stars", ("/api/stars",))


def operations(grammar):
    answers = response("The number.", "text/plain", {"type": "string"})
    about = {"operationId": "stars", "tags": ["queries"], "summary": "The number of stars"}
    yield "/api/stars", {"get": {**about, "responses": answers}}
'''
EDGE = """
const paths = ['/api/stars']

async function answer({ path, query, form }, registry) {
  if (query === 'of=nobody') throw registry.problem('not-found', 'Nobody has stars.')
  const { total_items: projects } = await registry.ask('/api/projects?mode=count')
  const index = await registry.read('/api/index.json')
  return { path, query, form, projects, index: index.length > 0 }
}

const tools = {
  async stars({ of }, registry) {
    if (of === 'nobody') throw registry.problem('not-found', 'Nobody has stars.', ['Acme'])
    const { data } = await registry.ask(`/api/projects/${of}`)
    return { data: `${data.name} has 5 stars`, next: null }
  },
}

edge.add({ paths, forms: 100, answer, tools })
"""
TOOLS = '''"""The tool that counts stars."""

from generator.agent import inputs
from generator.agent.tools import Tool


def tools(grammar):
    schema = inputs.arguments({"of": inputs.TEXT}, required=["of"])
    yield "get_record", Tool("stars", "Stars", "Counts stars.", schema, {"": "/api/stars"}, {})

'''


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return installed(tmp_path, {"routes.py": ROUTES, "tools.py": TOOLS, "edge.js": EDGE})


def test_an_address_of_a_feature_is_answered_and_described(house: House) -> None:
    house.run("build", "--as-of", "2026-06-01", "--host", "netlify")
    paths: Any = house.data("api/openapi.json")["paths"]
    assert paths["/api/stars"]["get"]["operationId"] == "stars"
    assert "/api/stars" in (house.folder / "build/_redirects").read_text()
    with Server(house.folder, program=(sys.executable, "-m", "generator")).running() as server:
        answered = server.get("/api/stars?of=acme")
        about = {"path": "/api/stars", "projects": 1, "index": True}
        assert (answered.status, json.loads(answered.body)) == (
            200, {**about, "query": "of=acme", "form": None},
        )  # fmt: skip
        refused = server.get("/api/stars?of=nobody")
        assert (refused.status, json.loads(refused.body)["code"]) == (404, "not-found")
        assert server.get("/api/stars/acme").status == 404
        posted = sent(server.port, "/api/stars", "POST", b"of=acme")
        assert json.loads(posted.body) == {**about, "query": "", "form": "of=acme"}
        assert sent(server.port, "/api/stars", "POST", b"a" * 101).status == 413
        wrong = sent(server.port, "/api/stars", "DELETE")
        assert (wrong.status, wrong.allow) == (405, "GET, HEAD, OPTIONS, POST")


class Sent(NamedTuple):
    status: int
    allow: str | None
    body: bytes


def sent(port: int, path: str, method: str, body: bytes = b"") -> Sent:
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, body, {"Host": f"localhost:{port}"})
        with connection.getresponse() as response:
            return Sent(response.status, response.headers["Allow"], response.read())


def test_the_function_of_a_host_has_what_a_feature_adds(house: House) -> None:
    house.run("build", "--as-of", "2026-06-01", "--host", "netlify")
    functions = (house.folder / "build").glob("**/edge-functions/*.js")
    assert any(EDGE.strip() in function.read_text() for function in functions)


def test_a_tool_of_a_feature_is_listed_in_its_place_and_answers(house: House) -> None:
    house.run("build", "--as-of", "2026-06-01")
    data: Any = house.data("api/v1/agent/tools.json")["data"]
    names = [tool["name"] for tool in data["tools"]]
    assert names[names.index("get_record") + 1] == "stars"
    assert call(house, of="acme") == (False, {"data": "Acme has 5 stars", "next": None})
    is_error, refusal = call(house, of="nobody")
    assert (is_error, refusal["code"], refusal["allowed"]) == (True, "not-found", ["Acme"])
    is_error, refusal = call(house, of="unknown")
    assert (is_error, refusal["detail"]) == (True, 'There is no project "unknown".')


def call(house: House, **arguments: str) -> tuple[bool, dict[str, Any]]:
    """Whether a call of the tool is refused, and the document of its answer."""
    params = {"name": "stars", "arguments": arguments}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answered = json.loads(house.run("mcp", "--from", "build", given=f"{json.dumps(asked)}\n"))
    result = answered["result"]
    return result["isError"], json.loads(result["content"][0]["text"])


RAISING = """
const answer = () => { throw new Error('no stars') }
edge.add({ paths: ['/api/stars'], answer })
"""


def test_the_development_server_names_a_broken_feature_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"routes.py": ROUTES, "edge.js": RAISING}
    monkeypatch.setenv("PYTHONPATH", distribute(tmp_path / "site", {"stars": files}))
    registries.write(tmp_path / "content")
    with Server(tmp_path).running() as server:
        assert server.get("/api/stars").status == 500
        assert server.get("/api/projects?mode=page").status == 200
    failed = (
        "Error: The feature stars (registry-stars 1.0) failed: Error: no stars. Tell its authors"
    )
    assert f"GET /api/stars: {failed}" in server.told
