"""The MCP server: the tools of `tools.py` and a few files as resources, over stdio or streamable
HTTP on this machine.

Needs the extra `mcp`, so it is imported late. It only reads, stores nothing about its callers, and
sends nothing on its own.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

import anyio
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from generator.agent import protocol
from generator.agent.endpoint import METHODS, Failed, Result
from generator.grammar.paths import MCP
from generator.reader.client import Client

#: The HTTP address: this machine only.
ADDRESS = "127.0.0.1"
#: Parallel calls; further calls wait.
_MAX_CALLS = 32


class CannotListen(Exception):
    """The port cannot be opened; the text is for users."""


class _Handlers:
    """Handlers for the requests of the protocol.

    Only one call at a time computes its answer, to bound memory. Other calls run while it waits for
    a read.
    """

    def __init__(self, client: Client):
        self._client = client
        self._reader = Client(client.where, client.grammar, self._read)
        self._lock = threading.Lock()
        # Its own limiter: reading the input of stdio uses a thread of the shared one.
        self._calls = anyio.CapacityLimiter(_MAX_CALLS)

    def _read(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        self._lock.release()
        try:
            return self._client.read(paths)
        finally:
            self._lock.acquire()

    def handler(self, method: str, form: type[BaseModel]) -> Callable[[Any, Any], Awaitable[Any]]:
        """The handler of a method of `endpoint`, whose results are of `form`; it raises MCPError.

        It runs in a thread. Only lists do not: they read nothing, and all threads may be waiting.
        """

        async def handle(_: ServerRequestContext[Any], params: BaseModel | None) -> BaseModel:
            given = dict(params or ())

            def locked() -> Result:
                with self._lock:
                    return METHODS[method](given, self._reader)

            if method.endswith("/list"):
                return form.model_validate(METHODS[method](given, self._client))
            try:
                result = await anyio.to_thread.run_sync(
                    locked, abandon_on_cancel=True, limiter=self._calls
                )
            except Failed as failed:
                raise MCPError(failed.code, failed.message) from failed
            return form.model_validate(result)

        return handle


def create_server(client: Client) -> Server[Any]:
    """An MCP server for one registry."""
    handler = _Handlers(client).handler
    templates = types.ListResourceTemplatesResult
    return Server(
        protocol.SERVER["name"],
        version=protocol.SERVER["version"],
        title=protocol.SERVER["title"],
        instructions=protocol.INSTRUCTIONS,
        on_list_tools=handler("tools/list", types.ListToolsResult),
        on_call_tool=handler("tools/call", types.CallToolResult),
        on_list_resources=handler("resources/list", types.ListResourcesResult),
        on_list_resource_templates=handler("resources/templates/list", templates),
        on_read_resource=handler("resources/read", types.ReadResourceResult),
    )


# --- transports -----------------------------------------------------------------------------------


def serve_stdio(client: Client) -> None:
    """Serve until the client ends or a signal. Only the protocol writes to stdout."""
    instance = create_server(client)
    # The thread that waits for input cannot be interrupted, and there is nothing to clean up.
    _on_signal(lambda: os._exit(0))

    async def run() -> None:
        async with stdio_server() as (read, write):
            await instance.run(read, write, instance.create_initialization_options())

    try:
        anyio.run(run)
    except* BrokenPipeError:
        pass  # the client has ended


def serve_http(client: Client, port: int, ready: Callable[[str], None]) -> None:
    """Serve until a signal. `ready` is called with the address. Raises CannotListen.

    Only requests to this address and from its own pages are answered, so pages of other sites
    cannot send requests through a browser, whatever their names resolve to.
    """
    import uvicorn

    with _listen(port) as listening:
        host = f"{ADDRESS}:{listening.getsockname()[1]}"
        names = [host, host.replace(ADDRESS, "localhost")]
        app = create_server(client).streamable_http_app(
            streamable_http_path=MCP,
            json_response=True,
            stateless_http=True,
            max_request_body_size=protocol.MAX_REQUEST,
            transport_security=TransportSecuritySettings(
                allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
            ),
        )

        async def serve(scope: MutableMapping[str, Any], *channels: Any) -> None:
            """Answer at the address with a slash at its end too."""
            if scope.get("path") == f"{MCP}/":
                scope = {**scope, "path": MCP}
            await app(scope, *channels)

        config = uvicorn.Config(
            serve, log_config=None, access_log=False, timeout_graceful_shutdown=2
        )
        server = uvicorn.Server(config)
        # uvicorn sets its handlers later, and sends a signal again to these when it has ended.
        _on_signal(lambda: setattr(server, "should_exit", True))
        ready(f"http://{host}{MCP}")
        anyio.run(lambda: server.serve([listening]))


def _on_signal(act: Callable[[], None]) -> None:
    """Let SIGINT and SIGTERM do `act`, without an exception.

    A KeyboardInterrupt in code from a string, as dataclasses have it while a module is imported,
    makes Python end itself by SIGINT at its exit, even if the exception was handled.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: act())


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((ADDRESS, port))
    except OSError as error:
        problem = f"cannot be had: {error.strerror}"
        if error.errno == errno.EADDRINUSE:
            problem = "is in use by another program"
        raise CannotListen(
            f"Port {port} {problem}. Choose another with --port; 0 takes any that is free."
        ) from error
