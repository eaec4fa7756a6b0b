"""Code to copy that requests one address of the API: curl, Python, JavaScript, `registry`."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from generator.grammar.grammar import Count, Query, Slice

#: Stands for the address of the site if the build does not know it; a script fills it in.
SITE = "SITE"
#: Kind of document -> the keys of the value that the code prints.
_PRINTED = {
    "list": ("page", "total_items"),
    "count": ("total_items",),
    "search": ("total_items",),
    "filter": ("data", "total_values"),
    "dashboard": ("data", "counts", "projects"),
    "index": ("data", "name"),
    "build": ("as_of",),
    "problem": ("detail",),
    "schema": ("title",),
    "openapi": ("info", "title"),
}
_RECORDS = ("project", "program", "organization", "event")
#: Kinds whose file is not JSON.
TEXT_KINDS = ("calendar", "context")


class Snippet(NamedTuple):
    """Code, and the name of its language or program."""

    name: str
    text: str


def printed_keys(kind: str) -> tuple[str, ...]:
    """The keys of the value that the code prints of a document of this kind."""
    if kind in _RECORDS:
        return ("data", "name")
    prefix, _, rest = kind.partition("_")
    return _PRINTED.get(rest if prefix in _RECORDS else kind, ("kind",))


def lines(url: str, kind: str, command: str | None, site: str) -> list[Snippet]:
    """Code that requests `url` and prints a value of its document.

    `command` are the arguments of `registry` without the site that it reads from.
    """
    imports, read, parsed = "json, urllib.request", "json.load(answer)", "answer.json()"
    keys = printed_keys(kind)
    if kind in TEXT_KINDS:
        imports, read, parsed = "urllib.request", "answer.read().decode()", "answer.text()"
        keys = ()
    items, attributes = "".join(f'["{key}"]' for key in keys), "".join(f".{key}" for key in keys)
    python = f'import {imports}\n\nanswer = urllib.request.urlopen("{url}")\nprint({read}{items})'
    document = f"(await {parsed}){attributes}" if keys else f"await {parsed}"
    script = f'const answer = await fetch("{url}")\nconsole.log({document})'
    found = [Snippet("curl", f"curl {shlex.quote(url)}"), Snippet("Python", python)]
    found.append(Snippet("JavaScript", script))
    if command is not None:
        found.append(Snippet("registry", f"registry {command} --from {site}"))
    return found


def command(query: Query | Count | Slice) -> str:
    """The arguments of `registry` for a query."""
    if isinstance(query, Slice):
        value = ((query.filter, query.value),) if query.filter and query.value else ()
        query = Query(query.collection, value, query.sort)
    name = query.collection.name
    filters = "".join(f" --filter {shlex.quote(f'{key}={text}')}" for key, text in query.filters)
    if isinstance(query, Count):
        words = f" --q {shlex.quote(query.q)}" if query.q is not None else ""
        by = f" --by {','.join(query.by)}" if query.by else ""
        return f"count {name}{filters}{words}{by}"
    if any(key in query.collection.virtual for key, _ in query.filters):
        return "calendar --upcoming"
    sort = f" --sort {query.sort}" if query.sort else ""
    if query.q is not None:
        return f"search {shlex.quote(query.q)} --in {name}{filters}{sort}"
    return f"list {name}{filters}{sort}"
