"""Listen on this machine: requests of HTTP to an answering function, in threads.

One thread talks to clients. Eight others make the answers, so that a long answer holds up no other.

Only requests of programs and pages of this machine are answered. Every page in a browser can send
requests to this machine, and with a name that resolves to it (DNS rebinding) it could read the
answers: records that are not published yet. So the header Host has to name this server, and so does
Origin, which a browser sends for requests of a page.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import re
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from queue import SimpleQueue
from typing import NamedTuple

from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
)  # fmt: skip
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application

from generator import UserError
from generator.agent.protocol import MAX_REQUEST
from generator.grammar.limits import MAX_FORM
from generator.serve.answer import HttpAnswer

#: The names of this machine.
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")

#: A value of the header Host: a name or an address, with or without a port (RFC 9110 section 7.2).
HOST = re.compile(
    r"(?P<name>[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII | re.IGNORECASE
)
_ORIGIN = re.compile(r"https?://(.+)", re.ASCII | re.IGNORECASE)
_LONGEST_SHOWN = 80


class RefusedRequest(NamedTuple):
    status: int
    detail: str


class Callers:
    """Own names are accepted with any port, because a tunnel may end at another port. Own pages
    must have the port of the request.

    `others` are further accepted hosts, names with or without a port; their pages are accepted too.
    `option` is that of the command which adds one.
    """

    def __init__(self, others: Sequence[str] = (), option: str = ""):
        self.others = frozenset(host.lower() for host in others)
        self.option = option

    def find_refusal(self, headers: Mapping[str, str]) -> RefusedRequest | None:
        """Why a request with these headers is refused; None if it is accepted."""
        host, origin = headers.get("Host", ""), headers.get("Origin")
        requested = _split(host)
        if requested is None or not (requested[0] in OWN_NAMES or self._is_other(*requested)):
            detail = f"This server is not called {_shown(host)}. {self._hint(requested)}"
            return RefusedRequest(421, detail.rstrip())
        if origin is None:
            return None
        page = _ORIGIN.fullmatch(origin)
        page_host = _split(page[1]) if page else None
        if page_host is not None and (
            (page_host[0] in OWN_NAMES and page_host[1] == requested[1])
            or self._is_other(*page_host)
        ):
            return None
        detail = f"A page of {_shown(origin)} asks, and only this server's own pages may."
        return RefusedRequest(403, f"{detail} {self._hint(page_host)}".rstrip())

    def _hint(self, host: tuple[str, str] | None) -> str:
        if host is None:
            return "It is no host's name."
        name = ":".join(filter(None, host))
        return f"If it should be, start it with {self.option} {name}" if self.option else ""

    def _is_other(self, name: str, port: str) -> bool:
        return name in self.others or f"{name}:{port}" in self.others


def _split(host: str) -> tuple[str, str] | None:
    """Name and port, which is "" if missing; None if `host` is not a host."""
    found = HOST.fullmatch(host)
    return (found["name"].lower(), found["port"] or "") if found else None


def _shown(text: str) -> str:
    return f'"{text[:_LONGEST_SHOWN]}"'


ADDRESS = "127.0.0.1"
END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: Answers that are made at the same time; further requests wait.
_ANSWERING = 8
#: Bytes of a body that is read: no request may have more.
MAX_BODY = max(MAX_FORM, MAX_REQUEST)


class CannotListen(UserError):
    """The port cannot be opened; the text says why and what to do."""


class HttpRequest(NamedTuple):
    """What a client asks; the target is as in the request line."""

    method: str
    target: str
    headers: HTTPHeaders
    body: bytes


def listen(port: int) -> list[socket.socket]:
    """Sockets of this machine at a port; 0 means any free port. Raises CannotListen."""
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


async def answer_until_signal(
    sockets: Sequence[socket.socket],
    answer: Callable[[HttpRequest], HttpAnswer],
    find_application: Callable[[str, HTTPHeaders], Application | None] = lambda _, __: None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Answer requests until SIGINT or SIGTERM comes. `answer` runs in threads and never raises.

    A request for which `find_application` has one, by its path, is not answered here. `ready` is
    called when requests are answered.
    """
    ended = asyncio.Event()
    for number in END_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    server = HTTPServer(_Connections(_Answering(answer), find_application))
    server.add_sockets(sockets)
    ready()
    await ended.wait()
    server.stop()


class _Connections(HTTPServerConnectionDelegate):
    """Sends requests to an application of tornado, and all others to `answering`. Refused requests
    go to `answering` too.

    Not by tornado's own handlers: they parse the query first, and refuse a long one.
    """

    def __init__(
        self,
        answering: _Answering,
        find_application: Callable[[str, HTTPHeaders], Application | None],
    ):
        self.answering, self.find_application = answering, find_application

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
        application = self.to.find_application(start_line.path.partition("?")[0], headers)
        if application is not None:
            self.other = application.start_request(self.server_conn, self.connection)
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
            request = HttpRequest(self.start.method, self.start.path, self.headers, self.body)
            self.to.answering.respond(request, self.connection)

    def on_connection_close(self) -> None:
        if self.other is not None:
            self.other.on_connection_close()


class _Answering:
    """Makes answers in threads, which end with the process even if an answer takes long."""

    def __init__(self, answer: Callable[[HttpRequest], HttpAnswer]):
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._requests = SimpleQueue[tuple[HttpRequest, HTTPConnection]]()
        for number in range(_ANSWERING):
            threading.Thread(target=self._work, name=f"answer-{number}", daemon=True).start()

    def respond(self, request: HttpRequest, connection: HTTPConnection) -> None:
        self._requests.put((request, connection))

    def _work(self) -> None:
        while True:
            request, connection = self._requests.get()
            response = self._answer(request)
            with contextlib.suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(_write, response, connection)


def _write(response: HttpAnswer, connection: HTTPConnection) -> None:
    """Send an answer, unless the client has gone away."""
    phrase = HTTPStatus(response.status).phrase
    start_line = ResponseStartLine("HTTP/1.1", response.status, phrase)
    with contextlib.suppress(StreamClosedError):
        connection.write_headers(start_line, HTTPHeaders(response.headers), response.body)
        connection.finish()
