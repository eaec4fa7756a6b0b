"""Firebase Hosting: files at canonical addresses with their headers, and redirects to records.

Its rules ignore queries.  So the bare addresses of lists, of the calendar and of the dashboard have
no rule, because one answer would look like the answer to any query.  The bare address of a record
redirects to its file.  Redirects win over files, so their pattern matches slugs only.

`firebase.json` belongs beside the output, at the root of the project.  Firebase allows comments in
it.

Sources: firebase.google.com/docs/hosting/full-config (order of answers, redirects with RE2
patterns, headers, ignore), firebase.google.com/docs/hosting/usage-quotas-pricing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Grammar
from generator.grammar.headers import CACHE_HEADERS, CATALOG, COMMON_HEADERS, MEDIA_TYPES, PROBLEM
from generator.grammar.paths import API_CATALOG, PRIVATE, problem_path
from generator.hosts import HostLimits
from generator.hosts import _header_files as header_files
from generator.hosts import _patterns as patterns
from generator.hosts._patterns import Aliases
from generator.kinds import Kinds
from generator.model.symbols import Symbols
from generator.text.words import SLUG

# "Maximum size for individual files: 2 GB"; the other limits are those of the account.
LIMITS = HostLimits(file_bytes=2_000_000_000)
_FOUND = 302  # Firebase has only this and 301, which browsers cache for ever.

_COMMENT = """\
// Firebase Hosting.  Made by: registry host firebase
//
// 1. registry host firebase --out firebase.json
// 2. registry build --host firebase && firebase deploy --only hosting
//
// With other Firebase services in use, take the part "hosting" over into the firebase.json that is
// there.
"""


def outside(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    hosting = {
        "public": "build",
        # The default ignores names that begin with a dot, as /.well-known does.
        "ignore": ["firebase.json", *PRIVATE, *(f"{name}/**" for name in PRIVATE)],
        "cleanUrls": False,
        "headers": list(_headers(symbols.grammar.kinds)),
        "redirects": list(_redirects(symbols.grammar, aliases)),
    }
    text = json.dumps({"hosting": hosting}, ensure_ascii=False, indent=1)
    yield Artifact("/firebase.json", f"{_COMMENT}{text}\n".encode())


def _redirects(grammar: Grammar, aliases: Aliases) -> Iterator[dict[str, Any]]:
    for alias in aliases:
        collection = grammar.collections[alias.collection]
        record = grammar.url(collection.record_path(alias.slug))
        yield {"source": f"{collection.root}/{alias.former}", "destination": record, "type": _FOUND}
    for collection in grammar.collections.values():
        route = patterns.record_route(grammar, collection)
        pattern = patterns.fill_placeholders(route.path, lambda name: f"(?P<{name}>{SLUG})")
        yield {"regex": f"^{pattern}$", "destination": grammar.url(route.target), "type": _FOUND}


def _headers(kinds: Kinds) -> Iterator[dict[str, Any]]:
    def block(source: str, values: Mapping[str, str]) -> dict[str, Any]:
        return {
            "source": source,
            "headers": [{"key": name, "value": value} for name, value in values.items()],
        }

    everywhere = {
        name: value for name, value in COMMON_HEADERS.items() if name not in CACHE_HEADERS
    }
    # `**` does not match folders whose names begin with a dot.
    for source in ("**", f"{API_CATALOG.rpartition('/')[0]}/**"):
        yield block(source, everywhere)
    yield from (block(*headers) for headers in header_files.headers_by_place(kinds, "**", "*"))
    # The 404 page at an address gets the same headers, so only types that Firebase does not know.
    for ending in header_files.ENDINGS:
        yield block(f"**/*.{ending}", {"Content-Type": MEDIA_TYPES[ending]})
    yield block(problem_path("*"), {"Content-Type": PROBLEM})
    yield block(API_CATALOG, {"Content-Type": CATALOG})
