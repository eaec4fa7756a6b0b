"""The examples in agent/tools.json: the call and the address give the same answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.reader.client import Client
from generator.reader.deployment import Deployment
from generator.serve.answer import answer as over_http
from support import commands, registries
from support.kinds import COLLECTION_OF
from support.mcp_sites import Published
from support.talk import call, text

TOOLS = "/api/v1/agent/tools.json"


def published_tools(client: Client) -> list[dict[str, Any]]:
    [raw] = client.read([TOOLS])
    found: list[dict[str, Any]] = json.loads(raw or b"")["data"]["tools"]
    return found


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """A registry without records."""
    folder = tmp_path_factory.mktemp("empty")
    nothing: dict[str, Any] = {name: {} for name in COLLECTION_OF.values()}
    content = registries.write(folder / "content", registries.content(**nothing))
    return Client.open(str(commands.build(content, folder / "build")))


@pytest.fixture
def small(published: Callable[[str], Published]) -> Client:
    return Client.open(str(published("small").out))


@pytest.fixture(params=["small", "empty"])
def client(request: pytest.FixtureRequest) -> Client:
    found: Client = request.getfixturevalue(request.param)
    return found


def test_every_example_is_answered(client: Client) -> None:
    for tool in published_tools(client):
        if tool["example"] is None:
            continue
        arguments, href = tool["example"]["arguments"], tool["example"]["href"]
        answered = call(client, tool["name"], arguments)
        assert not answered.is_error, (tool["name"], text(answered))
        found = over_http("GET", href, Deployment.open(Path(client.where)))
        assert found.status == 200, href
        if tool["name"] == "build_context":
            assert found.body.decode().startswith(text(answered))
        else:
            address = json.loads(found.body).get("links", {}).get("self", href)
            assert json.loads(text(answered))["source"].split("?")[0] == address.split("?")[0]


def test_examples_find_something(small: Client) -> None:
    for tool in published_tools(small):
        assert tool["example"] is not None, tool["name"]
        answered = text(call(small, tool["name"], tool["example"]["arguments"]))
        if tool["name"] == "build_context":
            continue
        document = json.loads(answered)
        assert document["data"] and document.get("total_items", 1) > 0, tool["name"]
        if tool["name"] == "match_names":
            assert document["data"][0]["candidates"]


def test_a_registry_without_records_has_the_tools_that_need_none(empty: Client) -> None:
    examples = {tool["name"]: tool["example"] for tool in published_tools(empty)}
    names = ("dataset_catalog", "describe_schema", "dashboard", "build_context")
    assert tuple(examples) == names
    assert examples["dashboard"]["href"] == "/api/dashboard.json"
    for tool in published_tools(empty):
        assert "collection" not in tool["input"]["properties"]


def test_the_parameters_are_those_of_the_templates(client: Client) -> None:
    for tool in published_tools(client):
        assert tool["method"] == "GET"
        templates = " ".join(tool["templates"].values())
        for parameter in tool["parameters"]:
            assert parameter["words"]
            name, is_path = parameter["name"], parameter["part"] == "path"
            assert (f"{{{name}}}" in templates or f"{{/{name}}}" in templates) == is_path
            if tool["name"] != "match_names" and not is_path:
                assert name in templates
    for tool in published_tools(client):
        if tool["name"] == "count_records":
            names = {p["name"] for p in tool["parameters"]}
            assert {"mode", "q", "filters", "by", "like"} <= names
