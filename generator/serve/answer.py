"""What a host with a query tier answers to a request: a pure function of the request and of a
build.

A request is a method and a raw target; the grammar is read back from the build that is served, so
no answer can come from another.  Nothing outside of the output is ever read, and no list is
answered but by `Grammar.parse`.  Knows nothing of sockets, of content and of how a build is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

import orjson

from generator.contract.artifact import encode
from generator.grammar import headers
from generator.grammar.grammar import Collection, Count, Slice
from generator.grammar.paths import INDEX, NOT_FOUND
from generator.grammar.refusals import QueryError
from generator.grammar.text import is_slug
from generator.reader.documents import Unreadable
from generator.reader.site import Site, absent, is_moved, present
from generator.reader.suggestions import near_slugs, with_near
from generator.search.manifest import Unavailable

_JSON = headers.TYPES["json"]
_HTML = headers.TYPES["html"]
_POLICY = "Content-Security-Policy"
_EMPTY_PAGE = b"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>There is no build yet</title>
<meta name="color-scheme" content="light dark">
</head>
<body>
<h1>There is no build yet</h1>
</body>
</html>
"""
_ROOT = INDEX.rpartition("/")[0]
_ASCII = bytes(range(128))
_CACHE = {"Cache-Control": "no-cache", "CDN-Cache-Control": "no-store"}


class Answer(NamedTuple):
    """A whole response.  `headers` have the length of what GET answers, whatever the method."""

    status: int
    headers: dict[str, str]
    body: bytes


def answer(
    method: str,
    target: str,
    site: Site | None,
    dress: Callable[[bytes], bytes] = bytes,
    known: str = "",
) -> Answer:
    """The answer to one request.

    `target` is that of the request line, still encoded, with characters up to U+00FF for single
    bytes, and `known` its `If-None-Match`.  Without a site there is nothing to answer from, and the
    status is 503.  Every HTML page passes through `dress`.
    """
    if method == "OPTIONS":
        # RFC 9110 section 9.3.7, and the CORS preflight of the Fetch standard.
        return _complete(Answer(204, {**headers.ALLOW, **headers.PREFLIGHT}, b""))
    if method not in headers.METHODS:
        return _complete(
            _status(405, f"{method} is not answered here: the API can only be read.", headers.ALLOW)
        )
    if site is None:
        unavailable = _status(503, "There is no build yet.", {})
        response = (
            unavailable
            if _is_api(_path(target) or "")
            else Answer(503, {"Content-Type": _HTML}, _EMPTY_PAGE)
        )
    else:
        response = _get(target, site)
    if response.headers.get("Content-Type") == _HTML:
        response = response._replace(body=dress(response.body))
    return _sent(method, _complete(response), known)


def failure(method: str) -> Answer:
    """The answer where a bug left none."""
    return _sent(
        method, _complete(_status(500, "The server could not answer; its terminal says why.", {}))
    )


def refused(method: str, status: int, detail: str) -> Answer:
    """The answer to who may not ask: no page may read it, not even why."""
    response = _sent(method, _complete(_status(status, detail, {})))
    return response._replace(
        headers={
            name: value
            for name, value in response.headers.items()
            if not name.startswith("Access-Control-")
        }
    )


def _sent(method: str, response: Answer, known: str = "") -> Answer:
    """What is sent: no body to HEAD, and none to who has it (RFC 9110 section 13.1.2)."""
    tag = response.headers.get("ETag")
    if tag and (known.strip() == "*" or tag in re.findall(r'"[^"]*"', known)):
        return Answer(
            304,
            {
                name: value
                for name, value in response.headers.items()
                if not name.startswith("Content-")
            },
            b"",
        )
    return response._replace(body=b"") if method == "HEAD" else response


def _get(target: str, site: Site) -> Answer:
    # A byte that is no ASCII is one that a client left as it was.
    path, raw = _path(target), quote(target.partition("?")[2], safe=_ASCII, encoding="latin-1")
    try:
        for here in _spellings(path, site.grammar.prefix):
            response = _find(here, raw, site)
            if response is not None:
                return response
    except QueryError as error:
        return _problem(error, site)
    except Unavailable as error:
        return _status(503, str(error), headers.UNAVAILABLE)
    if path and path == site.grammar.prefix:
        return _slash(path, raw)
    if any(map(_is_api, _spellings(path or target, site.grammar.prefix))):
        return _problem(QueryError("not-found", "There is nothing at this address."), site)
    return Answer(404, {"Content-Type": _HTML}, site.read(NOT_FOUND) or b"")


def _spellings(path: str | None, prefix: str) -> tuple[str, ...]:
    """A path without the base URL's path, which documents link with, and as it is: files lie so,
    and a proxy may ask so.
    """
    if path is None:
        return ()
    return (
        (path.removeprefix(prefix), path) if prefix and path.startswith(f"{prefix}/") else (path,)
    )


def _find(path: str, raw: str, site: Site) -> Answer | None:
    """What a path without prefix answers; None where there is nothing.  Raises QueryError."""
    # Before any file is looked for: nothing that lies there could answer a list.
    if path in site.lists:
        return _list(site.lists[path], raw, site)
    parent, _, slug = path.rpartition("/")
    file = site.single.get(path) or (
        site.single.get(f"{parent}/:slug", "").replace(":slug", slug) if is_slug(slug) else ""
    )
    if file:
        response = _single(path, file, raw, site)
        if response is None and parent in site.lists:
            collection = site.lists[parent]
            near = near_slugs(site.query_tier, collection, slug)
            raise QueryError("not-found", f'There is no {collection.kind} "{slug}".', near)
        return response
    body = site.read(f"{path}index.html" if path.endswith("/") else path)
    if body is not None:
        own = headers.POLICIES.get("/" + path.split("/")[1])
        policy = {_POLICY: own} if own and path.endswith(("/", ".html")) else {}
        return Answer(200, {"Content-Type": headers.media_type(path), **policy}, body)
    if site.read(f"{path}/index.html") is not None:
        return _slash(site.grammar.url(path), raw)
    if any(path.startswith(f"{root}/") for root in site.lists):
        asked = site.grammar.parse_path(path)
        if moved := _elsewhere(*asked, site):
            return moved
        raise _absent(*asked, site)
    return None


def _slash(path: str, raw: str) -> Answer:
    """From an address without the slash at its end to the one with it."""
    # 308 keeps the method (RFC 9110 section 15.4.9).
    return Answer(308, {"Location": quote(path) + "/" + (f"?{raw}" if raw else "")}, b"")


def _list(collection: Collection, raw: str, site: Site) -> Answer:
    """A page of a list or a count, as the grammar reads what is asked.  Raises QueryError."""
    try:
        return _asked(collection, raw, site)
    except QueryError as error:
        raise with_near(error, collection, site.read) from error


def _asked(collection: Collection, raw: str, site: Site) -> Answer:
    query = site.grammar.parse(collection, raw)
    if isinstance(query, Count):
        return Answer(200, {"Content-Type": _JSON}, site.query_tier(query))
    part = query.slice
    body = site.read(part.path(query.page)) if part is not None else site.query_tier(query)
    if body is None or is_moved(body):
        assert part is not None
        if moved := _elsewhere(part, query.page, site):
            return moved
        raise _absent(part, query.page, site)
    return Answer(200, {"Content-Type": _JSON}, body)


def _elsewhere(part: Slice, page: int, site: Site) -> Answer | None:
    """Where a page is of a list of a former slug."""
    try:
        now = present(part, site.grammar, site.read)
    except Unreadable:
        now = None
    # 308 keeps the method (RFC 9110 section 15.4.9).
    return (
        Answer(308, {"Location": site.grammar.url(now.path(page))}, b"")
        if now is not None
        else None
    )


def _absent(part: Slice, page: int, site: Site) -> QueryError | Unavailable:
    try:
        error = absent(part, page, site.grammar, site.read)
    except Unreadable:
        error = None
    return error or Unavailable(
        f"The build is damaged: {part.path(page)} is missing. Build it again."
    )


def _single(path: str, file: str, raw: str, site: Site) -> Answer | None:
    """One document at its bare address; a former slug leads to the present.  Raises QueryError."""
    if raw:
        raise QueryError("unknown-parameter", f"{site.grammar.url(path)} takes no parameters.")
    body = site.read(file)
    if body is None:
        return None
    document = orjson.loads(body)
    if document["kind"] == "moved":
        now = f"{path.rpartition('/')[0]}/{document['data']['replaced_by']}"
        # 308 keeps the method (RFC 9110 section 15.4.9).
        return Answer(308, {"Location": site.grammar.url(now)}, b"")
    return Answer(200, {"Content-Type": _JSON}, body)


def _problem(error: QueryError, site: Site) -> Answer:
    """The build's own document for the problem, with what is wrong here."""
    document = {
        **site.problems[error.code],
        "detail": error.detail,
        "allowed": list(error.allowed) or None,
    }
    return Answer(error.status, {"Content-Type": headers.PROBLEM}, encode(document))


def _status(status: int, detail: str, more: dict[str, str]) -> Answer:
    """A problem that says no more than its status does (RFC 9457 section 4.2.1)."""
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    return Answer(status, {"Content-Type": headers.PROBLEM, **more}, encode(document))


def _complete(response: Answer) -> Answer:
    """With what every answer says, but that whoever kept it asks again each time: the next build is
    a moment away.
    """
    tag = {"ETag": f'"{sha256(response.body).hexdigest()[:32]}"'} if response.status == 200 else {}
    html = response.headers.get("Content-Type") == _HTML
    policy = {_POLICY: headers.POLICY} if html else {}
    length = {} if response.status == 204 else {"Content-Length": str(len(response.body))}
    return response._replace(
        headers={**policy, **response.headers, **headers.ALWAYS, **length, **tag, **_CACHE}
    )


def _path(target: str) -> str | None:
    """The decoded path of a target; None where no file could be called so.

    A target may name the host too (RFC 9112 section 3.2.2).
    """
    if not target.startswith("/"):
        target = "/" + re.sub(r"(?i)^https?://[^/?]*/?", "", target)
    path = target.partition("?")[0]
    try:
        decoded = unquote_to_bytes(path.encode("latin-1")).decode()
    except UnicodeError:
        return None
    # An encoded slash is no slash, and nothing in an output has one in its name, or a control
    # character.
    return (
        decoded
        if decoded.count("/") == path.count("/") and decoded.isprintable() and "\\" not in decoded
        else None
    )


def _is_api(path: str) -> bool:
    """Whether a program asks, and so gets a problem document where a person gets a page.  Capitals
    are no address either.
    """
    return f"{path.lower()}/".startswith(f"{_ROOT}/")
