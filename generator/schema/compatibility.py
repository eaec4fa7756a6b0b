"""Whether a consumer of one published schema breaks on another: the judge of every change of the
lock file.

A consumer reads keys, branches on types and words, follows addresses and may validate.  So nothing
it was offered may go (kinds, addresses, keys, types, words), and no value may come that it was
never told of (a new type, null among them; a new word where the vocabulary was closed; a bound or a
pattern that was loosened).  Whatever else comes is growth: kinds, addresses, keys, words of an open
vocabulary.  A keyword of JSON Schema that is not known here must stay as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: What people read and validators do not.
_WORDS = frozenset(
    {
        "title",
        "description",
        "examples",
        "default",
        "deprecated",
        "$comment",
        "$schema",
        "$id",
        "$defs",
    }
)
_STRUCTURE = frozenset(
    {
        "type",
        "anyOf",
        "oneOf",
        "$ref",
        "enum",
        "const",
        "properties",
        "required",
        "items",
        "additionalProperties",
    }
)
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})

_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def breaks(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What a consumer of lock `old` loses with lock `new`, one line each; nothing when the major
    version rose.
    """
    if _major(new) > _major(old):
        return []
    losses = (
        [f"schema_version went back from {old['schema_version']} to {new['schema_version']}"]
        if _major(new) < _major(old)
        else []
    )
    for address, kind in old.get("addresses", {}).items():
        now = new.get("addresses", {}).get(address)
        if now != kind:
            losses.append(
                f"{address}: {f'is {now} and was {kind}' if now else 'the address is gone'}"
            )
    judge = _Judge(old["$defs"], new["$defs"])
    for kind, name in old["documents"].items():
        if kind not in new["documents"]:
            losses.append(f"{kind}: the document is gone")
        else:
            losses += judge.compare(kind, {"$ref": name}, {"$ref": new["documents"][kind]})
    return losses


def _major(lock: dict[str, Any]) -> int:
    return int(lock["schema_version"].partition(".")[0])


class _Judge:
    """Two sets of definitions.  Each pair of them is compared once, where it is met first."""

    def __init__(self, old: dict[str, Any], new: dict[str, Any]):
        self.old, self.new = old, new
        self.met: set[tuple[int, int]] = set()

    def compare(self, where: str, old: Any, new: Any) -> Iterator[str]:
        before, after = _alternatives(old, self.old), _alternatives(new, self.new)
        if before.keys() != after.keys():
            yield f"{where}: was {' or '.join(sorted(before))}, is {' or '.join(sorted(after))}"
        for kind in sorted(before.keys() & after.keys()):
            yield from _vocabulary(where, before[kind], after[kind])
            if len(before[kind]) != len(after[kind]) and kind in ("object", "array"):
                yield f"{where}: another number of {kind} shapes"
            for a, b in zip(before[kind], after[kind], strict=False):
                if (id(a), id(b)) not in self.met:
                    self.met.add((id(a), id(b)))
                    yield from self._one(where, a, b)

    def _one(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
        """Two schemas of the same single type."""
        for key, schema in old.get("properties", {}).items():
            if key not in new.get("properties", {}):
                yield f"{where}.{key}: the key is gone"
                continue
            if key in old.get("required", ()) and key not in new.get("required", ()):
                yield f"{where}.{key}: the key is no longer always there"
            yield from self.compare(f"{where}.{key}", schema, new["properties"][key])
        if "items" in old:
            yield from self.compare(f"{where}[]", old["items"], new.get("items", {}))
        others, now = old.get("additionalProperties", True), new.get("additionalProperties", True)
        if isinstance(others, dict):
            yield from self.compare(f"{where}.*", others, now if isinstance(now, dict) else {})
        if others is not False and now is False:
            yield f"{where}: the object is no longer open"
        for keyword in sorted((old.keys() | new.keys()) - _WORDS - _STRUCTURE):
            yield from _bound(where, keyword, old.get(keyword), new.get(keyword))


def _alternatives(schema: Any, definitions: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """type -> the schemas of that type that a value may have; "anything" where no type is said."""
    if "$ref" in schema:
        return _alternatives(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    by_type: dict[str, list[dict[str, Any]]] = {}
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        for choice in choices:
            for kind, schemas in _alternatives(choice, definitions).items():
                by_type.setdefault(kind, []).extend(schemas)
        return by_type
    kinds = schema.get("type")
    if kinds is None:
        values = schema.get("enum", [schema["const"]] if "const" in schema else [])
        kinds = sorted({_NAMES[type(value)] for value in values}) or "anything"
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        by_type[kind] = [schema]
    return by_type


def _vocabulary(where: str, old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[str]:
    """Words of the same type: none may go, and none may come unless the vocabulary was open."""
    (before, was_open), (after, is_open) = _known(old), _known(new)
    for word in before:
        if word not in after:
            yield f"{where}: {word!r} is gone"
    if not was_open:
        if is_open:
            yield f"{where}: can be anything and was one of {', '.join(map(repr, before))}"
        for word in after:
            if word not in before:
                yield f"{where}: {word!r} came to words that were closed"


def _known(schemas: list[dict[str, Any]]) -> tuple[list[Any], bool]:
    """The words that schemas name, and whether there may be others."""
    known, is_open = [], False
    for schema in schemas:
        if "const" in schema:
            known.append(schema["const"])
        elif "enum" in schema:
            known += schema["enum"]
        else:
            is_open = True
    return known, is_open


def _bound(where: str, keyword: str, old: Any, new: Any) -> Iterator[str]:
    """A bound may come or become tighter; a pattern, a format or anything unknown may only come or
    stay.
    """
    if old is None or old == new:
        return
    tighter = new is not None and (
        (keyword in _LOWER and new > old) or (keyword in _UPPER and new < old)
    )
    if not tighter:
        yield f"{where}: {keyword} was {old!r}, is {'gone' if new is None else repr(new)}"
