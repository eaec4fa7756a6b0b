"""Calls to the server in memory, with a connection for each call."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Literal, TypeVar

import anyio
import mcp
from mcp.types import CallToolResult

import generator.reader.client
from generator.agent.server import create_server

Mode = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")
T = TypeVar("T")


def talk(target: Any, work: Callable[[mcp.Client], Awaitable[T]], mode: Mode = "auto") -> T:
    async def connected() -> T:
        async with mcp.Client(target, mode=mode) as client:
            return await work(client)

    return anyio.run(connected)


def call(
    registry: generator.reader.client.Client, name: str, arguments: Any = None, mode: Mode = "auto"
) -> CallToolResult:
    async def work(client: mcp.Client) -> CallToolResult:
        await client.list_tools()  # With the schemas, the client validates answers.
        return await client.call_tool(name, arguments)

    return talk(create_server(registry), work, mode)


def answer(
    registry: generator.reader.client.Client, name: str, arguments: Any = None
) -> dict[str, Any]:
    """The document of a successful call."""
    result = call(registry, name, arguments)
    assert not result.is_error, text(result)
    document: dict[str, Any] = json.loads(text(result))
    return document


def refusal(
    registry: generator.reader.client.Client, name: str, arguments: Any = None
) -> dict[str, Any]:
    """The text of an error."""
    result = call(registry, name, arguments)
    assert result.is_error and result.structured_content is None, text(result)
    document: dict[str, Any] = json.loads(text(result))
    return document


def every(
    registry: generator.reader.client.Client, name: str, arguments: dict[str, Any]
) -> Iterator[dict[str, Any]]:
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
