"""Headers by patterns of paths, and the `_headers` file that Netlify and Cloudflare read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from generator.contract.layout import data_folders, page_folders, page_policies
from generator.grammar import paths
from generator.grammar.grammar import Grammar
from generator.grammar.headers import (
    CACHE_HEADERS,
    CATALOG,
    COMMON_HEADERS,
    IMMUTABLE,
    MEDIA_POLICY,
    MEDIA_TYPES,
    POLICY,
    PROBLEM,
    REVALIDATE,
)
from generator.kinds import KINDS

#: Endings whose types hosts do not know, or know otherwise.
ENDINGS = ("ics", "md", "atom", "csv", "ndjson", "parquet", "sqlite")
_POLICY = "Content-Security-Policy"
#: The folders of the API, without those named like a file beside them: the pattern of such a folder
#: would match that file too.
_FOLDERS = sorted(
    {"problems", "schemas", "v1", *(kind.address.partition("/")[0] for kind in KINDS.values())}
)


def headers_by_pattern(*prefixes: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Patterns of addresses, with each of the prefixes, and their headers; `*` matches anything,
    `:file` one segment.  No path gets a header from two patterns: hosts would join the values.
    """
    yield "/*", {name: value for name, value in COMMON_HEADERS.items() if name not in CACHE_HEADERS}
    # In capitals: Netlify is reported to send "content-type" beside its own header, instead of
    # replacing it.
    for ending in ENDINGS:
        yield f"/*.{ending}", {"Content-Type": MEDIA_TYPES[ending]}
    for prefix in dict.fromkeys(prefixes):
        yield from (
            (prefix + pattern, values) for pattern, values in headers_by_place("*", ":file")
        )
        yield prefix + paths.problem_path("*"), {"Content-Type": PROBLEM}
        yield prefix + paths.API_CATALOG, {"Content-Type": CATALOG}


def pattern_regex(pattern: str) -> str:
    """A pattern as a regular expression for whole paths."""
    escaped = re.escape(pattern).replace(r"\-", "-").replace(r"\*", ".*")
    return f"^{escaped.replace(':file', '[^/]+')}$"


def headers_by_place(below: str, file: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Patterns of the places whose headers differ, without overlaps, and these headers.  `below` is
    the host's wildcard for everything below a folder, `headers_file` that for one segment.
    """
    page = {**CACHE_HEADERS, _POLICY: POLICY}
    yield from ((place, page) for place in ("/", f"/{file}"))
    yield from ((f"{place}/{below}", page) for place in page_folders())
    api, manifest = (path.rpartition("/")[0] for path in (paths.INDEX, paths.MANIFEST_ROOT))
    for place in (paths.API_CATALOG.rpartition("/")[0], *(f"{api}/{name}" for name in _FOLDERS)):
        yield f"{place}/{below}", CACHE_HEADERS
    yield f"{api}/{file}", CACHE_HEADERS
    yield f"{api}/index/{file}/{below}", CACHE_HEADERS
    for place in ("bins", "snapshot"):
        yield f"{manifest}/{place}/{file}", CACHE_HEADERS
    # Only the root of the manifest is revalidated by every cache.
    yield paths.MANIFEST_SNAPSHOT, CACHE_HEADERS
    yield paths.MANIFEST_ROOT, dict.fromkeys(CACHE_HEADERS, REVALIDATE)
    for folder, policy in page_policies().items():
        yield f"{folder}/{below}", {**CACHE_HEADERS, _POLICY: policy}
    yield from ((f"{folder}/{below}", CACHE_HEADERS) for folder in data_folders())
    immutable = dict.fromkeys(CACHE_HEADERS, IMMUTABLE)
    yield f"{paths.ASSETS}/{below}", immutable
    yield f"{paths.MEDIA}/{below}", {**immutable, _POLICY: MEDIA_POLICY}


def headers_file(grammar: Grammar) -> bytes:
    lines: list[str] = []
    for path, values in headers_by_pattern("", grammar.prefix):
        lines += [path, *(f"  {name}: {value}" for name, value in values.items())]
    return "".join(f"{line}\n" for line in lines).encode()
