"""Compares two published schemas: does a consumer of the old schema break on the new one?

Consumers read keys, branch on types and words, follow addresses and may validate.  So no kind,
address, key, type or word may go, and no value may come that the old schema excluded: a new type
(also null), a new word of a closed vocabulary, a value past a bound or outside a pattern.  New
kinds, addresses, keys and words of an open vocabulary are allowed.  Keywords of JSON Schema that
are unknown here must not change.

It is of the core because `registry schema` compares the lock with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.guard.finding import Finding, Keys, Node, broken_rule

#: Keywords for people, which validators ignore.
_WORDS = {
    "title", "description", "examples", "default", "deprecated", "$comment", "$schema", "$id",
    "$defs",
}  # fmt: skip
_STRUCTURE = {
    "type", "anyOf", "oneOf", "$ref", "enum", "const", "properties", "required", "items",
    "additionalProperties",
}  # fmt: skip
LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")

#: Keys that were announced to become null: only events with `rolling: true` have no end.
_MAY_BE_NULL = (".ends_at", ".ends_local")

_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def find_breaks(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """The changes of a lock that break consumers, one line each, if the major version stays."""
    if _major(new) > _major(old):
        return []
    losses = []
    if _major(new) < _major(old):
        versions = f"{old['schema_version']} to {new['schema_version']}"
        losses.append(f"schema_version went back from {versions}")
    for address, kind in old.get("addresses", {}).items():
        now = new.get("addresses", {}).get(address)
        if now != kind:
            words = f"was {kind} and is now {now}" if now else "the address is gone"
            losses.append(f"{address}: {words}")
    judge = Judge(("$defs",))
    for kind, name in old["documents"].items():
        if kind not in new["documents"]:
            losses.append(f"{kind}: the document is gone")
        else:
            roots = _root(old, name), _root(new, new["documents"][kind])
            losses += [f"{f.subject}: {f.words}" for f in judge.compare(kind, *roots)]
    return losses


def _root(lock: dict[str, Any], name: str) -> Node:
    return Node("", {"$ref": name}, (), Node("", lock))


def _major(lock: dict[str, Any]) -> int:
    return int(lock["schema_version"].partition(".")[0])


class Judge:
    """Compares each pair of schemas once; the definitions are at the keys `base`."""

    def __init__(self, base: Keys):
        self.base = base
        self._compared: set[tuple[int, int]] = set()

    def compare(self, where: str, old: Node, new: Node) -> Iterator[Finding]:
        before, after = self._alternatives(old), self._alternatives(new)
        announced = where.endswith(_MAY_BE_NULL) and after.keys() - before.keys() == {"null"}
        if before.keys() != after.keys() and not announced:
            was, now = sorted(before), sorted(after)
            words = f"was {' or '.join(was)}, is {' or '.join(now)}"
            yield broken_rule("type-changed", where, words, old, new, was, now)
        for kind in sorted(before.keys() & after.keys()):
            yield from _vocabulary(where, before[kind], after[kind])
            if len(before[kind]) != len(after[kind]) and kind in ("object", "array"):
                words = f"the number of {kind} shapes changed"
                sizes = len(before[kind]), len(after[kind])
                yield broken_rule("type-changed", where, words, old, new, *sizes)
            for a, b in zip(before[kind], after[kind], strict=False):
                if (id(a.value), id(b.value)) not in self._compared:
                    self._compared.add((id(a.value), id(b.value)))
                    yield from self._keys(where, a, b)
                    yield from self._values(where, a, b)
                    for keyword in sorted((a.value.keys() | b.value.keys()) - _WORDS - _STRUCTURE):
                        yield from _bound(where, keyword, a[keyword], b[keyword])

    def _keys(self, where: str, old: Node, new: Node) -> Iterator[Finding]:
        """The declared keys of two schemas of the same single type."""
        for key in old.value.get("properties", {}):
            path, a, b = f"{where}.{key}", old.at("properties", key), new.at("properties", key)
            if not b:
                yield broken_rule("key-gone", path, "the key is gone", a, b, key, None)
                continue
            if key in old.value.get("required", ()) and key not in new.value.get("required", ()):
                words = "the key is no longer always there"
                yield broken_rule("key-optional", path, words, a, b, True, False)
            yield from self.compare(path, a, b)

    def _values(self, where: str, old: Node, new: Node) -> Iterator[Finding]:
        """The items of two schemas of the same single type, and the values of other keys."""
        if "items" in old.value:
            yield from self.compare(f"{where}[]", old["items"], new["items"].filled({}))
        a, b = old["additionalProperties"], new["additionalProperties"]
        if isinstance(a.value, dict):
            now = b if isinstance(b.value, dict) else Node(b.path, {}, b.keys, b.whole)
            yield from self.compare(f"{where}.*", a, now)
        if a.value is not False and b.value is False:
            words = "the object is no longer open"
            yield broken_rule("keyword-changed", where, words, old, b, True, False)

    def _alternatives(self, node: Node) -> dict[str, list[Node]]:
        """type -> the alternative schemas of that type; the type is "anything" if not given."""
        schema = node.value
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            target = node.whole.at(*self.base, name)
            if not target:
                raise KeyError(name)
            return self._alternatives(target)
        by_type: dict[str, list[Node]] = {}
        for keyword in ("anyOf", "oneOf"):
            if schema.get(keyword):
                for number in range(len(schema[keyword])):
                    for kind, schemas in self._alternatives(node[keyword][number]).items():
                        by_type.setdefault(kind, []).extend(schemas)
                return by_type
        kinds = schema.get("type")
        if kinds is None:
            values = schema.get("enum", [schema["const"]] if "const" in schema else [])
            kinds = sorted({_NAMES[type(value)] for value in values}) or "anything"
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            by_type[kind] = [node]
        return by_type


def _vocabulary(where: str, old: list[Node], new: list[Node]) -> Iterator[Finding]:
    """No word of a type may go, and none may come unless the vocabulary was open."""
    (before, was_open), (after, is_open) = _known(old), _known(new)
    places = old[0], new[0]
    for word in before:
        if word not in after:
            yield broken_rule("word-gone", where, f"{word!r} is gone", *places, word, None)
    if not was_open:
        if is_open:
            words = f"was {' or '.join(map(repr, before))} and can now be anything"
            yield broken_rule("word-added", where, words, *places, before, None)
        for word in after:
            if word not in before:
                words = f"{word!r} is new in a closed vocabulary"
                yield broken_rule("word-added", where, words, *places, None, word)


def _known(schemas: list[Node]) -> tuple[list[Any], bool]:
    """The words that schemas name, and whether other values are allowed."""
    known, is_open = [], False
    for schema in schemas:
        if "const" in schema.value:
            known.append(schema.value["const"])
        elif "enum" in schema.value:
            known += schema.value["enum"]
        else:
            is_open = True
    return known, is_open


def _bound(where: str, keyword: str, old: Node, new: Node) -> Iterator[Finding]:
    """A bound may only be added or tightened.  Any other keyword may only be added."""
    was, now = old.plain, new.plain
    if was is None or was == now:
        return
    tighter = now is not None and (
        (keyword in LEAST and now > was) or (keyword in MOST and now < was)
    )
    if not tighter:
        words = f"{keyword} was {was!r}, is {'gone' if now is None else repr(now)}"
        yield broken_rule("keyword-changed", where, words, old, new, was, now)
