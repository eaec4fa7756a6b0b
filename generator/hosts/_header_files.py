"""Headers by patterns of paths, the `_headers` file that Netlify and Cloudflare read, and the
configuration that `wrangler deploy` reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.contract.addresses import data_folders, page_folders, page_policies
from generator.contract.artifact import Artifact
from generator.grammar import headers, paths
from generator.grammar.grammar import Grammar
from generator.kinds import Kinds
from generator.model.settings.registry import Settings
from generator.text.words import slugify

#: Endings whose types hosts do not know, or know otherwise.
ENDINGS = ("ics", "md", "atom", "csv", "ndjson", "parquet", "sqlite")
_POLICY = "Content-Security-Policy"
#: The folders of the API beside those of collections, without those named like a file beside them:
#: the pattern of such a folder would match that file too.
_FOLDERS = ("problems", "schemas", "v1")


def headers_by_pattern(kinds: Kinds, *prefixes: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Patterns of addresses, with each of the prefixes, and their headers; `*` matches anything,
    `:file` one segment.  No path gets a header from two patterns: hosts would join the values.
    """
    yield (
        "/*",
        {
            name: value
            for name, value in headers.COMMON_HEADERS.items()
            if name not in headers.CACHE_HEADERS
        },
    )
    # In capitals: Netlify is reported to send "content-type" beside its own header, instead of
    # replacing it.
    for ending in ENDINGS:
        yield f"/*.{ending}", {"Content-Type": headers.MEDIA_TYPES[ending]}
    for prefix in dict.fromkeys(prefixes):
        yield from (
            (prefix + pattern, values) for pattern, values in headers_by_place(kinds, "*", ":file")
        )
        yield prefix + paths.problem_path("*"), {"Content-Type": headers.PROBLEM}
        yield prefix + paths.API_CATALOG, {"Content-Type": headers.CATALOG}


def pattern_regex(pattern: str) -> str:
    """A pattern as a regular expression for whole paths."""
    escaped = re.escape(pattern).replace(r"\-", "-").replace(r"\*", ".*")
    return f"^{escaped.replace(':file', '[^/]+')}$"


def headers_by_place(
    kinds: Kinds, below: str, file: str
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Patterns of the places whose headers differ, without overlaps, and these headers.  `below` is
    the host's wildcard for everything below a folder, `file` that for one segment.
    """
    page = {**headers.CACHE_HEADERS, _POLICY: headers.POLICY}
    yield from ((place, page) for place in ("/", f"/{file}"))
    yield from ((f"{place}/{below}", page) for place in page_folders(kinds))
    api, manifest = (path.rpartition("/")[0] for path in (paths.INDEX, paths.MANIFEST_ROOT))
    folders = sorted({*_FOLDERS, *(kind.address.partition("/")[0] for kind in kinds.values())})
    for place in (paths.API_CATALOG.rpartition("/")[0], *(f"{api}/{name}" for name in folders)):
        yield f"{place}/{below}", headers.CACHE_HEADERS
    yield f"{api}/{file}", headers.CACHE_HEADERS
    yield f"{api}/index/{file}/{below}", headers.CACHE_HEADERS
    for place in ("bins", "snapshot"):
        yield f"{manifest}/{place}/{file}", headers.CACHE_HEADERS
    # Only the root of the manifest is revalidated by every cache.
    yield paths.MANIFEST_SNAPSHOT, headers.CACHE_HEADERS
    yield paths.MANIFEST_ROOT, dict.fromkeys(headers.CACHE_HEADERS, headers.REVALIDATE)
    for folder, policy in page_policies().items():
        yield f"{folder}/{below}", {**headers.CACHE_HEADERS, _POLICY: policy}
    yield from ((f"{folder}/{below}", headers.CACHE_HEADERS) for folder in data_folders())
    immutable = dict.fromkeys(headers.CACHE_HEADERS, headers.IMMUTABLE)
    yield f"{paths.ASSETS}/{below}", immutable
    yield f"{paths.MEDIA}/{below}", {**immutable, _POLICY: headers.MEDIA_POLICY}


def headers_file(grammar: Grammar) -> bytes:
    lines: list[str] = []
    for path, values in headers_by_pattern(grammar.kinds, "", grammar.prefix):
        lines += [path, *(f"  {name}: {value}" for name, value in values.items())]
    return "".join(f"{line}\n" for line in lines).encode()


def worker_name(settings: Settings) -> str:
    return slugify(settings.name)[:50].strip("-") or "registry"


def configuration(install: str, settings: Settings, main: str, **more: Any) -> Artifact:
    """The configuration of a worker whose script is `main`; `install` is the comment before it."""
    data = {
        "$schema": "node_modules/wrangler/config-schema.json",
        "name": worker_name(settings),
        "main": main,
        "compatibility_date": "2025-10-01",
        **more,
    }
    return Artifact("/wrangler.jsonc", f"{install}{json.dumps(data, indent=2)}\n".encode())
