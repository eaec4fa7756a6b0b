"""`registry mcp`."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import WholeNumber, option, registry, source_options

if TYPE_CHECKING:
    from generator.reader.client import Client


@click.command("mcp")
@source_options
@option("--http", "Use Streamable HTTP on this machine instead of standard input and output.")
@option(
    "--port N",
    "With --http: the port; 0 takes any free port.",
    WholeNumber(0, 65535),
    default=8100,
)
def command(where: str, http: bool, port: int, **more: Any) -> int:
    """Start an MCP server, so that a model can read the registry.

    An MCP client starts this command.  With --http, the server runs by itself until Ctrl-C.
    """
    with registry(where, **more) as client, contextlib.suppress(KeyboardInterrupt):
        if http:
            _serve_http(client, where, port)
        else:
            _serve_lines(client)
    return 0


def _serve_http(client: Client, where: str, port: int) -> None:
    from generator.serve.mcp import serve_http

    def ready(address: str) -> None:
        click.echo(f"MCP server of {where} at {address}. Stop it with Ctrl-C.")

    serve_http(client, port, ready)


def _serve_lines(client: Client) -> None:
    """Serve on standard input and output until the client ends or a signal comes."""
    from generator.serve.lines import serve_lines

    # A thread that waits for a host cannot be interrupted, and there is nothing to clean up.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(0))
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0) as sink:
        serve_lines(client, sys.stdin.buffer, sink)
