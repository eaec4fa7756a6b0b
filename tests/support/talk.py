"""Calls to the MCP server: of the official client, and of the function that answers at /mcp."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeVar

import anyio
import mcp
import pytest
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp.types import CallToolResult, jsonrpc_message_adapter

from generator.engine.context import Request
from generator.grammar.paths import MCP
from generator.reader.client import Client
from generator.serve.mcp import serve_lines

Mode = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")
T = TypeVar("T")
POST = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def talk(target: Any, work: Callable[[mcp.Client], Awaitable[T]], mode: Mode = "auto") -> T:
    """The result of a conversation of the official client with a server."""

    async def connected() -> T:
        async with mcp.Client(target, mode=mode) as client:
            return await work(client)

    return anyio.run(connected)


@asynccontextmanager
async def served(registry: Client) -> AsyncGenerator[Any]:
    """A connection of the official client to a server in this process, over pipes."""
    given, asking = os.pipe()
    answered, answering = os.pipe()

    def serve() -> None:
        with os.fdopen(given, "rb") as source, os.fdopen(answering, "wb", buffering=0) as sink:
            serve_lines(registry, source, sink)

    server = threading.Thread(target=serve)
    server.start()
    to_client, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, sent = anyio.create_memory_object_stream[SessionMessage](0)

    async def receive() -> None:
        with os.fdopen(answered, "rb") as lines:
            async with to_client:
                while line := await anyio.to_thread.run_sync(lines.readline):
                    message = jsonrpc_message_adapter.validate_json(line)
                    await to_client.send(SessionMessage(message))

    async def send() -> None:
        with os.fdopen(asking, "wb", buffering=0) as lines:
            async with sent:
                async for message in sent:
                    text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    lines.write(text.encode() + b"\n")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(receive)
        tasks.start_soon(send)
        yield messages, to_server
        await to_server.aclose()
    server.join()


async def conversation(client: mcp.Client) -> None:
    """What a client does first: the tools, a list and its next part, a refusal, all resources."""
    listed = (await client.list_tools()).tools
    assert len(listed) == 11
    for tool in listed:
        assert tool.annotations and tool.annotations.read_only_hint
        assert tool.title and tool.output_schema == {"type": "object"}
        assert all(shape["description"] for shape in tool.input_schema["properties"].values())
    asked = {"collection": "projects", "filters": {"status": "active"}, "limit": 1}
    called = await client.call_tool("list_records", asked)
    first = json.loads(text(called))
    assert called.structured_content == first
    second = json.loads(text(await client.call_tool("list_records", first["next"]["arguments"])))
    slugs = [row["slug"] for part in (first, second) for row in part["data"]]
    assert len(set(slugs)) == len(slugs) == 2
    refused = await client.call_tool("list_records", {**asked, "start": "1"})
    assert refused.is_error and json.loads(text(refused))["code"] == "invalid-parameter"
    context = await client.call_tool("build_context")
    assert context.structured_content["data"] == text(context)
    for resource in (await client.list_resources()).resources:
        [content] = (await client.read_resource(resource.uri)).contents
        assert content.text
    with pytest.raises(MCPError, match=r"^There is no such tool. One of: dataset_catalog, .*"):
        await client.call_tool("x" * 50_000)
    with pytest.raises(MCPError, match="There is no such resource"):
        await client.read_resource("registry:///api/build.json")


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": "é", "method": method, "params": params}


def call(registry: Client, name: str, arguments: Any = None) -> CallToolResult:
    """The result of a call, without a connection."""
    body = json.dumps(message("tools/call", name=name, arguments=arguments))
    return CallToolResult.model_validate(json.loads(post(registry, body)[1])["result"])


def post(registry: Client, body: str, headers: Mapping[str, str] = POST) -> tuple[int, bytes]:
    """The status and the body of the answer to a message over HTTP."""
    given = body.encode("utf-8", "surrogatepass")
    asked = Request(MCP, "POST", headers, given, registry.origin)
    found = registry.engine.respond(asked, registry.read)
    return found.status, found.body


def answer(registry: Client, name: str, arguments: Any = None) -> dict[str, Any]:
    """The document of a successful call."""
    result = call(registry, name, arguments)
    assert not result.is_error, text(result)
    document: dict[str, Any] = json.loads(text(result))
    assert result.structured_content == {k: v for k, v in document.items() if k != "proof"}
    return document


def refusal(registry: Client, name: str, arguments: Any = None) -> dict[str, Any]:
    """The text of an error."""
    result = call(registry, name, arguments)
    assert result.is_error and result.structured_content is None, text(result)
    document: dict[str, Any] = json.loads(text(result))
    return document


def every(registry: Client, name: str, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The answers to a call and to all following `next` calls."""
    following: dict[str, Any] | None = {"tool": name, "arguments": arguments}
    seen = []
    while following is not None:
        assert following not in seen
        seen.append(following)
        document = answer(registry, following["tool"], following["arguments"])
        yield document
        following = document["next"]


def text(result: CallToolResult) -> str:
    [content] = result.content
    return content.text


def lines_of(value: Any, indent: str = "") -> Iterator[str]:
    """A JSON value in lines of 140 columns if it can be; long texts are cut."""
    if isinstance(value, str) and len(value) > 300:
        value = f"{value[:200]}… ({len(value)} characters)"
    whole = json.dumps(value, ensure_ascii=False)
    if len(indent + whole) <= 140 or not isinstance(value, dict | list):
        yield whole
        return
    yield whole[0]
    pairs = value.items() if isinstance(value, dict) else [("", part) for part in value]
    for key, part in pairs:
        first, *more = lines_of(part, f"{indent}  ")
        yield f"  {json.dumps(key, ensure_ascii=False)}: {first}" if key else f"  {first}"
        yield from (f"  {line}" for line in more)
    yield whole[-1]
