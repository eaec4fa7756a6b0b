"""The headers of answers, for hosts that can be configured.

Clients and caches keep an answer for a minute and then revalidate it (304 if it is unchanged).
Assets of pages and logos are immutable: their names change with their content.  So do the names of
index files, which the engine in a browser reuses without asking; they have no such header.
"""

from __future__ import annotations

from generator.grammar.paths import API_CATALOG, ASSETS, MANIFEST_ROOT, MEDIA, problem_path

CACHE = "public, max-age=60, must-revalidate"

#: For shared caches (RFC 9213), which may answer for another minute while they revalidate
#: (RFC 5861).
CDN_CACHE = "public, max-age=60, stale-while-revalidate=60"

#: For assets of pages and logos: a year, and no revalidation when the page is loaded again
#: (RFC 8246).
IMMUTABLE = "public, max-age=31536000, immutable"
#: The folders with these files.
IMMUTABLE_FOLDERS = (ASSETS, MEDIA)

#: For the root of the manifest, which proves that other files are not outdated: caches always
#: revalidate it (RFC 9111 section 5.2.2.4).
REVALIDATE = "no-cache"

#: For every answer, errors too, so scripts of other sites can read the error.  The exposed headers
#: are useful to scripts and not "CORS-safelisted" (Fetch), which any script can read.
COMMON_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Content-Location, Retry-After, Link",
    "Cache-Control": CACHE,
    "CDN-Cache-Control": CDN_CACHE,
    "X-Content-Type-Options": "nosniff",
}
#: The headers of COMMON_HEADERS about caching.
CACHE_HEADERS = {name: value for name, value in COMMON_HEADERS.items() if "Cache-Control" in name}

METHODS = ("GET", "HEAD", "OPTIONS")
ALLOW = {"Allow": ", ".join(METHODS)}

#: For answers to OPTIONS: valid for a day, with any request header.
PREFLIGHT = {
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}

#: The body of an answer to another method, a problem without a type (RFC 9457 section 4.2.1).
NOT_ALLOWED = '{"type":"about:blank","title":"Method Not Allowed","status":405}'

#: The SHA-256 of the only inline script, generator/site/scripts/early.js.
EARLY_SCRIPT = "IoQfx20Njd5vhoLVWOJHTyIW3VICaD5fd/jIsgLjGaI="

#: For HTML (CSP Level 3): scripts and styles from files of the same site, nothing else inline.
#: Pages have this policy in a <meta> element too; `frame-ancestors` works in a header only.
BASE_POLICY = (
    f"default-src 'none'; script-src 'self' 'sha256-{EARLY_SCRIPT}'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'"
)
POLICY = f"{BASE_POLICY}; frame-ancestors 'none'"

#: For logos that somebody opens in a tab of their own: they load nothing and run nothing.  Pages
#: show them in `<img>` only, where browsers run no script of a picture.
MEDIA_POLICY = "default-src 'none'; sandbox"

#: For answers that nobody may keep.
UNKEPT = {"Cache-Control": "no-store", "CDN-Cache-Control": "no-store"}
#: For answers with status 503: the next build is seconds away (RFC 9110 section 10.2.3).
UNAVAILABLE = {**UNKEPT, "Retry-After": "5"}

PROBLEM = "application/problem+json"  # RFC 9457 section 6.1
#: RFC 9727 section 4.
CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

#: Ending -> media type, on every host.  Calendars: RFC 5545 section 8.1; Markdown: RFC 7763;
#: Atom: RFC 4287.
MEDIA_TYPES = {
    "json": "application/json",
    "yml": "application/yaml",
    "html": "text/html; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "xml": "application/xml",
    "atom": "application/atom+xml; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
    "csv": "text/csv; charset=utf-8",
    "ndjson": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "sqlite": "application/vnd.sqlite3",
}

#: Media types worth compressing.  Files of the search index are text/plain.
COMPRESSED_TYPES = (
    "application/json", PROBLEM, "application/linkset+json", "text/calendar", "text/markdown",
    "text/plain", "application/xml", "application/atom+xml", "text/css", "text/javascript",
    "image/svg+xml", "text/html", "application/manifest+json", "text/csv", "application/x-ndjson",
)  # fmt: skip


def media_type(path: str) -> str:
    """The media type of the file at a path."""
    if path == API_CATALOG:
        return CATALOG
    if path.startswith(problem_path("").removesuffix(".json")):
        return PROBLEM
    ending = "html" if path.endswith("/") else path.rpartition(".")[2]
    return MEDIA_TYPES.get(ending, "application/octet-stream")


def cache_control(path: str) -> str:
    """The Cache-Control of the file at a path."""
    if path.startswith(tuple(f"{folder}/" for folder in IMMUTABLE_FOLDERS)):
        return IMMUTABLE
    return REVALIDATE if path == MANIFEST_ROOT else CACHE
