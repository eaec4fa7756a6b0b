"""nginx 1.18 or later: maps from a raw query to the file that answers it, and their locations.

There are two files, because nginx allows maps only outside of a server block.  The administrator
writes the server block (names, certificates, root), which includes the second file.

The query comes from `$request_uri`, which no rewrite changes, and which has what follows a `#`;
`$args` does not.  Paths are compared after decoding and without joining slashes.

Sources: nginx.org/en/docs/http/ngx_http_map_module.html, .../ngx_http_core_module.html,
.../ngx_http_rewrite_module.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

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

# Keywords of a map, which need a backslash as keys (ngx_http_map_module).
_SPECIAL = {"default", "hostnames", "include", "volatile"}
# The longest key for a bucket of the default size: a cache line of 64 bytes with two pointers.
_LONGEST_KEY = 46
# A word of the configuration must fit a buffer of 4,096 bytes (ngx_conf_file.c).  With about 150
# tag families a pattern does not.
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


def outside(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    yield Artifact(
        "/maps.conf", patterns.configuration_file(_MAPS, _maps(symbols.grammar, aliases))
    )
    yield Artifact(
        "/server.conf", patterns.configuration_file(_SERVER, _server(symbols.grammar, aliases))
    )


def _maps(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    former = _former(grammar, aliases)
    yield from _sizes(aliases, former)
    yield ""
    yield from _request_maps(grammar)
    yield ""
    yield from _header_maps()
    if former:
        yield "# Programs and organizations that have another slug now."
        yield "map $registry_owner $registry_owner_now {"
        yield '    default "";'
        yield from (f"    {was} {now};" for was, now in former.items())
        yield "}"
    yield ""
    yield "# Searches over all collections need a function: the code of a problem."
    yield "map $registry_query $registry_search {"
    bare, *refusals, last = patterns.search_refusals()
    yield f'    "" "{bare.code}";'  # no expression matches an empty text
    yield from (f'    "~{refusal.pcre}" "{refusal.code}";' for refusal in refusals)
    yield f'    default "{last.code}";'
    yield "}"
    for collection in grammar.collections.values():
        yield ""
        yield from _collection_maps(grammar, collection, aliases, bool(former))


def _sizes(aliases: Aliases, former: Mapping[str, str]) -> Iterator[str]:
    """Larger hash tables for long or many keys of maps."""
    longest = max(map(len, (*(alias.former for alias in aliases), *former)), default=0)
    if longest > _LONGEST_KEY:
        yield (
            "\n# Former slugs are long.  Where nginx calls one of these a duplicate, keep yours "
            "if it is as large."
        )
        yield "map_hash_bucket_size 256;"
    if len(aliases) > 2_000:
        yield f"map_hash_max_size {2 * len(aliases)};"


def _request_maps(grammar: Grammar) -> Iterator[str]:
    """Maps to the raw query, and to a path without a file if the path has an encoded slash."""
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
    yield f'    "~*^000 (?=[^?]*%2f){prefix}{API.replace("/", slash)}" "{API}-";'
    yield '    "~*^000 [^?]*%2f" "/-";'
    yield '    default "";'
    yield "}"


def _header_maps() -> Iterator[str]:
    """Maps to the values of headers that depend on the answer."""
    yield 'map "$sent_http_content_type $uri" $registry_policy {'
    for folder, policy in page_policies().items():
        yield f'    "~^text/html[^/]* {folder}/" "{policy}";'
    yield f'    "~^text/html" "{headers.POLICY}";'
    yield f'    "~^image/[^ ]+ {paths.MEDIA}/" "{headers.MEDIA_POLICY}";'
    yield '    default "";'
    yield "}"
    yield "# Asked anew each time: what turns out to be 416 already has the headers of a 200."
    for name, value in headers.COMMON_HEADERS.items():
        exceptions = ""
        if name in headers.CACHE_HEADERS:
            folders = "|".join(headers.IMMUTABLE_FOLDERS)
            exceptions = f'"~^(?:200|206|304) (?:{folders})/" "{headers.IMMUTABLE}"; '
            exceptions += f'"~ {re.escape(paths.MANIFEST_ROOT)}$" "{headers.REVALIDATE}"; '
        yield (
            f'map "$status $uri" ${_variable(name)} '
            f'{{ volatile; "~^416" ""; {exceptions}default "{value}"; }}'
        )
    for name, value in headers.PREFLIGHT.items():
        yield f'map $request_method ${_variable(name)} {{ OPTIONS "{value}"; default ""; }}'
    allowed = f'204 "{patterns.METHODS}"; 405 "{patterns.METHODS}"'
    yield f'map $status $registry_allow {{ {allowed}; default ""; }}'


def _collection_maps(
    grammar: Grammar, collection: Collection, aliases: Aliases, former: bool
) -> Iterator[str]:
    """Maps to the answer to a query of a collection, to the filter value and page of that answer if
    filters have `former` values, and to the present addresses of aliases.
    """
    answer = f"$registry_{collection.name}"
    yield "# A path, or the code of a problem.  Every shape is matched whole; the rest is refused."
    yield f"map $registry_query {answer} {{"
    yield f'    "" "{patterns.bare_target(grammar, collection) or "mode-required"}";'
    for pattern, file in patterns.query_patterns(grammar, collection, lambda number: f"${number}"):
        yield f'    "~{pattern}" "{file}";'
    *refusals, last = patterns.refusals(grammar, collection)
    # Without a refusal that is too long, the query gets a less exact problem.
    yield from (f'    "~{r.pcre}" "{r.code}";' for r in refusals if len(r.pcre) < _LONGEST_WORD)
    yield f'    default "{last.code}";'
    yield "}"
    if former:
        owner = f"{patterns.filter_folder(collection)}({patterns.reference_filters(grammar)}/[^/]+)"
        page = patterns.page_pattern(collection, "[0-9]+")
        below = page.partition("[")[0]
        yield f'map {answer} {answer}_owner {{ default ""; "~{owner}{below}" $1; }}'
        yield f'map {answer} {answer}_page {{ default ""; "~({page})$" $1; }}'
    yield f"map $registry_slug {answer}_moved {{"
    yield '    default "";'
    for alias, url in patterns.alias_addresses(grammar, collection, aliases).items():
        escape = "\\" if alias in _SPECIAL else ""
        yield f"    {escape}{alias} {url};"
    yield "}"


def _former(grammar: Grammar, aliases: Aliases) -> dict[str, str]:
    """`filter/alias` -> `filter/slug`, as in paths of lists."""
    return {
        f"{was.filter}/{was.value}": f"{now.filter}/{now.value}"
        for _, was, now in patterns.former_lists(grammar, aliases)
    }


def _variable(header: str) -> str:
    return "registry_" + header.lower().replace("-", "_")


def _server(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    yield from _settings()
    yield ""
    yield from _methods()
    if grammar.prefix:
        yield "# A proxy may or may not have taken the path of the base URL off: both are answered."
        yield f'rewrite "(?s)^{re.escape(grammar.prefix)}(/.*)$" $1;'
    yield 'if ($registry_nowhere) { rewrite "(?s)^" $registry_nowhere; }'
    yield ""
    yield from _files(grammar)
    dashboard = patterns.dashboard_route(grammar)
    yield f"location = {dashboard.path} {{"
    yield from _unasked(dashboard.target)
    yield f"location = {paths.SEARCH} {{"
    yield f"    error_page 400 {paths.problem_path('$registry_search')};"
    yield "    return 400;"
    yield "}"
    yield f'location ~ "{patterns.service_pattern(grammar)}" {{'
    yield f"    error_page 400 {paths.problem_path('unsupported-combination')};"
    yield "    return 400;"
    yield "}"
    former = _former(grammar, aliases)
    for collection in grammar.collections.values():
        yield from _lists(grammar, collection, former)
        if former:
            named = f"@registry_{collection.name}_former"
            yield f'location ~ "{_listed(grammar, collection)}" {{'
            yield f"    error_page 404 {MISSING};"
            yield f"    try_files $uri {named};"
            yield "}"
            yield "# Another host has a file there."
            yield f"location {named} {{"
            yield f"    error_page 404 {MISSING};"
            yield (
                "    if ($registry_owner_now) { return 308 "
                f"{_now(grammar, collection, '$registry_page')}; }}"
            )
            yield "    return 404;"
            yield "}"


def _settings() -> Iterator[str]:
    """Types, compression and headers of every answer."""
    yield "merge_slashes off;"
    yield "absolute_redirect off;"
    yield "etag on;"
    yield "gzip on;"
    yield "gzip_static on;"
    yield "gzip_vary on;"
    yield "gzip_min_length 500;"
    types = headers.MEDIA_TYPES
    # nginx compares types whole, with their parameters, and always includes text/html.
    kinds = dict.fromkeys(headers.COMPRESSED_TYPES)
    kinds |= dict.fromkeys(k for k in types.values() if k.partition(";")[0] in kinds)
    yield f"gzip_types {' '.join(_quoted(kind) for kind in kinds if kind != 'text/html')};"
    yield "default_type application/octet-stream;"
    yield f"types {{ {' '.join(f'{_quoted(kind)} {ending};' for ending, kind in types.items())} }}"
    yield ""
    for name in (*headers.COMMON_HEADERS, *headers.PREFLIGHT):
        yield f"add_header {name} ${_variable(name)} always;"
    yield "add_header Allow $registry_allow always;"
    yield "add_header Content-Security-Policy $registry_policy always;"


def _methods() -> Iterator[str]:
    yield "if ($request_method = OPTIONS) { return 204; }"
    yield f"if ($request_method !~ ^({'|'.join(headers.METHODS)})$) {{ return 405; }}"
    yield "error_page 405 @registry_not_allowed;"
    yield (
        f"location @registry_not_allowed {{ types {{ }} default_type {headers.PROBLEM}; return 405 "
        f"{_quoted(headers.NOT_ALLOWED)}; }}"
    )


def _files(grammar: Grammar) -> Iterator[str]:
    """Locations of files and of answers for missing files."""
    page = f"error_page 404 {paths.NOT_FOUND};"
    if base := patterns.base_path(grammar):
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
    private = "|".join(map(re.escape, paths.PRIVATE))
    yield f'location ~ "^/+(?:{private})(?:/|\\z)" {{ {page} return 404; }}'
    yield f"location {API} {{ error_page 404 {MISSING}; try_files $uri =404; }}"
    yield (
        f"location ^~ {patterns.PROBLEM_FOLDER} {{ types {{ }} default_type {headers.PROBLEM}; "
        f"error_page 404 {MISSING}; try_files $uri =404; }}"
    )
    yield (
        f"location = {paths.API_CATALOG} {{ types {{ }} default_type {_quoted(headers.CATALOG)}; "
        f"gzip_types *; {page} }}"
    )


def _listed(grammar: Grammar, collection: Collection) -> str:
    """A pattern of the pages of lists by program or organization."""
    owner = f"(?<registry_owner>{patterns.reference_filters(grammar)}/{SLUG})"
    page = patterns.page_pattern(collection, patterns.value_pattern(collection, "page", None))
    return (
        rf"^{collection.root}{patterns.filter_folder(collection)}{owner}(?<registry_page>{page})\z"
    )


def _now(grammar: Grammar, collection: Collection, page: str) -> str:
    folder = f"{grammar.url(collection.root)}{patterns.filter_folder(collection)}"
    return f"{folder}$registry_owner_now{page}"


def _quoted(value: str) -> str:
    return f"'{value}'"


def _lists(grammar: Grammar, collection: Collection, former: Mapping[str, str]) -> Iterator[str]:
    answer = f"$registry_{collection.name}"
    yield f"location = {collection.root} {{"
    yield f"    error_page 400 {paths.problem_path(answer)};"
    yield f"    error_page 404 {MISSING};"
    yield f"    if ({answer} !~ ^/) {{ return 400; }}"
    if former:
        yield f"    set $registry_owner {answer}_owner;"
        yield (
            "    if ($registry_owner_now) { return 308 "
            f"{_now(grammar, collection, f'{answer}_page')}; }}"
        )
    yield f"    try_files {answer} =404;"
    yield "}"
    slug = f"(?<registry_slug>{SLUG})"
    path, file = patterns.record_address(grammar, collection, slug, "$registry_slug")
    yield f'location ~ "^{path}\\z" {{'
    yield from _unasked(file, f"{answer}_moved")


def _unasked(file: str, moved: str | None = None) -> Iterator[str]:
    """The inside of a location that takes no query."""
    status, problem = patterns.problem_response(patterns.NO_QUERY_CODE)
    yield f"    error_page {status} {problem};"
    yield f"    error_page 404 {MISSING};"
    yield f'    if ($registry_query != "") {{ return {status}; }}'
    if moved:
        yield f"    if ({moved}) {{ return 308 {moved}; }}"
    yield f"    try_files {file} =404;"
    yield "}"
