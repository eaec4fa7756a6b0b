"""Talking to the server in memory: one connection for each call."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Literal, TypeVar

import anyio
import mcp
from mcp.types import CallToolResult

import generator.reader.client
from generator.mcp.server import server

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
        await client.list_tools()  # With the schemas the client holds answers against them.
        return await client.call_tool(name, arguments)

    return talk(server(registry), work, mode)


def answer(
    registry: generator.reader.client.Client, name: str, arguments: Any = None
) -> dict[str, Any]:
    """The document of a call that succeeds; its text says the same."""
    result = call(registry, name, arguments)
    assert not result.is_error, text(result)
    found: dict[str, Any] = result.structured_content
    assert text(result) == found["data"] or json.loads(text(result)) == found
    return found


def refusal(
    registry: generator.reader.client.Client, name: str, arguments: Any = None
) -> dict[str, Any]:
    """What an error says."""
    result = call(registry, name, arguments)
    assert result.is_error and result.structured_content is None, text(result)
    found: dict[str, Any] = json.loads(text(result))
    return found


def every(
    registry: generator.reader.client.Client, name: str, arguments: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """The answers to a call and to all that `next` leads to."""
    following: dict[str, Any] | None = {}
    seen = []
    while following is not None:
        arguments = {**arguments, **following}
        assert arguments not in seen
        seen.append(arguments)
        found = answer(registry, name, arguments)
        yield found
        following = found["next"]


def text(result: CallToolResult) -> str:
    [content] = result.content
    return content.text
