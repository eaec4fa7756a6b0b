"""What a host with a query tier answers to a request: a pure function of the request and of a build.

A request is a method and a raw target; the grammar is read back from the build that is served, so no answer can come
from another.  Nothing outside of the output is ever read, and no list is answered but by `Grammar.parse`.  Knows
nothing of sockets, of content and of how a build is made.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes

import orjson

from generator import headers
from generator.artifact import encode
from generator.below import read as read_below
from generator.query import (
    API_CATALOG,
    INDEX,
    NOT_FOUND,
    PROBLEMS,
    Collection,
    Grammar,
    Query,
    QueryError,
    Slice,
    is_slug,
    past_the_end,
    problem_path,
    unknown_value,
)
from generator.reading import MAX_DOCUMENT, Unreadable, parsed
from generator.search import Engine, Unavailable

_JSON = headers.TYPES["json"]
_HTML = headers.TYPES["html"]
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
_is_prefix = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*").fullmatch
_is_family = re.compile(r"[a-z][a-z0-9_]*").fullmatch
_MAX_FAMILIES = 1000
_ASCII = bytes(range(128))
_CACHE = {"Cache-Control": "no-cache", "CDN-Cache-Control": "no-store"}


class Answer(NamedTuple):
    """A whole response.  `headers` have the length of what GET answers, whatever the method."""

    status: int
    headers: dict[str, str]
    body: bytes


def grammar_of(load: Callable[[str, str], Mapping[str, Any]]) -> Grammar:
    """The grammar that a build was made with, read back from it; `load` gives the document at a path, of a kind.

    Raises Unreadable where what they say is nothing that a grammar has.
    """
    prefix = load(INDEX, "index")["links"]["self"].removesuffix(INDEX)
    listed = load(Grammar({}).projects.filters_path, "filter_list")["data"]
    families = {name[len("tag_") :]: shown["label"] for name, shown in listed.items() if name.startswith("tag_")}
    if not _is_prefix(prefix) or len(families) > _MAX_FAMILIES or not all(map(_is_family, families)):
        raise Unreadable("its addresses or filters are not those of a registry")
    return Grammar(families, prefix)


class NoSite(Exception):
    """A folder holds no whole build."""


@dataclass(frozen=True)
class Site:
    """One build: its folder, the grammar that it was made with, and the problem documents it has."""

    out: Path
    grammar: Grammar
    problems: Mapping[str, Mapping[str, Any]]

    @classmethod
    def open(cls, out: Path) -> Site:
        """The site in an output folder.  Raises NoSite."""

        files = cls(out, Grammar({}), {})

        def load(path: str, kind: str) -> Mapping[str, Any]:
            return parsed(files.read(path, MAX_DOCUMENT) or b"", kind)

        try:
            return cls(out, grammar_of(load), {code: load(problem_path(code), "problem") for code in PROBLEMS})
        except (OSError, Unreadable) as error:
            raise NoSite(f"{out} holds no whole build") from error

    @cached_property
    def query_tier(self) -> Callable[[Query], bytes]:
        """A query that no prepared page answers -> the list document.  Raises QueryError and Unavailable."""
        return Engine(self.grammar, lambda paths: [self.read(path) for path in paths]).answer

    @cached_property
    def lists(self) -> dict[str, Collection]:
        """Bare address -> the collection that is asked there."""
        return {c.root: c for c in self.grammar.collections.values()}

    @cached_property
    def single(self) -> dict[str, str]:
        """Bare address of one document -> its file; `:slug` stands for a slug as the last segment."""
        return {route.path: route.target for route in self.grammar.routes() if route.path not in self.lists}

    def read(self, path: str, most: int = -1) -> bytes | None:
        """A file of the output; None where there is none, none that a host would send, or one of more than `most` bytes."""
        segments = path[1:].split("/")
        # Rules and workers that hosts read and do not send begin with an underscore.
        if segments[0].startswith("_") or "" in segments:
            return None
        if any(segment.startswith(".") for segment in segments[segments[0] == ".well-known" :]):
            return None
        while True:
            try:
                root = os.open(self.out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError:
                return None
            try:
                found = read_below(root, segments, most)
                # A build that takes this one's place removes its files, maybe under our hands.
                if found is not None or os.fstat(root).st_ino == os.stat(self.out).st_ino:
                    return found
            except OSError:
                return None
            finally:
                os.close(root)


def answer(method: str, target: str, site: Site | None, dress: Callable[[bytes], bytes] = bytes, known: str = "") -> Answer:
    """The answer to one request.

    `target` is that of the request line, still encoded, with characters up to U+00FF for single bytes, and `known` its
    `If-None-Match`.  Without a site there is nothing to answer from, and the status is 503.  Every HTML page passes
    through `dress`.
    """
    if method == "OPTIONS":
        # RFC 9110 section 9.3.7, and the CORS preflight of the Fetch standard.
        return _complete(Answer(204, {**headers.ALLOW, **headers.PREFLIGHT}, b""))
    if method not in headers.METHODS:
        return _complete(_status(405, f"{method} is not answered here: the API can only be read.", headers.ALLOW))
    if site is None:
        unavailable = _status(503, "There is no build yet.", {})
        found = unavailable if _is_api(_path(target) or "") else Answer(503, {"Content-Type": _HTML}, _EMPTY_PAGE)
    else:
        found = _get(target, site)
    if found.headers.get("Content-Type") == _HTML:
        found = found._replace(body=dress(found.body))
    return _sent(method, _complete(found), known)


def failure(method: str) -> Answer:
    """The answer where a bug left none."""
    return _sent(method, _complete(_status(500, "The server could not answer; its terminal says why.", {})))


def refused(method: str, status: int, detail: str) -> Answer:
    """The answer to who may not ask: no page may read it, not even why."""
    found = _sent(method, _complete(_status(status, detail, {})))
    return found._replace(headers={name: value for name, value in found.headers.items() if not name.startswith("Access-Control-")})


def _sent(method: str, found: Answer, known: str = "") -> Answer:
    """What is sent of an answer: no body to HEAD, and none to who has it (RFC 9110 section 13.1.2)."""
    tag = found.headers.get("ETag")
    if tag and (known.strip() == "*" or tag in re.findall(r'"[^"]*"', known)):
        return Answer(304, {name: value for name, value in found.headers.items() if not name.startswith("Content-")}, b"")
    return found._replace(body=b"") if method == "HEAD" else found


def _get(target: str, site: Site) -> Answer:
    # A byte that is no ASCII is one that a client left as it was.
    path, raw = _path(target), quote(target.partition("?")[2], safe=_ASCII, encoding="latin-1")
    try:
        for here in _spellings(path, site.grammar.prefix):
            found = _find(here, raw, site)
            if found is not None:
                return found
    except QueryError as error:
        return _problem(error, site)
    except Unavailable as error:
        return _status(503, str(error), headers.UNAVAILABLE)
    if any(map(_is_api, _spellings(path or target, site.grammar.prefix))):
        return _problem(QueryError("not-found", "There is nothing at this address."), site)
    return Answer(404, {"Content-Type": _HTML}, site.read(NOT_FOUND) or b"")


def _spellings(path: str | None, prefix: str) -> tuple[str, ...]:
    """A path without the base URL's path, which documents link with, and as it is: files lie so, and a proxy may ask so."""
    if path is None:
        return ()
    return (path.removeprefix(prefix), path) if prefix and path.startswith(f"{prefix}/") else (path,)


def _find(path: str, raw: str, site: Site) -> Answer | None:
    """What a path without prefix answers; None where there is nothing.  Raises QueryError."""
    # Before any file is looked for: nothing that lies there could answer a list.
    if path in site.lists:
        return _list(site.lists[path], raw, site)
    parent, _, slug = path.rpartition("/")
    file = site.single.get(path) or (site.single.get(f"{parent}/:slug", "").replace(":slug", slug) if is_slug(slug) else "")
    if file:
        found = _single(path, file, raw, site)
        if found is None and parent in site.lists:
            raise QueryError("not-found", f'There is no {site.lists[parent].kind} "{slug}".')
        return found
    body = site.read(f"{path}index.html" if path.endswith("/") else path)
    if body is not None:
        return Answer(200, {"Content-Type": _media_type(path)}, body)
    if any(path.startswith(f"{root}/") for root in site.lists):
        asked = site.grammar.parse_path(path)
        if moved := _elsewhere(*asked, site):
            return moved
        raise _absent(*asked, site)
    return None


def _list(collection: Collection, raw: str, site: Site) -> Answer:
    """A page of a list, for the query that the grammar reads.  Raises QueryError."""
    query = site.grammar.parse(collection, raw)
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
    return Answer(308, {"Location": site.grammar.url(now.path(page))}, b"") if now is not None else None


def _absent(part: Slice, page: int, site: Site) -> QueryError | Unavailable:
    try:
        found = absent(part, page, site.grammar, site.read)
    except Unreadable:
        found = None
    return found or Unavailable(f"The build is damaged: {part.path(page)} is missing. Build it again.")


def is_moved(body: bytes) -> bool:
    """Whether a document says that what was asked is elsewhere: its kind is among the first keys."""
    return b'"kind":"moved"' in body[:99]


def absent(part: Slice, page: int, grammar: Grammar, read: Callable[[str], bytes | None]) -> QueryError | None:
    """Why a page of a list is not there; None where it should be.  Raises Unreadable."""
    first = read(part.path())
    if first is None or is_moved(first):
        now = present(part, grammar, read)
        if now is not None:
            return renamed(str(part.filter), str(part.value), now)
    if first is not None:
        pages = parsed(first, f"{part.collection.kind}_list")["page"]["total_pages"]
        return past_the_end(page, pages) if page > pages else None
    if part.filter not in part.collection.filters:
        return None
    listed = read(part.collection.filter_path(str(part.filter)))
    if listed is not None and any(known["value"] == part.value for known in parsed(listed, "filter")["data"]["values"]):
        return None
    return unknown_value(part.collection, str(part.filter), str(part.value), grammar)


def present(part: Slice, grammar: Grammar, read: Callable[[str], bytes | None]) -> Slice | None:
    """The list of the slug that a record has now, where `part` is that of one that it had.  Raises Unreadable."""
    owner = grammar.collections.get(f"{part.filter}s")
    raw = read(owner.record_path(part.value)) if owner is not None and part.value is not None and is_slug(part.value) else None
    now = parsed(raw, "moved")["data"]["replaced_by"] if raw is not None and is_moved(raw) else None
    return replace(part, value=now) if isinstance(now, str) and is_slug(now) else None


def renamed(name: str, value: str, now: Slice) -> QueryError:
    """That a filter's value is a former slug."""
    return QueryError("not-found", f'The {name} "{value}" is now called "{now.value}".', (str(now.value),))


def _single(path: str, file: str, raw: str, site: Site) -> Answer | None:
    """One document at its bare address; a former slug leads to the present one.  Raises QueryError."""
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
    document = {**site.problems[error.code], "detail": error.detail, "allowed": list(error.allowed) or None}
    return Answer(error.status, {"Content-Type": headers.PROBLEM}, encode(document))


def _status(status: int, detail: str, more: dict[str, str]) -> Answer:
    """A problem that says no more than its status does (RFC 9457 section 4.2.1)."""
    document = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return Answer(status, {"Content-Type": headers.PROBLEM, **more}, encode(document))


def _complete(found: Answer) -> Answer:
    """With what every answer says, but that whoever kept it asks again each time: the next build is a moment away."""
    tag = {"ETag": f'"{sha256(found.body).hexdigest()[:32]}"'} if found.status == 200 else {}
    policy = {"Content-Security-Policy": headers.POLICY} if found.headers.get("Content-Type") == _HTML else {}
    length = {} if found.status == 204 else {"Content-Length": str(len(found.body))}
    return found._replace(headers={**found.headers, **headers.ALWAYS, **policy, **length, **tag, **_CACHE})


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
    # An encoded slash is no slash, and nothing in an output has one in its name, or a control character.
    return decoded if decoded.count("/") == path.count("/") and decoded.isprintable() and "\\" not in decoded else None


def _is_api(path: str) -> bool:
    """Whether a program asks, and so gets a problem document where a person gets a page.  Capitals are no address either."""
    return f"{path.lower()}/".startswith(f"{_ROOT}/")


def _media_type(path: str) -> str:
    if path == API_CATALOG:
        return headers.CATALOG
    if path.startswith(problem_path("").removesuffix(".json")):
        return headers.PROBLEM
    return _HTML if path.endswith("/") else headers.TYPES.get(path.rpartition(".")[2], "application/octet-stream")
