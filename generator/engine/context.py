"""One QuickJS context with the engine, and how requests, files and answers cross to and from it.

JavaScript never calls Python, which QuickJS does not allow with a limit of time: a read is queued.
Python runs the jobs of the context, reads what was queued with one call, and gives it, until the
answer is there.  Only JSON and Base64 cross (web.js).
"""

from __future__ import annotations

import contextlib
import json
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

# Not the package around it, which starts a thread when it is imported: a process with threads must
# not fork.
import _quickjs

from generator.contract.files import ReadFiles, Vouched, rows_in
from generator.engine.bundles import additions, own_bundle
from generator.grammar.headers import COMMON_HEADERS, PROBLEM, UNKEPT, media_type
from generator.grammar.limits import clip
from generator.grammar.refusals import FAILED

# --- contexts for any number of threads -----------------------------------------------------------
#
# `Engine`: answers requests to a registry by the script, in any number of threads.


def _log(message: str, *values: object) -> None:
    import logging

    logging.getLogger(__name__).error(message, *values)


class Engine:
    """The engine of one registry.  `make_table` gives its table as JSON when it is first needed."""

    def __init__(self, make_table: Callable[[], str]):
        self._make_table = make_table
        self._table = ""
        #: Contexts that nobody uses; a thread takes one for an answer, or begins another.
        self._idle: list[Context] = []

    def respond(self, request: Request, read: ReadFiles) -> Response:
        """The answer to a request, from the files that `read` gives; of what `read` raises the
        answer has the last.

        After an unexpected error the answer has status 500, and the next one a new context.
        """
        try:
            context = self._context()
            response = context.respond(request, read)
        except EngineError as error:
            _log("No answer to %s %s: %s", request.method, request.target, error)
            return _failed(request)
        # What reading a file raised is the caller's.
        for text in response.log if response.unread is None else ():
            _log("%s %s: %s", request.method, request.target, text)
        if response.status != 500:
            self._idle.append(context)
        return response

    def _context(self) -> Context:
        with contextlib.suppress(IndexError):
            return self._idle.pop()
        self._table = self._table or self._make_table()
        return Context(self._table)


def _failed(request: Request) -> Response:
    """The answer that the script gives after an unexpected exception."""
    document = {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "detail": FAILED,
    }
    headers = {**COMMON_HEADERS, **UNKEPT, "Content-Type": PROBLEM}
    body = b"" if request.method == "HEAD" else json.dumps(document, separators=(",", ":")).encode()
    return Response(500, {k.lower(): v for k, v in headers.items()}, body + b"\n" * bool(body))


# --- one context ----------------------------------------------------------------------------------


#: Bytes of a context, bytes of its stack, and seconds of one answer without those of reads: more
#: than the bound of the script itself (table.MAX_SECONDS), which says what it refuses.  A thread of
#: musl has 128 KiB in all, and deep recursion needs no more than this.
_MEMORY, _STACK, _SECONDS = 512 << 20, 256 << 10, 20.0
_ASCII = bytes(range(128))
_COMPUTED = {
    "sha256": lambda data: sha256(data).digest(),
    "deflate": lambda data: zlib.compress(data, 9),
}


class Request(NamedTuple):
    """A request for an address, which begins with a slash and may have any bytes as latin-1.

    `origin` is that of the server which got the request, such as https://example.org.
    """

    target: str
    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: bytes | None = None
    origin: str = "https://registry.invalid"


class Response(NamedTuple):
    """Names of headers are in lower case.  `unread` is what reading a file raised, if anything did;
    `log` are texts of unexpected errors.
    """

    status: int
    headers: dict[str, str]
    body: bytes
    unread: Exception | None = None
    log: Sequence[str] = ()


class EngineError(Exception):
    """The script failed or exceeded a limit: the context cannot be used any more."""


@cache
def _web() -> str:
    return Path(__file__).with_name("web.js").read_text("utf-8")


class Context:
    """The engine with the table of a registry, for one answer at a time."""

    def __init__(self, table: str):
        """`table` is JSON (table.py).  Raises EngineError, and FeatureError if the script of a
        feature cannot be run.
        """
        self._context = _quickjs.Context()
        self._context.set_memory_limit(_MEMORY)
        self._context.set_max_stack_size(_STACK)
        try:
            self._context.eval(_web())
            self._context.eval(f"const table={table},edge={{}};\n{own_bundle('edge')}")
            for feature, script in additions():
                with feature.named():
                    self._context.eval(script)
            self._respond = self._context.eval(
                "(request,fetchAsset)=>edge.respond(request,fetchAsset,table,edge.search)"
            )
        except _quickjs.JSException as error:
            raise EngineError(str(error)) from error
        names = ("begin", "take", "give", "done", "fail", "answer")
        self._bridge = {name: self._context.eval(f"bridge.{name}") for name in names}

    def respond(self, request: Request, read: ReadFiles) -> Response:
        """The answer to a request, from the files that `read` gives.  Raises EngineError, but
        nothing that `read` raises, unless it is no Exception.
        """
        try:
            return self._run(request, read)
        except (_quickjs.JSException, _quickjs.StackOverflow, UnicodeError) as error:
            raise EngineError(str(error)) from error

    def _run(self, request: Request, read: ReadFiles) -> Response:
        call, held = self._bridge, list[bytes]()
        unread, until = None, time.monotonic() + _SECONDS
        self._context.set_time_limit(_SECONDS)
        call["begin"](self._respond, _encode(request))
        while True:
            while self._context.execute_pending_job():
                if time.monotonic() > until:
                    raise EngineError("The answer takes too long.")
            answer = call["answer"]()
            if answer is not None:
                return _response(json.loads(answer), held, unread)
            began = time.monotonic()
            wanted = json.loads(call["take"]())
            if not wanted:
                raise EngineError("The engine waits for nothing.")
            try:
                files = self._files(wanted, read)
            except Exception as error:
                unread = error
                why = clip(str(error) or type(error).__name__, 500)
                call["fail"](why.encode(errors="replace").decode())
            else:
                for number, data in enumerate(files):
                    self._give(number, data, held)
            waited = time.monotonic() - began
            until += waited
            call["done"](waited * 1000)

    def _files(
        self, wanted: Sequence[tuple[str, str]], read: ReadFiles
    ) -> Sequence[tuple[str, bytes | None]]:
        """What was queued, in order: all files by one read; each with its address, or ""."""
        paths = [path for what, path in wanted if what == "file"]
        files = iter(read(paths) if paths else ())
        return [
            (argument, next(files))
            if what == "file"
            else ("", _COMPUTED[what](b64decode(argument)))
            for what, argument in wanted
        ]

    def _give(self, number: int, found: tuple[str, bytes | None], held: list[bytes]) -> None:
        path, data = found
        if data is None:
            self._bridge["give"](number, None, "")
            return
        held.append(data)
        about: dict[str, Any] = {"number": len(held) - 1}
        if path:
            about |= {"type": media_type(path), "checks": _checks(path, data)}
        self._bridge["give"](number, json.dumps(about), b64encode(data).decode())


def _encode(request: Request) -> str:
    target = quote(request.target, safe=_ASCII, encoding="latin-1")
    body = None if request.body is None else b64encode(request.body).decode()
    return json.dumps(
        {
            "method": request.method,
            "url": request.origin + target,
            "headers": dict(request.headers),
            "body": body,
        }
    )


def _response(answer: dict[str, Any], held: Sequence[bytes], unread: Exception | None) -> Response:
    if "error" in answer:
        raise EngineError(answer["error"])
    number = answer["number"]
    body = b64decode(answer["base64"]) if number is None else held[number]
    return Response(answer["status"], dict(answer["headers"]), body, unread, answer["log"])


def _checks(path: str, data: bytes) -> dict[str, int]:
    """The CRC-32 of each part of a file that the engine checks, by `start:length` in bytes:
    JavaScript would compute them at a hundredth of the speed.
    """
    whole = data.check if isinstance(data, Vouched) else zlib.crc32(data)
    checks = {f"0:{len(data)}": whole}
    if path.endswith(".json"):
        start, rows = data.find(b"\n") + 1, rows_in(data)
        checks[f"{start}:{len(rows)}"] = zlib.crc32(rows)
    elif "/rows/" in path:
        content = data[:-9]
        checks[f"0:{len(content)}"] = zlib.crc32(content)
    return checks
