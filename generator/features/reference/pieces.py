"""Pieces of the pages: documents shortened and highlighted, code to copy, and tables of schemas.

"…" as the last item of a list, the last key of an object or the end of a text stands for the rest.
The shortened document is still JSON.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from generator.grammar.grammar import Count, Query, Slice
from generator.kinds import Kinds

if TYPE_CHECKING:
    from markupsafe import Markup

REST = "…"
#: The number of list items shown: of plain values, and of objects or lists.
_PLAIN, _NESTED = 4, 1
_KEYS = 24  # of one object
_CHARACTERS = 120  # of one text
_LINES = 12  # of a file that is not JSON
_WIDTH = 76  # characters of the longest list or object on one line

# A list or object on several lines that contains no other.
_FLAT = re.compile(r"([\[{])\n *([^\[\]{}]*?)\n *([\]}])")
_BREAKS = re.compile(r"\n *")
# Keys and "…" in escaped HTML.
_KEY = re.compile(r"&#34;(?:(?!&#34;)[^\n])*&#34;(?=: )")
_REST_MARK = re.compile(r"&#34;…&#34;(?!:|</)")


def excerpt(body: bytes) -> Markup:
    """A document as HTML; if it is not JSON, its first lines."""
    from markupsafe import Markup, escape

    try:
        value = orjson.loads(body)
    except ValueError:
        lines = body.decode(errors="replace").splitlines()
        return escape("\n".join([*map(_cut, lines[:_LINES]), *[REST] * (len(lines) > _LINES)]))
    text = str(escape(format_json(abridged(value))))
    html = _KEY.sub(r'<span class="key">\g<0></span>', text)
    return Markup(_REST_MARK.sub(r'<span class="rest">\g<0></span>', html))


def format_json(value: Any) -> str:
    """Indented JSON with short lists and objects on one line."""
    return _FLAT.sub(_in_one_line, orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def _in_one_line(match: re.Match[str]) -> str:
    line = match[1] + _BREAKS.sub(" ", match[2]) + match[3]
    return line if len(line) <= _WIDTH else match[0]


def abridged(value: Any) -> Any:
    """A JSON value with its lists, objects and texts cut."""
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, list):
        most = _NESTED if any(isinstance(item, dict | list) for item in value) else _PLAIN
        return [*map(abridged, value[:most]), *[REST] * (len(value) > most)]
    if isinstance(value, dict):
        shown = {key: abridged(value[key]) for key in [*value][:_KEYS]}
        return shown | ({REST: REST} if len(value) > _KEYS else {})
    return value


def _cut(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[: _CHARACTERS - 1].rstrip()}{REST}"


#: Stands for the address of the site if the build does not know it; a script fills it in.
SITE = "SITE"
#: Kind of document -> the keys of the value that the code prints.
_PRINTED = {
    "list": ("page", "total_items"),
    "count": ("total_items",),
    "search": ("total_items",),
    "filter": ("data", "total_values"),
    "dashboard": ("data", "counts"),
    "index": ("data", "name"),
    "build": ("as_of",),
    "problem": ("detail",),
    "schema": ("title",),
    "openapi": ("info", "title"),
}
#: Kinds whose file is not JSON.
TEXT_KINDS = ("calendar", "context")


class Snippet(NamedTuple):
    """Code, and the name of its language or program."""

    name: str
    text: str


def printed_keys(kind: str, kinds: Kinds) -> tuple[str, ...]:
    """The keys of the value that the code prints of a document of this kind."""
    if kind in kinds.collection_of:
        return ("data", "name")
    prefix, _, rest = kind.partition("_")
    keys = _PRINTED.get(rest if prefix in kinds.collection_of else kind, ("kind",))
    return (*keys, next(iter(kinds))) if keys[-1] == "counts" else keys


def lines(url: str, kind: str, command: str | None, site: str, kinds: Kinds) -> list[Snippet]:
    """Code that requests `url` and prints a value of its document.

    `command` are the arguments of `registry` without the site that it reads from.
    """
    imports, read, parsed = "json, urllib.request", "json.load(answer)", "answer.json()"
    keys = printed_keys(kind, kinds)
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


#: The depth of nested keys: enough for the rows of lists, and an end for recursive schemas.
_MAX_DEPTH = 5
#: The longest enumeration whose words are the type; a longer one is only a string.
_MAX_WORDS = 12


class SchemaRow(NamedTuple):
    """A key with its parent keys, its JSON type and description; `always` says it is required."""

    key: str
    type: str
    words: str
    always: bool


class Shape(NamedTuple):
    """One kind of document or a part of one."""

    name: str
    title: str
    words: str
    rows: list[SchemaRow]


def describe_schema(name: str, schemas: Mapping[str, Any]) -> Shape:
    schema = schemas[name]
    rows = [*_rows(schema, "", schemas, (name,))]
    return Shape(name, schema.get("title", name), schema.get("description", ""), rows)


def _rows(
    schema: Mapping[str, Any], prefix: str, schemas: Mapping[str, Any], parents: tuple[str, ...]
) -> Iterator[SchemaRow]:
    required = schema.get("required", ())
    for key, part in schema.get("properties", {}).items():
        yield from _row(f"{prefix}{key}", part, schemas, parents, key in required)
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        yield from _row(f"{prefix}*", more, schemas, parents, False)


def _row(
    key: str, part: Any, schemas: Mapping[str, Any], parents: tuple[str, ...], always: bool
) -> Iterator[SchemaRow]:
    """The row of a key and those of the keys below it."""
    schema, name = resolve_reference(part, schemas)
    yield SchemaRow(key, kind(part, schemas), schema.get("description", ""), always)
    nested, prefix = schema, f"{key}."
    if "items" in schema:
        nested, item_name = resolve_reference(schema["items"], schemas)
        name, prefix = item_name or name, f"{key}[]."
    for option in nested.get("anyOf", ()):
        if resolve_reference(option, schemas)[0].get("type") == "object":
            nested, name = resolve_reference(option, schemas)
    if len(parents) < _MAX_DEPTH and name not in parents:
        yield from _rows(nested, prefix, schemas, (*parents, name))


def resolve_reference(
    part: Mapping[str, Any], schemas: Mapping[str, Any]
) -> tuple[dict[str, Any], str]:
    """A schema merged with its `$ref` schema, and the name of that schema or ""."""
    name = str(part.get("$ref", "")).rpartition("/")[2]
    return {**schemas[name], **part} if name else dict(part), name


def kind(part: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """The type of a value in the words of JSON Schema."""
    schema, _ = resolve_reference(part, schemas)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(kind(option, schemas) for option in schema["anyOf"]))
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema and len(schema["enum"]) <= _MAX_WORDS:
        return " | ".join(f'"{word}"' for word in schema["enum"])
    if schema.get("type") == "array":
        item = kind(schema.get("items", {}), schemas)
        return f"({item})[]" if " | " in item else f"{item}[]"
    form = schema.get("format")
    return f"{schema.get('type', 'any')}{f' ({form})' if form else ''}"
