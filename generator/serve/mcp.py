"""Serve the MCP server alone, over HTTP on this machine: `registry mcp --http`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from generator.grammar.paths import MCP
from generator.reader.client import Client
from generator.serve.answer import HttpAnswer, answer, failure_answer, refused_answer
from generator.serve.callers import Callers
from generator.serve.listener import ADDRESS, HttpRequest, answer_until_signal, listen

_log = logging.getLogger(__name__)


def serve_http(client: Client, port: int, ready: Callable[[str], None]) -> None:
    """Answer until a signal comes. `ready` is called with the address. Raises CannotListen.

    Only requests to this machine and from its own pages are answered, so pages of other sites
    cannot send requests through a browser, whatever their names resolve to.
    """
    sockets = listen(port)
    callers = Callers()

    def answer_or_refuse(request: HttpRequest) -> HttpAnswer:
        method, target, given, body = request
        try:
            refusal = callers.find_refusal(given)
            if refusal is not None:
                return refused_answer(method, *refusal)
            if target.partition("?")[0] not in (MCP, f"{MCP}/"):
                return refused_answer(method, 404, f"Only {MCP} is answered here.")
            return answer(method, target, client, given=given, body=body)
        except Exception:
            _log.exception("No answer to %s %s", method, target)
            return failure_answer(method, target)

    address = f"http://{ADDRESS}:{sockets[0].getsockname()[1]}{MCP}"
    asyncio.run(answer_until_signal(sockets, answer_or_refuse, ready=lambda: ready(address)))
