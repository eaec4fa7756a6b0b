"""What every answer says of itself, for hosts that can be told.

A client asks again after a minute, and an unchanged file costs it a 304.  Assets of pages alone are
said to be immutable.  The files of the search index have names that change with their content too;
an engine in a browser takes those that it has unasked.  Refusals and redirects are kept no longer
than lists.
"""

from __future__ import annotations

from generator.grammar.paths import ADMIN, API_CATALOG, ASSETS, EMBEDS, MANIFEST_ROOT, problem_path

CACHE = "public, max-age=60, must-revalidate"

#: For a cache on the way that many ask (RFC 9213): it may answer for another minute while it asks
#: itself (RFC 5861).
CDN_CACHE = "public, max-age=60, stale-while-revalidate=60"

#: Of an asset of a page, whose name changes with its content: for a year, and unasked when the page
#: is loaded again (RFC 8246).
IMMUTABLE = "public, max-age=31536000, immutable"

#: Of the root of the manifest, by which a reader knows that nothing older was sent in place of what
#: is published: every cache asks first (RFC 9111 section 5.2.2.4).
ANEW = "no-cache"

#: On every answer, refusals too: a script that may not read its error cannot tell what was wrong.
#: The headers that are exposed are those of which it could use the value, beside those that any
#: script may read (Fetch, "CORS-safelisted").
ALWAYS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Content-Location, Retry-After, Link",
    "Cache-Control": CACHE,
    "CDN-Cache-Control": CDN_CACHE,
    "X-Content-Type-Options": "nosniff",
}
#: Those of them that say how long an answer is kept.
KEPT = {name: value for name, value in ALWAYS.items() if "Cache-Control" in name}

#: What there is to do with a read-only API.
METHODS = ("GET", "HEAD", "OPTIONS")
ALLOW = {"Allow": ", ".join(METHODS)}

#: On the answer to OPTIONS: a day, and any header that a client may want to send.
PREFLIGHT = {
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}

#: The body of an answer to another method: no problem of its own (RFC 9457 section 4.2.1).
NOT_ALLOWED = '{"type":"about:blank","title":"Method Not Allowed","status":405}'

#: Of HTML (CSP Level 3): scripts and styles from files of the same site, nothing inline, nothing
#: from elsewhere.  A page says it itself too; in which frames it may be is said by a header alone.
OWN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'"
)
POLICY = f"{OWN_POLICY}; frame-ancestors 'none'"

#: Of a page that is made to be shown in frames of others.
FRAMED = f"{OWN_POLICY}; frame-ancestors *"


def editing(*hosts: str) -> str:
    """The policy of the page where records are edited, which talks to these hosts: it has a script
    from elsewhere, which puts in styles, fonts and pictures of its own.
    """
    return (
        "default-src 'none'; script-src https://unpkg.com/@sveltia/; "
        "style-src 'self' 'unsafe-inline' https://unpkg.com/@sveltia/; "
        "img-src 'self' data: blob: https:; media-src blob:; "
        "font-src 'self' data: https://cdn.jsdelivr.net/fontsource/; "
        f"connect-src 'self' data: blob: https://unpkg.com {' '.join(hosts)}; "
        "frame-src blob:; worker-src blob:; form-action 'none'; base-uri 'none'"
    )


#: Of that page, for any host of a repository; the page itself names those that it talks to.
EDITED = f"{editing('https:')}; frame-ancestors 'none'"

#: The policy of pages in these folders; all others have POLICY.
POLICIES = {EMBEDS: FRAMED, ADMIN: EDITED}

#: On an answer with status 503: the next build is seconds away (RFC 9110 section 10.2.3), and
#: nobody keeps what is wrong by then.
UNAVAILABLE = {"Cache-Control": "no-store", "CDN-Cache-Control": "no-store", "Retry-After": "5"}

PROBLEM = "application/problem+json"  # RFC 9457 section 6.1
#: RFC 9727 section 4.
CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

#: Ending -> media type, so that no server's own table matters.  Calendars: RFC 5545 section 8.1;
#: Markdown: RFC 7763; Atom: RFC 4287.
TYPES = {
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
}

#: What is worth compressing: texts, and the search index, whose files are called so.
COMPRESSED = (
    "application/json", PROBLEM, "application/linkset+json", "text/calendar", "text/markdown",
    "text/plain", "application/xml", "application/atom+xml", "text/css", "text/javascript",
    "image/svg+xml", "text/html", "application/manifest+json",
)  # fmt: skip


def media_type(path: str) -> str:
    """The type of what lies at a path."""
    if path == API_CATALOG:
        return CATALOG
    if path.startswith(problem_path("").removesuffix(".json")):
        return PROBLEM
    ending = "html" if path.endswith("/") else path.rpartition(".")[2]
    return TYPES.get(ending, "application/octet-stream")


def kept_for(path: str) -> str:
    """How long caches keep what lies at a path."""
    if path.startswith(f"{ASSETS}/"):
        return IMMUTABLE
    return ANEW if path == MANIFEST_ROOT else CACHE
