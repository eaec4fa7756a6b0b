"""Whether a consumer of one published schema breaks on another: the judge of every change of the
lock file.

A consumer reads keys, branches on types and words, follows addresses and may validate.  So nothing
it was offered may go (kinds, addresses, keys, types, words), and no value may come that it was
never told of (a new type, null among them; a new word where the vocabulary was closed; a bound or a
pattern that was loosened).  Whatever else comes is growth: kinds, addresses, keys, words of an open
vocabulary.  A keyword of JSON Schema that is not known here must stay as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

#: What people read and validators do not.
_WORDS = frozenset({
    "title", "description", "examples", "default", "deprecated", "$comment", "$schema", "$id",
    "$defs",
})  # fmt: skip
_STRUCTURE = frozenset({
    "type", "anyOf", "oneOf", "$ref", "enum", "const", "properties", "required", "items",
    "additionalProperties",
})  # fmt: skip
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})

_BOUNDS = {
    **dict.fromkeys(_LOWER, "lower-bound-loosened"),
    **dict.fromkeys(_UPPER, "upper-bound-loosened"),
    "pattern": "pattern-changed",
    "format": "format-changed",
}

_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


#: Keys that lead to a schema, from the root of the document that it stands in.
Keys = tuple[str | int, ...]


class Break(NamedTuple):
    """One thing that a consumer loses: which rule of the contract that is (generator.guard.rules),
    a path of keys as people say it, what is so in words; where both schemas stand, and what changed
    in them.
    """

    rule: str
    where: str
    words: str
    old: Keys
    new: Keys
    was: Any
    now: Any

    def __str__(self) -> str:
        return f"{self.where}: {self.words}"


class Placed(NamedTuple):
    """A schema, and where it stands."""

    keys: Keys
    schema: Any

    def part(self, *keys: str | int) -> Placed:
        schema = self.schema
        for key in keys:
            schema = schema[key]
        return Placed((*self.keys, *keys), schema)


def breaks(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What a consumer of lock `old` loses with lock `new`, one line each; nothing when the major
    version rose.
    """
    if _major(new) > _major(old):
        return []
    losses = []
    if _major(new) < _major(old):
        versions = f"{old['schema_version']} to {new['schema_version']}"
        losses.append(f"schema_version went back from {versions}")
    for address, kind in old.get("addresses", {}).items():
        now = new.get("addresses", {}).get(address)
        if now != kind:
            loss = f"is {now} and was {kind}" if now else "the address is gone"
            losses.append(f"{address}: {loss}")
    judge = Judge(old["$defs"], new["$defs"], ("$defs",))
    for kind, name in old["documents"].items():
        if kind not in new["documents"]:
            losses.append(f"{kind}: the document is gone")
        else:
            roots = Placed((), {"$ref": name}), Placed((), {"$ref": new["documents"][kind]})
            losses += map(str, judge.compare(kind, *roots))
    return losses


def _major(lock: dict[str, Any]) -> int:
    return int(lock["schema_version"].partition(".")[0])


class Judge:
    """Two sets of definitions, which stand at `base` in their documents.  Each pair of them is
    compared once, where it is met first.
    """

    def __init__(self, old: Mapping[str, Any], new: Mapping[str, Any], base: Keys):
        self.old, self.new, self.base = old, new, base
        self.met: set[tuple[int, int]] = set()

    def compare(self, where: str, old: Placed, new: Placed) -> Iterator[Break]:
        before = _alternatives(old, self.old, self.base)
        after = _alternatives(new, self.new, self.base)
        if before.keys() != after.keys():
            was, now = sorted(before), sorted(after)
            words = f"was {' or '.join(was)}, is {' or '.join(now)}"
            rule = _of_types(before.keys() - after.keys(), after.keys() - before.keys())
            yield Break(rule, where, words, old.keys, new.keys, was, now)
        for kind in sorted(before.keys() & after.keys()):
            yield from _vocabulary(where, before[kind], after[kind])
            if len(before[kind]) != len(after[kind]) and kind in ("object", "array"):
                words = f"another number of {kind} shapes"
                sizes = len(before[kind]), len(after[kind])
                yield Break("shapes-changed", where, words, old.keys, new.keys, *sizes)
            for a, b in zip(before[kind], after[kind], strict=False):
                if (id(a.schema), id(b.schema)) not in self.met:
                    self.met.add((id(a.schema), id(b.schema)))
                    yield from self._one(where, a, b)

    def _one(self, where: str, old: Placed, new: Placed) -> Iterator[Break]:
        """Two schemas of the same single type."""
        before, after = old.schema.get("properties", {}), new.schema.get("properties", {})
        for key, schema in before.items():
            here, there = f"{where}.{key}", (*new.keys, "properties", key)
            placed = old.part("properties", key)
            if key not in after:
                same = [one for one in after if one not in before and alike(after[one], schema)]
                rule, now = ("key-renamed", same[0]) if len(same) == 1 else ("key-gone", None)
                yield Break(rule, here, "the key is gone", placed.keys, there, key, now)
                continue
            if key in old.schema.get("required", ()) and key not in new.schema.get("required", ()):
                words = "the key is no longer always there"
                yield Break("key-optional", here, words, placed.keys, there, True, False)
            yield from self.compare(here, placed, new.part("properties", key))
        if "items" in old.schema:
            items = Placed((*new.keys, "items"), new.schema.get("items", {}))
            yield from self.compare(f"{where}[]", old.part("items"), items)
        others = old.schema.get("additionalProperties", True)
        rest = Placed(
            (*new.keys, "additionalProperties"), new.schema.get("additionalProperties", True)
        )
        if isinstance(others, dict):
            now = rest if isinstance(rest.schema, dict) else rest._replace(schema={})
            yield from self.compare(f"{where}.*", old.part("additionalProperties"), now)
        if others is not False and rest.schema is False:
            words = "the object is no longer open"
            yield Break("object-closed", where, words, old.keys, rest.keys, True, False)
        for keyword in sorted((old.schema.keys() | new.schema.keys()) - _WORDS - _STRUCTURE):
            yield from _bound(where, keyword, old, new)


def alike(one: Any, other: Any) -> bool:
    """Whether two schemas say the same, but for what only people read."""
    return bool(_bare(one) == _bare(other))


def _bare(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {key: _bare(part) for key, part in schema.items() if key not in _WORDS}


def _of_types(gone: set[str], came: set[str]) -> str:
    """The rule that is broken where these types went and came."""
    if gone and came:
        return "type-changed"
    if came:
        return "nullable-added" if came == {"null"} else "type-widened"
    return "null-gone" if gone == {"null"} else "type-narrowed"


def _alternatives(
    placed: Placed, definitions: Mapping[str, Any], base: Keys
) -> dict[str, list[Placed]]:
    """type -> the schemas of that type that a value may have; "anything" where no type is said."""
    schema = placed.schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _alternatives(Placed((*base, name), definitions[name]), definitions, base)
    by_type: dict[str, list[Placed]] = {}
    for keyword in ("anyOf", "oneOf"):
        if schema.get(keyword):
            for number in range(len(schema[keyword])):
                one = placed.part(keyword, number)
                for kind, schemas in _alternatives(one, definitions, base).items():
                    by_type.setdefault(kind, []).extend(schemas)
            return by_type
    kinds = schema.get("type")
    if kinds is None:
        values = schema.get("enum", [schema["const"]] if "const" in schema else [])
        kinds = sorted({_NAMES[type(value)] for value in values}) or "anything"
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        by_type[kind] = [placed]
    return by_type


def _vocabulary(where: str, old: list[Placed], new: list[Placed]) -> Iterator[Break]:
    """Words of the same type: none may go, and none may come unless the vocabulary was open."""
    (before, was_open), (after, is_open) = _known(old), _known(new)
    places = old[0].keys, new[0].keys
    for word in before:
        if word not in after:
            yield Break("word-gone", where, f"{word!r} is gone", *places, word, None)
    if not was_open:
        if is_open:
            words = f"can be anything and was one of {', '.join(map(repr, before))}"
            yield Break("words-opened", where, words, *places, before, None)
        for word in after:
            if word not in before:
                words = f"{word!r} came to words that were closed"
                yield Break("word-added", where, words, *places, None, word)


def _known(schemas: list[Placed]) -> tuple[list[Any], bool]:
    """The words that schemas name, and whether there may be others."""
    known, is_open = [], False
    for _, schema in schemas:
        if "const" in schema:
            known.append(schema["const"])
        elif "enum" in schema:
            known += schema["enum"]
        else:
            is_open = True
    return known, is_open


def _bound(where: str, keyword: str, old: Placed, new: Placed) -> Iterator[Break]:
    """A bound may come or become tighter; a pattern, a format or anything unknown may only come or
    stay.
    """
    was, now = old.schema.get(keyword), new.schema.get(keyword)
    if was is None or was == now:
        return
    tighter = now is not None and (
        (keyword in _LOWER and now > was) or (keyword in _UPPER and now < was)
    )
    if not tighter:
        words = f"{keyword} was {was!r}, is {'gone' if now is None else repr(now)}"
        rule = _BOUNDS.get(keyword, "keyword-changed")
        yield Break(rule, where, words, (*old.keys, keyword), (*new.keys, keyword), was, now)
