"""Documents that somebody else published, made into plain data only where they are what they say.

A document is held against the published schema of its kind: types, keys that are always there,
bounds of what a reader can take.  Keys that the schema does not have may be there, for it grows;
keys that are younger than the document are put in, empty.  So who has read a document need not
doubt it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from generator import SCHEMA_VERSION
from generator.contract.lock import lock, version
from generator.problems.diagnostic import printable

#: Bytes of the files that are read at once, and of a document; values in a document; and how deep
#: they lie.
MAX_READ, MAX_DOCUMENT, MAX_VALUES, MAX_DEPTH = 32 << 20, 8 << 20, 1 << 20, 32
#: What JSON numbers hold exactly everywhere (RFC 8259 section 6).
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
#: Of a key that is younger than its document, by type; null where it may be that.
_EMPTY: dict[str | None, Callable[[], Any]] = {"array": list, "object": dict}

Schema = Mapping[str, Any]


class _Shapes(NamedTuple):
    """The definitions of schemas, and of each the keys that are younger than a document."""

    definitions: Schema
    younger: Mapping[str, frozenset[str]]


class Unreadable(ValueError):
    """Bytes that are not the document they should be; the text says where, and is printable."""


def parsed(raw: bytes, *kinds: str) -> dict[str, Any]:
    """The document of one of these kinds, or of any.  Raises Unreadable."""
    if len(raw) > MAX_DOCUMENT or raw.count(b",") + raw.count(b"[") + raw.count(b"{") > MAX_VALUES:
        raise Unreadable("it is larger than any document")
    try:
        document = orjson.loads(raw)
    except ValueError:
        raise Unreadable("it is no JSON") from None
    locked = lock()
    # A problem has no kind and no version, as RFC 9457 has it.
    kind = document.get("kind", "problem") if isinstance(document, dict) else None
    if kind not in (kinds or tuple(locked["documents"])):
        raise Unreadable(
            f"its kind is not {' or '.join(kinds)}" if kinds else "it has no kind that is known"
        )
    shapes = _Shapes(locked["$defs"], _younger(document.get("schema_version", SCHEMA_VERSION)))
    _hold(document, {"$ref": locked["documents"][kind]}, shapes, ())
    checked: dict[str, Any] = document
    return checked


def _younger(said: Any) -> Mapping[str, frozenset[str]]:
    """Definition -> the keys that documents of this schema version do not have.  Raises Unreadable
    where it is of another major version than is known here.
    """
    if not isinstance(said, str) or not _is_version(said):
        raise Unreadable("its schema_version is no version")
    if version(said)[0] != version(SCHEMA_VERSION)[0]:
        raise Unreadable(
            f"it is of schema {said}, and this program reads {SCHEMA_VERSION}: "
            "use a program of the registry's own version"
        )
    return {
        name: frozenset(key for key, since in keys.items() if version(since) > version(said))
        for name, keys in lock()["since"].items()
    }


def _hold(value: Any, schema: Schema, shapes: _Shapes, where: Sequence[str | int]) -> None:
    """Raises Unreadable where a value is not what its schema says.  Choices and forms of text may
    be more than are known here.
    """
    if len(where) > MAX_DEPTH:
        raise _wrong(where[:3], "nests too deep")
    younger: frozenset[str] = frozenset()
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema, younger = shapes.definitions[name], shapes.younger.get(name, younger)
    if "anyOf" in schema:
        schema = next(
            (one for one in schema["anyOf"] if _is(value, one, shapes.definitions)),
            {"type": "one of several types"},
        )
        return _hold(value, schema, shapes, where)
    wanted = schema.get("type")
    if wanted is not None and not _is(value, schema, shapes.definitions):
        raise _wrong(where, f"is not of the type {wanted}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for key in schema.get("required", ()):
            if key not in value:
                if key not in younger:
                    raise _wrong((*where, key), "is missing")
                value[key] = _EMPTY.get(known[key].get("type"), lambda: None)()
        rest = schema.get("additionalProperties")
        for key, part in value.items():
            _hold(
                part,
                known.get(key) or (rest if isinstance(rest, dict) else {}),
                shapes,
                (*where, key),
            )
    elif isinstance(value, list):
        items = schema.get("items", {})
        for number, part in enumerate(value):
            _hold(part, items, shapes, (*where, number))
    elif isinstance(value, int | float):
        if abs(value) > _MAX_NUMBER or value < schema.get("minimum", value):
            raise _wrong(where, "is out of range")
    elif schema.get("format") == "date" and not _is_day(value):
        raise _wrong(where, "is no date")
    return None


def _is(value: Any, schema: Schema, definitions: Schema) -> bool:
    """Whether a value has the type of its schema."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    wanted = schema.get("type")
    if wanted is None:
        return "anyOf" not in schema or any(_is(value, one, definitions) for one in schema["anyOf"])
    # A bool is an int to Python, and no number to JSON.
    return isinstance(value, _TYPES.get(wanted, ())) and (
        wanted == "boolean" or not isinstance(value, bool)
    )


def _wrong(where: Sequence[str | int], what: str) -> Unreadable:
    path = ".".join(printable(str(part))[:40] for part in where)
    return Unreadable(f"{path} {what}")
