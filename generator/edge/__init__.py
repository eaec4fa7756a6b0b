"""The edge resolver: one JavaScript module for every host that runs some, and the table it works from.

resolver.js decides, this package says on what: the table is made of the grammar, so that a tag family more is a line
more in it and none in the JavaScript.  Adapters for single hosts are made in generator.hosts.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from generator import query
from generator.headers import ALWAYS, METHODS, NOT_ALLOWED, PREFLIGHT, PROBLEM
from generator.query import INDEX, PROBLEMS, Collection, Filter, Grammar, Slice, problem_path

_LINE = "// --- below: any current engine ---\n"


def table(grammar: Grammar) -> dict[str, Any]:
    """What resolver.js works from, as JSON values; `:filter`, `:value`, `:sort`, `:page` and `:slug` are placeholders."""
    collections = grammar.collections.values()
    forms = {f.form: f.pattern for c in collections for f in c.filters.values()}
    bare = {route.path: route.target for route in grammar.routes() if not route.query and ":" not in route.path}
    roots = {c.root for c in collections}
    return {
        "prefix": grammar.prefix,
        "api": INDEX.rpartition("/")[0] + "/",
        "missing": query.NOT_FOUND,
        "methods": METHODS,
        "preflight": PREFLIGHT,
        "not_allowed": NOT_ALLOWED,
        "headers": ALWAYS,
        "type": PROBLEM,
        "longest": {
            "slug": query.MAX_SLUG,
            "value": query.MAX_VALUE,
            "characters": query.MAX_QUERY_CHARACTERS,
            "words": query.MAX_QUERY_WORDS,
        },
        "patterns": {**forms, "slug": query.SLUG, "page": Filter("page", "Page", "page").pattern},
        "documents": {path: target for path, target in bare.items() if path not in roots},
        "files": _files(grammar.projects),
        "lists": [_list(grammar, c, bare.get(c.root)) for c in collections],
        # Made into the documents that are published (generator.emit.problems).
        "problem": {"type": grammar.url(problem_path(":code")), "help": grammar.url(INDEX)},
        "problems": PROBLEMS,
    }


def _list(grammar: Grammar, collection: Collection, bare: str | None) -> dict[str, Any]:
    forms = {f.name: f.form for f in collection.filters.values()}
    # What is asked like a filter and takes one value only.
    fixed = [(name, value) for route in grammar.routes() if route.path == collection.root for name, value in route.query.items()
             if value is not None and name not in ("mode", "sort")]  # fmt: skip
    return {
        "name": collection.name,
        "root": collection.root,
        # In canonical order; with the name of its pattern, where there is one.
        "parameters": {name: forms.get(name, "") for name in grammar.parameters(collection)},
        "sorts": collection.sorts,
        "fixed": {name: {"value": value, "file": Slice(collection, name, value).path(":page")} for name, value in fixed},
        "bare": bare,
    }


def _files(collection: Collection) -> dict[str, str]:
    """The files that every collection has, each under its own root."""
    found = {
        "plain": Slice(collection).path(":page"),
        "sorted": Slice(collection, sort=":sort").path(":page"),
        "by": Slice(collection, ":filter", ":value").path(":page"),
        "record": collection.record_path(":slug"),
    }
    return {name: path.removeprefix(collection.root) for name, path in found.items()}


@cache
def _resolver() -> str:
    return Path(__file__).with_name("resolver.js").read_text("utf-8")


def module(grammar: Grammar, adapter: str) -> bytes:
    """One script: the table, the resolver and an adapter, which finds `table` and `respond` in its scope."""
    return f"{_constant(table(grammar))}\n{_compact(_resolver())}\n{adapter}".encode()


def es5(grammar: Grammar, adapter: str, **more: Any) -> bytes:
    """Likewise with `route` only, for engines without the Fetch API.  `more` is put into the table."""
    found = table(grammar) | more
    return f"{_constant(found)}\n{_compact(_resolver().partition(_LINE)[0] + adapter)}".encode()


def _constant(value: dict[str, Any]) -> str:
    return f"const table = {json.dumps(value, separators=(',', ':'))}"


#: Text in quotes, kept as it is; or what needs no space around it.
_SPACED = re.compile(r"""('[^'\n]*'|`[^`\n]*`)| *([=<>!&|?:,;+{}()]+) *""")


def _compact(script: str) -> str:
    """Without comments, exports and spaces that nobody reads: what is deployed is generated, and its source is here."""
    lines = (line.strip().removeprefix("export ") for line in script.splitlines())
    kept = (_SPACED.sub(r"\1\2", line) for line in lines if not line.startswith("//"))
    return "".join(f"{line}\n" for line in kept if line)
