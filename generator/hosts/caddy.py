"""Caddy 2.6 or later: the file that a site block imports.

Caddy's regular expressions have no look-ahead (RE2).  So a shape has two conditions: the query has
as many tokens as the shape has parameters, each one of these parameters; and each parameter is
there.  Both are in an `expression` (CEL), because the `query` matcher joins keys with OR, and the
`path` matcher ignores case and joins slashes.

Refusals come first, then shapes, then a last refusal.  So an expression that fails, for example on
bytes that are not UTF-8, never answers with records.

Sources: caddyserver.com/docs/caddyfile/matchers, .../directives/route, .../directives/file_server;
github.com/caddyserver/caddy issue 6053 on the query matcher; github.com/google/re2/wiki/Syntax.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from generator.contract.addresses import page_policies
from generator.contract.artifact import Artifact
from generator.grammar import headers, paths
from generator.grammar.grammar import Collection, Grammar
from generator.hosts import HostLimits
from generator.hosts import _patterns as patterns
from generator.hosts._patterns import API, MISSING, Aliases
from generator.model.symbols import Symbols
from generator.text.words import SLUG

LIMITS = HostLimits()
REDIRECTS = True

_COMMENT = """\
# Caddy 2.6 or later.  Made by: registry host caddy
#
# 1. registry host caddy --out /etc/caddy/registry.caddy
# 2. In the Caddyfile, once:
#
#        registry.example.org {
#            root * /var/www/registry                  # what "registry build" wrote
#            import registry.caddy
#        }
#
# 3. caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy; again whenever
#    registry.yaml or a former slug changes.  Send what "registry build --host caddy" wrote with:
#    rsync -rc --exclude '/api/index/*/manifest.json' build/ server:/var/www/registry/
#    rsync -rc --delete-after build/ server:/var/www/registry/
#    What is the same keeps its ETag.
"""

# Request headers with conditions and ranges (RFC 9110 sections 13.1 and 14.2).
_CONDITIONS = (
    "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
)  # fmt: skip
_COMPRESSED = "precompressed br gzip"
_METHOD = "{http.request.method}"
_PATH, _QUERY, _FILE = (
    "{http.request.uri.path}",
    "{http.request.uri.query}",
    "{http.request.uri.path.file}",
)


def outside(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    lines = ["route {", *_indented(_site(symbols.grammar, aliases)), "}"]
    yield Artifact("/registry.caddy", patterns.configuration_file(_COMMENT, lines))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"\t{line}" for line in lines)


def _site(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    allow = f"header Allow {_quoted(patterns.METHODS)}"
    yield from (f"header {name} {_quoted(value)}" for name, value in headers.COMMON_HEADERS.items())
    yield "encode {"
    yield "\tzstd"
    yield "\tgzip"
    yield "\tmatch {"
    yield from (f"\t\theader Content-Type {kind}*" for kind in headers.COMPRESSED_TYPES)
    yield "\t}"
    yield "}"
    preflight = [f"header {name} {_quoted(value)}" for name, value in headers.PREFLIGHT.items()]
    yield from _handle("options", f"{_METHOD} == 'OPTIONS'", [*preflight, allow, "respond 204"])
    others = " && ".join(f"{_METHOD} != '{method}'" for method in headers.METHODS)
    problem = f"header Content-Type {headers.PROBLEM}"
    refusal = [allow, problem, f"respond `{headers.NOT_ALLOWED}` 405"]
    yield from _handle("other_methods", others, refusal)
    if grammar.prefix:
        yield "# A proxy may or may not have taken the path of the base URL off: both are answered."
        # strip_prefix would also join slashes and resolve dots.
        yield f'uri path_regexp "^{re.escape(grammar.prefix)}/" "/"'
    yield "# Which file: where a query decides, and where a path does."
    yield from _block(_rewrites(grammar, aliases))
    yield "# The file, or what is said where there is none."
    yield from _route(_served(grammar, aliases))


def _rewrites(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    yield "# An encoded slash is no slash: no file has such a name."
    encoded = _found("{http.request.orig_uri}", "^[^?]*%2[Ff]")
    yield from _handle(
        "encoded_api", f"{encoded} && {_PATH}.startsWith('{API}')", _refused("not-found")
    )
    yield from _handle(
        "encoded", encoded, ["vars registry_status 404", f"rewrite * {paths.NOT_FOUND}"]
    )
    dashboard = patterns.dashboard_route(grammar)
    lines = [*_unasked(), *_block([f"rewrite * {dashboard.target}"])]
    yield from _handle("dashboard", f"{_PATH} == '{dashboard.path}'", lines)
    *refusals, last = patterns.search_refusals()
    search = [*_refusals(refusals), *_block(_refused(last.code))]
    yield from _handle("search", f"{_PATH} == '{paths.SEARCH}'", search)
    services = _found(_PATH, patterns.service_pattern(grammar))
    yield from _handle("services", services, _refused("unsupported-combination"))
    for collection in grammar.collections.values():
        name = collection.name
        yield from _handle(name, f"{_PATH} == '{collection.root}'", _lists(grammar, collection))
        path, file = patterns.record_address(grammar, collection, SLUG, _FILE)
        record = _record(file, name, patterns.alias_addresses(grammar, collection, aliases))
        yield from _handle(f"{name}_record", _found(_PATH, f"^{path}$"), record)
    folder = f"!{_PATH}.startsWith('{API}') && {_PATH}.endsWith('/')"
    yield from _handle("folder", folder, [f"rewrite * {_PATH}index.html"])


def _lists(grammar: Grammar, collection: Collection) -> Iterator[str]:
    bare = patterns.bare_target(grammar, collection)
    yield from _handle(
        "bare", f"{_QUERY} == ''", [f"rewrite * {bare}"] if bare else _refused("mode-required")
    )
    *refusals, last = patterns.refusals(grammar, collection)
    yield from _refusals(refusals)
    rewrites = []
    for number, route in enumerate(patterns.query_routes(grammar, collection)):
        conditions = [
            _found(_QUERY, patterns.token_pattern(collection, route.query)),
            *(f"{_value(parameter)} != ''" for parameter in route.query),
        ]
        rewrites += [f"@shape_{number} expression `{' && '.join(conditions)}`"]
        rewrites += [f"rewrite @shape_{number} {patterns.fill_placeholders(route.target, _value)}"]
    # A query with a shape has another path by now.
    rewrites += _handle("shapeless", f"{_PATH} == '{collection.root}'", _refused(last.code))
    yield from _block(_route(rewrites))


def _refusals(refusals: Iterable[patterns.Refusal]) -> Iterator[str]:
    for number, refusal in enumerate(refusals):
        conditions = [
            *(_found(_QUERY, p) for p in refusal.wanted),
            *(f"!{_found(_QUERY, p)}" for p in refusal.forbidden),
        ]
        yield from _handle(f"refused_{number}", " && ".join(conditions), _refused(refusal.code))


def _record(file: str, name: str, moved: Mapping[str, str]) -> Iterator[str]:
    yield from _unasked()
    if moved:
        # An alias may be `default`, the keyword of a map's last line.
        keys = ("~^default$" if alias == "default" else alias for alias in moved)
        addresses = dict(zip(keys, moved.values(), strict=True))
        yield from _redirects(_FILE, f"registry_moved_{name}", "moved", addresses)
    yield from _block([f"rewrite * {file}"])


def _redirects(
    key: str, variable: str, matcher: str, addresses: Mapping[str, str], unless: Iterable[str] = ()
) -> Iterator[str]:
    """Redirects by a map of `key`: pattern or value -> address; without one if all matchers of
    `unless` match.
    """
    yield f"map {key} {{{variable}}} {{"
    yield from (f"\t{value} {address}" for value, address in addresses.items())
    yield '\tdefault ""'
    yield "}"
    yield f"@{matcher} {{"
    yield f"\texpression `{{{variable}}} != ''`"
    yield from ("\tnot {", *(f"\t\t{line}" for line in unless), "\t}") if unless else ()
    yield "}"
    yield from _block([f"header Location {{{variable}}}", "respond 308"], f"@{matcher} ")


def _unasked() -> Iterator[str]:
    yield from _handle("asked_more", f"{_QUERY} != ''", _refused(patterns.NO_QUERY_CODE))


def _refused(code: str) -> Iterator[str]:
    status, problem = patterns.problem_response(code)
    yield f"vars registry_status {status}"
    yield f"rewrite * {problem}"


def _served(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    yield from _lists_moved(grammar, aliases)
    yield "# What is meant for other hosts."
    yield f"@private path {' '.join(f'/{name} /{name}/*' for name in paths.PRIVATE)}"
    yield from _missing("private", paths.NOT_FOUND)
    yield "# Files are found with slashes joined, too."
    yield f"@slashes expression `!{_PATH}.startsWith('{API}') && {_PATH}.contains('//')`"
    yield from _missing("slashes", paths.NOT_FOUND)
    yield from _pages(grammar)
    for name, api, file in (("nothing", "", MISSING), ("no_page", "!", paths.NOT_FOUND)):
        yield f"@{name} {{"
        yield f"\texpression `{api}{_PATH}.startsWith('{API}')`"
        yield f"\tnot file {_PATH}"
        yield "}"
        yield from _missing(name, file)
    yield from _headers()
    for status in patterns.STATUSES:
        yield f"@status_{status} vars registry_status {status}"
        yield f"handle @status_{status} {{"
        # Conditions and ranges do not apply to a problem document.
        yield from (f"\trequest_header -{name}" for name in _CONDITIONS)
        yield "\tfile_server {"
        yield f"\t\tstatus {status}"
        yield f"\t\t{_COMPRESSED}"
        yield "\t}"
        yield "}"
    yield "file_server {"
    yield f"\t{_COMPRESSED}"
    yield "}"


def _missing(matcher: str, file: str) -> Iterator[str]:
    yield f"vars @{matcher} registry_status 404"
    yield f"rewrite @{matcher} {file}"


def _lists_moved(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    moved = {
        f"~^{was.folder}({patterns.page_pattern(was.collection)})$": (
            f"{grammar.url(now.folder)}${{1}}"
        )
        for _, was, now in patterns.former_lists(grammar, aliases)
    }
    if moved:
        yield "# Lists of programs and organizations that have another slug now."
        # A file is there if the build is also for hosts without redirects.  A query is none.
        asked = _found("{http.request.orig_uri}", r"\.json(?:\?|$)")
        unless = [f"expression `{asked}`", f"file {_PATH}"]
        yield from _redirects(_PATH, "registry_list_now", "list_moved", moved, unless)


def _pages(grammar: Grammar) -> Iterator[str]:
    yield "# A page is asked for with a slash at the end."
    yield f"map {_QUERY} {{registry_asked}} {{"
    yield '\t"" ""'
    yield f'\tdefault "?{_QUERY}"'
    yield "}"
    if base := patterns.base_path(grammar):
        lines = [f"header Location {base}/{{registry_asked}}", "respond 308"]
        yield from _handle("base", f"{_PATH} == '{base}'", lines)
    yield "@page {"
    yield f"\texpression `!{_PATH}.startsWith('{API}')`"
    yield f"\tnot file {_PATH}"
    yield f"\tfile {_PATH}/index.html"
    yield "}"
    yield "handle @page {"
    yield f"\theader Location {grammar.prefix}{_PATH}/{{registry_asked}}"
    yield "\trespond 308"
    yield "}"


def _headers() -> Iterator[str]:
    for ending, kind in headers.MEDIA_TYPES.items():
        yield f"@{ending} path *.{ending}"
        yield f"header @{ending} Content-Type {_quoted(kind)}"
    yield f"header @html Content-Security-Policy {_quoted(headers.POLICY)}"
    for folder, policy in page_policies().items():
        condition = f"{_PATH}.startsWith('{folder}/') && {_PATH}.endsWith('.html')"
        yield f"@{folder[1:]} expression `{condition}`"
        yield f"header @{folder[1:]} Content-Security-Policy {_quoted(policy)}"
    yield f"@media path {paths.MEDIA}/*"
    yield f"header @media Content-Security-Policy {_quoted(headers.MEDIA_POLICY)}"
    yield f"@asset path {' '.join(f'{folder}/*' for folder in headers.IMMUTABLE_FOLDERS)}"
    yield from (
        f"header @asset {name} {_quoted(headers.IMMUTABLE)}" for name in headers.CACHE_HEADERS
    )
    yield f"@root path {paths.MANIFEST_ROOT}"
    yield from (
        f"header @root {name} {_quoted(headers.REVALIDATE)}" for name in headers.CACHE_HEADERS
    )
    yield f"@problems path {paths.problem_path('*')}"
    yield f"header @problems Content-Type {headers.PROBLEM}"
    yield f"@catalog path {paths.API_CATALOG}"
    yield f"header @catalog Content-Type {_quoted(headers.CATALOG)}"


def _route(lines: Iterable[str]) -> Iterator[str]:
    yield "route {"
    yield from _indented(lines)
    yield "}"


def _block(lines: Iterable[str], matcher: str = "") -> Iterator[str]:
    """A `handle` block.  Of the blocks beside each other, Caddy enters only the first that matches;
    in a `route`, it runs all lines in order.
    """
    yield f"handle {matcher}{{"
    yield from _indented(lines)
    yield "}"


def _handle(name: str, expression: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"@{name} expression `{expression}`"
    yield from _block(lines, f"@{name} ")


def _found(text: str, pattern: str) -> str:
    return f'{text}.matches(r"{pattern}")'


def _value(parameter: str) -> str:
    return f"{{http.request.uri.query.{parameter}}}"


def _quoted(value: str) -> str:
    return json.dumps(value)
