"""Netlify: an edge function, and `_redirects` and `_headers`, which it reads from the root of what
is published.

The edge function answers the query URLs and refuses whatever they do not allow.  It is taken from
the folder that `edge_functions` names in netlify.toml, which lies in the output; the dot keeps that
from being published.  The rules answer where it does not run: in a folder that is uploaded by hand,
and when the function fails.

The first rule that matches is taken, and a rule matches whoever brings the parameters it names: it
sees no others.  So what the page tier does not answer is refused by rules of its own, which come
first, and what no rule can name (another key, a key without `=`, a key given twice) is answered as
if it were not there.  The list of those is tests/hosts/leaks.txt; a list says which query it
answers.

No rule is forced: a file wins over every rule, so canonical addresses do not depend on any.
Refusals have status 404, also where the problem says 400: Netlify takes a rule with status 400 for
a redirect. The key of a rule is read as a regular expression.  That is documented nowhere, so every
key here is a plain word.

Sources: docs.netlify.com/manage/routing/redirects/overview, .../redirects/redirect-options,
.../routing/headers and docs.netlify.com/build/edge-functions/api, .../declarations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import combinations, groupby
from typing import NamedTuple

from generator.contract.artifact import Artifact
from generator.grammar.grammar import OTHERS, Collection, Grammar
from generator.grammar.headers import ALLOW, ALWAYS, PREFLIGHT
from generator.grammar.paths import INDEX, problem_path
from generator.grammar.routes import Route, routes
from generator.hosts import Limits
from generator.hosts import _header_files as header_files
from generator.hosts._patterns import Aliases, base, former
from generator.model.symbols import Symbols
from generator.search import js

# "If you need to set up 10,000 redirects or more", says the documentation, take something else.
# Only former slugs are left out past that; refusals never are, and reach it at about 65 tag
# families.  There is no limit of files in all, but one of 54,000 in a directory
# (docs.netlify.com/site-deploys/overview).
LIMITS = Limits(rules=10_000, directory_files=54_000)
RULES = "/_redirects"
REDIRECTS = True

_ROOT = INDEX.rpartition("/")[0]

#: What other APIs call paging, sorting, searching and choosing: the likeliest to be tried here, so
#: refused by name.
_FOREIGN = {
    "limit", "offset", "page_size", "pagesize", "pageSize", "per_page", "perPage", "size",
    "count", "skip", "start", "end", "first", "last", "cursor", "after", "before", "order",
    "order_by", "orderBy", "sort_by", "sortBy", "direction", "search", "query", "filter",
    "filters", "fields", "select", "include", "expand", "format", "id", "slug", "name", "tag",
    "tags", "category", "country", "region", "city", "date", "from", "to", "since", "until",
}  # fmt: skip

#: In the folder that `edge_functions` in netlify.toml names, without the output's own name.
EDGE_FUNCTION = "/.netlify/edge-functions/registry.js"
PREFLIGHT_FUNCTION = "/.netlify/edge-functions/preflight.js"

# `next` goes on to the site's own files and rules.
_ADAPTER = """\
export default (request, context) =>
  respond(request, (path, init) => context.next(
    new Request(beside(path, request.url), init), { sendConditionalRequest: true }), table, search)
// The rules in _redirects answer where this fails.
export const config = { pattern: %s, excludedPattern: %s, onError: 'bypass' }
"""

# Files need no function but for this, which no header and no rule can say.
_PREFLIGHT = """\
export default () => new Response(null, { status: 204, headers: %s })
export const config = { pattern: '^/.*$', method: 'OPTIONS', onError: 'bypass' }
"""


_CONFIGURATION = """\
# How Netlify builds a registry.  Put this file at the root of the repository, as netlify.toml,
# beside content/ and a requirements.txt with registry-generator in it, which Netlify installs by
# itself; then connect the repository to a site.
# Made by: registry host netlify --out netlify.toml
#
# Rules and headers are not here: the build writes them into the output, as _redirects and _headers.
# It also writes the edge functions, which refuse what rules cannot see, and which Netlify takes
# from a folder that it is told of here.
#
# Nothing is built while the example records of `registry init` are there.

[build]
command = '''
python -m generator examples --publish | grep -qx publish=true &&
python -m generator build --strict --host netlify
'''
publish = "build"
edge_functions = "build/.netlify/edge-functions"

[build.environment]
PYTHON_VERSION = "3.11"
"""


class _Rule(NamedTuple):
    """One line of `_redirects`.  A parameter without a value stands for any value, an empty one
    too.
    """

    path: str
    query: Mapping[str, str | None]
    target: str
    status: int

    def __str__(self) -> str:
        asked = [
            f"{name}={f':{name}' if value is None else value}" for name, value in self.query.items()
        ]
        return " ".join([self.path, *asked, self.target, str(self.status)])


def render(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    rules = _rules(symbols.grammar, aliases)
    yield Artifact(RULES, "".join(f"{rule}\n" for rule in rules).encode())
    yield Artifact("/_headers", header_files.file(symbols.grammar))
    yield Artifact(
        EDGE_FUNCTION,
        js.module(symbols.grammar, _ADAPTER % tuple(map(json.dumps, _patterns(symbols.grammar)))),
    )
    yield Artifact(
        PREFLIGHT_FUNCTION, (_PREFLIGHT % json.dumps(ALWAYS | ALLOW | PREFLIGHT)).encode()
    )


def outside() -> Iterator[Artifact]:
    """What Netlify reads beside the output."""
    yield Artifact("/netlify.toml", _CONFIGURATION.encode())


def _patterns(grammar: Grammar) -> tuple[list[str], str]:
    """The paths that the edge function answers, and those of files among them, which need none.

    Netlify matches the path as it came, and its rules decode it: so what is not plainly spelled is
    the function's as well.
    """
    prefix = f"(?:{re.escape(grammar.prefix)})?" if grammar.prefix else ""
    asked = dict.fromkeys(route.path.replace(":slug", "[^/]+") for route in routes(grammar))
    return [
        *(f"^{prefix}{path}/?$" for path in asked),
        *(f"^{re.escape(path)}$" for path in filter(None, [base(grammar)])),
        r"^.*(?:%|/\.{0,2}/).*$",
    ], rf"^{prefix}{_ROOT}/[^%]*\.(?:json|ics)$"


def _rules(grammar: Grammar, aliases: Aliases) -> list[_Rule]:
    """Every rule, in order.

    Where the base URL has a path, requests reach the site with it or, from a proxy that takes it
    off, without; both are answered.  Files lie without it, and no rule leads on to another.
    """
    collections = grammar.collections.values()
    lists = [rule for collection in collections for rule in _list_rules(grammar, collection)]
    listed = {collection.root for collection in collections}
    single = [
        _Rule(route.path, {}, route.target, 200)
        for route in routes(grammar)
        if route.path not in listed
    ]
    # With the prefix no file is in a rule's way, so what lies beside the slugs comes first and all
    # other files last.
    first = [
        _Rule(grammar.url(c.filters_path), {}, c.filters_path, 200)
        for c in collections
        if grammar.prefix
    ]
    rest = [_Rule(f"{grammar.prefix}/*", {}, "/:splat", 200)] if grammar.prefix else []
    last = [_Rule(f"{_ROOT}/*", {}, problem_path("not-found"), 404)]
    # A renamed record that finds no room is answered all the same: by the file that says where it
    # went.
    room = (
        ((LIMITS.rules or 0) - len(first + rest + last)) // (2 if grammar.prefix else 1)
        - len(lists)
        - len(single)
    )
    moved = []
    for name, alias, slug in _that_fit(grammar, aliases, room):
        collection = grammar.collections[name]
        moved.append(
            _Rule(f"{collection.root}/{alias}", {}, grammar.url(f"{collection.root}/{slug}"), 301)
        )
        for _, was, now in former(grammar, [(name, alias, slug)]):
            moved.append(_Rule(f"{was.folder}/*", {}, f"{grammar.url(now.folder)}/:splat", 301))
    rules = [*lists, *moved, *single]
    prefixed = [rule._replace(path=grammar.url(rule.path)) for rule in rules if grammar.prefix]
    return [*first, *prefixed, *rest, *rules, *last]


def _that_fit(grammar: Grammar, aliases: Aliases, room: int) -> Aliases:
    """The first aliases whose rules find room."""
    for place, (name, alias, _) in enumerate(aliases):
        room -= 1 + len(grammar.lists_of(grammar.collections[name], alias))
        if room < 0:
            return aliases[:place]
    return aliases


def _list_rules(grammar: Grammar, collection: Collection) -> Iterator[_Rule]:
    """Refusals and rewrites of the queries of one collection."""
    root, known = collection.root, grammar.parameters(collection)
    shapes = [route for route in routes(grammar) if route.path == root and route.query]
    always = dict(set.intersection(*(set(route.query.items()) for route in shapes)))

    def refuse(code: str, query: Mapping[str, str | None]) -> _Rule:
        return _Rule(root, query, problem_path(code), 404)

    for name in sorted(_strangers(grammar) - set(known)):
        yield refuse("unknown-parameter", {name: None})
    terms = list(
        dict.fromkeys(
            term for route in shapes for term in route.query.items() if term[0] not in always
        )
    )
    together = {
        frozenset(pair) for route in shapes for pair in combinations(route.query.items(), 2)
    }
    for mode, others in OTHERS.items():
        for name in others:
            yield refuse("invalid-parameter", {"mode": mode, name: None})
    yield refuse("unsupported-combination", {"mode": "count"})
    for name in known:
        if name not in (*always, *OTHERS["page"]) and all(name != term[0] for term in terms):
            yield refuse("unsupported-combination", {**always, name: None})
    for sort in collection.sorts[len(collection.prepared_sorts) :]:
        yield refuse("unsupported-combination", {**always, "sort": sort})
    for one, other in combinations(terms, 2):
        if one[0] != other[0] and frozenset((one, other)) not in together:
            yield refuse("unsupported-combination", {**always, **dict((one, other))})

    # By the parameters that take only certain words, so that any other word can be refused before a
    # shape without the parameter matches; within that, most parameters first.
    def worded(route: Route) -> tuple[str, ...]:
        return tuple(
            sorted(
                name
                for name, value in route.query.items()
                if value is not None and name not in always
            )
        )

    shapes.sort(key=lambda route: (-len(worded(route)), worded(route), -len(route.query)))
    for names, group in groupby(shapes, worded):
        for route in group:
            yield _Rule(root, route.query, route.target, 200)
        if names:
            yield refuse("invalid-parameter", {**always, **dict.fromkeys(names)})
    bare = next(
        (route for route in routes(grammar) if route.path == root and not route.query), None
    )
    if bare is not None:
        for name in known:
            yield refuse("mode-required", {name: None})
        yield _Rule(root, {}, bare.target, 200)
    else:
        yield refuse("mode-required", {})


def _strangers(grammar: Grammar) -> set[str]:
    """Names of parameters that someone may try and some collection does not take."""
    names = {
        name
        for collection in grammar.collections.values()
        for name in grammar.parameters(collection)
    }
    spelled = set()
    for name in names:
        head, *rest = name.split("_")
        spelled |= {
            name.capitalize(),
            name.upper(),
            name.replace("_", "-"),
            head + "".join(map(str.capitalize, rest)),
        }
    return names | spelled | set(grammar.tag_families) | set(_FOREIGN)
