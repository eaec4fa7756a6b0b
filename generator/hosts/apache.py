"""Apache 2.4: `.htaccess` in the root of the output, or the same lines for a virtual host.

The rules apply to a folder: paths are decoded and relative to it, so the folder may be anywhere
below the document root or behind an Alias.  Apache joins slashes and drops what follows a `#` in
these paths, so rules about them look at `%{THE_REQUEST}`.  After a rewrite the rules run again on
the new path; none of them matches a canonical path.

Needs mod_rewrite, mod_headers and mod_mime, and `AllowOverride All` for `.htaccess`.  Without them
the server answers 500, and its error log says why.

Sources: httpd.apache.org/docs/2.4/mod/mod_rewrite.html, .../rewrite/flags.html, .../mod/core.html
(ErrorDocument takes expressions), .../mod/mod_dir.html (DirectorySlash), .../mod/mod_headers.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from generator.contract.addresses import page_policies
from generator.contract.artifact import Artifact
from generator.grammar import headers, paths
from generator.grammar.grammar import Collection, Grammar
from generator.hosts import HostLimits
from generator.hosts import _patterns as patterns
from generator.hosts._patterns import Aliases
from generator.model.symbols import Symbols
from generator.text.words import SLUG

LIMITS = HostLimits()
REDIRECTS = True

# Apache reads `.htaccess` at every request, so its size is limited.  For other aliases, the files
# at their addresses name the slugs.
_MOST_ALIASES = 1_000
_MOVED = 308
# Encodings and endings of compressed files, the preferred first.
_COMPRESSED = (("br", ".br"), ("gzip", ".gz"))

_HTACCESS = """\
# Apache 2.4.  Needs mod_rewrite, mod_headers and AllowOverride All.  "registry build" writes this
# file; do not edit it.  With access to the server's configuration take "registry host apache"
# instead: that is read once, this at every request.
"""
_CONFIGURATION = """\
# Apache 2.4.  Made by: registry host apache
#
# 1. a2enmod rewrite headers
# 2. registry host apache --out /etc/apache2/registry.conf
# 3. In the virtual host, once:
#
#        <VirtualHost *:80>
#            ServerName registry.example.org
#            # What "registry build" wrote:
#            DocumentRoot /var/www/registry
#            TraceEnable Off
#            # A name that no file system has is nobody's; without these lines it is answered
#            # with the server's own 403.
#            RewriteEngine On
#            RewriteRule "^(.*/)[^/]{256,}" "$1-" [PT]
#            <Directory /var/www/registry>
#                Require all granted
#                AllowOverride None
#                Include /etc/apache2/registry.conf
#            </Directory>
#        </VirtualHost>
#
# 4. apachectl configtest && apachectl graceful; again whenever registry.yaml or a former slug
#    changes.  Send what "registry build --host apache" wrote with:
#    rsync -rc --exclude '/api/index/*/manifest.json' build/ server:/var/www/registry/
#    rsync -rc --delete-after build/ server:/var/www/registry/
#    What is the same keeps its time and its ETag.
"""


def render(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    yield Artifact("/.htaccess", _text(_HTACCESS, symbols.grammar, aliases[:_MOST_ALIASES]))


def outside(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    yield Artifact("/registry.conf", _text(_CONFIGURATION, symbols.grammar, aliases))


def _text(comment: str, grammar: Grammar, aliases: Aliases) -> bytes:
    return patterns.configuration_file(
        comment, chain(_files(), _general_rules(), _rules(grammar, aliases))
    )


def _files() -> Iterator[str]:
    """The types, headers and encodings of files."""
    yield "Options -Indexes -MultiViews"
    yield "DirectorySlash Off"
    yield "DirectoryIndex index.html"
    yield "FileETag MTime Size"
    yield '<FilesMatch "^\\.ht">'
    yield "    Require all denied"
    yield "</FilesMatch>"
    for ending, kind in headers.MEDIA_TYPES.items():
        yield f"AddType {_quoted(kind)} .{ending}"
    # These two types also hold after a rewrite and for error documents.
    yield f'<If "%{{REQUEST_URI}} =~ m#{re.escape(patterns.PROBLEM_FOLDER)}#">'
    yield f"    ForceType {headers.PROBLEM}"
    yield "</If>"
    yield f'<Files "{paths.API_CATALOG.rpartition("/")[2]}">'
    yield f"    ForceType {_quoted(headers.CATALOG)}"
    yield "</Files>"
    for name, value in headers.COMMON_HEADERS.items():
        yield f'Header always set {name} "{value}"'
    root = f"%{{REQUEST_URI}} =~ m#{re.escape(paths.MANIFEST_ROOT)}$#"
    for name in headers.CACHE_HEADERS:
        yield f'Header always set {name} "{headers.IMMUTABLE}" env=REGISTRY_ASSET'
        yield f'Header always set {name} "{headers.REVALIDATE}" "expr={root}"'
    for name, value in headers.PREFLIGHT.items():
        yield f'Header always set {name} "{value}" "expr=%{{REQUEST_METHOD}} == \'OPTIONS\'"'
    answers = "%{REQUEST_STATUS} in { '204', '405' }"
    yield f'Header always set Allow "{patterns.METHODS}" "expr={answers}"'
    yield f"Header always set Content-Type {headers.PROBLEM} \"expr=%{{REQUEST_STATUS}} == '405'\""
    html = "%{CONTENT_TYPE} =~ m#^text/html#"
    yield f'Header always set Content-Security-Policy "{headers.POLICY}" "expr={html}"'
    for folder, policy in page_policies().items():
        condition = f"{html} && -n reqenv('REGISTRY_{folder[1:].upper()}')"
        yield f'Header always set Content-Security-Policy "{policy}" "expr={condition}"'
    picture = "%{CONTENT_TYPE} =~ m#^image/# && -n reqenv('REGISTRY_MEDIA')"
    yield f'Header always set Content-Security-Policy "{headers.MEDIA_POLICY}" "expr={picture}"'
    # Apache makes a Location absolute with its own scheme, which is wrong behind a proxy.  It can
    # only be edited if the redirect has a document of its own: see ErrorDocument below.
    yield 'Header edit Location "^https?://[^/]+" ""'
    yield "<IfModule mod_deflate.c>"
    yield f"    AddOutputFilterByType DEFLATE {' '.join(headers.COMPRESSED_TYPES)}"
    # Apache appends this to the ETag of a compressed answer and does not recognise it afterwards.
    yield "    RequestHeader edit* If-None-Match '-gzip\"' '\"'"
    yield "</IfModule>"
    yield "# Files that a build compressed are the file beside them."
    for _, ending in _COMPRESSED:
        yield f"RemoveType {ending}"
    for coding, ending in _COMPRESSED:
        yield f"AddEncoding {coding} {ending}"
    encoded = "expr=-n resp('Content-Encoding') && resp('Vary') !~ /Accept-Encoding/"
    yield f'Header append Vary Accept-Encoding "{encoded}"'


def _general_rules() -> Iterator[str]:
    for status in sorted({_MOVED, *patterns.STATUSES}):
        yield f'ErrorDocument {status} "/%{{reqenv:REGISTRY_BASE}}%{{reqenv:REGISTRY_ERROR}}"'
    yield f"ErrorDocument 405 {_quoted(headers.NOT_ALLOWED)}"
    yield "RewriteEngine On"
    yield "# The path that leads to this folder, and what answers an address without a file."
    yield 'RewriteCond "%{REQUEST_URI}::$1" "^/((?:.*/)?)(.*)::\\2$"'
    yield 'RewriteRule "^(.*)$" - [E=REGISTRY_BASE:%1]'
    yield f'RewriteRule "^" - [{_body(paths.NOT_FOUND)}]'
    yield f'RewriteRule "^{_relative(patterns.API)}" - [{_body(patterns.MISSING)}]'
    for folder in headers.IMMUTABLE_FOLDERS:
        yield f'RewriteRule "^{_relative(folder)}/" - [E=REGISTRY_ASSET:1]'
    for folder in (*page_policies(), paths.MEDIA):
        yield f'RewriteRule "^{_relative(folder)}/" - [E=REGISTRY_{folder[1:].upper()}:1]'
    yield 'RewriteCond "%{REQUEST_METHOD}" "=OPTIONS"'
    yield 'RewriteRule "^" - [R=204,L]'
    yield f'RewriteCond "%{{REQUEST_METHOD}}" "!^(?:{"|".join(headers.METHODS)})$"'
    yield 'RewriteRule "^" - [R=405,L]'
    # Not for the internal request of the problem document, which has the same request line.
    yield 'RewriteCond "%{ENV:REDIRECT_STATUS}" "^$"'
    yield 'RewriteCond "%{THE_REQUEST}" "^\\S+ (?>(?:[a-z]+://[^/ ]*)?)(?:[^?# ]*//|[^ ]*#)"'
    yield 'RewriteRule "^" - [R=404,L]'


def _rules(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    dashboard = patterns.dashboard_route(grammar)
    path = f"^{_relative(dashboard.path)}$"
    yield from _refused(path, patterns.NO_QUERY_CODE, '"%{QUERY_STRING}" "."')
    yield f'RewriteRule "{path}" "{dashboard.target[1:]}" [L]'
    for refusal in patterns.search_refusals():
        condition = f'"%{{QUERY_STRING}}" "{refusal.pcre}"'
        yield from _refused(f"^{_relative(paths.SEARCH)}$", refusal.code, condition)
    services = patterns.service_pattern(grammar).replace("/", "", 1)
    yield from _refused(services, "unsupported-combination")
    for collection in grammar.collections.values():
        root = f"^{_relative(collection.root)}"
        yield from _only(f"{root}$", list(_lists(grammar, collection)))
        yield from _only(f"{root}/{SLUG}$", list(_records(grammar, collection, aliases)))
    yield from _former_lists(grammar, aliases)
    if grammar.prefix:
        yield "# This folder without its last slash. Its path is then no part of any rule but this."
        yield "RewriteOptions AllowNoSlash"
        yield 'RewriteCond "%{REQUEST_URI}" "^/(.*[^/])$"'
        yield (
            f'RewriteRule "^/" "{grammar.prefix}/" [E=REGISTRY_BASE:%1/,{_body(paths.NOT_FOUND)},'
            f"R={_MOVED},L]"
        )
    yield "# A page is asked for with a slash at the end; a folder without one is nothing to read."
    yield 'RewriteCond "%{REQUEST_FILENAME}" -d'
    yield 'RewriteCond "%{REQUEST_FILENAME}/index.html" !-f'
    yield 'RewriteRule "^" - [R=404,L]'
    yield 'RewriteCond "%{REQUEST_FILENAME}" -d'
    yield f'RewriteRule "^(.*[^/])$" "{grammar.prefix}/$1/" [R={_MOVED},L]'
    yield "# What is meant for other hosts."
    yield f'RewriteRule "^(?:{"|".join(map(re.escape, paths.PRIVATE))})(?:/|$)" - [R=404,L]'
    yield from _compressed()


def _former_lists(grammar: Grammar, aliases: Aliases) -> Iterator[str]:
    """Redirects from the lists of an alias to those of the slug, without the query, because an
    earlier rule has rewritten it to the path of a page.
    """
    rules = [
        f'RewriteRule "^{_relative(was.folder)}({patterns.page_pattern(was.collection)})$" '
        f'"{grammar.url(now.folder)}$1" '
        f"[{_body(record)},R={_MOVED},QSD,L]"
        for record, was, now in patterns.former_lists(grammar, aliases)
    ]
    if rules:
        roots = "|".join(_relative(collection.root) for collection in grammar.collections.values())
        owners = f"{patterns.filter_folder(grammar.first)}{patterns.reference_filters(grammar)}"
        yield "# A file is there if the build is also for hosts without redirects."
        yield 'RewriteCond "%{ENV:REDIRECT_STATUS}" "^$"'
        yield 'RewriteCond "%{REQUEST_FILENAME}" -f'
        yield f'RewriteRule "^" - [S={len(rules) + 1}]'
        yield from _only(f"^(?:{roots}){owners}/", rules)


def _compressed() -> Iterator[str]:
    """Rewrites to the compressed file, if there is one and the client accepts it."""
    endings = "|".join(headers.MEDIA_TYPES)
    for coding, ending in _COMPRESSED:
        accepted = rf"(?:^|[ ,]){coding}(?!;q=0(?:\.0*)?(?:,|$))(?:[;, ]|$)"
        yield f'RewriteCond "%{{HTTP:Accept-Encoding}}" "{accepted}"'
        yield f'RewriteCond "%{{REQUEST_FILENAME}}{ending}" -f'
        yield rf'RewriteRule "^(.+\.(?:{endings}))$" "$1{ending}" [L]'


def _only(pattern: str, rules: list[str]) -> Iterator[str]:
    """Rules for paths that match the pattern; other paths skip them in one step."""
    yield f'RewriteRule "!{pattern}" - [S={sum(rule.startswith("RewriteRule") for rule in rules)}]'
    yield from rules


def _lists(grammar: Grammar, collection: Collection) -> Iterator[str]:
    path = f"^{_relative(collection.root)}$"
    bare = patterns.bare_target(grammar, collection)
    if bare:
        yield 'RewriteCond "%{QUERY_STRING}" "^$"'
        yield f'RewriteRule "^" "{bare[1:]}" [L]'
    else:
        yield from _refused(path, "mode-required", '"%{QUERY_STRING}" "^$"')
    for pattern, file in patterns.query_patterns(grammar, collection, lambda number: f"%{number}"):
        yield f'RewriteCond "%{{QUERY_STRING}}" "{pattern}"'
        yield f'RewriteRule "^" "{file[1:]}" [L]'
    for refusal in patterns.refusals(grammar, collection):
        yield from _refused(path, refusal.code, f'"%{{QUERY_STRING}}" "{refusal.pcre}"')


def _records(grammar: Grammar, collection: Collection, aliases: Aliases) -> Iterator[str]:
    yield from _refused("^", patterns.NO_QUERY_CODE, '"%{QUERY_STRING}" "."')
    for alias, url in patterns.alias_addresses(grammar, collection, aliases).items():
        body = _body(collection.record_path(alias))
        yield f'RewriteRule "/{alias}$" "{url}" [{body},R={_MOVED},L]'
    _, file = patterns.record_address(grammar, collection, SLUG, "$1")
    yield f'RewriteRule "([^/]+)$" "{file[1:]}" [L]'


def _refused(pattern: str, code: str, condition: str = "") -> Iterator[str]:
    status, problem = patterns.problem_response(code)
    if condition:
        yield f"RewriteCond {condition}"
    yield f'RewriteRule "{pattern}" - [{_body(problem)},R={status},L]'


def _body(path: str) -> str:
    """A flag with the document of an error or a redirect."""
    return f"E=REGISTRY_ERROR:{path[1:]}"


def _relative(path: str) -> str:
    return re.escape(path[1:])


def _quoted(value: str) -> str:
    return f"'{value}'"
