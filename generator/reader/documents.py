"""Parse published documents, and check them against the schema of their kind and the question that
they answer.

The check covers types, required keys and the bounds of what a reader accepts. Unknown keys are
allowed, because the schema grows. Keys that are newer than the document are added, empty. Callers
need not check a parsed document again. An answer is accepted only if its kind, its address and its
`query` are those of the request: hosts may send one file for several addresses, and caches may send
outdated files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from generator import SCHEMA_VERSION, UserError
from generator.grammar.limits import clip
from generator.problems.diagnostic import printable

if TYPE_CHECKING:
    from generator.kinds import Kinds

#: Bytes of all files in one read, bytes of a document, values in a document, depth of nesting.
MAX_READ, MAX_DOCUMENT, MAX_VALUES, MAX_DEPTH = 32 << 20, 8 << 20, 1 << 20, 32
#: The most records of a collection, and of a page.
_MAX_RECORDS, _MAX_SIZE = 1 << 20, 100
#: Integers up to this are exact in every JSON implementation (RFC 8259 section 6).
_MAX_NUMBER = 1 << 53
_is_version = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){1,2}").fullmatch
_is_day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
#: The value of a key that is newer than its document, by type; other types get null.
_EMPTY_VALUES: dict[str | None, Callable[[], Any]] = {
    "array": list,
    "object": dict,
    "boolean": bool,
}

Schema = Mapping[str, Any]


class _Shapes(NamedTuple):
    """The definitions of the schemas, and for each the keys newer than the document."""

    definitions: Schema
    newer: Mapping[str, frozenset[str]]


class ClientError(UserError):
    """No answer: unreachable host, no registry, wrong answer or timeout. For users."""


class Unreadable(ValueError):
    """Bytes are not the expected document; the text says where and is printable."""


def published_kinds(index: Any) -> Kinds:
    """The kinds of a published registry, by its index.json; those of a registry that declares none
    if the document has no data.  Raises Unreadable if it breaks a rule of kinds.
    """
    from generator.kinds import built_in
    from generator.kinds.told import Untrue, believe

    if not isinstance(index, dict) or not isinstance(index.get("data"), dict):
        return built_in()
    try:
        return believe(index.get("kinds"), index["data"].get("fields", {}), built_in())
    except Untrue as error:
        raise Unreadable(f"it is no index of a registry: {printable(str(error))}") from None


def published_nouns(index: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Collection -> the registry's words for one record and for several, if it tells its kinds."""
    told = index.get("kinds") or {}
    return {
        name: (printable(str(of["one"])), printable(str(of["many"]))) for name, of in told.items()
    }


def parse_document(raw: bytes, *kinds: str, of: Kinds | None = None) -> dict[str, Any]:
    """The document. It has one of `kinds`; without `kinds`, any kind will do. `of` are the kinds of
    its registry, which documents about records depend on. Raises Unreadable.
    """
    if len(raw) > MAX_DOCUMENT or raw.count(b",") + raw.count(b"[") + raw.count(b"{") > MAX_VALUES:
        raise Unreadable("it is larger than any document")
    try:
        document = orjson.loads(raw)
    except ValueError:
        raise Unreadable("it is no JSON") from None
    from generator.contract.lock import locked_schemas
    from generator.kinds import built_in

    published_schemas = locked_schemas(of := of or built_in())
    # A problem document has no kind and no version (RFC 9457).
    kind = document.get("kind", "problem") if isinstance(document, dict) else None
    if kind not in (kinds or tuple(published_schemas["documents"])):
        raise Unreadable(
            f"its kind is not {' or '.join(kinds)}" if kinds else "its kind is unknown"
        )
    version = document.get("schema_version", SCHEMA_VERSION)
    shapes = _Shapes(_definitions(of), _newer_keys(version, published_schemas["since"]))
    _check(document, {"$ref": published_schemas["documents"][kind]}, shapes, ())
    checked: dict[str, Any] = document
    return checked


@cache
def _definitions(kinds: Kinds) -> Schema:
    """The definitions of the schemas of a registry.  A document may lack own fields: caches send
    those of before a field was declared.
    """
    from generator.contract.lock import definitions
    from generator.kinds.declare import OWN_FIELDS

    found = dict(definitions(kinds))
    for name, shape in found.items():
        own = shape.get("properties", {}).get(OWN_FIELDS, {})
        if "required" in own:
            own = {key: part for key, part in own.items() if key != "required"}
            found[name] = {**shape, "properties": {**shape["properties"], OWN_FIELDS: own}}
    return found


def _newer_keys(
    schema_version: Any, added: Mapping[str, Mapping[str, str]]
) -> Mapping[str, frozenset[str]]:
    """Definition -> the keys that documents of this version do not have; `added` has the versions
    of keys. Raises Unreadable.
    """
    from generator.contract.lock import parse_version

    if not isinstance(schema_version, str) or not _is_version(schema_version):
        raise Unreadable("its schema_version is no version")
    if parse_version(schema_version)[0] != parse_version(SCHEMA_VERSION)[0]:
        raise Unreadable(
            f"it is of schema {schema_version}, and this program reads {SCHEMA_VERSION}: "
            "use a program of the registry's own version"
        )
    return {
        name: frozenset(
            key
            for key, since in keys.items()
            if parse_version(since) > parse_version(schema_version)
        )
        for name, keys in added.items()
    }


def _check(value: Any, schema: Schema, shapes: _Shapes, where: Sequence[str | int]) -> None:
    """Raises Unreadable unless the value matches. Unknown enum values and formats do."""
    if len(where) > MAX_DEPTH:
        raise _unreadable(where[:3], "nests too deep")
    newer: frozenset[str] = frozenset()
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema, newer = shapes.definitions[name], shapes.newer.get(name, newer)
    if "anyOf" in schema:
        schema = next(
            (choice for choice in schema["anyOf"] if _has_type(value, choice, shapes.definitions)),
            {"type": "one of several types"},
        )
        _check(value, schema, shapes, where)
        return
    expected_type = schema.get("type")
    if expected_type is not None and not _has_type(value, schema, shapes.definitions):
        raise _unreadable(where, f"is not of the type {expected_type}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for key in schema.get("required", ()):
            if key not in value:
                if key not in newer:
                    raise _unreadable((*where, key), "is missing")
                value[key] = _EMPTY_VALUES.get(properties[key].get("type"), lambda: None)()
        rest = schema.get("additionalProperties")
        rest = rest if isinstance(rest, dict) else {}
        for key, part in value.items():
            _check(part, properties.get(key) or rest, shapes, (*where, key))
    elif isinstance(value, list):
        items = schema.get("items", {})
        for number, part in enumerate(value):
            _check(part, items, shapes, (*where, number))
    elif isinstance(value, int | float):
        if abs(value) > _MAX_NUMBER or value < schema.get("minimum", value):
            raise _unreadable(where, "is out of range")
    elif schema.get("format") == "date" and not _is_day(value):
        raise _unreadable(where, "is no date")


def _has_type(value: Any, schema: Schema, definitions: Schema) -> bool:
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    expected_type = schema.get("type")
    if expected_type is None:
        choices = schema.get("anyOf")
        return choices is None or any(_has_type(value, choice, definitions) for choice in choices)
    # bool is a subclass of int in Python, but not a number in JSON.
    return isinstance(value, _TYPES.get(expected_type, ())) and (
        expected_type == "boolean" or not isinstance(value, bool)
    )


def _unreadable(where: Sequence[str | int], problem: str) -> Unreadable:
    path = ".".join(printable(str(part))[:40] for part in where)
    return Unreadable(f"{path} {problem}")


# --- answers to a question ---


def parse(where: str, path: str, raw: bytes, kind: str, prefix: str, of: Kinds) -> dict[str, Any]:
    """The document of this kind at a path of the registry at `where`, which has the kinds `of`.
    Raises ClientError.
    """
    try:
        document = parse_document(raw, of=of)
    except Unreadable as error:
        raise ClientError(f"{where}{path} is not the JSON that it should be: {error}.") from error
    url, told = document.get("links", {}).get("self"), document.get("kind")
    if told != kind or url not in (None, prefix + path):
        raise wrong_answer(where, path, f"  it says that it is {_short(str(url or told))}")
    return document


def check_page(
    where: str, path: str, document: Mapping[str, Any], wanted: Mapping[str, Any]
) -> None:
    """Raises ClientError unless a page has the wanted `query`, and its numbers agree."""
    answered, page = document["query"], document["page"]
    if answered != wanted:
        raise wrong_answer(
            where, path, f"  asked:    {_describe(wanted)}\n  answered: {_describe(answered)}"
        )
    number, size = wanted["page"], min(page["size"], _MAX_SIZE)
    total = min(page["total_items"], _MAX_RECORDS)
    expected = {
        "number": number,
        "size": size,
        "count": max(0, min(size, total - (number - 1) * size)),
        "total_items": total,
        "total_pages": max(1, -(-total // size)),
    }
    is_valid = {key: page[key] for key in expected} == expected
    if not is_valid or len(document["data"]) != expected["count"]:
        raise ClientError(
            f"{where}{path} is not the document that it should be: its page contradicts itself."
        )


def wrong_answer(where: str, path: str, details: str) -> ClientError:
    return ClientError(
        f"{where}{path} does not answer the request, so its answer was rejected.\n"
        f"{details}\n"
        "Either a rule of the host sends one file for several addresses, or a cache holds a "
        "file of another address or another time.\n"
        "Try again in a few minutes, and without a cache of your own; if it stays so, tell "
        "who runs the host."
    )


def _describe(echo: Any) -> str:
    """The `query` of a list in words."""
    if not isinstance(echo, Mapping):
        return _short(str(echo))
    parts = [f"page {echo.get('page')}", f"sorted by {echo.get('sort')}"]
    if echo.get("q") is not None:
        parts.append(f"q={echo['q']}")
    filters = echo.get("filters")
    if isinstance(filters, Mapping):
        parts += [f"{name}={value}" for name, value in filters.items()]
    return _short(", ".join(parts))


def _short(text: str) -> str:
    return clip(printable(text), 500)
