"""`registry mcp`."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from generator.cli._where import errors_as_messages, option, registry, source_options


@click.command("mcp")
@source_options
@option("--http", "Use Streamable HTTP on this machine instead of standard input and output.")
@option(
    "--port N",
    "With --http: the port; 0 takes any free port.",
    click.IntRange(0, 65535),
    default=8100,
)
def command(where: str, http: bool, port: int, **more: Any) -> int:
    """Start an MCP server, so that a model can read the registry.

    An MCP client starts this command.  With --http, the server runs by itself until Ctrl-C.
    """
    try:
        from generator.agent.server import CannotListen, serve_http, serve_stdio
    except ImportError as error:
        if not (error.name or "").startswith(("mcp", "uvicorn")):
            raise
        # Install it into this Python environment.
        install = f"{sys.executable} -m pip install 'mcp>=2.3,<3'"
        raise click.ClickException(f"registry mcp needs another package: {install}") from error

    def ready(address: str) -> None:
        click.echo(f"MCP server of {where} at {address}. Stop it with Ctrl-C.")

    with (
        registry(where, **more) as client,
        errors_as_messages(CannotListen),
        contextlib.suppress(KeyboardInterrupt),
    ):
        if http:
            serve_http(client, port, ready)
        else:
            serve_stdio(client)
    return 0
