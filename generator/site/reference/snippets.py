"""Lines to copy that ask the API for one address: curl, Python, JavaScript and `registry`."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from generator.grammar.grammar import Count, Query, Slice

#: Where the address of the site is not known when it is built: a script of the page fills it in.
SITE = "SITE"
#: What the lines print of a document, by its kind: the keys that lead there.
_TOLD = {
    "list": ("page", "total_items"),
    "count": ("total_items",),
    "filter": ("data", "total_values"),
    "dashboard": ("data", "counts", "projects"),
    "index": ("data", "name"),
    "build": ("as_of",),
    "problem": ("detail",),
    "schema": ("title",),
    "openapi": ("info", "title"),
}
_RECORDS = ("project", "program", "organization", "event")
#: Kinds of which the file is no JSON.
TEXTS = ("calendar", "context")


class Line(NamedTuple):
    """A way to ask, in a language called so."""

    name: str
    text: str


def told(kind: str) -> tuple[str, ...]:
    """The keys of what the lines print of a document of that kind."""
    if kind in _RECORDS:
        return ("data", "name")
    of, _, sort = kind.partition("_")
    return _TOLD.get(sort if of in _RECORDS else kind, ("kind",))


def lines(url: str, kind: str, command: str | None, site: str) -> list[Line]:
    """The ways to ask for a whole URL, and what to print of its document; `command` is that of
    `registry` without where it reads from.
    """
    ways = [Line("curl", f"curl {shlex.quote(url)}")]
    if kind in TEXTS:
        read, parsed, shown = "answer.read().decode()", "answer.text()", ("", "")
    else:
        keys = told(kind)
        read, parsed = "json.load(answer)", "answer.json()"
        shown = ("".join(f'["{key}"]' for key in keys), "".join(f".{key}" for key in keys))
    imports = "urllib.request" if kind in TEXTS else "json, urllib.request"
    python = (
        f'import {imports}\n\nanswer = urllib.request.urlopen("{url}")\nprint({read}{shown[0]})'
    )
    ways.append(Line("Python", python))
    document = f"(await {parsed}){shown[1]}" if shown[1] else f"await {parsed}"
    ways.append(Line("JavaScript", f'const answer = await fetch("{url}")\nconsole.log({document})'))
    if command is not None:
        ways.append(Line("registry", f"registry {command} --from {site}"))
    return ways


def command(asked: Query | Count | Slice) -> str:
    """What `registry` is told, to ask the same."""
    if isinstance(asked, Slice):
        one = ((asked.filter, asked.value),) if asked.filter and asked.value else ()
        asked = Query(asked.collection, one, asked.sort)
    of = asked.collection
    filters = "".join(f" --filter {shlex.quote(f'{name}={text}')}" for name, text in asked.filters)
    if isinstance(asked, Count):
        words = f" --q {shlex.quote(asked.q)}" if asked.q is not None else ""
        by = f" --by {','.join(asked.by)}" if asked.by else ""
        return f"count {of.name}{filters}{words}{by}"
    if any(name in of.virtual for name, _ in asked.filters):
        return "calendar --upcoming"
    sort = f" --sort {asked.sort}" if asked.sort else ""
    if asked.q is not None:
        return f"search {shlex.quote(asked.q)} --in {of.name}{filters}{sort}"
    return f"list {of.name}{filters}{sort}"
