"""The development server: answers like a host, and reads the content again when it changes.

One thread talks to clients. Eight others make the answers, so that a long answer holds up no other.
Another thread watches the content and reads what was saved. The server listens on this machine
only, writes no output, and runs the code that it was started with.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import gc
import json
import logging
import re
import signal
import socket
import threading
import traceback
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from queue import SimpleQueue
from typing import NamedTuple, NoReturn

from livereload.handlers import LiveReloadHandler, LiveReloadJSHandler  # type: ignore[import-untyped]
from livereload.watcher import Watcher  # type: ignore[import-untyped]
from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
)  # fmt: skip
from tornado.ioloop import IOLoop
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from generator.agent.protocol import MAX_REQUEST
from generator.grammar import headers
from generator.published.history.provenance import moment
from generator.search.reconcile import MAX_FORM
from generator.serve import overlay
from generator.serve.answer import (
    Answer,
    answer,
    failure_answer,
    is_mcp,
    mcp_answer,
    refused_answer,
)
from generator.serve.callers import Callers
from generator.serve.live import Live
from generator.serve.watch import Stats, stat_files, watch_saves
from generator.site.theme import ThemeError

ADDRESS = "127.0.0.1"
_END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 0.5  # seconds for the watching thread to end
#: Answers that are made at the same time; further requests wait.
_ANSWERING = 8
#: Bytes of a body that is read: no request may have more.
MAX_BODY = max(MAX_FORM, MAX_REQUEST)

_log = logging.getLogger(__name__)


class CannotListen(Exception):
    """The port cannot be opened; the text says why and what to do."""


class CannotServe(Exception):
    """The content has errors and will not be read again. The errors were already reported."""


def serve(port: int, live: Live, *, reload: bool = True, hosts: Sequence[str] = ()) -> None:
    """Read the content, answer requests and, with `reload`, read it again after each change, until
    a signal comes.

    Port 0 means any free port. `hosts` are the further hosts of `Callers`. Raises CannotListen,
    CannotServe, and from the first read OutputError, ValueError (see `moment`) and SystemExit.
    """
    # Until the loop sets its handlers, SIGINT and SIGTERM interrupt the first read.
    for number in _END_SIGNALS:
        signal.signal(number, _exit)
    _share_freed_memory()
    sockets = _listen(port)
    try:
        moment(live.content, None)
        before = stat_files(*live.folders)
        live.start()
        if live.deployment is None and not reload:
            raise CannotServe
        asyncio.run(_serve(sockets, live, before if reload else None, Callers(hosts)))
    finally:
        for listening in sockets:
            listening.close()


def _share_freed_memory() -> None:
    """Let threads use what others have freed: with a heap for each, as glibc has it, some saves of
    10,000 records take a quarter more memory (mallopt(3); M_ARENA_MAX of malloc.h is -8).
    """
    with contextlib.suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(-8, 1)


def _exit(_number: int, _frame: object) -> NoReturn:
    # A KeyboardInterrupt in code from a string, as dataclasses have it while a module is imported,
    # makes Python end itself by SIGINT at its exit, even if the exception was handled.
    raise SystemExit


def _listen(port: int) -> list[socket.socket]:
    try:
        return bind_sockets(port, ADDRESS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            free = _free_port(port)
            raise CannotListen(
                f"Port {port} is taken by another program; {free} is free: --port {free}"
            ) from error
        problem = f"cannot be opened: {error.strerror}"
        if error.errno == errno.EACCES:
            problem = "may only be opened by the administrator"
        raise CannotListen(
            f"Port {port} {problem}; take another with --port, from 1024 on."
        ) from error


def _free_port(taken: int) -> int:
    """The next free port, or else any."""
    for port in (*range(taken + 1, min(taken + 100, 65536)), 0):
        with socket.socket() as probe:
            try:
                probe.bind((ADDRESS, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise AssertionError("port 0 is always free")


# --- watching ---


class ContentWatcher(Watcher):  # type: ignore[misc]
    """Reads what is saved, in its own thread, then reloads the browsers.

    livereload's own watcher polls all files every 0.8 seconds, calls back once per saved file, and
    blocks answers meanwhile.  `before` are the files when they were read first.
    """

    def __init__(self, live: Live, before: Stats, loop: IOLoop):
        super().__init__()
        self.live, self.before, self.loop = live, before, loop
        self.stop = threading.Event()
        # A daemon: the end of the server interrupts a read.
        self.thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self, callback: Callable[[], None]) -> bool:
        self.thread.start()
        return True

    def _run(self) -> None:
        for saves in watch_saves(*self.live.folders, self.before, self.stop):
            self.live.update(saves)
            self.loop.add_callback(LiveReloadHandler.reload_waiters, "*")
            # The registry before is a cycle of objects; pages that reload come first.
            self.loop.add_callback(self.loop.call_later, 1.0, gc.collect)


# --- answering ---


class _Style(RequestHandler):
    def get(self) -> None:
        self.set_header("Content-Type", headers.MEDIA_TYPES["css"])
        self.write(overlay.CSS)


class _Reload(LiveReloadHandler):  # type: ignore[misc]
    """livereload's socket; invalid messages, from any local program, close the connection."""

    def on_message(self, message: str | bytes) -> None:
        try:
            content = json.loads(message)
        except (ValueError, RecursionError):
            content = None
        if isinstance(content, dict) and isinstance(content.get("command"), str):
            super().on_message(message)
        else:
            self.close(1003, "no message of livereload")


#: Bytes of a message to the socket, far more than livereload.js sends.
_MAX_MESSAGE = 1 << 16
#: Files that are not published: livereload's socket and script, and the style of the overlay.
_LIVERELOAD = {
    "/livereload": _Reload,
    overlay.SCRIPT: LiveReloadJSHandler,
    overlay.STYLE: _Style,
}


class _Connections(HTTPServerConnectionDelegate):
    """Sends requests for the files of livereload to `livereload`, and all others to `respond`.
    Refused requests go to `respond` too.

    Not by tornado's own handlers: they parse the query first, and refuse a long one.
    """

    def __init__(
        self,
        respond: Callable[[RequestStartLine, HTTPHeaders, bytes, HTTPConnection], None],
        livereload: Application | None,
        callers: Callers,
    ):
        self.respond, self.livereload, self.callers = respond, livereload, callers

    def start_request(
        self, server_conn: object, request_conn: HTTPConnection
    ) -> HTTPMessageDelegate:
        return _Exchange(self, server_conn, request_conn)


class _Exchange(HTTPMessageDelegate):
    """One request. Of a long body only as much is kept as shows that it is too long."""

    def __init__(self, to: _Connections, server_conn: object, connection: HTTPConnection):
        self.to, self.server_conn, self.connection = to, server_conn, connection
        self.start: RequestStartLine | None = None
        self.headers = HTTPHeaders()
        self.body = b""
        self.other: HTTPMessageDelegate | None = None

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        assert isinstance(start_line, RequestStartLine)
        self.start, self.headers = start_line, headers
        livereload = (
            self.to.livereload if start_line.path.partition("?")[0] in _LIVERELOAD else None
        )
        if livereload is not None and self.to.callers.find_refusal(headers) is None:
            self.other = livereload.start_request(self.server_conn, self.connection)
            return self.other.headers_received(start_line, headers)
        return None

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        if self.other is not None:
            return self.other.data_received(chunk)
        self.body += chunk[: MAX_BODY + 1 - len(self.body)]
        return None

    def finish(self) -> None:
        if self.other is not None:
            self.other.finish()
        elif self.start is not None:
            self.to.respond(self.start, self.headers, self.body, self.connection)

    def on_connection_close(self) -> None:
        if self.other is not None:
            self.other.on_connection_close()


def _write(response: Answer, connection: HTTPConnection) -> None:
    """Send an answer, unless the client has gone away."""
    phrase = HTTPStatus(response.status).phrase
    start_line = ResponseStartLine("HTTP/1.1", response.status, phrase)
    with contextlib.suppress(StreamClosedError):
        connection.write_headers(start_line, HTTPHeaders(response.headers), response.body)
        connection.finish()


class _Request(NamedTuple):
    start: RequestStartLine
    headers: HTTPHeaders
    body: bytes
    connection: HTTPConnection


class _Answering:
    """Makes answers in threads, which end with the process even if an answer takes long."""

    def __init__(self, live: Live, callers: Callers, dress: Callable[[bytes], bytes]):
        self._live, self._callers, self._dress = live, callers, dress
        self._loop = asyncio.get_running_loop()
        self._requests = SimpleQueue[_Request]()
        for number in range(_ANSWERING):
            threading.Thread(target=self._work, name=f"answer-{number}", daemon=True).start()

    def respond(
        self,
        start: RequestStartLine,
        headers: HTTPHeaders,
        body: bytes,
        connection: HTTPConnection,
    ) -> None:
        self._requests.put(_Request(start, headers, body, connection))

    def _work(self) -> None:
        while True:
            request = self._requests.get()
            response = self._answer(request)
            with contextlib.suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(_write, response, request.connection)

    def _answer(self, request: _Request) -> Answer:
        method, target, given = request.start.method, request.start.path, request.headers
        try:
            refusal, deployment = self._callers.find_refusal(given), self._live.deployment
            if refusal is not None:
                return refused_answer(method, *refusal)
            if deployment is not None and is_mcp(target, deployment):
                return mcp_answer(method, given, request.body, deployment)
            return answer(
                method,
                target,
                deployment,
                dress=self._dress,
                known=given.get("If-None-Match", ""),
                origin=f"http://{given.get('Host', '')}",
                form=request.body,
                ranged=(given.get("Range", ""), given.get("If-Range", "")),
            )
        except Exception as error:
            text = traceback.format_exc()
            if isinstance(error, ThemeError):
                text = f"In the registry's own templates: {error}"
            _log.error("No answer to %s %s: %s", method, target, text)
            return failure_answer(
                method, target, lambda page: overlay.add_failure(self._dress(page), text)
            )


async def _serve(
    sockets: list[socket.socket], live: Live, before: Stats | None, callers: Callers
) -> None:
    """Answer requests until a signal comes; without `before`, nothing is watched."""
    ended = asyncio.Event()
    for number in _END_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    # Browsers request files that do not exist; this is no warning.
    logging.getLogger("tornado.access").setLevel(logging.ERROR)
    answering = _Answering(live, callers, bytes if before is None else live.add_overlay)
    livereload, watcher = None, None
    if before is not None:
        handlers = [(re.escape(path), handler) for path, handler in _LIVERELOAD.items()]
        livereload = Application(handlers, websocket_max_message_size=_MAX_MESSAGE)
        watcher = ContentWatcher(live, before, IOLoop.current())
        LiveReloadHandler.watcher, LiveReloadHandler.live_css = watcher, False
    server = HTTPServer(_Connections(answering.respond, livereload, callers))
    server.add_sockets(sockets)
    if watcher is not None:
        watcher.start(lambda: None)
    live.reporter.ready(live.deployment, sockets[0].getsockname()[1])
    await ended.wait()
    server.stop()
    if watcher is not None:
        watcher.stop.set()
        watcher.thread.join(_PATIENCE)
