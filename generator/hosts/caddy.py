"""Caddy 2.6 or later: what a site block imports.

Caddy's regular expressions have no look-ahead (RE2), so a shape is two questions to the raw query
and its parameters: as many tokens as it has parameters, each one of those; and each of them there.
Both are asked in an `expression` (CEL): the `query` matcher joins keys with OR, and the `path`
matcher does not tell capitals apart and joins slashes.

Refusals come first, then shapes, then a last refusal, so a question that fails (an expression may,
over bytes that are no UTF-8) never answers with rows.

Sources: caddyserver.com/docs/caddyfile/matchers, .../directives/route, .../directives/file_server;
github.com/caddyserver/caddy issue 6053 on the query matcher; github.com/google/re2/wiki/Syntax.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from generator.contract.artifact import Artifact
from generator.grammar import headers, paths
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.text import SLUG
from generator.hosts import Limits
from generator.hosts import _patterns as shapes
from generator.hosts import _server as server
from generator.hosts._patterns import Aliases
from generator.hosts._server import API, MISSING
from generator.model.symbols import Symbols

LIMITS = Limits()
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

# What a client may make an answer depend on (RFC 9110 sections 13.1 and 14.2).
_CONDITIONS = (
    "If-Match",
    "If-None-Match",
    "If-Modified-Since",
    "If-Unmodified-Since",
    "If-Range",
    "Range",
)
_COMPRESSED = "precompressed br gzip"
_METHOD = "{http.request.method}"
_PATH, _QUERY, _FILE = (
    "{http.request.uri.path}",
    "{http.request.uri.query}",
    "{http.request.uri.path.file}",
)


def outside(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    lines = ["route {", *_indented(_site(symbols.grammar, aliases)), "}"]
    yield Artifact("/registry.caddy", server.text(_COMMENT, lines))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"\t{line}" for line in lines)


def _site(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    methods = _quoted(server.METHODS)
    yield from (f"header {name} {_quoted(value)}" for name, value in headers.ALWAYS.items())
    yield "encode {"
    yield "\tzstd"
    yield "\tgzip"
    yield "\tmatch {"
    yield from (f"\t\theader Content-Type {kind}*" for kind in headers.COMPRESSED)
    yield "\t}"
    yield "}"
    preflight = [f"header {name} {_quoted(value)}" for name, value in headers.PREFLIGHT.items()]
    yield from _handle(
        "options", f"{_METHOD} == 'OPTIONS'", [*preflight, f"header Allow {methods}", "respond 204"]
    )
    answer = [
        f"header Allow {methods}",
        f"header Content-Type {headers.PROBLEM}",
        f"respond `{headers.NOT_ALLOWED}` 405",
    ]
    yield from _handle(
        "other_methods",
        " && ".join(f"{_METHOD} != '{method}'" for method in headers.METHODS),
        answer,
    )
    if grammar.prefix:
        yield "# A proxy may or may not have taken the path of the base URL off: both are answered."
        # strip_prefix would also join slashes and resolve dots.
        yield f'uri path_regexp "^{re.escape(grammar.prefix)}/" "/"'
    yield "# Which file: where a query decides, and where a path does."
    yield from _choice(_decided(grammar, aliases))
    yield "# The file, or what is said where there is none."
    yield from _route(_served(grammar, aliases))


def _decided(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    yield "# An encoded slash is no slash: no file has such a name."
    encoded = _found("{http.request.orig_uri}", "^[^?]*%2[Ff]")
    yield from _handle(
        "encoded_api", f"{encoded} && {_PATH}.startsWith('{API}')", _refused("not-found")
    )
    yield from _handle(
        "encoded", encoded, ["vars registry_status 404", f"rewrite * {paths.NOT_FOUND}"]
    )
    board = shapes.dashboard(grammar)
    yield from _handle(
        "dashboard",
        f"{_PATH} == '{board.path}'",
        [*_unasked(), *_choice([f"rewrite * {board.target}"])],
    )
    for collection in grammar.collections.values():
        yield from _handle(
            collection.name, f"{_PATH} == '{collection.root}'", _lists(grammar, collection)
        )
        path, file = server.record(grammar, collection, SLUG, _FILE)
        yield from _handle(
            f"{collection.name}_record",
            _found(_PATH, f"^{path}$"),
            _record(file, collection.name, server.moved(grammar, collection, aliases)),
        )
    yield from _handle(
        "folder",
        f"!{_PATH}.startsWith('{API}') && {_PATH}.endsWith('/')",
        [f"rewrite * {_PATH}index.html"],
    )


def _lists(grammar: Grammar, collection: Collection) -> Iterator[str]:
    bare = shapes.bare(grammar, collection)
    yield from _handle(
        "bare", f"{_QUERY} == ''", [f"rewrite * {bare}"] if bare else _refused("mode-required")
    )
    *refusals, last = shapes.refusals(grammar, collection)
    for place, refusal in enumerate(refusals):
        asked = [
            *(_found(_QUERY, p) for p in refusal.wanted),
            *(f"!{_found(_QUERY, p)}" for p in refusal.forbidden),
        ]
        yield from _handle(f"refused_{place}", " && ".join(asked), _refused(refusal.code))
    rewrites = []
    for place, route in enumerate(shapes.shapes(grammar, collection)):
        there = [f"{_value(parameter)} != ''" for parameter in route.query]
        asked = [_found(_QUERY, shapes.tokens(collection, route.query)), *there]
        rewrites += [f"@shape_{place} expression `{' && '.join(asked)}`"]
        rewrites += [f"rewrite @shape_{place} {shapes.spelled(route.target, _value)}"]
    # What has a shape is no longer at the bare address.
    rewrites += _handle("shapeless", f"{_PATH} == '{collection.root}'", _refused(last.code))
    yield from _choice(_route(rewrites))


def _record(file: str, name: str, moved: Mapping[str, str]) -> Iterator[str]:
    yield from _unasked()
    if moved:
        variable = f"{{registry_moved_{name}}}"
        yield f"map {_FILE} {variable} {{"
        # A key of the map may be called like its last line.
        yield from (
            f"\t{'~^default$' if alias == 'default' else alias} {now}"
            for alias, now in moved.items()
        )
        yield '\tdefault ""'
        yield "}"
        yield from _handle(
            "moved", f"{variable} != ''", [f"header Location {variable}", "respond 308"]
        )
    yield from _choice([f"rewrite * {file}"])


def _unasked() -> Iterator[str]:
    """A refusal of any query."""
    yield from _handle("asked_more", f"{_QUERY} != ''", _refused(server.UNASKED))


def _refused(code: str) -> Iterator[str]:
    status, problem = server.refused(code)
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
    for status in server.STATUSES:
        yield f"@status_{status} vars registry_status {status}"
        yield f"handle @status_{status} {{"
        # A condition or a range is about what was asked for, not about what says why it is not
        # there.
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
    moved = [
        f"\t~^{was.folder}({shapes.page(was.collection)})$ {grammar.url(now.folder)}${{1}}"
        for _, was, now in shapes.former(grammar, aliases)
    ]
    if moved:
        yield "# Lists of programs and organizations that have another slug now."
        yield f"map {_PATH} {{registry_list_now}} {{"
        yield from moved
        yield '\tdefault ""'
        yield "}"
        yield from _handle(
            "list_moved",
            "{registry_list_now} != ''",
            ["header Location {registry_list_now}", "respond 308"],
        )


def _pages(grammar: Grammar) -> Iterator[str]:
    yield "# A page is asked for with a slash at the end."
    yield f"map {_QUERY} {{registry_asked}} {{"
    yield '\t"" ""'
    yield f'\tdefault "?{_QUERY}"'
    yield "}"
    if base := shapes.base(grammar):
        yield from _handle(
            "base",
            f"{_PATH} == '{base}'",
            [f"header Location {base}/{{registry_asked}}", "respond 308"],
        )
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
    """The headers of files."""
    for ending, kind in headers.TYPES.items():
        yield f"@{ending} path *.{ending}"
        yield f"header @{ending} Content-Type {_quoted(kind)}"
    yield f"header @html Content-Security-Policy {_quoted(headers.POLICY)}"
    for folder, policy in headers.POLICIES.items():
        there = f"{_PATH}.startsWith('{folder}/') && {_PATH}.endsWith('.html')"
        yield f"@{folder[1:]} expression `{there}`"
        yield f"header @{folder[1:]} Content-Security-Policy {_quoted(policy)}"
    yield f"@asset path {paths.ASSETS}/*"
    yield from (f"header @asset {name} {_quoted(headers.IMMUTABLE)}" for name in headers.KEPT)
    yield f"@root path {paths.MANIFEST_ROOT}"
    yield from (f"header @root {name} {_quoted(headers.ANEW)}" for name in headers.KEPT)
    yield f"@problems path {paths.problem_path('*')}"
    yield f"header @problems Content-Type {headers.PROBLEM}"
    yield f"@catalog path {paths.API_CATALOG}"
    yield f"header @catalog Content-Type {_quoted(headers.CATALOG)}"


def _route(lines: Iterable[str]) -> Iterator[str]:
    yield "route {"
    yield from _indented(lines)
    yield "}"


def _choice(lines: Iterable[str], matcher: str = "") -> Iterator[str]:
    """A block of which no sibling is entered after it; inside of it the same holds, other than in a
    `route`.
    """
    yield f"handle {matcher}{{"
    yield from _indented(lines)
    yield "}"


def _handle(name: str, expression: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"@{name} expression `{expression}`"
    yield from _choice(lines, f"@{name} ")


def _found(text: str, pattern: str) -> str:
    return f'{text}.matches(r"{pattern}")'


def _value(parameter: str) -> str:
    return f"{{http.request.uri.query.{parameter}}}"


def _quoted(value: str) -> str:
    return json.dumps(value)
