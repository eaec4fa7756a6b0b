"""The development server: answers like a host, and builds again when the content changes.

One thread talks to clients. A few others make the answers from the last good build, so that a long
answer holds up no other. Another thread watches the content and has a separate process build. After
a failed build the last good one stays, and HTML pages show the problems. The server listens on this
machine only.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import re
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any, NoReturn

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
from generator.serve.builder import END_SIGNALS
from generator.serve.callers import Callers
from generator.serve.watch import watch_saves
from generator.serve.workshop import Reporter, Workshop

ADDRESS = "127.0.0.1"
#: Answers that are made at the same time; further requests wait.
_ANSWERING = 8
#: Bytes of a body that is read: no request may have more.
MAX_BODY = max(MAX_FORM, MAX_REQUEST)

_log = logging.getLogger(__name__)


class CannotListen(Exception):
    """The port cannot be opened; the text says why and what to do."""


class CannotServe(Exception):
    """The content has errors and will not be built again. The errors were already reported."""


def serve(
    content: str,
    out: Path,
    port: int,
    voice: Reporter,
    *,
    reload: bool = True,
    hosts: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
) -> None:
    """Build, answer requests and, with `reload`, build again after each change, until a signal
    comes.

    Port 0 means any free port. `hosts` are the further hosts of `Callers`. `options` are fields of
    generator.build.options. Raises CannotListen, CannotServe, and from the first build OutputError,
    ValueError (see `moment`) and SystemExit.
    """
    # Until the loop sets its handlers, SIGINT and SIGTERM interrupt a running build.
    for number in END_SIGNALS:
        signal.signal(number, _exit)
    sockets = _listen(port)
    workshop = Workshop(content, out, voice, options or {})
    try:
        moment(content, None)
        workshop.build(first=True)
        if not reload and (workshop.newest_problems or workshop.site is None):
            raise CannotServe
        asyncio.run(_serve(sockets, workshop, reload, Callers(hosts)))
    finally:
        workshop.end()
        for listening in sockets:
            listening.close()


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
    """Builds in its own thread when the content or a template is saved, then reloads the browsers.

    livereload's own watcher polls all files every 0.8 seconds, builds once per saved file, and
    blocks answers meanwhile.
    """

    def __init__(self, workshop: Workshop, loop: IOLoop):
        super().__init__()
        self.workshop, self.loop = workshop, loop
        self.stop = threading.Event()
        # A daemon, because a build may wait long for the lock of another build.
        self.thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self, callback: Callable[[], None]) -> bool:
        self.thread.start()
        return True

    def _run(self) -> None:
        for _ in watch_saves(*self.workshop.watched, self.stop):
            if self.workshop.build() and not self.stop.is_set():
                self.loop.add_callback(LiveReloadHandler.reload_waiters, "*")


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
#: Files outside of the build: livereload's socket and script, and the style of the overlay.
_LIVERELOAD = {
    "/livereload": _Reload,
    overlay.SCRIPT: LiveReloadJSHandler,
    overlay.STYLE: _Style,
}


class _Connections(HTTPServerConnectionDelegate):
    """Sends requests for the files of livereload to `beside`, and all others to `respond`. Refused
    requests go to `respond` too.

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


def _write(answered: asyncio.Future[Answer], connection: HTTPConnection) -> None:
    """Send an answer, unless the client has gone away."""
    response = answered.result()
    phrase = HTTPStatus(response.status).phrase
    start_line = ResponseStartLine("HTTP/1.1", response.status, phrase)
    with contextlib.suppress(StreamClosedError):
        connection.write_headers(start_line, HTTPHeaders(response.headers), response.body)
        connection.finish()


async def _serve(
    sockets: list[socket.socket], workshop: Workshop, reload: bool, callers: Callers
) -> None:
    """Answer requests until a signal comes."""
    ended = asyncio.Event()
    for number in END_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    # Browsers request files that do not exist; this is no warning.
    logging.getLogger("tornado.access").setLevel(logging.ERROR)
    dress = workshop.add_overlay if reload else bytes

    def answer_to(start: RequestStartLine, headers: HTTPHeaders, body: bytes) -> Answer:
        try:
            refusal, site = callers.find_refusal(headers), workshop.site
            if refusal is not None:
                return refused_answer(start.method, *refusal)
            if site is not None and is_mcp(start.path, site):
                return mcp_answer(start.method, headers, body, site)
            return answer(
                start.method,
                start.path,
                site,
                dress,
                headers.get("If-None-Match", ""),
                f"http://{headers.get('Host', '')}",
                body,
                (headers.get("Range", ""), headers.get("If-Range", "")),
            )
        except Exception:
            _log.exception("No answer to %s %s", start.method, start.path)
            return failure_answer(start.method)

    threads = ThreadPoolExecutor(_ANSWERING, "answer")

    def respond(
        start: RequestStartLine, headers: HTTPHeaders, body: bytes, connection: HTTPConnection
    ) -> None:
        answered = asyncio.get_running_loop().run_in_executor(
            threads, answer_to, start, headers, body
        )
        answered.add_done_callback(lambda done: _write(done, connection))

    watcher = ContentWatcher(workshop, IOLoop.current()) if reload else None
    handlers = [(re.escape(path), handler) for path, handler in _LIVERELOAD.items()]
    limit = _MAX_MESSAGE
    livereload = Application(handlers, websocket_max_message_size=limit) if reload else None
    server = HTTPServer(_Connections(respond, livereload, callers))
    server.add_sockets(sockets)
    if watcher is not None:
        LiveReloadHandler.watcher, LiveReloadHandler.live_css = watcher, False
        watcher.start(lambda: None)
    workshop.reporter.ready(workshop.site, sockets[0].getsockname()[1])
    await ended.wait()
    server.stop()
    threads.shutdown(wait=False, cancel_futures=True)
    if watcher is not None:
        watcher.stop.set()
        workshop.end()
        watcher.thread.join(2)
