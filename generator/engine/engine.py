"""`Engine`: answers requests to a registry by the script, in any number of threads."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Callable

from generator.contract.files import ReadFiles
from generator.engine.context import Context, EngineError, Request, Response
from generator.grammar.headers import COMMON_HEADERS, PROBLEM, UNKEPT
from generator.grammar.refusals import FAILED

_log = logging.getLogger(__name__)


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
            _log.error("No answer to %s %s: %s", request.method, request.target, error)
            return _failed(request)
        # What reading a file raised is the caller's.
        for text in response.log if response.unread is None else ():
            _log.error("%s %s: %s", request.method, request.target, text)
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
