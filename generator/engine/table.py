"""The table of a registry: what the engine must know of it.

Everything that differs between registries is in it; it is made from the grammar, and what a feature
needs is in `edge` of its module `routes`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from typing import Any
from zlib import crc32

from generator import SCHEMA_VERSION
from generator.agent import protocol
from generator.contract.listing import MAX_BEST
from generator.engine.bundles import bundle
from generator.feature import Hook
from generator.grammar import headers, paths, row_fields
from generator.grammar.filters import MAX_VALUES, RANGE_EXAMPLES, UNLISTED
from generator.grammar.grammar import ANY_TAG, MAX_VALUE, Collection, Filter, Grammar, Slice
from generator.grammar.limits import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.parameters import (
    FORMATS,
    MAX_BY,
    MAX_COUNTED,
    MAX_PER,
    MAX_START,
    OTHER_MODE_PARAMETERS,
    PARAMETERS,
    PLACE_LEVELS,
    ROWS_PARAMETERS,
    WITH_BY,
)
from generator.grammar.paths import COUNTRIES, INDEX, SEARCH, problem_path
from generator.grammar.refusals import FAILED, PROBLEMS
from generator.grammar.routes import NO_PATH, form_patterns, routes
from generator.search.blocks import BLOCK
from generator.search.format import (
    EXACT_WORTHS,
    FORMAT,
    LEVELS,
    NAMES,
    PREFIX,
    PREFIX_WORTHS,
    SPLIT,
    WRITTEN,
    filter_key,
)
from generator.search.manifest import MAX_MANIFEST, MAX_RECORDS, MAX_SIZE, columns_of
from generator.text import folding
from generator.text.words import MAX_SLUG, SLUG

#: Bounds of one query.  Free plans of edge functions allow 50 reads.
MAX_READS, MAX_BYTES, MAX_SECONDS = 50, 32 << 20, 10

_PLAIN = ("unsupported-combination", "not-found")


def table(grammar: Grammar, script: str = "edge") -> dict[str, Any]:
    """The table of edge.js or browser.js, as JSON values; `:filter`, `:value`, `:number` and others
    are placeholders.
    """
    route, every = routing(grammar), replace(grammar.first, name=":collection")
    beside = {"filters": every.filters_path, "values": every.filter_path(":filter")}
    return route | {
        "unlisted": UNLISTED,
        "json": headers.MEDIA_TYPES["json"],
        "folding": folding.folding_table(),
        **_of_features(grammar, script == "browser"),
        **(_of_hosts(grammar) if script == "edge" else {}),
        "asked": {
            "values": MAX_VALUES,
            "by": MAX_BY,
            "needs": WITH_BY,
            "levels": PLACE_LEVELS,
            "start": MAX_START,
            "formats": FORMATS,
            "csv": headers.MEDIA_TYPES["csv"],
            "rows": {
                "most": row_fields.MAX_FIELDS,
                "fields": row_fields.DEFAULT_FIELDS,
                "rows": row_fields.MAX_ROWS,
                "limit": row_fields.DEFAULT_ROWS,
            },
        },
        "instead": {p.name: p.instead for p in PARAMETERS if p.instead},
        "text": {"characters": MAX_QUERY_CHARACTERS, "words": MAX_QUERY_WORDS},
        "files": route["files"]
        | {name: path.removeprefix(every.root) for name, path in beside.items()},
        "schema_version": SCHEMA_VERSION,
        "kinds": {c.name: c.kind for c in grammar.collections.values()},
        "unavailable": {
            "status": 503,
            "title": "Service Unavailable",
            "headers": headers.UNAVAILABLE,
        },
        "failed": {
            "status": 500,
            "title": "Internal Server Error",
            "detail": FAILED,
            "headers": headers.UNKEPT,
        },
        "index": _index(grammar, every),
    }


def _of_hosts(grammar: Grammar) -> dict[str, Any]:
    return {
        "made": f"{crc32(bundle('edge').encode()):08x}",
        "missing": paths.NOT_FOUND,
        "forms": "|".join(f"^{form}$" for form in form_patterns(grammar)) or NO_PATH,
        "mcp": protocol.settings(grammar),
    }


EDGE: Hook[Callable[[Grammar, bool], Mapping[str, Any]]] = Hook(
    "routes", "edge", "grammar, in_browser"
)


def _of_features(grammar: Grammar, in_browser: bool) -> dict[str, Any]:
    """What the JavaScript of features needs, the last feature first: bundles have this order."""
    found: dict[str, Any] = {}
    for edge in reversed([*EDGE.without(grammar.left_out)]):
        found |= edge(grammar, in_browser)
    found.setdefault("feeds", {"of": ""})  # manifest.mjs asks which collection has files of feeds
    return found


def _index(grammar: Grammar, every: Collection) -> dict[str, Any]:
    """The format of the search index, its limits, and the fields of rows; `every` stands for any
    collection.
    """
    return {
        "format": FORMAT,
        "prefix": PREFIX,
        "levels": LEVELS,
        "written": WRITTEN,
        "split": SPLIT,
        "names": NAMES,
        "whole": EXACT_WORTHS,
        "begun": PREFIX_WORTHS,
        "most": {
            "reads": MAX_READS,
            "bytes": MAX_BYTES,
            "seconds": MAX_SECONDS,
            "records": MAX_RECORDS,
            "size": MAX_SIZE,
            "manifest": MAX_MANIFEST,
            "values": MAX_COUNTED,
            "per": MAX_PER,
            "best": MAX_BEST,
        },
        "key": filter_key(":filter", ":value"),
        "manifest": every.manifest_path,
        "file": every.index_path(":what", ":number"),
        "block": BLOCK,
        "columns": {name: columns_of(c) for name, c in grammar.collections.items()},
        "fields": {
            name: {f.name: _row_field(f) for f in c.row_fields.values()}
            for name, c in grammar.collections.items()
        },
        # The numbers for statistics, and the filters whose values are places.
        "stats": {name: c.stats for name, c in grammar.collections.items()},
        "placed": {
            name: [f.name for f in c.filters.values() if f.vocabulary == "places"]
            for name, c in grammar.collections.items()
        },
        "places": COUNTRIES,
        # Other words for filters, by the names of collections and filters.
        "also": {
            name: {f.name: f.also for f in c.filters.values() if f.also}
            for name, c in grammar.collections.items()
        },
        # Other words for records of a collection.
        "called": {
            name: c.declared.also for name, c in grammar.collections.items() if c.declared.also
        },
        # Other words for values.
        "values": {
            name: {f.filter: f.values_also for f in c.declared.common.values() if f.values_also}
            for name, c in grammar.collections.items()
        },
        "refers": targets(grammar, grammar.collections),
        "labels": {
            name: {f.name: f.label for f in c.filters.values()}
            for name, c in grammar.collections.items()
        },
    }


def _row_field(field: row_fields.RowField) -> str:
    """A field's type and, after a colon, the path of its value in a summary; without a path if only
    the index has it, with an empty one if the value has the name of the field.
    """
    path = "/".join(field.path)
    return f"{field.type}:{'' if path == field.name else path}" if path else field.type


def targets(grammar: Grammar, wanted: Container[str]) -> dict[str, dict[str, str]]:
    """Collection -> filter -> the collection with the records that are its values, if `wanted` has
    that.
    """
    return {
        name: {f.name: f.refers for f in c.filters.values() if f.refers in wanted}
        for name, c in grammar.collections.items()
    }


def routing(grammar: Grammar) -> dict[str, Any]:
    """The part of the table that `route` needs."""
    collections = grammar.collections.values()
    forms = {
        f.form: f.pattern
        for c in collections
        for f in c.query_filters.values()
        if f.name not in c.virtual
    }
    bare = {
        route.path: route.target
        for route in routes(grammar)
        if not route.query and ":" not in route.path
    }
    roots = {c.root for c in collections}
    return {
        "prefix": grammar.prefix,
        "api": INDEX.rpartition("/")[0] + "/",
        "search": SEARCH,
        "service": NO_PATH,
        "methods": headers.METHODS,
        "preflight": headers.PREFLIGHT,
        "not_allowed": headers.NOT_ALLOWED,
        "headers": headers.COMMON_HEADERS,
        "type": headers.PROBLEM,
        "longest": {"slug": MAX_SLUG, "value": MAX_VALUE},
        "ranged": {form: between for form, between in RANGE_EXAMPLES.items() if form in forms},
        "patterns": {**forms, "slug": SLUG, "page": Filter("page", "Page", "page").pattern},
        # Their files have `.json` behind the path.
        "documents": [path for path in bare if path not in roots],
        "tags": [*grammar.tag_families],
        "files": _files(grammar.first),
        "others": {mode: [*others] for mode, others in OTHER_MODE_PARAMETERS.items()},
        "rows": ROWS_PARAMETERS,
        "lists": [_list(grammar, c, bare.get(c.root)) for c in collections],
        # Documents that are published (generator.outputs.descriptions).
        "problem": {"type": grammar.url(problem_path(":code")), "help": grammar.url(INDEX)},
        # The default detail is only needed for codes whose refusals have no detail of their own.
        "problems": {
            code: problem if code in _PLAIN else problem[:2] for code, problem in PROBLEMS.items()
        },
    }


def _list(grammar: Grammar, collection: Collection, bare: str | None) -> dict[str, Any]:
    tags = [f"tag_{family}" for family in grammar.tag_families]
    virtual = dict.fromkeys(collection.virtual, "")
    filters = {f.name: _form(f) for f in collection.query_filters.values()} | virtual
    # Parameters that take a single value, for which there are prepared pages.
    fixed = [
        (name, value)
        for route in routes(grammar)
        if route.path == collection.root
        for name, value in route.query.items()
        if value is not None and name not in ("mode", "sort")
    ]
    return {
        "name": collection.name,
        "root": collection.root,
        # The name of the pattern of the tag families, and of each filter, in canonical order.
        "tagged": filters.get(tags[0], "") if tags else "",
        "filters": {n: form for n, form in filters.items() if n not in (*tags, ANY_TAG)},
        "sorts": collection.prepared_sorts,
        # Sorts that only a query tier answers.
        "others": collection.sorts[len(collection.prepared_sorts) :],
        "fixed": {
            name: {"value": value, "file": Slice(collection, name, value).path(":page")}
            for name, value in fixed
        },
        **({"bare": bare} if bare else {}),
    }


def _form(query_filter: Filter) -> str:
    """The name of the pattern of a filter, with a mark before it if its values have no pages."""
    return query_filter.form if query_filter.prepared else f"?{query_filter.form}"


def _files(collection: Collection) -> dict[str, str]:
    """Templates of the files that every collection has, relative to its root."""
    files = {
        "plain": Slice(collection).path(":page"),
        "sorted": Slice(collection, sort=":sort").path(":page"),
        "by": Slice(collection, ":filter", ":value").path(":page"),
        "record": collection.record_path(":slug"),
    }
    return {name: path.removeprefix(collection.root) for name, path in files.items()}
