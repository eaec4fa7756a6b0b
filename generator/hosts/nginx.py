"""nginx 1.18 or later: maps from the raw query to the file that answers it, and the locations that
use them.

Two files, because nginx has maps outside of a server block only.  The server block itself (names,
certificates, root) is nobody's but the administrator's: it includes the second file.

The query is taken from `$request_uri`, which no rewrite changes; what follows a `#` there is part
of it, where `$args` would not have it.  A path is compared after decoding and without joining
slashes.

Sources: nginx.org/en/docs/http/ngx_http_map_module.html, .../ngx_http_core_module.html,
.../ngx_http_rewrite_module.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from generator.api.artifact import Artifact
from generator.api.grammar import Collection, Grammar
from generator.api.headers import (
    ALWAYS,
    ANEW,
    CATALOG,
    COMPRESSED,
    EDITED,
    FRAMED,
    IMMUTABLE,
    METHODS,
    NOT_ALLOWED,
    POLICY,
    PREFLIGHT,
    PROBLEM,
    TYPES,
)
from generator.api.paths import (
    ADMIN,
    API_CATALOG,
    ASSETS,
    EMBEDS,
    INDEX,
    MANIFEST_ROOT,
    NOT_FOUND,
    PRIVATE,
    problem_path,
)
from generator.api.problems import PROBLEMS
from generator.api.text import SLUG
from generator.hosts import Limits
from generator.hosts import _patterns as shapes
from generator.records.symbols import Symbols

LIMITS = Limits()
REDIRECTS = True

_API = INDEX.rpartition("/")[0] + "/"
# Keys of a map that mean something else (ngx_http_map_module).
_SPECIAL = {"default", "hostnames", "include", "volatile"}
# The longest key that fits a bucket of the default size, one cache line of 64 bytes with two
# pointers.
_LONGEST_KEY = 46
# A word of the configuration has to fit a buffer of 4,096 bytes (ngx_conf_file.c).  At about 150
# tag families one does not.
_LONGEST_WORD = 4_000

_MAPS = """\
# nginx, part 1 of 2: which file answers which query.  Made by: registry host nginx
#
# 1. registry host nginx --out /etc/nginx/registry/
# 2. In a file of /etc/nginx/conf.d/ or sites-enabled/, once:
#
#        include /etc/nginx/registry/maps.conf;
#        server {
#            listen 80;
#            server_name registry.example.org;
#            root /var/www/registry;                  # what "registry build" wrote
#            include /etc/nginx/registry/server.conf;
#        }
#
# 3. nginx -t && nginx -s reload; again whenever registry.yaml or a former slug changes.
#    Send what "registry build --host nginx" wrote with:
#    rsync -rc --exclude '/api/index/*/manifest.json' build/ server:/var/www/registry/
#    rsync -rc --delete-after build/ server:/var/www/registry/
#    What is the same keeps its time and its ETag.
"""
_SERVER = """\
# nginx, part 2 of 2: what is at which address.  Made by: registry host nginx; maps.conf says how
# to install both.
"""


def render() -> Iterator[Artifact]:
    """Nothing: nginx reads no configuration from what it serves."""
    yield from ()


def outside(symbols: Symbols, aliases: Sequence[tuple[str, str, str]]) -> Iterator[Artifact]:
    yield Artifact("/maps.conf", _text(_MAPS, _maps(symbols.grammar, aliases)))
    yield Artifact("/server.conf", _text(_SERVER, _server(symbols.grammar, aliases)))


def _text(comment: str, lines: Iterator[str]) -> bytes:
    return (comment + "".join(f"{line}\n" for line in lines)).encode()


def _maps(grammar: Grammar, aliases: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    former = _former(grammar, aliases)
    longest = max(map(len, (*(alias for _, alias, _ in aliases), *former)), default=0)
    if longest > _LONGEST_KEY:
        yield (
            "\n# Former slugs are long.  Where nginx calls one of these a duplicate, keep yours "
            "if it is as large."
        )
        yield "map_hash_bucket_size 256;"
    if len(aliases) > 2_000:
        yield f"map_hash_max_size {2 * len(aliases)};"
    yield ""
    yield "# The raw query; a path with a # in it has none that could be answered."
    yield "map $request_uri $registry_query {"
    yield '    "~^[^?#]*$" "";'
    yield '    "~^[^?#]*\\?(.*)$" $1;'
    yield '    default "#";'
    yield "}"
    yield ""
    yield "# An encoded slash is no slash: no file has such a name. nginx would decode it."
    yield "# While nginx looks for the document that says so, there is a status."
    yield 'map "$status $request_uri" $registry_nowhere {'
    yield "    volatile;"
    slash = "(?:/|%2f)"
    prefix = f"(?:{re.escape(grammar.prefix).replace('/', slash)})?" if grammar.prefix else ""
    yield f'    "~*^000 (?=[^?]*%2f){prefix}{_API.replace("/", slash)}" "{_API}-";'
    yield '    "~*^000 [^?]*%2f" "/-";'
    yield '    default "";'
    yield "}"
    yield ""
    yield 'map "$sent_http_content_type $uri" $registry_policy {'
    yield f'    "~^text/html[^/]* {EMBEDS}/" "{FRAMED}";'
    yield f'    "~^text/html[^/]* {ADMIN}/" "{EDITED}";'
    yield f'    "~^text/html" "{POLICY}";'
    yield '    default "";'
    yield "}"
    yield "# Asked anew each time: what turns out to be 416 already has the headers of a 200."
    for name, value in ALWAYS.items():
        kept = ""
        if "Cache-Control" in name:
            kept = f'"~^(?:200|206|304) {ASSETS}/" "{IMMUTABLE}"; '
            kept += f'"~ {re.escape(MANIFEST_ROOT)}$" "{ANEW}"; '
        yield (
            f'map "$status $uri" ${_variable(name)} '
            f'{{ volatile; "~^416" ""; {kept}default "{value}"; }}'
        )
    for name, value in PREFLIGHT.items():
        yield f'map $request_method ${_variable(name)} {{ OPTIONS "{value}"; default ""; }}'
    yield f'map $status $registry_allow {{ 204 "{_methods()}"; 405 "{_methods()}"; default ""; }}'
    if former:
        yield "# Programs and organizations that have another slug now."
        yield "map $registry_owner $registry_owner_now {"
        yield '    default "";'
        yield from (f"    {was} {now};" for was, now in former.items())
        yield "}"
    for collection in grammar.collections.values():
        yield ""
        yield (
            "# A path, or the code of a problem.  Every shape is matched whole; the rest is "
            "refused."
        )
        yield f"map $registry_query $registry_{collection.name} {{"
        yield f'    "" "{shapes.bare(grammar, collection) or "mode-required"}";'
        for route in shapes.shapes(grammar, collection):
            pattern, groups = shapes.pcre_shape(collection, route)
            captured = {name: f"${place}" for place, name in enumerate(groups, 1)}
            yield f'    "~{pattern}" "{shapes.spelled(route.target, captured.__getitem__)}";'
        *refusals, last = shapes.refusals(grammar, collection)
        # Without one of them a query is refused all the same, with a less fitting problem.
        yield from (f'    "~{r.pcre}" "{r.code}";' for r in refusals if len(r.pcre) < _LONGEST_WORD)
        yield f'    default "{last.code}";'
        yield "}"
        if former:
            answer = f"$registry_{collection.name}"
            owner, page = (
                f"{shapes.by(collection)}({shapes.owners(grammar)}/[^/]+)",
                shapes.page(collection, "[0-9]+"),
            )
            yield (
                f'map {answer} {answer}_owner {{ default ""; "~{owner}{page.partition("[")[0]}" '
                "$1; }"
            )
            yield f'map {answer} {answer}_page {{ default ""; "~({page})$" $1; }}'
        yield f"map $registry_slug $registry_{collection.name}_moved {{"
        yield '    default "";'
        for name, alias, slug in aliases:
            if name == collection.name:
                mark = "\\" if alias in _SPECIAL else ""
                yield f"    {mark}{alias} {grammar.url(f'{collection.root}/{slug}')};"
        yield "}"


def _former(grammar: Grammar, aliases: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """Filters and values that have another value now, as paths of lists have them."""
    return {
        f"{was.filter}/{was.value}": f"{now.filter}/{now.value}"
        for _, was, now in shapes.former(grammar, aliases)
    }


def _variable(header: str) -> str:
    return "registry_" + header.lower().replace("-", "_")


def _methods() -> str:
    return ", ".join(METHODS)


def _server(grammar: Grammar, aliases: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    missing, page = problem_path("not-found"), f"error_page 404 {NOT_FOUND};"
    yield "merge_slashes off;"
    yield "absolute_redirect off;"
    yield "etag on;"
    yield "gzip on;"
    yield "gzip_static on;"
    yield "gzip_vary on;"
    yield "gzip_min_length 500;"
    # Compared whole, with their parameters; text/html without one is always among them.
    kinds = dict.fromkeys(
        (*COMPRESSED, *(kind for kind in TYPES.values() if kind.partition(";")[0] in COMPRESSED))
    )
    yield f"gzip_types {' '.join(_quoted(kind) for kind in kinds if kind != 'text/html')};"
    yield "default_type application/octet-stream;"
    yield f"types {{ {' '.join(f'{_quoted(kind)} {ending};' for ending, kind in TYPES.items())} }}"
    yield ""
    for name in (*ALWAYS, *PREFLIGHT):
        yield f"add_header {name} ${_variable(name)} always;"
    yield "add_header Allow $registry_allow always;"
    yield "add_header Content-Security-Policy $registry_policy always;"
    yield ""
    yield "if ($request_method = OPTIONS) { return 204; }"
    yield f"if ($request_method !~ ^({'|'.join(METHODS)})$) {{ return 405; }}"
    yield "error_page 405 @registry_not_allowed;"
    yield (
        f"location @registry_not_allowed {{ types {{ }} default_type {PROBLEM}; return 405 "
        f"{_quoted(NOT_ALLOWED)}; }}"
    )
    if grammar.prefix:
        yield "# A proxy may or may not have taken the path of the base URL off: both are answered."
        yield f'rewrite "(?s)^{re.escape(grammar.prefix)}(/.*)$" $1;'
    yield 'if ($registry_nowhere) { rewrite "(?s)^" $registry_nowhere; }'
    yield ""
    if base := shapes.base(grammar):
        yield f"location = {base} {{ return 308 {base}/$is_args$args; }}"
    yield (
        f"location / {{ {page} if ($uri ~ //) {{ return 404; }} "
        "try_files $uri ${uri}index.html @registry_folder; }"
    )
    yield "# A page is asked for with a slash at the end."
    yield (
        f"location @registry_folder {{ {page} if (-f $document_root$uri/index.html) "
        f"{{ return 308 {grammar.prefix}$uri/$is_args$args; }} return 404; }}"
    )
    yield "# What is meant for other hosts."
    yield (
        f'location ~ "^/+(?:{"|".join(map(re.escape, PRIVATE))})(?:/|\\z)" {{ {page} return 404; }}'
    )
    yield f"location {_API} {{ error_page 404 {missing}; try_files $uri =404; }}"
    problems = problem_path("").removesuffix(".json")
    yield (
        f"location ^~ {problems} {{ types {{ }} default_type {PROBLEM}; error_page 404 "
        f"{missing}; try_files $uri =404; }}"
    )
    yield (
        f"location = {API_CATALOG} {{ types {{ }} default_type {_quoted(CATALOG)}; gzip_types "
        f"*; {page} }}"
    )
    dashboard = shapes.dashboard(grammar)
    yield f"location = {dashboard.path} {{"
    yield from _unasked(dashboard.target)
    former = _former(grammar, aliases)
    for collection in grammar.collections.values():
        yield from _lists(grammar, collection, former)
        if former:
            yield f'location ~ "{_listed(grammar, collection)}" {{'
            yield f"    error_page 404 {missing};"
            yield (
                "    if ($registry_owner_now) { return 308 "
                f"{_now(grammar, collection, '$registry_page')}; }}"
            )
            yield "    try_files $uri =404;"
            yield "}"


def _listed(grammar: Grammar, collection: Collection) -> str:
    """A pattern of pages of lists of one program or organization."""
    owner = f"(?<registry_owner>{shapes.owners(grammar)}/{SLUG})"
    page = shapes.page(collection, shapes.value(collection, "page", None))
    return rf"^{collection.root}{shapes.by(collection)}{owner}(?<registry_page>{page})\z"


def _now(grammar: Grammar, collection: Collection, page: str) -> str:
    return f"{grammar.url(collection.root)}{shapes.by(collection)}$registry_owner_now{page}"


def _quoted(value: str) -> str:
    return f"'{value}'"


def _lists(grammar: Grammar, collection: Collection, former: Mapping[str, str]) -> Iterator[str]:
    answer = f"$registry_{collection.name}"
    yield f"location = {collection.root} {{"
    yield f"    error_page 400 {problem_path(answer)};"
    yield f"    error_page 404 {problem_path('not-found')};"
    yield f"    if ({answer} !~ ^/) {{ return 400; }}"
    if former:
        yield f"    set $registry_owner {answer}_owner;"
        yield (
            "    if ($registry_owner_now) { return 308 "
            f"{_now(grammar, collection, f'{answer}_page')}; }}"
        )
    yield f"    try_files {answer} =404;"
    yield "}"
    record = shapes.records(grammar, collection)
    yield (
        "location ~ "
        f'"^{shapes.spelled(record.path, lambda name: f"(?<registry_slug>{SLUG})")}\\z" {{'
    )
    yield from _unasked(
        shapes.spelled(record.target, lambda name: "$registry_slug"),
        f"$registry_{collection.name}_moved",
    )


def _unasked(file: str, moved: str | None = None) -> Iterator[str]:
    """The inside of a location that takes no query."""
    code = "unknown-parameter"
    yield f"    error_page {PROBLEMS[code][0]} {problem_path(code)};"
    yield f"    error_page 404 {problem_path('not-found')};"
    yield f'    if ($registry_query != "") {{ return {PROBLEMS[code][0]}; }}'
    if moved:
        yield f"    if ({moved}) {{ return 308 {moved}; }}"
    yield f"    try_files {file} =404;"
    yield "}"
