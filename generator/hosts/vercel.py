"""Vercel: `vercel.json` and a middleware, both at the root of the project, not in the output.

The middleware answers the query URLs and refuses every other query.  The routes in vercel.json
answer if it does not run.  A route matches a query that has the parameters of its `has` and none of
its `missing`, whatever else the query has.  Refusals by routes have status 404.

Sources: vercel.com/docs/project-configuration (routes, has and missing),
vercel.com/docs/routing-middleware/api.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from generator.contract.artifact import Artifact
from generator.engine import scripts
from generator.grammar.grammar import Filter, Grammar
from generator.grammar.headers import ALLOW, PREFLIGHT
from generator.grammar.paths import INDEX, MCP, problem_path
from generator.grammar.routes import Route, query_paths, routes, services
from generator.hosts import HostLimit, HostLimits
from generator.hosts import _header_files as header_files
from generator.hosts import _patterns as patterns
from generator.hosts._patterns import Aliases
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.text.words import SLUG

# 1,024 routes in vercel.json (vercel.com/docs/limits).
_MAX_RULES = 1_024
LIMITS = HostLimits(rules=_MAX_RULES)
#: How many lists a message names.
_MOST_LISTS = 5
FUNCTIONS = True

_ROOT = INDEX.rpartition("/")[0]

# A middleware that fetches an address it answers itself never ends.  So it fetches only paths with
# a dot in the last segment and without escapes, which the matcher never matches, whether or not the
# host ignores case.  It passes cookies and headers on, for deployments that need a login.
_ADAPTER = """\
const isFile = (path) => /\\.[^/]*$/.test(path) && !/%%|\\/\\.{0,2}\\//.test(path)
// What is spelled otherwise outside of the API goes on, as next() of @vercel/functions has it.
const onward = { headers: { 'x-middleware-next': '1' } }
const other = (path) => new Response(null, path.includes('%%') ? onward : { status: 404 })
export default (request) => respond(request, (path, init) =>
  (isFile(path) ? fetch(beside(path, request.url), init) : other(path)), table, search)
export const config = { matcher: %s }
"""
_INSTALL = """\
// Vercel Routing Middleware.  Generated: `registry host vercel` writes it and vercel.json anew,
// which is needed when the tag families or the base URL change.  Put both at the root of the
// project, beside the output folder `build`, and deploy:
//     npx vercel deploy --prod
"""


def outside(symbols: Symbols, settings: Settings, aliases: Aliases) -> Iterator[Artifact]:
    grammar = symbols.grammar
    if excess := find_excess(grammar):
        raise HostLimit("{}. {}.".format(*excess))
    adapter = _ADAPTER % json.dumps(_matcher(grammar))
    yield Artifact("/middleware.js", _INSTALL.encode() + scripts.module(grammar, adapter))
    configuration = {
        "$schema": "https://openapi.vercel.sh/vercel.json",
        "framework": None,
        "installCommand": "pip install -r requirements.txt",
        "buildCommand": "python3 -m generator build --host vercel --strict",
        "outputDirectory": "build",
    }
    # One route a line, for readable diffs.
    routes = ",\n".join(f"    {json.dumps(route)}" for route in _routes(grammar, aliases))
    head = json.dumps(configuration, indent=2).removesuffix("\n}")
    yield Artifact("/vercel.json", f'{head},\n  "routes": [\n{routes}\n  ]\n}}\n'.encode())


def find_excess(grammar: Grammar) -> tuple[str, str] | None:
    """The problem and the hint if there are too many routes without any alias."""
    count = len(_routes(grammar, []))
    if count <= _MAX_RULES:
        return None
    by_list = {c.name: len(patterns.query_routes(grammar, c)) for c in grammar.collections.values()}
    most = sorted(by_list.items(), key=lambda item: -item[1])[:_MOST_LISTS]
    lists = ", ".join(f"{name} have {routes:,}" for name, routes in most)
    problem = f"vercel.json has {count:,} routes, and Vercel takes {_MAX_RULES:,}"
    return problem, f"leave out filters, tag families or kinds in registry.yaml: {lists} of them"


def _matcher(grammar: Grammar) -> list[str]:
    """The paths of query URLs, of which slugs have no dot, as file names have; and every path with
    an escape, an empty segment or a dot segment.
    """
    forms = (form for service in services(grammar) for form in service.forms)
    known = (*query_paths(grammar), *forms, MCP, f"{MCP}/")
    paths = [re.sub(r"(:\w+)", r"\1([^/.]*)", path) for path in known]
    return [
        *(prefix + path for path in paths for prefix in dict.fromkeys(("", grammar.prefix))),
        *filter(None, [patterns.base_path(grammar)]),
        "/(.*%.*)",
        r"/((?:.*/)?\.{0,2}/.*)",
    ]


def _routes(grammar: Grammar, aliases: Aliases) -> list[dict[str, Any]]:
    before: list[dict[str, Any]] = [
        {"src": header_files.pattern_regex(path), "headers": values, "continue": True}
        for path, values in header_files.headers_by_pattern(grammar.kinds, "", grammar.prefix)
    ]
    before.append(
        {"src": "^/.*$", "methods": ["OPTIONS"], "headers": {**ALLOW, **PREFLIGHT}, "status": 204}
    )
    if base := patterns.base_path(grammar):
        before.append(_redirect(re.escape(base), f"{base}/"))
    before.append({"handle": "filesystem"})
    prefix = f"(?:{re.escape(grammar.prefix)})?" if grammar.prefix else ""
    after = [_rewrite(grammar, prefix, route) for route in routes(grammar)]
    if grammar.prefix:
        after.append({"src": f"^{re.escape(grammar.prefix)}/(.*)$", "dest": "/$1", "check": True})
    after.append({"src": f"^{prefix}{_ROOT}/.*$", "dest": problem_path("not-found"), "status": 404})
    # For aliases that do not fit, the files at their addresses name the slugs.
    moved = []
    for alias in aliases[: max(0, _MAX_RULES - len(before) - len(after))]:
        root = grammar.collections[alias.collection].root
        address = grammar.url(f"{root}/{alias.slug}")
        moved.append(_redirect(f"{prefix}{root}/{alias.former}", address))
    return [*before, *moved, *after]


def _redirect(pattern: str, location: str) -> dict[str, Any]:
    return {"src": f"^{pattern}$", "status": 308, "headers": {"Location": location}}


def _rewrite(grammar: Grammar, prefix: str, route: Route) -> dict[str, Any]:
    """One shape of query: it has all parameters of the shape and no other of the collection."""
    path = route.path.replace(":slug", f"(?<slug>{SLUG})")
    rewrite: dict[str, Any] = {"src": f"^{prefix}{path}$"}
    dest = route.target.replace(":slug", "$slug")
    collection = next((c for c in grammar.collections.values() if c.root == route.path), None)
    if collection is not None:
        filters = {**collection.filters, "page": Filter("page", "Page", "page")}
        has = []
        for name, value in route.query.items():
            pattern = value or f"(?<{name}>{filters[name].pattern})"
            has.append({"type": "query", "key": name, "value": pattern})
            dest = dest.replace(f":{name}/", f"${name}/").replace(f":{name}.", f"${name}.")
        others = [name for name in grammar.parameters(collection) if name not in route.query]
        missing = [{"type": "query", "key": name} for name in others]
        rewrite |= {key: value for key, value in (("has", has), ("missing", missing)) if value}
    return {**rewrite, "dest": dest, "check": True}
