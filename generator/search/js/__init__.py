"""The edge: JavaScript that answers queries wherever some runs, and the table it works from.

In source/, route.mjs decides and search.mjs answers what has no prepared file; this package says on
what: the table is made of the grammar, so that a tag family more is a line more in it and none in
the JavaScript.  edge.js, browser.js and cloudfront.js are bundles of the sources (`make bundle`).
Adapters for single hosts are made in generator.hosts, that of browsers in generator.outputs.script.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from generator import SCHEMA_VERSION
from generator.contract.listing import MAX_COUNTED
from generator.grammar import folding, paths
from generator.grammar.filters import MAX_VALUES, RANGED, UNPREPARED
from generator.grammar.grammar import MAX_BY, MAX_VALUE, Collection, Filter, Grammar, Slice
from generator.grammar.headers import (
    ALWAYS,
    METHODS,
    NOT_ALLOWED,
    PREFLIGHT,
    PROBLEM,
    TYPES,
    UNAVAILABLE,
)
from generator.grammar.paths import INDEX, problem_path
from generator.grammar.query_string import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.refusals import PROBLEMS
from generator.grammar.routes import routes
from generator.grammar.text import MAX_SLUG, SLUG
from generator.search.blocks import BLOCK
from generator.search.format import FORMAT, LEVELS, PREFIX, WEIGHTS, filter_key
from generator.search.manifest import MAX_MANIFEST, MAX_RECORDS, MAX_SIZE
from generator.search.reading import MAX_BYTES, MAX_READS, MAX_SECONDS
from generator.search.score import BEGUN, WHOLE

_PLAIN = ("unsupported-combination", "not-found")


def table(grammar: Grammar, bundle: str = "edge") -> dict[str, Any]:
    """What edge.js works from, as JSON values; `:filter`, `:value`, `:number` and their like are
    placeholders.
    """
    route, every = _routing(grammar), replace(grammar.projects, name=":collection")
    beside = {"filters": every.filters_path, "values": every.filter_path(":filter")}
    return route | {
        "made": f"{crc32(_bundle(bundle).encode()):08x}",
        "missing": paths.NOT_FOUND,
        "json": TYPES["json"],
        "folding": folding.packed(),
        "asked": {"values": MAX_VALUES, "by": MAX_BY},
        "text": {"characters": MAX_QUERY_CHARACTERS, "words": MAX_QUERY_WORDS},
        "files": route["files"]
        | {name: path.removeprefix(every.root) for name, path in beside.items()},
        "schema_version": SCHEMA_VERSION,
        "kinds": {c.name: c.kind for c in grammar.collections.values()},
        "unavailable": {"status": 503, "title": "Service Unavailable", "headers": UNAVAILABLE},
        "index": {
            "format": FORMAT,
            "prefix": PREFIX,
            "levels": LEVELS,
            "named": WEIGHTS,
            "whole": WHOLE,
            "begun": BEGUN,
            "most": {
                "reads": MAX_READS,
                "bytes": MAX_BYTES,
                "seconds": int(MAX_SECONDS),
                "records": MAX_RECORDS,
                "size": MAX_SIZE,
                "manifest": MAX_MANIFEST,
                "values": MAX_COUNTED,
            },
            "key": filter_key(":filter", ":value"),
            "manifest": every.manifest_path,
            "file": every.index_path(":what", ":number"),
            "block": BLOCK,
            "labels": {
                name: {f.name: f.label for f in c.filters.values()}
                for name, c in grammar.collections.items()
            },
        },
    }


def _routing(grammar: Grammar) -> dict[str, Any]:
    """What `route` alone needs."""
    collections = grammar.collections.values()
    forms = {f.form: f.pattern for c in collections for f in c.filters.values()}
    bare = {
        route.path: route.target
        for route in routes(grammar)
        if not route.query and ":" not in route.path
    }
    roots = {c.root for c in collections}
    return {
        "prefix": grammar.prefix,
        "api": INDEX.rpartition("/")[0] + "/",
        "methods": METHODS,
        "preflight": PREFLIGHT,
        "not_allowed": NOT_ALLOWED,
        "headers": ALWAYS,
        "type": PROBLEM,
        "longest": {"slug": MAX_SLUG, "value": MAX_VALUE},
        "unprepared": UNPREPARED,
        "ranged": {form: between for form, between in RANGED.items() if form in forms},
        "patterns": {**forms, "slug": SLUG, "page": Filter("page", "Page", "page").pattern},
        "documents": {path: target for path, target in bare.items() if path not in roots},
        "tags": _tags(grammar),
        "files": _files(grammar.projects),
        "lists": [_list(grammar, c, bare.get(c.root)) for c in collections],
        # Made into the documents that are published (generator.outputs.problems).
        "problem": {"type": grammar.url(problem_path(":code")), "help": grammar.url(INDEX)},
        # Without the text that each refusal of another code says better.
        "problems": {code: said if code in _PLAIN else said[:2] for code, said in PROBLEMS.items()},
    }


def _list(grammar: Grammar, collection: Collection, bare: str | None) -> dict[str, Any]:
    tags, virtual = _tags(grammar), dict.fromkeys(collection.virtual, "")
    filters = {f.name: f.form for f in collection.filters.values()} | virtual
    # What is asked like a filter and takes one value only.
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
        # In canonical order, after those of the tag families; with the name of the pattern.
        "tagged": tags[0] in filters if tags else False,
        "filters": {name: form for name, form in filters.items() if name not in tags},
        "sorts": collection.prepared_sorts,
        # Those that only a query tier answers.
        "others": collection.sorts[len(collection.prepared_sorts) :],
        "fixed": {
            name: {"value": value, "file": Slice(collection, name, value).path(":page")}
            for name, value in fixed
        },
        "bare": bare,
    }


def _tags(grammar: Grammar) -> list[str]:
    return [f"tag_{family}" for family in grammar.tag_families]


def _files(collection: Collection) -> dict[str, str]:
    """The files that every collection has, each under its own root."""
    files = {
        "plain": Slice(collection).path(":page"),
        "sorted": Slice(collection, sort=":sort").path(":page"),
        "by": Slice(collection, ":filter", ":value").path(":page"),
        "record": collection.record_path(":slug"),
    }
    return {name: path.removeprefix(collection.root) for name, path in files.items()}


@cache
def _bundle(name: str) -> str:
    return Path(__file__).with_name(f"{name}.js").read_text("utf-8")


def module(grammar: Grammar, adapter: str) -> bytes:
    """A module: the table, the bundle for current engines, and an adapter, in whose scope `table`
    and what edge.mjs gives are.
    """
    scope = "const { beside, respond, search } = edge\n"
    return f"{_opening(table(grammar))}{_bundle('edge')}{scope}{adapter}".encode()


def browsers(grammar: Grammar, adapter: str) -> bytes:
    """The same for browsers, which fetch how texts beyond ASCII are folded when there is one, and
    have no use for what caches and other sites are told.
    """
    raw = folding.FILE.read_bytes()
    apart = {
        "unicode": folding.packed()["unicode"],
        "file": paths.FOLDING,
        "check": crc32(raw),
    }
    untold = {"headers": {}, "preflight": {}, "not_allowed": ""}
    known = table(grammar, "browser") | untold | {"folding": apart}
    return f"{_opening(known)}{_bundle('browser')}const {{ respond }} = edge\n{adapter}".encode()


def cloudfront(grammar: Grammar, **more: Any) -> bytes:
    """The function of CloudFront, a script, which decides and fetches nothing.  `more` is put into
    the table.
    """
    handler = "function handler(event) { return edge.handler(event) }\n"
    return f"{_opening(_routing(grammar) | more)}{_bundle('cloudfront')}{handler}".encode()


def _opening(table: dict[str, Any]) -> str:
    """What the bundles find before them: the table, and where they put what they give."""
    return f"const table = {json.dumps(table, separators=(',', ':'))};\nconst edge = {{}};\n"
