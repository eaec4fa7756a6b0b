"""A feature answers addresses of the query tier, and calls of agents."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from support.installed import House, installed
from support.serving import Server

ROUTES = '''"""The address of the number of stars."""

from generator.grammar.routes import Service
from generator.outputs.openapi import response
from generator.reader.services import Reply


def services(grammar):
    yield Service(("/api/stars",), "/api/stars", ("/api/stars",))


def answer(asked):
    if asked.path != "/api/stars":
        return None
    stars = len(asked.read("/api/index.json")) > 0
    return Reply(f"{stars} {asked.raw} {asked.is_form}".encode(), "text/plain")


def operations(grammar):
    answers = response("The number.", "text/plain", {"type": "string"})
    about = {"operationId": "stars", "tags": ["queries"], "summary": "The number of stars"}
    yield "/api/stars", {"get": {**about, "responses": answers}}
'''
TOOLS = '''"""The tool that counts stars."""

from generator.agent import inputs
from generator.agent.tools import Tool


def tools(grammar):
    schema = inputs.arguments({"of": inputs.TEXT}, required=["of"])
    yield "get_record", Tool("stars", "Stars", "Counts stars.", schema, {"": "/api/stars"}, {})


ANSWERS = {"stars": lambda client, call, args: f"{args['of']} has 5 stars"}
'''


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return installed(tmp_path, {"routes.py": ROUTES, "tools.py": TOOLS})


def test_an_address_of_a_feature_is_answered_and_described(house: House) -> None:
    house.run("build", "--as-of", "2026-06-01", "--host", "netlify")
    paths: Any = house.data("api/openapi.json")["paths"]
    assert paths["/api/stars"]["get"]["operationId"] == "stars"
    assert "/api/stars" in (house.folder / "build/_redirects").read_text()
    with Server(house.folder, program=(sys.executable, "-m", "generator")).running() as server:
        answered = server.get("/api/stars?of=acme")
        assert (answered.status, answered.body) == (200, b"True of=acme False")
        assert server.get("/api/stars/acme").status == 404


def test_a_tool_of_a_feature_is_listed_in_its_place_and_answers(house: House) -> None:
    house.run("build", "--as-of", "2026-06-01")
    data: Any = house.data("api/v1/agent/tools.json")["data"]
    names = [tool["name"] for tool in data["tools"]]
    assert names[names.index("get_record") + 1] == "stars"
    call = {"name": "stars", "arguments": {"of": "Acme"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    answered = json.loads(house.run("mcp", "--from", "build", given=f"{json.dumps(asked)}\n"))
    assert answered["result"]["content"][0]["text"] == "Acme has 5 stars"
