"""The development server: the build as a host would answer it, built anew when the content changes.

One thread answers, from whatever build is there; another watches and builds.  A build that fails
takes nothing away: the last good one stays up, and HTML pages say what is wrong.  It listens on
this machine only.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import re
import signal
import socket
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

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
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from generator import PACKAGE
from generator.api import headers
from generator.api.diagnostic import Diagnostic, is_error
from generator.build import build
from generator.build.executors import WorkerFailed
from generator.build.options import BuildOptions
from generator.build.provenance import moment
from generator.build.report import Report
from generator.disk.beside import Busy, OutputError, made_from, settle
from generator.reader.site import NoSite, Site
from generator.serve import overlay
from generator.serve.answer import answer, failure, refused
from generator.serve.callers import Callers
from generator.serve.watch import saves

ADDRESS = "127.0.0.1"
_log = logging.getLogger(__name__)


class Voice(Protocol):
    """Tells a person what happens."""

    def ready(self, site: Site | None, port: int) -> None:
        """Requests are answered."""

    def built(self, report: Report, seconds: float) -> None:
        """A build changed something, or failed because of the content."""

    def failed(self, text: str) -> None:
        """A build failed for another reason."""

    def waiting(self) -> None:
        """Another build of the same output is running."""


class CannotListen(Exception):
    """The port cannot be had; the text says why and what to do."""


class CannotServe(Exception):
    """The content has errors and nothing will build it again.  They have been told."""


def serve(
    content: str,
    out: Path,
    port: int,
    voice: Voice,
    *,
    reload: bool = True,
    hosts: Sequence[str] = (),
) -> None:
    """Build, answer requests and, with `reload`, build again after each change, until a signal
    comes.

    Port 0 is any that is free; `hosts` are the others of `Callers`.  Raises CannotListen,
    CannotServe and, of the first build, OutputError, ValueError (see `moment`) and
    KeyboardInterrupt.
    """
    sockets = _listen(port)
    try:
        moment(content, None)
        workshop = Workshop(content, out, voice)
        workshop.build(first=True)
        if not reload and (workshop.trouble or workshop.site is None):
            raise CannotServe
        asyncio.run(_serve(sockets, workshop, reload, Callers(hosts)))
    finally:
        for listening in sockets:
            listening.close()


def _listen(port: int) -> list[socket.socket]:
    try:
        return bind_sockets(port, ADDRESS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            free = _free_port(port)
            raise CannotListen(
                f"Port {port} is taken by another program; {free} is free: --port {free}"
            ) from error
        what = (
            "may only be opened by the administrator"
            if error.errno == errno.EACCES
            else f"cannot be opened: {error.strerror}"
        )
        raise CannotListen(
            f"Port {port} {what}; take another with --port, from 1024 on."
        ) from error


def _free_port(taken: int) -> int:
    """The next port that is free, or else any."""
    for port in (*range(taken + 1, min(taken + 100, 65536)), 0):
        with socket.socket() as probe:
            try:
                probe.bind((ADDRESS, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise AssertionError("port 0 is always free")


class Workshop:
    """Builds, and holds the last good build and why the newest is not it."""

    def __init__(self, content: str, out: Path, voice: Voice):
        self.content, self.out, self.voice = content, out, voice
        self._site: Site | None = None
        self.trouble: tuple[Sequence[Diagnostic], str] | None = (
            None  # the errors, or else why there was no build
        )
        self._code = _code()

    def build(self, *, first: bool = False) -> bool:
        """Build; whether answers may be others now.  Raises only at the first time, and then
        OutputError.
        """
        began = time.perf_counter()
        report, trouble = None, None
        try:
            # Code as it was, and a build log that says it is as it is now, would spoil every later
            # build.
            if _code() != self._code:
                raise OutputError(
                    "The generator itself has changed: end this server and start it again."
                )
            report = build(
                self.content,
                self.out,
                moment(self.content, None),
                BuildOptions(waiting=self.voice.waiting, loss="tell"),
            )
            if report.failed:
                trouble = [problem for problem in report.problems if is_error(problem)], ""
        except Exception as error:
            if first and isinstance(error, OutputError):
                raise
            trouble = [], self._why(error)
        finally:
            # Forking workers freezes all objects that there are then, for good.
            gc.unfreeze()
            gc.collect()
        done = trouble is None and report is not None and bool(report.written or report.removed)
        if not (first or done or trouble != self.trouble):
            return False
        # Where there is no whole build, what was served before is better than nothing.
        with contextlib.suppress(NoSite):
            self._site = Site.open(self.out)
        self.trouble = trouble
        if report is not None:
            self.voice.built(report, time.perf_counter() - began)
        elif trouble is not None:
            self.voice.failed(trouble[1])
        return True

    @property
    def site(self) -> Site | None:
        """The last good build; None where the output is of other content, or half of one build and
        half of another.
        """
        try:
            settle(self.out, patience=0)
        except Busy:
            pass
        except OutputError:
            return None
        return self._site if made_from(self.out) == os.path.realpath(self.content) else None

    def _why(self, error: Exception) -> str:
        if isinstance(error, OSError) and not os.path.isdir(self.content):
            return f"There is no folder {self.content}."
        if isinstance(error, MemoryError):
            return "There is not enough memory for a build."
        return (
            str(error)
            if isinstance(error, OutputError | WorkerFailed | OSError)
            else traceback.format_exc()
        )

    def dress(self, page: bytes) -> bytes:
        return overlay.dress(page, *(self.trouble or ()), stale=self.site is not None)


def _code() -> list[tuple[str, int]]:
    """The generator's own files, and when they changed."""
    return sorted((str(path), path.stat().st_mtime_ns) for path in PACKAGE.rglob("*.py"))


# --- watching ---


class ContentWatcher(Watcher):  # type: ignore[misc]
    """Builds when the content or a template is saved, in a thread of its own, and then tells the
    browsers.

    livereload's own looks at all files every 0.8 s, builds once for each that was saved, and
    answers nothing meanwhile.
    """

    def __init__(self, workshop: Workshop, loop: IOLoop):
        super().__init__()
        self.workshop, self.loop = workshop, loop
        self.stop = threading.Event()
        # A daemon: a build that waits for another's lock is not waited for.
        self.thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self, callback: Callable[[], None]) -> bool:
        self.thread.start()
        return True

    def _run(self) -> None:
        for _ in saves(Path(self.workshop.content), self.workshop.out, self.stop):
            if self.workshop.build() and not self.stop.is_set():
                self.loop.add_callback(LiveReloadHandler.reload_waiters, "*")


# --- answering ---


class _Style(RequestHandler):
    def get(self) -> None:
        self.set_header("Content-Type", headers.TYPES["css"])
        self.write(overlay.CSS)


#: What is answered beside the build: livereload's socket and script, and the style of the overlay.
_BESIDE = (
    ("/livereload", LiveReloadHandler),
    (overlay.SCRIPT, LiveReloadJSHandler),
    (overlay.STYLE, _Style),
)


class _Connections(HTTPServerConnectionDelegate):
    """Every request to the build but those to `beside`, and all that `callers` refuse.

    Not by tornado's own handlers: those read the query before they are asked, and refuse a long
    one.
    """

    def __init__(
        self,
        respond: Callable[[RequestStartLine, HTTPHeaders, HTTPConnection], None],
        beside: Application | None,
        callers: Callers,
    ):
        self.respond, self.beside, self.callers = respond, beside, callers

    def start_request(
        self, server_conn: object, request_conn: HTTPConnection
    ) -> HTTPMessageDelegate:
        return _Exchange(self, server_conn, request_conn)


class _Exchange(HTTPMessageDelegate):
    """One request; what it brings besides its first line is passed on or dropped."""

    def __init__(self, to: _Connections, server_conn: object, connection: HTTPConnection):
        self.to, self.server_conn, self.connection = to, server_conn, connection
        self.start: RequestStartLine | None = None
        self.headers = HTTPHeaders()
        self.other: HTTPMessageDelegate | None = None

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        assert isinstance(start_line, RequestStartLine)
        self.start, self.headers = start_line, headers
        beside = self.to.beside if start_line.path.partition("?")[0] in dict(_BESIDE) else None
        if beside is not None and self.to.callers.refusal(headers) is None:
            self.other = beside.start_request(self.server_conn, self.connection)
            return self.other.headers_received(start_line, headers)
        return None

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self.other.data_received(chunk) if self.other is not None else None

    def finish(self) -> None:
        if self.other is not None:
            self.other.finish()
        elif self.start is not None:
            self.to.respond(self.start, self.headers, self.connection)

    def on_connection_close(self) -> None:
        if self.other is not None:
            self.other.on_connection_close()


async def _serve(
    sockets: list[socket.socket], workshop: Workshop, reload: bool, callers: Callers
) -> None:
    """Answer until a signal comes."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    # What a browser asks for in vain is its own affair.
    logging.getLogger("tornado.access").setLevel(logging.ERROR)
    dress = workshop.dress if reload else bytes

    def respond(start: RequestStartLine, asked: HTTPHeaders, connection: HTTPConnection) -> None:
        try:
            refusal = callers.refusal(asked)
            if refusal is not None:
                found = refused(start.method, *refusal)
            else:
                found = answer(
                    start.method, start.path, workshop.site, dress, asked.get("If-None-Match", "")
                )
        except Exception:
            _log.exception("No answer to %s %s", start.method, start.path)
            found = failure(start.method)
        first = ResponseStartLine("HTTP/1.1", found.status, HTTPStatus(found.status).phrase)
        connection.write_headers(first, HTTPHeaders(found.headers), found.body)
        connection.finish()

    watcher = ContentWatcher(workshop, IOLoop.current()) if reload else None
    beside = Application([(re.escape(path), to) for path, to in _BESIDE]) if reload else None
    server = HTTPServer(_Connections(respond, beside, callers))
    server.add_sockets(sockets)
    if watcher is not None:
        LiveReloadHandler.watcher, LiveReloadHandler.live_css = watcher, False
        watcher.start(lambda: None)
    workshop.voice.ready(workshop.site, sockets[0].getsockname()[1])
    await ended.wait()
    server.stop()
    if watcher is not None:
        watcher.stop.set()
        watcher.thread.join(2)
