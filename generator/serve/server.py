"""The development server: answers like a host, and reads the content again when it changes.

A thread watches the content and reads what was saved. The server listens on this machine only,
writes no output, and runs the code that it was started with.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import json
import logging
import re
import signal
import socket
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn
from urllib.parse import unquote

from livereload.handlers import LiveReloadHandler, LiveReloadJSHandler  # type: ignore[import-untyped]
from livereload.watcher import Watcher  # type: ignore[import-untyped]
from tornado.httputil import HTTPHeaders
from tornado.ioloop import IOLoop
from tornado.web import Application, HTTPError, RequestHandler

from generator.feature import describe_failure
from generator.grammar import headers
from generator.published.history.provenance import moment
from generator.serve.answer import HttpAnswer, answer, failure_answer, refused_answer
from generator.serve.listener import END_SIGNALS, Callers, HttpRequest, answer_until_signal, listen
from generator.serve.live import CSS, SCRIPT, SOURCE, STYLE, Live, add_failure, source_page
from generator.serve.watch import Stats, stat_files, watch_saves
from generator.site.theme import MEND, ThemeError

_PATIENCE = 0.5  # seconds for the watching thread to end

_log = logging.getLogger(__name__)


class CannotServe(Exception):
    """There is nothing to show, and the content will not be read again. The reason was already
    reported.
    """


def serve(port: int, live: Live, *, reload: bool = True, hosts: Sequence[str] = ()) -> None:
    """Read the content, answer requests and, with `reload`, read it again after each change, until
    a signal comes.

    Port 0 means any free port. `hosts` are the further hosts of `Callers`. Raises CannotListen,
    CannotServe, and from the first read OutputError, ValueError (see `moment`) and SystemExit.
    """
    # Until the loop sets its handlers, the signals interrupt the first read.
    for number in END_SIGNALS:
        signal.signal(number, _exit)
    _share_freed_memory()
    sockets = listen(port)
    try:
        moment(live.content, None)
        before = stat_files(*live.folders)
        live.start()
        if live.deployment is None and not reload:
            raise CannotServe
        asyncio.run(_serve(sockets, live, before if reload else None, hosts))
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
    # makes Python end itself by that signal at its exit, even if the exception was handled.
    raise SystemExit


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
        self.write(CSS)


class _Reload(LiveReloadHandler):  # type: ignore[misc]
    """livereload's socket; invalid messages, from any local program, close the connection.

    A page that shows another state than the newest is reloaded when it connects: what was saved
    since it was made came too early for it, or the server was started anew.
    """

    shown: object = None  # the state that the page shows, as its script tells it

    def on_message(self, message: str | bytes) -> None:
        try:
            content = json.loads(message)
        except (ValueError, RecursionError):
            content = None
        if isinstance(content, dict) and isinstance(content.get("command"), str):
            super().on_message(message)
            self.shown = content.get("snipver", self.shown)
            late = self.shown not in (None, self.settings["live"].state)
            if content["command"] == "info" and late:
                self.send_message({"command": "reload", "path": "*"})
        else:
            self.close(1003, "no message of livereload")


#: Bytes of a message to the socket, far more than livereload.js sends.
_MAX_MESSAGE = 1 << 16


class _Source(RequestHandler):
    def get(self) -> None:
        page = source_page(self.settings["live"].trouble, unquote(self.request.query))
        if page is None:
            raise HTTPError(404)
        self.set_header("Content-Security-Policy", headers.POLICY)
        self.write(page)


#: Files that are not published: livereload's socket and script; and the style of the banner, with
#: what it links to.
_LIVERELOAD = {"/livereload": _Reload, SCRIPT: LiveReloadJSHandler}
_BANNER = {STYLE: _Style, SOURCE: _Source}


class _Answers:
    """The answers to requests, from what `live` has read."""

    def __init__(self, live: Live, callers: Callers, *, reload: bool):
        self._live, self._callers, self._reload = live, callers, reload

    def answer(self, request: HttpRequest) -> HttpAnswer:
        method, target, given, body = request
        # Asked first: a page may then be reloaded once too often, but no change is lost.
        state = self._live.state if self._reload else None
        dress = partial(self._live.add_banner, state=state)
        try:
            refusal, deployment = self._callers.find_refusal(given), self._live.deployment
            if refusal is not None:
                return refused_answer(method, *refusal)
            return answer(
                method, target, deployment, given=given, body=body,
                origin=f"http://{given.get('Host', '')}", dress=dress,
            )  # fmt: skip
        except Exception as error:
            text = describe_failure(error) or traceback.format_exc()
            if isinstance(error, ThemeError):
                text = f"{error}\n{MEND}"
            _log.error("No answer to %s %s: %s", method, target, text)
            return failure_answer(method, target, lambda page: add_failure(dress(page), text))


async def _serve(
    sockets: list[socket.socket], live: Live, before: Stats | None, hosts: Sequence[str]
) -> None:
    """Answer requests until a signal comes; without `before`, nothing is watched."""
    # Browsers request files that do not exist; this is no warning.
    logging.getLogger("tornado.access").setLevel(logging.ERROR)
    callers = Callers(hosts, "--allow-host")
    watches = before is not None
    answers = _Answers(live, callers, reload=watches)
    served: dict[str, type[RequestHandler]] = {}
    if watches or live.trouble is not None:
        served = {**_LIVERELOAD, **_BANNER} if watches else {**_BANNER}
    handlers = [(re.escape(path), handler) for path, handler in served.items()]
    application = Application(handlers, websocket_max_message_size=_MAX_MESSAGE, live=live)
    watcher = None
    if before is not None:
        watcher = ContentWatcher(live, before, IOLoop.current())
        LiveReloadHandler.watcher, LiveReloadHandler.live_css = watcher, False

    def find_application(path: str, given: HTTPHeaders) -> Application | None:
        accepted = path in served and callers.find_refusal(given) is None
        return application if accepted else None

    def ready() -> None:
        if watcher is not None:
            watcher.start(lambda: None)
        live.reporter.ready(live.deployment, sockets[0].getsockname()[1])

    await answer_until_signal(sockets, answers.answer, find_application, ready)
    if watcher is not None:
        watcher.stop.set()
        watcher.thread.join(_PATIENCE)
