"""All kinds of requests with their right answers: one list for every host.

`requests` derives the list from the grammar and a build, for hosts that serve prepared pages;
`tiered` does so for hosts that answer every query.  `Grammar.parse` decides for lists; the other
rules are data here:

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
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from generator.grammar import paths
from generator.grammar.grammar import MAX_VALUE, Collection, Grammar, Query, Slice
from generator.grammar.paths import DASHBOARD, INDEX, SEARCH, problem_path
from generator.grammar.query_string import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.refusals import PROBLEMS, QueryError
from generator.grammar.routes import routes
from generator.grammar.text import MAX_SLUG
from generator.search.engine import Engine

_split = str.split
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
    asked: Request,
    status: int,
    file: str | None = None,
    problem: str | None = None,
    location: str | None = None,
) -> str:
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
        return (
            LEAK
            if asked.status >= 400
            else SAFE
            if location == asked.location is not None or _is_folder(asked, location)
            else WRONG
        )
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


@functools.cache
def requests(grammar: Grammar, out: Path) -> list[Request]:
    """Every request of a build once; if the base URL has a path, with and without that path."""
    asked: list[Request] = []
    for collection in grammar.collections.values():
        asked += [
            _list(grammar, out, collection, raw)
            for raw in dict.fromkeys(_raws(grammar, out, collection))
        ]
        asked += _around(grammar, out, collection)
    asked += _searches(grammar)
    asked += [*_former(grammar, out), *_elsewhere(grammar, out), *_pages(grammar, out)]
    found = dict.fromkeys(asked)
    for prefix in filter(None, [grammar.prefix]):
        found |= dict.fromkeys(
            [request._replace(target=prefix + request.target) for request in found]
        )
        found |= dict.fromkeys(_base(prefix))
    return list(found)


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
    """The same for hosts whose query tier (`generator.search.engine`) answers queries without a
    prepared page.
    """

    def read(paths: Sequence[str]) -> list[bytes | None]:
        return [file.read_bytes() if (file := out / path[1:]).is_file() else None for path in paths]

    engine, lists = Engine(grammar, read), {c.root: c for c in grammar.collections.values()}
    found: dict[Request, None] = {}
    for request in asked:
        if request.problem == "unsupported-combination":
            try:
                path, raw = (
                    unquote(request.path.removeprefix(grammar.prefix)),
                    quote(request.query, bytes(range(128)), "latin-1"),
                )
                if path == SEARCH:
                    body = engine.answer(grammar.parse_search(raw))
                else:
                    body = engine.answer(grammar.parse(lists[path], raw))
                request = Request("GET", request.target, 200, digest(body))
            except QueryError as error:
                request = Request("GET", request.target, error.status, problem=error.code)
            if len(found) % 9 == 0:
                found[request._replace(method="HEAD")] = None
        found[request] = None
    return list(found)


def digest(body: bytes) -> str:
    """The identifier of a body that is in no file."""
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


# --- lists: Grammar.parse decides ---


def _list(grammar: Grammar, out: Path, collection: Collection, raw: str) -> Request:
    target = f"{collection.root}?{raw}" if raw else collection.root
    try:
        # A client sent this non-ASCII byte unencoded.
        asked = grammar.parse(collection, quote(raw, safe=bytes(range(128)), encoding="latin-1"))
    except QueryError as error:
        return Request("GET", target, error.status, problem=error.code)
    file = None
    code = "unsupported-combination"
    if isinstance(asked, Query) and asked.slice:
        file, code = asked.slice.path(asked.page), "not-found"
    if file is not None and (out / file[1:]).is_file():
        return Request("GET", target, 200, file)
    return Request("GET", target, PROBLEMS[code][0], problem=code)


def _searches(grammar: Grammar) -> Iterator[Request]:
    """Searches over all collections, and requests beside their address."""
    words = [
        "space",
        "aurora+grid",
        "caf%C3%A9",
        "zzzz",
        "SPACE",
        "%73pace",
        "a" * 201,
        "a+b+c+d+e+f+g+h+i",
    ]
    raws = ["", "q", "q=", "q=+", "q=-", "q=%", "q=%FF", *(f"q={text}" for text in words)]
    raws += [
        "q=space&q=space",
        "q=space&",
        "&q=space",
        "q=space&q",
        "Q=space",
        "%71=space",
        "q[]=space",
    ]
    for name in (
        "page",
        "mode",
        "sort",
        "limit",
        "collection",
        "status",
        "by",
        "constructor",
        "search",
    ):
        raws += [f"q=space&{name}=5", f"{name}=5&q=space", f"{name}=5"]
    for raw in raws:
        target = f"{SEARCH}?{raw}" if raw else SEARCH
        try:
            grammar.parse_search(raw)
            code = "unsupported-combination"
        except QueryError as error:
            code = error.code
        yield Request("GET", target, PROBLEMS[code][0], problem=code)
    for path in (
        f"{SEARCH}/",
        f"{SEARCH}.json",
        f"{SEARCH}/page/1.json",
        f"{SEARCH}s",
        "/api/Search",
    ):
        yield Request("GET", f"{path}?q=space", 404, problem="not-found")
    yield Request("OPTIONS", f"{SEARCH}?q=space", 204)
    yield Request("POST", f"{SEARCH}?q=space", 405)


def _raws(grammar: Grammar, out: Path, collection: Collection) -> Iterator[str]:
    """Raw queries of one list."""
    values = {name: _value(out, collection, name) for name in collection.listed_filters}
    if collection is grammar.events:
        values["upcoming"] = "true"
    yield from _shapes(grammar, collection, values)
    yield from _refused(grammar, collection, values)
    yield from _encoded(collection, values)


def _value(out: Path, collection: Collection, name: str) -> str:
    """The most frequent value of a filter."""
    listed = json.loads((out / collection.filter_path(name)[1:]).read_bytes())["data"]["values"]
    if not listed and not collection.filters[name].prepared:
        return "none"
    assert listed, f"no {collection.name} has a {name}: the fixture has to cover it"
    value: str = listed[0]["value"]
    return value


def _shapes(grammar: Grammar, collection: Collection, values: dict[str, str]) -> Iterator[str]:
    """Every query shape of the page tier with pages 1, 2 and 3, its parameters in every order."""
    for route in routes(grammar):
        if route.path == collection.root:
            for page in ("2", "1", "3") if "page" in route.query else ("",):
                filled = {
                    name: literal or {**values, "page": page}[name]
                    for name, literal in route.query.items()
                }
                pairs = [f"{name}={value}" for name, value in filled.items()]
                yield from map("&".join, permutations(pairs) if page in ("", "2") else [pairs])


def _refused(grammar: Grammar, collection: Collection, values: dict[str, str]) -> Iterator[str]:
    """Queries that the contract refuses, and similar ones: modes and unknown, repeated, empty and
    malformed parameters.
    """
    known = grammar.parameters(collection)
    filters = [f"{name}={value}" for name, value in values.items()]
    first, last = filters[0], filters[-1]
    yield from (
        "",
        "mode",
        "mode=",
        "mode=all",
        "mode=table",
        "mode=PAGE",
        "mode=page2",
        "MODE=page",
        "Mode=page",
        "page=1",
    )
    yield from filters
    yield from (
        f"{first}&page=2",
        f"mode=all&{first}",
        f"{first}&mode=",
        f"mode=all&{first}&page=2",
        "page",
        "q=space",
    )
    others = {p for c in grammar.collections.values() for p in grammar.parameters(c)} - set(known)
    usual = [
        "limit",
        "offset",
        "page_size",
        "per_page",
        "cursor",
        "tag",
        "tags",
        "search",
        "utm_source",
        "colour",
        "fields",
    ]
    usual += ["constructor", "__proto__", "toString", "hasOwnProperty", "length"]
    for name in [*sorted(others), *usual, *grammar.tag_families]:
        yield from (
            f"{name}=5",
            f"mode=page&{name}=5",
            f"{name}=5&mode=page&{first}",
            f"mode=page&{name}",
            f"mode=page&{name}=",
        )
    for name in known:
        plain = {"mode": "page", "q": "space", "sort": collection.sorts[0], "page": "1"}
        value = {**values, **plain, "team_size": "5", "by": "location", "like": "s"}[name]
        rest = "" if name == "mode" else "mode=page&"
        yield from (
            f"{rest}{name}={value}&{name}={value}",
            f"{name}={value}&{rest}{first}&{name}=2",
        )
        yield from (f"{rest}{name}", f"{rest}{name}=")
        for key in (
            name.upper(),
            name.capitalize(),
            name.replace("_", "-"),
            f"{name}%20",
            f"{name}[]",
            f"{name}%5B%5D",
        ):
            yield f"mode=page&{key}={value}"
    pages = "0 00 -1 01 abc 1.5 1e1 0x1 +1 1+ %31 1%00 1;2 1,2 999 999999999 9999999999 1/.. %D9%A2"
    for page in pages.split():
        yield from (f"mode=page&page={page}", f"mode=page&{first}&page={page}")
    wrong = _split(
        "nothing-like-it 0000 1999 1999-01 .. ../.. . - a--b a- :year * null true a.json a/b "
        "a/page/1 1 page"
    )
    wrong += ["x" * 100, "y" * MAX_VALUE, "y" * (MAX_VALUE + 1)]
    tails = _split("- x %20 %0A %00 / /page/1.json .json ,x ; ;x=1 |x ? = =1 * .* $ ' %26page=2")
    for name, value in values.items():
        for other in wrong:
            yield from (f"mode=page&{name}={other}", f"page=2&{name}={other}&mode=page")
        yield from (f"mode=page&{name}={value}{tail}" for tail in tails)
        yield from (f"mode=page&{name}={value.upper()}", f"mode=page&{name}={value.capitalize()}")
    sorts = [
        "",
        *["NAME", "year", "+name", "--year", "%2Dyear", "relevance", "name,-year", "../page/1"],
    ]
    sorts += [other for sort in collection.sorts for other in (f"-{sort}", sort.lstrip("-"))]
    for sort in sorts:
        yield from (
            f"mode=page&sort={sort}",
            f"sort={sort}&mode=page&page=2",
            f"mode=page&sort={sort}&{first}",
        )
    yield from (
        f"mode=page&upcoming={value}" for value in ("false", "TRUE", "1", "true1", "", "%74rue")
    )
    yield from (
        "upcoming=true",
        f"mode=page&upcoming=true&{first}",
        f"mode=page&upcoming=true&{last}&page=2",
    )
    # Several values, ranges and counts: for the query tier, or without effect.
    for name, value in values.items():
        for text in (
            "{0},nothing-like-it",
            "all:{0}",
            "all:{0},nothing-like-it",
            "not:{0}",
            "none:{0}",
            "{0},",
            ",{0}",
            "{0}..",
            "..{0}",
            "{0}..{0}",
            "..",
            "9..{0}",
        ):
            yield from (
                f"mode=page&{name}={text.format(value)}",
                f"mode=count&{name}={text.format(value)}",
            )
        yield f"mode=count&by={name}"
        for text in ("../x", "{0}..x", "x/y,{0}", "not:", "all:,", "{0},{0}/x"):
            yield f"mode=page&{name}={text.format(value)}"
    yield from (
        "mode=count",
        f"mode=page&{first.replace('=', '=not%3A')}%2Cx",
        "mode=counts",
        "count",
        "mode=count&page=1",
        "mode=count&sort=name",
        "mode=count&by=colour",
        "mode=count&by=mode",
        "mode=count&like=a",
        "mode=count&q=space",
        f"mode=count&{first}&{last}",
        f"mode=count&by={next(iter(values))}&like=s",
        f"by={next(iter(values))}",
        f"mode=page&by={next(iter(values))}",
        f"mode=page&{first}&like=s",
        "mode=page&sort=-team_size",
        "mode=page&team_size=5",
        "mode=page&team_size=5..",
    )
    yield from (
        "mode=rows",
        f"mode=rows&{first}&sort={collection.sorts[0]}",
        f"limit=3&fields=name,summary&mode=rows&{first}",
        "mode=rows&q=space&fields=website%2Cname",
        f"mode=rows&{first}&page=2",
        f"mode=rows&by={next(iter(values))}",
        "mode=rows&limit=5&limit=6",
        "mode=rows&fields=name&colour=red",
        "mode=rows&limit=",
        "mode=rows&fields",
        "mode=row&limit=5",
        "xmode=rows&fields=name",
        "mode=page&limit=5&x=mode=rows",
        "mode=count&fields=name",
        "mode=page&mode=rows&limit=5",
    )
    # The page tier has no answer for several filters, words, or a sort other than the default with
    # a filter.
    for sort in collection.sorts:
        yield from (f"mode=page&{one}&sort={sort}" for one in filters)
    yield from (f"mode=page&{one}&{other}" for one in filters for other in filters if one != other)
    yield from (
        f"mode=page&{first}&{last}&page=2",
        f"page=2&{first}&sort={collection.sorts[-1]}&{last}&mode=page",
    )
    most, longest = MAX_QUERY_WORDS, MAX_QUERY_CHARACTERS
    texts = [
        "space",
        "space+heat",
        "space%20heat",
        "%C3%A9t%C3%A9",
        "-",
        "%2B",
        "+",
        "%E9",
        "%",
        "%zz",
        "%4",
        "%00",
        "_",
        "a_b",
    ]
    texts += [
        "a" * longest,
        "a" * (longest + 1),
        "%C3%A9" * longest,
        "+".join("a" * most),
        "+".join("a" * (most + 1)),
    ]
    # Unencoded, as a shell sends it; and bytes that are not text.
    texts += ["caf\xc3\xa9", "\xe6\x9d\xb1", "\xff", "caf\xff", "a%EF%BF%BD"]
    for text in texts:
        yield from (f"mode=page&q={text}", f"q={text}&page=2&mode=page&{first}")
    yield from (
        "mode=page&q=space&sort=relevance",
        "mode=page&q=space&sort=size",
        f"q=space&{first}&{last}&mode=page&sort=relevance",
    )


#: Misspellings of a valid query: `{name}={value}` with another key or value, between other
#: separators, ...
_SPELLINGS = _split("""
    mode=page&{other}={value} mode=page&{name}={encoded} mode=page&{name}%3D{value}
    mode=page%26{name}={value} mode=page&{name}={value}& &mode=page&{name}={value}
    mode=page&&{name}={value} {name}={value}&mode=page& mode=page;{name}={value}
    ?mode=page&{name}={value} mode=page?&{name}={value} mode=page?{name}={value}
    mode=page&{name}={value}? mode=page&?{name}={value} mode=page&{name}={value}?page=2
    mode=page+&{name}={value} mode=page&{name}={value}%2F.. mode=page&{name}=..%2F{value}
    mode=page&{name}=+{value} mode=page&{name}={value}+ mode=page&{name}=\xe9
    mode=page&{name}=\xc3\xa9 mode=page&{name}=%C3%A9 mode=page&\xe9=1 mode=page&{name}=%
    mode=page&{name}=%C3 mode=page&{name}[0]={value} mode=page&{name}.0={value} mode=page&={value}
    mode=page&=&{name}={value} mode=page&%00{name}={value} +mode=page&{name}={value}
    mode=page&{name}={value},{value} mode=page&{name}={value}&{other}={value}
    mode=page&{name}={value}&{upper}={value}
""")


def _encoded(collection: Collection, values: dict[str, str]) -> Iterator[str]:
    """Percent-encoding, separators, other alphabets, length."""
    for name, value in list(values.items())[:4]:
        other, encoded = f"%{ord(name[0]):02X}{name[1:]}", f"%{ord(value[0]):02x}{value[1:]}"
        for spelling in _SPELLINGS:
            yield spelling.format(
                name=name, value=value, other=other, encoded=encoded, upper=name.upper()
            )
    name, value = next(iter(values.items()))
    yield from _split(
        "& && = =&= == ? % mode=page& &mode=page mode=page&&page=2 mode==page mode=p%61ge "
        "m%6Fde=page mode=page%00 mode=page%20"
    )
    long, pair = "a" * 8000, f"{name}={value}"
    yield from (
        long,
        f"mode=page&{pair}&{long}=1",
        f"mode=page&q={long}",
        f"mode=page&{pair}{long}",
        f"mode=page&page={'1' * 8000}",
    )
    yield from (
        "mode=page" + "&" * 4000,
        f"mode=page&{pair}" + f"&{pair}" * 200,
        "&".join(f"a{n}=1" for n in range(1000)),
    )


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


def _former(grammar: Grammar, out: Path) -> Iterator[Request]:
    """Lists of programs and organizations by former slugs, which redirect to the lists by present
    slugs.
    """
    for owner in grammar.collections.values():
        for file in sorted((out / owner.record_path("x")[1:]).parent.iterdir()):
            document = json.loads(file.read_bytes())
            if document["kind"] == "moved":
                for was in grammar.slices_for_value(owner, file.stem):
                    now = replace(was, value=document["data"]["replaced_by"])
                    root, pair = was.collection.root, f"{was.filter}={was.value}"
                    for raw, page in ((f"mode=page&{pair}", 1), (f"page=2&{pair}&mode=page", 2)):
                        yield Request(
                            "GET", f"{root}?{raw}", 308, location=grammar.url(now.path(page))
                        )
                    yield Request(
                        "HEAD", f"{root}?mode=page&{pair}", 308, location=grammar.url(now.path())
                    )
                    yield _problem(f"{root}?mode=page&{pair}&colour=red", "unknown-parameter")
                    yield _problem(f"{root}?{pair}", "mode-required")


# --- beside the lists ---


def _problem(target: str, code: str) -> Request:
    return Request("GET", target, PROBLEMS[code][0], problem=code)


#: Suffixes of a list's address, canonical paths and others.
_NOWHERE = _split("""
    page/ page/1 page/0.json page/999.json page/01.json page/x.json by/ by by/nothing/x/page/1.json
    slug/ slug/nobody.json sort/x/page/1.json sort/page/1.json filters/nothing.json upcoming.json
    %2e%2e%2fx ..%2fbuild.json ..%2f..%2fbuild.json ..%2F..%2Fapi%2Fbuild.json x%2f..%2fpage/1.json
    .
""")


def _around(grammar: Grammar, out: Path, collection: Collection) -> Iterator[Request]:
    """Variants of a list's address, its records, former slugs and canonical files, and methods."""
    root, first = collection.root, Slice(collection).path()
    for raw in ("", "?mode=page", "?mode=page&page=2"):
        yield from (
            _problem(f"{root}{rest}{raw}", "not-found")
            for rest in ("/", "//", ".json", "%20", "%0A")
        )
        # Outside of the API, a missing path gets the host's own page; paths are case-sensitive.
        yield Request("GET", root.upper() + raw, 404)
    documents = {
        p.stem: json.loads(p.read_bytes())
        for p in sorted((out / collection.record_path("x")[1:]).parent.iterdir())
    }
    for slug, document in documents.items():
        target = f"{root}/{slug}"
        if document["kind"] == "moved":
            now = grammar.url(f"{root}/{document['data']['replaced_by']}")
            yield Request("GET", target, 308, location=now)
            yield Request("HEAD", target, 308, location=now)
        else:
            yield Request("GET", target, 200, collection.record_path(slug))
        # The tombstone says where the record went; it is an ordinary file.
        yield Request("GET", collection.record_path(slug), 200, collection.record_path(slug))
    some = next(slug for slug, document in documents.items() if document["kind"] != "moved")
    for raw in (
        "mode=page",
        "page=2",
        "colour=red",
        "colour",
        "colour=",
        "&",
        "=",
        "a=b&a=b",
        "slug=x",
    ):
        yield _problem(f"{root}/{some}?{raw}", "unknown-parameter")
    yield from (
        _problem(f"{root}/{moved}?mode=page", "unknown-parameter")
        for moved, d in documents.items()
        if d["kind"] == "moved"
    )
    unknown = {
        "nobody",
        "page",
        "slug",
        "by",
        "sort",
        "filters",
        "upcoming",
        "index",
        "constructor",
        "__proto__",
        "1",
    } - set(documents)
    strange = (
        f"{some.upper()} {some}- -{some} {some}%2F.. {some}%20 {some}%00 {some}.html "
        "%2e%2e%2f a_b a--b :slug * \xe9 %C3%A9"
    ).split()
    long = ["x" * MAX_SLUG, "x" * (MAX_SLUG + 1), "x" * 260]
    for slug in [*sorted(unknown), *strange, f"{some}%0A", *long]:
        yield _problem(f"{root}/{slug}", "not-found")
    # Needless percent-encoding does not change an address.
    encoded = [
        root.replace("/a", "/%61"),
        root.replace("/p", "/%70"),
        "".join(c if c == "/" else f"%{ord(c):02x}" for c in root),
    ]
    for path in dict.fromkeys(encoded):
        for raw in (
            "",
            "mode=page",
            "mode=page&page=2",
            "mode=page&colour=red",
            "mode=page&q=space",
            "year=2024",
        ):
            same = _list(grammar, out, collection, raw)
            yield same._replace(target=f"{path}?{raw}" if raw else path)
        yield Request("GET", f"{path}/{some}", 200, collection.record_path(some))
        yield _problem(f"{path}/{some}?mode=page", "unknown-parameter")
    for rest in _NOWHERE:
        if rest not in documents:
            yield _problem(f"{root}/{rest}", "not-found")
    yield from (
        _problem(f"{root}/{rest}", "not-found")
        for rest in (f"{some}/", f"{some}/x", f"slug/{some}")
    )
    yield from (_problem(f"{root}/{rest}", "not-found") for rest in (".?mode=page", f"/{some}"))
    one = next(iter(collection.prepared_filters))
    by = Slice(collection, one, _value(out, collection, one)).path()
    sorted_by = [Slice(collection, sort=sort).path() for sort in collection.prepared_sorts]
    for file in (first, by, collection.filters_path, collection.filter_path(one), *sorted_by):
        # A canonical path ignores its query, which may be there to bypass a cache.
        yield from (
            Request("GET", file + raw, 200, file)
            for raw in ("", "?", "?v=1", "?mode=page", "?mode=page&page=2", "?&", "?a=%00")
        )
        yield Request("HEAD", file, 200, file)
        yield Request("OPTIONS", file, 204)
        yield Request("OPTIONS", file, 204)
        yield from (Request(method, file, 405) for method in ("POST", "PUT", "DELETE"))
    for target, status, answer, problem in (
        (f"{root}?mode=page", 200, first, None),
        (f"{root}?mode=page&colour=red", 400, None, "unknown-parameter"),
        (f"{root}?mode=page&page=999", 404, None, "not-found"),
        (f"{root}/{some}", 200, collection.record_path(some), None),
        (f"{root}/nobody", 404, None, "not-found"),
    ):
        yield Request("HEAD", target, status, answer, problem)
        yield Request("OPTIONS", target, 204)
        yield from (Request(method, target, 405) for method in ("POST", "PUT", "PATCH", "DELETE"))


def _elsewhere(grammar: Grammar, out: Path) -> Iterator[Request]:
    """Addresses outside of all lists."""
    dashboard = DASHBOARD.removesuffix(".json")
    encoded = dashboard.replace("/a", "/%61").replace("/d", "/%64")
    yield Request("GET", encoded, 200, DASHBOARD)
    yield _problem(f"{encoded}?year=2024", "unknown-parameter")
    yield from (Request(method, dashboard, 200, DASHBOARD) for method in ("GET", "HEAD"))
    yield from (
        _problem(f"{dashboard}?{raw}", "unknown-parameter")
        for raw in ("mode=page", "year=2024", "v=1", "v", "&", "=")
    )
    yield Request("OPTIONS", dashboard, 204)
    yield Request("POST", dashboard, 405)
    yield Request("GET", f"{dashboard}?", 200, DASHBOARD)
    events = grammar.events
    yield Request("GET", f"{events.root}?", 200, Slice(events, "upcoming", "true").path())
    yield from (
        _problem(f"{c.root}?", "mode-required")
        for c in grammar.collections.values()
        if c is not events
    )
    yield from (
        _problem(f"{dashboard}{rest}", "not-found") for rest in ("/", "/x", ".html", "%20", "%0A")
    )
    api, calendar = INDEX.rpartition("/")[0], events.root.rpartition("/")[0]
    nothing = [
        f"{api}/{name}"
        for name in (
            "nothing",
            "nothing?mode=page",
            "events",
            "events?mode=page",
            "problems",
            "constructor?mode=page",
        )
    ]
    for target in (calendar, problem_path("nothing"), *nothing):
        yield _problem(target, "not-found")
    for target in (
        "/nothing",
        "/nothing?mode=page",
        dashboard.upper(),
        f"/{dashboard}",
        "//",
        "///",
        "//evil.example/..",
        f"//x{DASHBOARD}",
        f"/{grammar.projects.root}?mode=page",
        f"{api}x",
        f"/x{grammar.projects.root}?mode=page",
    ):
        yield Request("GET", target, 404)
    for file in (
        INDEX,
        DASHBOARD,
        problem_path("not-found"),
        paths.SKILL,
        paths.AGENT_OVERVIEW,
        paths.API_CATALOG,
        paths.FEED,
    ):
        yield from (Request("GET", file + raw, 200, file) for raw in ("", "?v=1"))
        yield Request("HEAD", file, 200, file)
        yield Request("OPTIONS", file, 204)


def _pages(grammar: Grammar, out: Path) -> Iterator[Request]:
    """Pages for people, if the build has a site."""
    if not (out / "index.html").is_file():
        return
    former = ("/projects/program/old-program/page/2/", "/calendar/program/old-program/")
    for path in ("/", "/projects/", "/projects/page/", "/calendar/", *former):
        file = f"{path}index.html"
        yield from (Request(method, path, 200, file) for method in ("GET", "HEAD"))
        yield from (
            Request("GET", target, 200, file) for target in (f"{path}?q=a&sort=-year", file)
        )
        if path != "/":
            yield from (
                Request("GET", f"{path[:-1]}{raw}", 308, location=grammar.url(path) + raw)
                for raw in ("", "?q=a&sort=-year")
            )
    for target in (
        "/projects/nobody",
        "/projects/nobody/",
        "/projects/page/x/",
        "/Projects/",
        "/projects//",
        "/projects//page",
        "/embed",
        "/embed/",
        "/embed/nothing/",
        "/assets",
        "/assets/",
        "/assets/nothing.css",
    ):
        yield Request("GET", target, 404)
