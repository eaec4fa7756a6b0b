"""Vercel: `vercel.json` and a middleware at the root of the project; it reads neither from the
output.

The middleware answers the query URLs and refuses whatever they do not allow.  The routes answer
where it does not run. They match who brings the parameters they name and none of those they name as
missing, and see no others; refusals have status 404.

Sources: vercel.com/docs/project-configuration (routes, has and missing),
vercel.com/docs/routing-middleware/api.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Filter, Grammar
from generator.grammar.headers import ALLOW, PREFLIGHT
from generator.grammar.paths import INDEX, problem_path
from generator.grammar.routes import Route, routes
from generator.grammar.text import SLUG
from generator.hosts import Limits
from generator.hosts import _header_files as header_files
from generator.hosts import _patterns as shapes
from generator.hosts._patterns import Aliases
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.search import js

# vercel.com/docs/limits: 1,024 routes in vercel.json.
LIMITS = Limits(rules=1_024)

_ROOT = INDEX.rpartition("/")[0]

# A middleware that fetched an address it answers would ask itself, for ever.  The matcher takes no
# path with a dot in its last segment that is plainly spelled, and nothing else is fetched: so it
# cannot, in whatever case hosts match.  Cookies and headers are handed on, so that a deployment
# that asks for a login stays readable to those who have one.
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
    adapter = _ADAPTER % json.dumps(_matcher(grammar))
    yield Artifact("/middleware.js", _INSTALL.encode() + js.module(grammar, adapter))
    configuration = {
        "$schema": "https://openapi.vercel.sh/vercel.json",
        "framework": None,
        "installCommand": "pip install -r requirements.txt",
        "buildCommand": "python3 -m generator build --host vercel --strict",
        "outputDirectory": "build",
    }
    # A route a line, for whoever reads what changed.
    routes = ",\n".join(f"    {json.dumps(route)}" for route in _routes(grammar, aliases))
    head = json.dumps(configuration, indent=2).removesuffix("\n}")
    yield Artifact("/vercel.json", f'{head},\n  "routes": [\n{routes}\n  ]\n}}\n'.encode())


def _matcher(grammar: Grammar) -> list[str]:
    """The paths of query URLs, and whatever is not plainly spelled; a slug has no dot, as the names
    of files do.
    """
    asked = dict.fromkeys(
        route.path.replace(":slug", r":slug([^/.]*)") for route in routes(grammar)
    )
    return [
        *(prefix + path for path in asked for prefix in dict.fromkeys(("", grammar.prefix))),
        *filter(None, [shapes.base(grammar)]),
        "/(.*%.*)",
        r"/((?:.*/)?\.{0,2}/.*)",
    ]


def _routes(grammar: Grammar, aliases: Aliases) -> list[dict[str, Any]]:
    before: list[dict[str, Any]] = []
    for path, values in header_files.by_pattern("", grammar.prefix):
        before.append(
            {
                "src": header_files.expression(path),
                "headers": values,
                "continue": True,
            }
        )
    before.append(
        {"src": "^/.*$", "methods": ["OPTIONS"], "headers": {**ALLOW, **PREFLIGHT}, "status": 204}
    )
    if base := shapes.base(grammar):
        before.append(
            {"src": f"^{re.escape(base)}$", "status": 308, "headers": {"Location": f"{base}/"}}
        )
    before.append({"handle": "filesystem"})
    prefix = f"(?:{re.escape(grammar.prefix)})?" if grammar.prefix else ""
    after = [_rewrite(grammar, prefix, route) for route in routes(grammar)]
    if grammar.prefix:
        after.append({"src": f"^{re.escape(grammar.prefix)}/(.*)$", "dest": "/$1", "check": True})
    after.append({"src": f"^{prefix}{_ROOT}/.*$", "dest": problem_path("not-found"), "status": 404})
    # A renamed record that finds no room is answered all the same: by the file that says where it
    # went.
    moved = []
    for name, alias, slug in aliases[: max(0, (LIMITS.rules or 0) - len(before) - len(after))]:
        root = grammar.collections[name].root
        moved.append(
            {
                "src": f"^{prefix}{root}/{alias}$",
                "status": 308,
                "headers": {"Location": grammar.url(f"{root}/{slug}")},
            }
        )
    return [*before, *moved, *after]


def _rewrite(grammar: Grammar, prefix: str, route: Route) -> dict[str, Any]:
    """One shape of query: all of its parameters, and none of the others that the list knows."""
    rewrite: dict[str, Any] = {
        "src": f"^{prefix}{route.path.replace(':slug', f'(?<slug>{SLUG})')}$"
    }
    dest = route.target.replace(":slug", "$slug")
    collection = next((c for c in grammar.collections.values() if c.root == route.path), None)
    if collection is not None:
        forms = {**collection.filters, "page": Filter("page", "Page", "page")}
        has = []
        for name, value in route.query.items():
            has.append(
                {
                    "type": "query",
                    "key": name,
                    "value": value or f"(?<{name}>{forms[name].pattern})",
                }
            )
            dest = dest.replace(f":{name}/", f"${name}/").replace(f":{name}.", f"${name}.")
        others = [
            {"type": "query", "key": name}
            for name in grammar.parameters(collection)
            if name not in route.query
        ]
        rewrite |= {key: value for key, value in (("has", has), ("missing", others)) if value}
    return {**rewrite, "dest": dest, "check": True}
