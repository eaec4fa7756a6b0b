"""Netlify: an edge function, and `_redirects` and `_headers` in the root of the output.

The edge function answers the query URLs and refuses every other query.  Netlify takes it from the
folder that `edge_functions` in netlify.toml names.  That is in the output, but its name begins with
a dot, so it is not published.  The rules answer if the function fails, or if a folder was uploaded
by hand, where no function runs.

The first rule that matches counts, and a rule matches every query that has its parameters, whatever
else the query has.  So rules that refuse other queries come first.  What no rule can name (another
key, a key without `=`, a key given twice) is ignored: tests/hosts/leaks.txt lists these queries.
A list says which query it answers.

No rule is forced: files win over rules, so canonical addresses work without rules.  Refusals have
status 404, even if the problem says 400, because Netlify takes a rule with status 400 for a
redirect.  Netlify reads the key of a rule as a regular expression, which is undocumented, so every
key is a plain word.

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
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.headers import ALLOW, COMMON_HEADERS, PREFLIGHT
from generator.grammar.parameters import OTHER_MODE_PARAMETERS, ROWS_PARAMETERS
from generator.grammar.paths import INDEX, MCP, SEARCH, problem_path
from generator.grammar.routes import Route, form_patterns, query_paths, routes, services
from generator.hosts import HostLimits
from generator.hosts import _header_files as header_files
from generator.hosts._patterns import Aliases, bare_target, base_path, former_lists, query_routes
from generator.model.symbols import Symbols

# The documentation advises against 10,000 redirects or more.  Past that, only aliases are left out;
# refusals alone reach it at about 65 tag families.  The number of files is limited to 54,000 in a
# directory, and unlimited in all (docs.netlify.com/site-deploys/overview).
_MAX_RULES = 10_000
LIMITS = HostLimits(rules=_MAX_RULES, directory_files=54_000)
FUNCTIONS = True
RULES = "/_redirects"
REDIRECTS = True

_ROOT = INDEX.rpartition("/")[0]

#: Parameters of other APIs for paging, sorting, searching and filtering.  Clients are likely to try
#: them, so rules refuse them by name.
_FOREIGN = {
    "limit", "offset", "page_size", "pagesize", "pageSize", "per_page", "perPage", "size",
    "count", "skip", "start", "end", "first", "last", "cursor", "after", "before", "order",
    "order_by", "orderBy", "sort_by", "sortBy", "direction", "search", "query", "filter",
    "filters", "fields", "select", "include", "expand", "format", "id", "slug", "name", "tag",
    "tags", "category", "country", "region", "city", "date", "from", "to", "since", "until",
}  # fmt: skip

#: Paths in the output, in the folder that `edge_functions` in netlify.toml names.
EDGE_FUNCTION = "/.netlify/edge-functions/registry.js"
PREFLIGHT_FUNCTION = "/.netlify/edge-functions/preflight.js"

# `next` answers with the site's own files and rules.
_ADAPTER = """\
export default (request, context) =>
  respond(request, (path, init) => context.next(
    new Request(beside(path, request.url), init), { sendConditionalRequest: true }), table, search)
// The rules in _redirects answer where this fails.
export const config = { pattern: %s, excludedPattern: %s, onError: 'bypass' }
"""

# Answers OPTIONS for files, which headers and rules cannot; not at addresses that take a POST.
_PREFLIGHT = """\
export default () => new Response(null, { status: 204, headers: %s })
const [pattern, excludedPattern] = ['^/.*$', '(?:%s)/?$']
export const config = { pattern, excludedPattern, method: 'OPTIONS', onError: 'bypass' }
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
if test -f extra.txt; then pip install -r extra.txt; fi &&
registry examples --publish | grep -qx publish=true &&
registry build --strict --host netlify
'''
publish = "build"
edge_functions = "build/.netlify/edge-functions"

[build.environment]
PYTHON_VERSION = "3.11"
"""


class _Rule(NamedTuple):
    """One line of `_redirects`.  A parameter with None matches any value, even an empty one."""

    path: str
    query: Mapping[str, str | None]
    target: str
    status: int

    def __str__(self) -> str:
        parameters = [
            f"{name}={f':{name}' if value is None else value}" for name, value in self.query.items()
        ]
        return " ".join([self.path, *parameters, self.target, str(self.status)])


def render(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    from generator.engine import scripts

    grammar = symbols.grammar
    rules = _rules(grammar, aliases)
    yield Artifact(RULES, "".join(f"{rule}\n" for rule in rules).encode())
    yield Artifact("/_headers", header_files.headers_file(grammar))
    adapter = _ADAPTER % tuple(map(json.dumps, _patterns(grammar)))
    yield Artifact(EDGE_FUNCTION, scripts.module(grammar, adapter))
    posted = "|".join((MCP, *form_patterns(grammar)))
    preflight = _PREFLIGHT % (json.dumps(COMMON_HEADERS | ALLOW | PREFLIGHT), posted)
    yield Artifact(PREFLIGHT_FUNCTION, preflight.encode())


def outside() -> Iterator[Artifact]:
    """netlify.toml, which Netlify reads beside the output."""
    yield Artifact("/netlify.toml", _CONFIGURATION.encode())


def _patterns(grammar: Grammar) -> tuple[list[str], str]:
    """The patterns of the paths that the edge function answers, and of the files among these, which
    need no function.

    Netlify matches the raw path, but its rules decode it.  So the function also answers every path
    with an escape, an empty segment or a dot segment.
    """
    prefix = f"(?:{re.escape(grammar.prefix)})?" if grammar.prefix else ""
    paths = (
        path.replace(".", r"\.").replace(":slug", "[^/]+") for path in (*query_paths(grammar), MCP)
    )
    included = [f"^{prefix}{path}/?$" for path in (*paths, *form_patterns(grammar))]
    if path := base_path(grammar):
        included.append(f"^{re.escape(path)}$")
    feeds = rf"|{grammar.timed.root}[^%]*\.ics" if grammar.kinds.timed else ""
    included.append(r"^.*(?:%|/\.{0,2}/).*$")
    return included, rf"^{prefix}(?:{_ROOT}/[^%]*\.json{feeds})$"


def _rules(grammar: Grammar, aliases: Aliases) -> list[_Rule]:
    """Every rule, in order.

    If the base URL has a path, requests come with it, or without it from a proxy that removes it.
    Rules answer both.  The files have paths without it, and no rule leads to another rule.
    """
    collections = grammar.collections.values()
    lists = [rule for collection in collections for rule in _list_rules(grammar, collection)]
    lists += _search_rules(grammar)
    roots = {collection.root for collection in collections}
    single = [
        _Rule(route.path, {}, route.target, 200)
        for route in routes(grammar)
        if route.path not in roots
    ]
    last = [_Rule(f"{_ROOT}/*", {}, problem_path("not-found"), 404)]
    if not grammar.prefix:
        room = _MAX_RULES - len(last) - len(lists) - len(single)
        return [*lists, *_moved_rules(grammar, aliases, room), *single, *last]
    # No file wins over a rule with the prefix.  So files with names like slugs come first, and all
    # other files after the rules.
    first = [_Rule(grammar.url(c.filters_path), {}, c.filters_path, 200) for c in collections]
    files = _Rule(f"{grammar.prefix}/*", {}, "/:splat", 200)
    # Every other rule is there twice.
    room = (_MAX_RULES - len([*first, files, *last])) // 2 - len(lists) - len(single)
    rules = [*lists, *_moved_rules(grammar, aliases, room), *single]
    prefixed = [rule._replace(path=grammar.url(rule.path)) for rule in rules]
    return [*first, *prefixed, files, *rules, *last]


def _moved_rules(grammar: Grammar, aliases: Aliases, room: int) -> Iterator[_Rule]:
    """Redirects of the first aliases, at most `room` rules.  For the others, the files at their
    addresses name the slugs.
    """
    for alias in aliases:
        collection = grammar.collections[alias.collection]
        lists = list(former_lists(grammar, [alias]))
        room -= 1 + len(lists)
        if room < 0:
            return
        root = collection.root
        yield _Rule(f"{root}/{alias.former}", {}, grammar.url(f"{root}/{alias.slug}"), 301)
        for _, was, now in lists:
            yield _Rule(f"{was.folder}/*", {}, f"{grammar.url(now.folder)}/:splat", 301)


def _list_rules(grammar: Grammar, collection: Collection) -> Iterator[_Rule]:
    """The refusals and rewrites of the queries of one collection."""
    root, known = collection.root, grammar.parameters(collection)
    prepared = query_routes(grammar, collection)
    always = dict(set.intersection(*(set(route.query.items()) for route in prepared)))

    def refuse(code: str, query: Mapping[str, str | None]) -> _Rule:
        return _Rule(root, query, problem_path(code), 404)

    for name in sorted(_guesses(grammar, collection) - {*known, *ROWS_PARAMETERS}):
        yield refuse("unknown-parameter", {name: None})
    all_terms = (term for route in prepared for term in route.query.items())
    terms = dict.fromkeys(term for term in all_terms if term[0] not in always)
    pairs = {frozenset(pair) for route in prepared for pair in combinations(route.query.items(), 2)}
    for mode, others in OTHER_MODE_PARAMETERS.items():
        for name in others:
            yield refuse("invalid-parameter", {"mode": mode, name: None})
    for mode in ("count", "rows"):
        yield refuse("unsupported-combination", {"mode": mode})
    for name in ROWS_PARAMETERS:
        yield refuse("unknown-parameter", {name: None})
    for name in known:
        if name not in {*always, *OTHER_MODE_PARAMETERS["page"], *(term[0] for term in terms)}:
            yield refuse("unsupported-combination", {**always, name: None})
    for sort in collection.sorts[len(collection.prepared_sorts) :]:
        yield refuse("unsupported-combination", {**always, "sort": sort})
    for first, second in combinations(terms, 2):
        if first[0] != second[0] and frozenset((first, second)) not in pairs:
            yield refuse("unsupported-combination", {**always, **dict((first, second))})

    def literals(route: Route) -> tuple[str, ...]:
        """The parameters that take only certain words."""
        given = (name for name, value in route.query.items() if value is not None)
        return tuple(sorted(name for name in given if name not in always))

    # Grouped by these parameters, so that any other word is refused before a shape without the
    # parameter matches; in a group, most parameters first.
    prepared.sort(key=lambda route: (-len(literals(route)), literals(route), -len(route.query)))
    for names, group in groupby(prepared, literals):
        for route in group:
            yield _Rule(root, route.query, route.target, 200)
        if names:
            yield refuse("invalid-parameter", {**always, **dict.fromkeys(names)})
    file = bare_target(grammar, collection)
    if file is not None:
        for name in known:
            yield refuse("mode-required", {name: None})
        yield _Rule(root, {}, file, 200)
    else:
        yield refuse("mode-required", {})


def _search_rules(grammar: Grammar) -> Iterator[_Rule]:
    """The refusals of searches over all collections, and of other addresses without files."""
    for name in sorted(_guesses(grammar, None) - {"q"}):
        yield _Rule(SEARCH, {name: None}, problem_path("unknown-parameter"), 404)
    yield _Rule(SEARCH, {"q": None}, problem_path("unsupported-combination"), 404)
    yield _Rule(SEARCH, {}, problem_path("invalid-parameter"), 404)
    for path in (p for each in reversed(services(grammar)) for p in each.paths):
        yield _Rule(path, {}, problem_path("unsupported-combination"), 404)


def _guesses(grammar: Grammar, collection: Collection | None) -> set[str]:
    """Names of parameters that clients may try, though the collection does not take them: those of
    all collections, and other spellings of those that it takes, or that have a meaning of their
    own in the first collections.
    """
    every = grammar.collections.values()
    spelled = {
        name
        for c in every
        if c == collection or not c.declared.is_own
        for name in grammar.parameters(c)
    }
    variants = set()
    for name in spelled:
        head, *rest = name.split("_")
        camel_case = head + "".join(map(str.capitalize, rest))
        variants |= {name.capitalize(), name.upper(), name.replace("_", "-"), camel_case}
    names = {name for c in every for name in grammar.parameters(c)}
    return names | variants | set(grammar.tag_families) | _FOREIGN
