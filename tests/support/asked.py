"""All kinds of requests of the awkward registry with their right answers: one list for every host.

`requests` reads the list, requests.txt, for hosts that serve prepared pages; `tiered` adapts it for
hosts that answer every query.  A line is the method unless it is GET, the target, ` => ` and the
answer: its status, and the file, problem or redirect.  `<a*8000>` is a repeated text.

- The bare addresses of a record and of the dashboard take no parameter: any query is an
  `unknown-parameter`.
- An address with an extra slash at its end does not exist.
- A former slug redirects to the record's public address, with 308, which keeps the method (RFC 9110
  section 15.4.9).
- Canonical files ignore the query.
- A page for people has a path that ends with a slash and ignores the query; without the slash, the
  host redirects to it.
- HEAD is GET without a body, OPTIONS is 204, and every other method is refused with 405.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

from generator.engine import context
from generator.grammar.grammar import Grammar
from generator.grammar.refusals import PROBLEMS
from generator.reader.location import FolderReader
from support.answers import deployed

LIST = Path(__file__).with_name("requests.txt")
_PAGES = "# Pages for people"
EXACT, SAFE, LEAK, WRONG = "exact", "safe", "leak", "wrong"


class Request(NamedTuple):
    """A request and its answer.

    `target` is the raw path and query of the request line; characters up to U+00FF stand for one
    byte each.  `file` is the path below the output of the file whose bytes are the body, or the
    digest of the body.  `problem` is the code of the problem document, `location` the target of a
    redirect.  If all three are missing, the body is the host's own.
    """

    method: str
    target: str
    status: int
    file: str | None = None
    problem: str | None = None
    location: str | None = None

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]


def outcome(
    asked: Request, status: int, file: str | None = None, problem: str | None = None,
    location: str | None = None,
) -> str:  # fmt: skip
    """Compare an answer with the right answer.

    SAFE: a refusal with another 4xx status or problem, or of a query that only programs understand;
    or a redirect to the right place with another 3xx status, or the target itself.  LEAK: rows, a
    file or a redirect in place of a refusal, or wrong rows.  WRONG: a refusal in place of an
    answer.
    """
    if (status, file, problem, location) == asked[2:]:
        return EXACT
    if 200 <= status < 300:
        if file and _is_page(asked, file):
            return SAFE
        return EXACT if asked.method == "OPTIONS" and status == 200 else LEAK
    if 300 <= status < 400:
        if asked.status >= 400:
            return LEAK
        right = location == asked.location is not None or _is_folder(asked, location)
        return SAFE if right else WRONG
    # Several values, or all values of a filter, may be a page that the rules know by another
    # spelling.
    refused = asked.status >= 400 or re.search("[,:]|%2c|%3a", asked.query, re.IGNORECASE)
    return SAFE if refused and 400 <= status < 500 else WRONG


def _is_page(asked: Request, file: str) -> bool:
    """Whether an address without its last slash leads to this file; some hosts serve the page at
    both addresses.
    """
    now = (asked.location or "").partition("?")[0]
    return now.endswith("/") and f"{now}index.html".endswith(file)


def _is_folder(asked: Request, location: str | None) -> bool:
    """Whether a redirect leads from an index.html to its folder, with or without the base path."""
    folder, index, rest = asked.path.rpartition("index.html")
    pattern = f"(?:/registry)?{re.escape(folder)}"
    return bool(index and not rest and location and re.fullmatch(pattern, location))


def listed(site: bool) -> list[Request]:
    """The requests of the list in its order, with those of pages if the build has a site."""
    text = LIST.read_text("utf-8")
    lines = (text if site else text.partition(_PAGES)[0]).split("\n")
    return [_parsed(line) for line in lines if line and line[0] != "#"]


def _parsed(line: str) -> Request:
    said, _, answer = line.partition(" => ")
    method, _, target = said.rpartition(" ")
    target = re.sub("<(.+?)[*]([0-9]+)>", lambda found: found[1] * int(found[2]), target)
    status, _, rest = answer.partition(" ")
    if status == "308":
        return Request(method or "GET", target, 308, location=rest)
    names = {"problem": rest} if rest in PROBLEMS else {"file": rest or None}
    return Request(method or "GET", target, int(status), **names)


def line_of(request: Request) -> str:
    """A request and its answer as a line of the list."""
    repeated = r"(.{1,18}?)\1{49,}"
    target = re.sub(repeated, lambda m: f"<{m[1]}*{len(m[0]) // len(m[1])}>", request.target)
    method = "" if request.method == "GET" else f"{request.method} "
    answer = request.file or request.problem or request.location or ""
    return f"{method}{target} => {request.status} {answer}".rstrip()


@functools.cache
def requests(grammar: Grammar, out: Path) -> list[Request]:
    """Every request of a build once: answered queries with their parameters in every order, and if
    the base URL has a path, with and without that path.
    """
    sorts = {sort for c in grammar.collections.values() for sort in c.prepared_sorts}
    found: dict[Request, None] = {}
    for request in listed((out / "index.html").is_file()):
        sort = re.search("/sort/([^/]+)/", request.file or "")
        if sort is None or sort[1] in sorts:  # else it is left out
            found |= dict.fromkeys(_orders(request))
    if prefix := grammar.prefix:
        found = {
            one._replace(location=one.location and prefix + one.location): None for one in found
        }
        found |= dict.fromkeys([one._replace(target=prefix + one.target) for one in found])
        found |= dict.fromkeys(_base(prefix))
    return list(found)


def _orders(request: Request) -> Iterator[Request]:
    """A request, and if it gets a page, with its parameters in every order."""
    pairs = request.query.split("&")
    if request.status == 200 and request.query.startswith(("mode=", "page=")) and len(pairs) < 5:
        for order in permutations(pairs):
            yield request._replace(target=f"{request.path}?{'&'.join(order)}")
    else:
        yield request


def kinds(asked: Sequence[Request]) -> list[Request]:
    """One request of each kind: method, path, names of parameters, and answer.

    Another host of the same rules or script gets all requests: every order of the parameters and
    every value.
    """
    found: dict[tuple[object, ...], Request] = {}
    for request in asked:
        names = frozenset(pair.partition("=")[0] for pair in request.query.split("&"))
        kind = request.method, request.path, names, request.status, request.problem
        found.setdefault(kind, request)
    return list(found.values())


def tiered(asked: Sequence[Request], grammar: Grammar, out: Path) -> list[Request]:
    """The same for hosts whose function answers queries without a prepared page: as Python's engine
    does.
    """
    site = deployed(grammar, FolderReader(out))
    found: dict[Request, None] = {}
    for request in asked:
        if request.problem == "unsupported-combination":
            answer = site.respond(context.Request(request.target))
            if answer.status == 200:
                request = Request("GET", request.target, 200, digest(answer.body))
            else:
                code = json.loads(answer.body)["code"]
                request = Request("GET", request.target, answer.status, problem=code)
            if len(found) % 9 == 0:
                found[request._replace(method="HEAD")] = None
        found[request] = None
    return list(found)


def digest(body: bytes) -> str:
    """The identifier of a body that is in no file."""
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def _base(prefix: str) -> Iterator[Request]:
    """The path of the base URL without its last slash, which redirects to the address with the
    slash.
    """
    for raw in ("", "?q=a&sort=-year"):
        yield Request("GET", prefix + raw, 308, location=f"{prefix}/{raw}")
    yield Request("HEAD", prefix, 308, location=f"{prefix}/")
    yield Request("OPTIONS", prefix, 204)
    yield Request("POST", prefix, 405)
    yield Request("GET", prefix.upper(), 404)
    yield Request("GET", f"{prefix}x", 404)
    yield Request("GET", f"/api{prefix}/projects?mode=page", 404, problem="not-found")
