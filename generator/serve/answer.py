"""Answer a request like a host with a query tier: a pure function of the request and a published
registry.

A request is a method and a raw target. Only published files are read, and lists are answered only
through `Grammar.parse`. Knows nothing about sockets and content.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_to_bytes

import orjson

from generator.agent import protocol
from generator.agent.endpoint import answer_post
from generator.contract.artifact import encode_json
from generator.grammar import headers
from generator.grammar.grammar import Collection, Query, Slice
from generator.grammar.limits import MAX_FORM
from generator.grammar.paths import INDEX, MCP, MEDIA, NOT_FOUND, SEARCH
from generator.grammar.refusals import FAILED, PROBLEMS, QueryError
from generator.grammar.routes import is_answered, takes_form
from generator.reader.client import Client
from generator.reader.deployment import Deployment, current_slice, is_moved, missing_page_error
from generator.reader.documents import Unreadable
from generator.reader.services import Asked, TooLarge, answer_service
from generator.reader.suggestions import add_near_values, find_near_slugs
from generator.search.manifest import Unavailable
from generator.text.words import is_slug

_JSON = headers.MEDIA_TYPES["json"]
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
_ROOT = INDEX.rpartition("/")[0]
_ASCII = bytes(range(128))
_CACHE = {"Cache-Control": "no-cache", "CDN-Cache-Control": "no-store"}


class Answer(NamedTuple):
    """A complete response. The header Content-Length is that of GET for all methods."""

    status: int
    headers: dict[str, str]
    body: bytes


def answer(
    method: str,
    target: str,
    deployment: Deployment | None,
    *,
    dress: Callable[[bytes], bytes] = bytes,
    known: str = "",
    origin: str = "",
    form: bytes | None = None,
    ranged: tuple[str, str] = ("", ""),
) -> Answer:
    """The answer to one request.

    `target` is the target of the request line, still encoded, with characters up to U+00FF for
    single bytes. `known` is the header If-None-Match. Without a deployment the status is 503.
    `dress` is applied to each HTML page. `origin` is that of the request, and `form` the body of a
    POST. `ranged` has the headers Range and If-Range.
    """
    methods = _methods(target, deployment)
    if method == "OPTIONS":
        return _preflight(methods)
    if method not in methods:
        return _not_allowed(methods)
    posted = method == "POST"
    if deployment is not None:
        response = _get(target, deployment, origin, form if posted else None)
    elif _is_api(_path(target) or ""):
        response = _status(503, f"{_NOTHING}.", {})
    else:
        response = Answer(503, {"Content-Type": _HTML}, _page(_NOTHING))
    if response.headers.get("Content-Type") == _HTML:
        response = response._replace(body=dress(response.body))
    response = _complete(response)
    if method == "GET" and not posted and not known:
        response = _part(response, *ranged)
    return _for_client(method, response, "" if posted else known)


def _methods(target: str, deployment: Deployment | None) -> tuple[str, ...]:
    """The methods of an address."""
    if deployment is None:
        return headers.METHODS
    paths = _path_variants(_path(target), deployment.grammar.prefix)
    posted = any(takes_form(path, deployment.grammar) for path in paths)
    return (*headers.METHODS, "POST") if posted else headers.METHODS


def _preflight(methods: Sequence[str]) -> Answer:
    """The answer to OPTIONS (RFC 9110 section 9.3.7), also as the preflight of CORS (Fetch)."""
    names = ", ".join(methods)
    allowed = {"Allow": names, **headers.PREFLIGHT, "Access-Control-Allow-Methods": names}
    return _complete(Answer(204, allowed, b""))


def is_mcp(target: str, deployment: Deployment) -> bool:
    """Whether a target is the address of the MCP server, also with a slash at its end."""
    return any(
        p in (MCP, f"{MCP}/") for p in _path_variants(_path(target), deployment.grammar.prefix)
    )


def mcp_answer(method: str, given: Mapping[str, str], body: bytes, client: Client) -> Answer:
    """The answer to a request to the MCP server, with its headers."""
    if method == "OPTIONS":
        return _preflight(protocol.METHODS)
    if method != "POST":
        return _for_client(method, _not_allowed(protocol.METHODS))
    status, answered = answer_post(given, body, client)
    content = {"Content-Type": _JSON} if answered else {}
    response = _complete(Answer(status, content, answered))
    return response._replace(headers=_without(response.headers, "ETag"))


def failure_answer(method: str, target: str, dress: Callable[[bytes], bytes] = bytes) -> Answer:
    """The answer after an unexpected exception; `dress` is applied to a page."""
    if _is_api(_path(target) or ""):
        response = _status(500, FAILED, {}, "Internal Server Error")
    else:
        response = Answer(500, {"Content-Type": _HTML}, dress(_page("This page failed")))
    return _for_client(method, _complete(response))


def refused_answer(method: str, status: int, detail: str) -> Answer:
    """The answer to a refused request, without CORS headers: no page may read it."""
    response = _for_client(method, _complete(_status(status, detail, {})))
    return response._replace(headers=_without(response.headers, "Access-Control-"))


def _without(headers: dict[str, str], prefix: str) -> dict[str, str]:
    return {name: value for name, value in headers.items() if not name.startswith(prefix)}


def _for_client(method: str, response: Answer, known: str = "") -> Answer:
    """Without body for HEAD; 304 if `known` has the ETag (RFC 9110 section 13.1.2)."""
    tag = response.headers.get("ETag")
    if tag and (known.strip() == "*" or tag in re.findall(r'"[^"]*"', known)):
        return Answer(304, _without(response.headers, "Content-"), b"")
    return response._replace(body=b"") if method == "HEAD" else response


def _part(response: Answer, wanted: str, condition: str) -> Answer:
    """The bytes of one range (RFC 9110 section 14); the whole answer if several are wanted, or if
    the client has a part of an older one.
    """
    match = re.fullmatch(r"bytes=(\d{0,18})-(\d{0,18})", wanted.strip())
    if response.status != 200 or match is None or not any(match.groups()):
        return response
    if condition and condition != response.headers["ETag"]:
        return response
    size, (first, last) = len(response.body), match.groups()
    start = int(first) if first else max(size - int(last), 0)
    end = min(int(last), size - 1) if first and last else size - 1
    if first and last and int(last) < int(first):
        return response
    if start >= size:
        part, status, place = b"", 416, f"bytes */{size}"
    else:
        part, status, place = response.body[start : end + 1], 206, f"bytes {start}-{end}/{size}"
    length = {"Content-Range": place, "Content-Length": str(len(part))}
    return Answer(status, {**response.headers, **length}, part)


def _get(target: str, deployment: Deployment, origin: str, form: bytes | None) -> Answer:
    # Some clients leave bytes above 127 unencoded.
    path, raw = _path(target), quote(target.partition("?")[2], safe=_ASCII, encoding="latin-1")
    try:
        for variant in _path_variants(path, deployment.grammar.prefix):
            response = _ask(variant, raw, deployment, origin, form) or _find(
                variant, raw, deployment
            )
            if response is not None:
                return response
    except QueryError as error:
        return _problem(error, deployment)
    except TooLarge as error:
        return _status(413, str(error), {}, "Content Too Large")
    except Unavailable as error:
        return _status(503, str(error), headers.UNAVAILABLE)
    if path and path == deployment.grammar.prefix:
        return _slash(path, raw)
    # An encoded slash names no file, but the address is still one of the API.
    if any(map(_is_api, _path_variants(path or unquote(target), deployment.grammar.prefix))):
        return _problem(_nothing_here(), deployment)
    return Answer(404, {"Content-Type": _HTML}, deployment.read(NOT_FOUND) or b"")


def _path_variants(path: str | None, prefix: str) -> tuple[str, ...]:
    """The path without the prefix, and as it is, because a proxy may remove the prefix."""
    if path is None:
        return ()
    if prefix and path.startswith(f"{prefix}/"):
        return path.removeprefix(prefix), path
    return (path,)


def _find(path: str, raw: str, deployment: Deployment) -> Answer | None:
    """The answer for a path without prefix; None if there is none. Raises QueryError."""
    # Before files: lists and searches need the grammar.
    if path in deployment.lists:
        return _list(deployment.lists[path], raw, deployment)
    if path == SEARCH:
        found = deployment.answer_query(deployment.grammar.parse_search(raw))
        return Answer(200, {"Content-Type": _JSON}, found)
    parent, _, slug = path.rpartition("/")
    file = deployment.single.get(path) or (
        deployment.single.get(f"{parent}/:slug", "").replace(":slug", slug) if is_slug(slug) else ""
    )
    if file:
        response = _single(path, file, raw, deployment)
        if response is None and parent in deployment.lists:
            collection = deployment.lists[parent]
            near = find_near_slugs(deployment.answer_query, collection, slug)
            raise QueryError("not-found", f'There is no {collection.kind} "{slug}".', near)
        return response
    body = deployment.read(f"{path}index.html" if path.endswith("/") else path)
    if body is not None:
        return Answer(200, {"Content-Type": headers.media_type(path), **_policy(path)}, body)
    if deployment.read(f"{path}/index.html") is not None:
        return _slash(deployment.grammar.url(path), raw)
    if any(path.startswith(f"{root}/") for root in deployment.lists):
        try:
            wanted = deployment.grammar.parse_path(path)
        except QueryError:
            raise _nothing_here() from None
        return _missing_page(*wanted, deployment)
    return None


def _nothing_here() -> QueryError:
    """The refusal of an address that names nothing; hosts without functions give the same."""
    return QueryError("not-found", PROBLEMS["not-found"][2])


def _ask(
    path: str, raw: str, deployment: Deployment, origin: str, form: bytes | None
) -> Answer | None:
    """The answer of a feature; None at other addresses. Raises QueryError, TooLarge and
    Unavailable.
    """
    if form is not None and len(form) > MAX_FORM and is_answered(path, deployment.grammar):
        raise TooLarge(f"A form has at most {MAX_FORM // 1024} KiB.")
    asked = raw if form is None else quote(form, safe=_ASCII)
    grammar, engine, read = deployment.grammar, deployment.engine, deployment.read
    found = answer_service(Asked(path, asked, grammar, engine, read, origin, form is not None))
    return Answer(200, {"Content-Type": found.media_type}, found.body) if found else None


def _policy(path: str) -> dict[str, str]:
    """The policy of a file in a folder with a policy of its own."""
    folder = "/" + path.split("/")[1]
    if folder == MEDIA:
        return {_POLICY: headers.MEDIA_POLICY}
    is_page = folder in headers.POLICIES and path.endswith(("/", ".html"))
    return {_POLICY: headers.POLICIES[folder]} if is_page else {}


def _slash(path: str, raw: str) -> Answer:
    return _redirect(quote(path) + "/" + (f"?{raw}" if raw else ""))


def _redirect(location: str) -> Answer:
    # 308 keeps the method (RFC 9110 section 15.4.9).
    return Answer(308, {"Location": location}, b"")


def _list(collection: Collection, raw: str, deployment: Deployment) -> Answer:
    """A page of a list, rows, or a count. Raises QueryError and Unavailable."""
    try:
        query = deployment.grammar.parse(collection, raw)
        if not isinstance(query, Query) or query.slice is None:
            return Answer(200, {"Content-Type": _JSON}, deployment.answer_query(query))
        body = deployment.read(query.slice.path(query.page))
        if body is None or is_moved(body):
            return _missing_page(query.slice, query.page, deployment)
        return Answer(200, {"Content-Type": _JSON}, body)
    except QueryError as error:
        raise add_near_values(error, collection, deployment.read) from error


def _missing_page(part: Slice, page: int, deployment: Deployment) -> Answer:
    """A redirect for a former slug. Raises QueryError, Unavailable for a damaged build."""
    with contextlib.suppress(Unreadable):
        current = current_slice(part, deployment.grammar, deployment.read)
        if current is not None:
            return _redirect(deployment.grammar.url(current.path(page)))
    with contextlib.suppress(Unreadable):
        error = missing_page_error(part, page, deployment.grammar, deployment.read)
        if error is not None:
            raise error
    raise Unavailable(f"The build is damaged: {part.path(page)} is missing. Build it again.")


def _single(path: str, file: str, raw: str, deployment: Deployment) -> Answer | None:
    """One document, or a redirect to the current slug. Raises QueryError."""
    if raw:
        raise QueryError(
            "unknown-parameter", f"{deployment.grammar.url(path)} takes no parameters."
        )
    body = deployment.read(file)
    if body is None:
        return None
    document = orjson.loads(body)
    if document["kind"] == "moved":
        current = f"{path.rpartition('/')[0]}/{document['data']['replaced_by']}"
        return _redirect(deployment.grammar.url(current))
    return Answer(200, {"Content-Type": _JSON}, body)


def _problem(error: QueryError, deployment: Deployment) -> Answer:
    """The build's own problem document, with the details of this error."""
    document = {
        **deployment.problems[error.code],
        "detail": error.detail,
        "allowed": list(error.allowed) or None,
    }
    return Answer(error.status, {"Content-Type": headers.PROBLEM}, encode_json(document))


def _page(title: str) -> bytes:
    return _PAGE.format(title=title).encode()


def _status(
    status: int, detail: str, extra_headers: dict[str, str], title: str | None = None
) -> Answer:
    """A problem document for a status that has no problem type (RFC 9457 section 4.2.1).  The
    `title` of some differs between versions of Python.
    """
    document = {
        "type": "about:blank",
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    return Answer(status, {"Content-Type": headers.PROBLEM, **extra_headers}, encode_json(document))


def _not_allowed(methods: Sequence[str]) -> Answer:
    body = f"{headers.NOT_ALLOWED}\n".encode()
    allowed = {"Content-Type": headers.PROBLEM, "Allow": ", ".join(methods)}
    return _complete(Answer(405, allowed, body))


def _complete(response: Answer) -> Answer:
    """The response with the headers of all answers. Caches must always revalidate."""
    tag = {}
    if response.status == 200:
        tag = {"ETag": f'"{sha256(response.body).hexdigest()[:32]}"', "Accept-Ranges": "bytes"}
    html = response.headers.get("Content-Type") == _HTML
    policy = {_POLICY: headers.POLICY} if html else {}
    length = {} if response.status == 204 else {"Content-Length": str(len(response.body))}
    return response._replace(
        headers={**policy, **response.headers, **headers.COMMON_HEADERS, **length, **tag, **_CACHE}
    )


def _path(target: str) -> str | None:
    """The decoded path of a target, with or without a host (RFC 9112 section 3.2.2); None if no
    file can have this path.
    """
    if not target.startswith("/"):
        target = "/" + re.sub(r"(?i)^https?://[^/?]*/?", "", target)
    path = target.partition("?")[0]
    try:
        decoded = unquote_to_bytes(path.encode("latin-1")).decode()
    except UnicodeError:
        return None
    # No file name has a slash, a backslash or a control character, also not percent-encoded.
    if decoded.count("/") != path.count("/") or not decoded.isprintable() or "\\" in decoded:
        return None
    return decoded


def _is_api(path: str) -> bool:
    """Whether errors for a path are problem documents."""
    return f"{path}/".startswith(f"{_ROOT}/")
