"""Answer a request like a host with a query tier: a pure function of the request and a published
registry.

The engine answers; what a host's own server adds is here: pages for people without a registry, the
headers of files, ETags.  Knows nothing about sockets and content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import NamedTuple, Protocol
from urllib.parse import unquote

from generator.contract.addresses import page_policies
from generator.contract.artifact import encode_json
from generator.engine.context import Request, Response
from generator.grammar import headers
from generator.grammar.paths import INDEX, MEDIA
from generator.grammar.refusals import FAILED

_HTML = headers.MEDIA_TYPES["html"]
_POLICY = "Content-Security-Policy"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="color-scheme" content="light dark">
</head>
<body>
<h1>{title}</h1>
</body>
</html>
"""
#: What a server without a registry says.
_NOTHING = "There is nothing to show yet"
_NOT_ALLOWED = f"{headers.NOT_ALLOWED}\n".encode()
_ROOT = INDEX.rpartition("/")[0]
_CACHE = {"Cache-Control": "no-cache", "CDN-Cache-Control": "no-store"}
#: Headers that are no words with a capital.
_SPELLED = {"Etag": "ETag", "Cdn-Cache-Control": "CDN-Cache-Control"}


class AnsweringSite(Protocol):
    """A published registry."""

    def respond(self, request: Request) -> Response:
        """The answer of the engine."""


class HttpAnswer(NamedTuple):
    """A complete response. The header Content-Length is that of GET for all methods."""

    status: int
    headers: dict[str, str]
    body: bytes


def answer(
    method: str,
    target: str,
    site: AnsweringSite | None,
    *,
    given: Mapping[str, str] | None = None,
    body: bytes | None = None,
    origin: str = "https://registry.invalid",
    dress: Callable[[bytes], bytes] = bytes,
) -> HttpAnswer:
    """The answer to one request.

    `target` is the target of the request line, still encoded, with characters up to U+00FF for
    single bytes.  `given` are the headers, `body` is that of a POST, and `origin` that of the
    server.  Without a site the status is 503.  `dress` is applied to each HTML page.
    """
    given = given or {}
    if site is None:
        return _for_client(method, _complete(_path(target), _nothing(method, target, dress)), "")
    # The whole answer, of which a client may have the bytes already: files come without ETags.
    sent = {name: text for name, text in given.items() if name.lower() not in _OF_FILES}
    asked = "GET" if method == "HEAD" else method
    found = site.respond(Request(_local(target), asked, sent, body or None, origin))
    if found.unread is not None:
        raise found.unread
    named = {_spelled(name): text for name, text in found.headers.items()}
    if named.get("Content-Type") == _HTML:
        found = found._replace(body=dress(found.body))
    response = _complete(_path(target), HttpAnswer(found.status, named, found.body))
    return _for_client(method, response, given.get("If-None-Match", ""))


#: Headers about a part or a version of a file.
_OF_FILES = frozenset(("range", "if-range", "if-none-match", "if-modified-since"))


def failure_answer(method: str, target: str, dress: Callable[[bytes], bytes] = bytes) -> HttpAnswer:
    """The answer after an unexpected exception; `dress` is applied to a page."""
    if _is_api(_path(target)):
        response = _status(500, FAILED, "Internal Server Error")
    else:
        response = HttpAnswer(500, {"Content-Type": _HTML}, dress(_page("This page failed")))
    return _for_client(method, _complete(_path(target), response), "")


def refused_answer(method: str, status: int, detail: str) -> HttpAnswer:
    """The answer to a refused request, without CORS headers: no page may read it."""
    response = _for_client(method, _complete("", _status(status, detail)), "")
    allowed = {k: v for k, v in response.headers.items() if not k.startswith("Access-Control-")}
    return response._replace(headers=allowed)


def _nothing(method: str, target: str, dress: Callable[[bytes], bytes]) -> HttpAnswer:
    if method == "OPTIONS":
        return HttpAnswer(204, {**headers.ALLOW, **headers.PREFLIGHT}, b"")
    if method not in headers.METHODS:
        return HttpAnswer(405, {**headers.ALLOW, "Content-Type": headers.PROBLEM}, _NOT_ALLOWED)
    if _is_api(_path(target)):
        return _status(503, f"{_NOTHING}.")
    return HttpAnswer(503, {"Content-Type": _HTML}, dress(_page(_NOTHING)))


def _complete(path: str, response: HttpAnswer) -> HttpAnswer:
    """The response with the headers of all answers.  Caches must always revalidate."""
    given, body = response.headers, response.body
    tag = {}
    if response.status == 200 and given.get("Cache-Control") != headers.UNKEPT["Cache-Control"]:
        tag = {"ETag": f'"{sha256(body).hexdigest()[:32]}"'}
    folder = "/" + path[1:].partition("/")[0]
    policy = {}
    if given.get("Content-Type") == _HTML:
        policy = {_POLICY: page_policies().get(folder, headers.POLICY)}
    elif folder == MEDIA:
        policy = {_POLICY: headers.MEDIA_POLICY}
    length = {} if response.status == 204 else {"Content-Length": str(len(body))}
    # The engine's own tag of a query is of the checks of indexes, which differ between starts.
    every = {**headers.COMMON_HEADERS, **policy, **given, **tag, **length, **_CACHE}
    return response._replace(headers=every)


def _for_client(method: str, response: HttpAnswer, known: str) -> HttpAnswer:
    """Without body for HEAD; 304 if `known` has the ETag (RFC 9110 section 13.1.2)."""
    tag = response.headers.get("ETag")
    if tag and (known.strip() == "*" or tag in re.findall(r'"[^"]*"', known)):
        kept = {k: v for k, v in response.headers.items() if not k.startswith("Content-")}
        return HttpAnswer(304, kept, b"")
    return response._replace(body=b"") if method == "HEAD" else response


def _spelled(name: str) -> str:
    title = "-".join(map(str.capitalize, name.split("-")))
    return _SPELLED.get(title, title)


def _page(title: str) -> bytes:
    return _PAGE.format(title=title).encode()


def _status(status: int, detail: str, title: str | None = None) -> HttpAnswer:
    """A problem document for a status that has no problem type (RFC 9457 section 4.2.1).  The
    `title` of some differs between versions of Python.
    """
    document = {
        "type": "about:blank",
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    return HttpAnswer(status, {"Content-Type": headers.PROBLEM}, encode_json(document))


def _local(target: str) -> str:
    """A target without a host, which it may have (RFC 9112 section 3.2.2)."""
    return target if target.startswith("/") else "/" + re.sub(r"(?i)^https?://[^/?]*/?", "", target)


def _path(target: str) -> str:
    return unquote(_local(target).partition("?")[0])


def _is_api(path: str) -> bool:
    """Whether errors for a path are problem documents."""
    return f"{path}/".startswith(f"{_ROOT}/")
