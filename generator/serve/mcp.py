"""The MCP server: over standard input and output, a message in each line (the stdio transport of
the protocol), or alone over HTTP on this machine.
"""

from __future__ import annotations

import base64
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

import orjson

from generator.agent.protocol import MAX_REQUEST, NAMED, VERSION_KEY
from generator.contract.files import ReadFiles
from generator.engine.context import Request
from generator.grammar.paths import MCP
from generator.grammar.refusals import FAILED
from generator.reader.client import Client

_log = logging.getLogger(__name__)

#: Calls that wait for a host at the same time; further ones wait for these.
_MAX_CALLS = 64
#: Of JSON-RPC 2.0, section 5.1.
_INTERNAL_ERROR = -32603


def serve_lines(client: Client, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer all lines of `source`, each as soon as its answer is there, and end with them or when
    nobody reads `sink` any more.

    Only one call at a time computes its answer, to bound memory. Others run while it waits for a
    read.
    """
    computing, writing, gone = threading.Lock(), threading.Lock(), threading.Event()

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        computing.release()
        try:
            return client.read(paths)
        finally:
            computing.acquire()

    def answer(line: bytes) -> None:
        with computing:
            try:
                answered = answer_line(line, client, read)
            except Exception:
                _log.exception("A message has no answer.")
                answered = _failure(line)
        if not answered or gone.is_set():
            return
        try:
            with writing:
                _write_all(answered + b"\n", sink)
        except (BrokenPipeError, ConnectionResetError):
            gone.set()

    with ThreadPoolExecutor(_MAX_CALLS, "answer") as calls:
        for line in _lines(source):
            if gone.is_set():
                break
            calls.submit(answer, line)


def answer_line(line: bytes, client: Client, read: ReadFiles | None = None) -> bytes:
    """The answer to a message, without the end of the line; b"" for what needs none."""
    request = Request(MCP, "POST", _headers(line), line, client.origin)
    response = client.engine.respond(request, read or client.read)
    return _failure(line) if response.status == 500 else response.body


def _failure(line: bytes) -> bytes:
    """The answer to a message after an unexpected error, which the log has."""
    error = {"code": _INTERNAL_ERROR, "message": FAILED}
    return orjson.dumps({"jsonrpc": "2.0", "id": _message(line).get("id"), "error": error})


def _message(line: bytes) -> dict[str, Any]:
    """What a line says; empty if it is no message."""
    try:
        message = orjson.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _headers(line: bytes) -> dict[str, str]:
    """The headers with which a client would post a message: some repeat what is in it."""
    given, message = {"content-type": "application/json"}, _message(line)
    if not isinstance(params := message.get("params"), dict):
        return given
    method, meta = message.get("method"), params.get("_meta")
    if isinstance(meta, dict) and isinstance(version := meta.get(VERSION_KEY), str):
        given |= {"mcp-protocol-version": version, "mcp-method": str(method)}
        name = params.get(NAMED.get(str(method), ""))
        if isinstance(name, str):
            # Any text: headers have no other form for it.
            encoded = base64.b64encode(name.encode(errors="replace")).decode()
            given["mcp-name"] = f"=?base64?{encoded}?="
    return given


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines that are not empty; of one that is too long, only as much as shows that it is."""
    while line := source.readline(MAX_REQUEST + 1):
        rest = line
        while len(rest) > MAX_REQUEST and not rest.endswith(b"\n"):
            rest = source.readline(MAX_REQUEST + 1)
        if line.strip():
            yield line.rstrip(b"\r\n")


def _write_all(content: bytes, sink: BinaryIO) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[sink.write(rest) or 0 :]


def serve_http(client: Client, port: int, ready: Callable[[str], None]) -> None:
    """Answer until a signal comes. `ready` is called with the address. Raises CannotListen.

    Only requests to this machine and from its own pages are answered, so pages of other sites
    cannot send requests through a browser, whatever their names resolve to.
    """
    import asyncio

    from generator.serve.answer import HttpAnswer, answer, failure_answer, refused_answer
    from generator.serve.listener import ADDRESS, Callers, HttpRequest, answer_until_signal, listen

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
