"""Headers by pattern of a path, and the `_headers` file that Netlify and Cloudflare read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from generator.grammar import paths
from generator.grammar.grammar import Grammar
from generator.grammar.headers import (
    ALWAYS,
    ANEW,
    CATALOG,
    IMMUTABLE,
    KEPT,
    POLICIES,
    POLICY,
    PROBLEM,
    TYPES,
)

#: Endings whose types hosts do not know, or not this way.
ENDINGS = ("ics", "md", "atom")
_POLICY = "Content-Security-Policy"
#: The folders of the API, but those that have the name of a file beside them: a pattern of what is
#: below would have that file too.
_FOLDERS = ("calendar", "organizations", "problems", "programs", "projects", "schemas", "v1")


def by_pattern(*prefixes: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Patterns and headers, of addresses with one of the prefixes; `*` is anything, `:file` one
    segment.  No path gets a header from two of them: the values would be joined.
    """
    yield "/*", {name: value for name, value in ALWAYS.items() if name not in KEPT}
    # Those that hosts do not know by the ending.  In capitals: of "content-type" it is reported
    # that Netlify sends it beside its own and not in its place.
    for ending in ENDINGS:
        yield f"/*.{ending}", {"Content-Type": TYPES[ending]}
    for prefix in dict.fromkeys(prefixes):
        yield from ((prefix + place, values) for place, values in by_place("*", ":file"))
        yield prefix + paths.problem_path("*"), {"Content-Type": PROBLEM}
        yield prefix + paths.API_CATALOG, {"Content-Type": CATALOG}


def expression(pattern: str) -> str:
    """A pattern as a regular expression, of whole paths."""
    escaped = re.escape(pattern).replace(r"\*", ".*").replace(":file", "[^/]+")
    return "".join(("^", escaped.replace(r"\-", "-"), "$"))


def by_place(below: str, file: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What is said of some places and not of others, each place once; a host writes `below` for
    whatever is below a folder, and `file` for one segment.
    """
    page = {**KEPT, _POLICY: POLICY}
    yield from ((place, page) for place in ("/", f"/{file}"))
    yield from ((f"{place}/{below}", page) for place in paths.PAGES)
    api, manifest = (path.rpartition("/")[0] for path in (paths.INDEX, paths.MANIFEST_ROOT))
    for place in (paths.API_CATALOG.rpartition("/")[0], *(f"{api}/{name}" for name in _FOLDERS)):
        yield f"{place}/{below}", KEPT
    yield f"{api}/{file}", KEPT
    yield f"{api}/index/{file}/{below}", KEPT
    for place in ("bins", "snapshot"):
        yield f"{manifest}/{place}/{file}", KEPT
    # Of the root what is said of no other file of the API.
    yield paths.MANIFEST_SNAPSHOT, KEPT
    yield paths.MANIFEST_ROOT, dict.fromkeys(KEPT, ANEW)
    for folder, policy in POLICIES.items():
        yield f"{folder}/{below}", {**KEPT, _POLICY: policy}
    yield f"{paths.ASSETS}/{below}", dict.fromkeys(KEPT, IMMUTABLE)


def file(grammar: Grammar) -> bytes:
    lines: list[str] = []
    for path, values in by_pattern("", grammar.prefix):
        lines += [path, *(f"  {name}: {value}" for name, value in values.items())]
    return "".join(f"{line}\n" for line in lines).encode()
