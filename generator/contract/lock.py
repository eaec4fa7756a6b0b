"""The lock of the published schemas, the schema of one document, and the tables of fields in
docs/authoring.md.

A build publishes the schemas in the lock.  The lock is generated from generator.contract.published,
which only its generation imports.  `since` has the keys that documents of older versions lack.

The lock is that of the generator with all of its own features.  If records have other fields,
because another package adds some or a feature is not there, the schemas are generated at run time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from generator import PACKAGE
from generator.kinds import Kinds
from generator.kinds.added import with_added
from generator.kinds.declare import OWN_FIELDS, Declared, Field, placed, read_fields
from generator.kinds.record import Record
from generator.text.words import SLUG

#: A closed choice with more values becomes any slug.
_MAX_ENUM = 100
_TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "url": {"type": "string", "format": "uri"},
    "choice": {"type": "string", "pattern": f"^{SLUG}$"},
    "slug": {"type": "string", "pattern": f"^{SLUG}$"},
}


@cache
def definitions(kinds: Kinds) -> dict[str, Any]:
    """The definitions of the published schemas, which callers must not change, with the registry's
    own fields in records and in lists.
    """
    locked = locked_schemas(kinds)["$defs"]
    changed: dict[str, Any] = {}
    for kind in kinds.values():
        if not (kind.own or kind.counters or kind.retired):
            continue
        for form, shown in ("Record", kind.own), ("Summary", [f for f in kind.own if f.listed]):
            shape = locked[name := f"{type_name(kind.kind)}{form}"]
            properties = {f.path[-1]: _property(f, form == "Record") for f in shown}
            fields = {**shape["properties"]["fields"], "properties": properties,
                      "required": list(properties)}  # fmt: skip
            deprecated = {"deprecated": True} if kind.retired else {}
            properties = {**shape["properties"], "fields": fields}
            changed[name] = {**shape, **deprecated, "properties": properties}
    if changed and "Reference" not in locked:
        changed["Reference"] = read_lock()["$defs"]["Reference"]
    return {**locked, **changed}


def type_name(kind: str) -> str:
    """The name of a kind, or of a collection, in the names of schemas: another one than those that
    every registry has.
    """
    name = "".join(map(str.capitalize, kind.replace("-", "_").split("_")))
    return f"Own{name}" if name in _others() else name


@cache
def _others() -> frozenset[str]:
    """The names of schemas that are not those of documents."""
    locked = read_lock()
    return frozenset(locked["$defs"].keys() - locked["documents"].values())


def _property(own: Field, whole: bool) -> dict[str, Any]:
    types = [{"$ref": "#/$defs/Reference"}] if own.refers and whole else _types(own)
    if not own.many and not own.required:
        types.append({"type": "null"})
    value = types[0] if len(types) == 1 else {"anyOf": types}
    if own.many:
        value = {"type": "array", "items": value}
    deprecated = {"deprecated": True} if own.retired else {}
    return {**value, "description": own.words.text, **deprecated}


def _types(own: Field) -> list[dict[str, Any]]:
    """The types of one value.  A choice is an open vocabulary: values may be added later."""
    if 0 < len(own.values) <= _MAX_ENUM:
        return [
            {"type": "string", "enum": list(own.values)},
            {"type": "string", "description": "Words that are added later."},
        ]
    return [_TYPES[own.type]]


LOCK = Path(__file__).with_name("schema.lock.json")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def read_lock() -> dict[str, Any]:
    locked: dict[str, Any] = json.loads(LOCK.read_bytes())
    return locked


@cache
def locked_schemas(kinds: Kinds) -> dict[str, Any]:
    """The schemas of a registry with these kinds, which callers must not change: those in the lock,
    if records have its fields.
    """
    locked = read_lock()
    if not kinds.declares and all(_has_fields(locked, kind) for kind in kinds.values()):
        return locked
    return _generated(locked, kinds)


def _has_fields(locked: dict[str, Any], kind: Declared) -> bool:
    shape = locked["$defs"].get(f"{type_name(kind.kind)}Record", {})
    names = {f.path[0] for f in kind.fields.values() if f.published}
    return names | {"slug", "href", OWN_FIELDS} == set(shape.get("properties", ()))


def _generated(locked: dict[str, Any], kinds: Kinds) -> dict[str, Any]:
    """The schemas of the fields that records have.  Only keys in the lock are required: others
    publish the same format without this package's features.
    """
    from generator.contract.published import generate_lock

    new = generate_lock(kinds, locked)
    for name, shape in new["$defs"].items():
        known = locked["$defs"].get(name, shape).get("required", ())
        if "required" in shape:
            shape["required"] = [key for key in shape["required"] if key in known]
    return {**new, "since": locked["since"]}


def schema_text(value: Any) -> str:
    """A schema for people: indented, with a line break at the end."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def in_order_of(new: Any, old: Any) -> Any:
    """A schema with the keys and the required names of an older one in their order, and then the
    others: fields may be declared in another order.
    """
    if not isinstance(new, dict) or not isinstance(old, dict):
        return new
    found = {key: in_order_of(new[key], old.get(key)) for key in _ordered(new, old)}
    if isinstance(new.get("required"), list):
        found["required"] = _ordered(new["required"], old.get("required", ()))
    return found


def _ordered(new: Iterable[str], old: Iterable[str]) -> list[str]:
    names = list(new)
    return list(dict.fromkeys((*(name for name in old if name in names), *names)))


def add_since(new: dict[str, Any], old: dict[str, Any] | None) -> dict[str, Any]:
    """The generated lock `new` with `since`: definition -> key -> the version that added it.

    Keys in `since` of the `old` lock keep their version.  Other keys that old definitions lack get
    the version of the new lock.
    """
    since: dict[str, dict[str, str]] = {}
    for name, shape in new["$defs"].items():
        if old is None or name not in old["$defs"]:
            continue
        old_since = old.get("since", {}).get(name, {})
        old_keys = old["$defs"][name].get("required", ())
        added = {
            key: old_since.get(key, new["schema_version"])
            for key in shape.get("required", ())
            if key in old_since or key not in old_keys
        }
        if added:
            since[name] = added
    return {**new, "since": since}


def parse_version(text: str) -> tuple[int, ...]:
    """A schema version as numbers, for comparing."""
    return tuple(map(int, text.split(".")))


def document_schema(locked: dict[str, Any], kind: str, address: str) -> dict[str, Any]:
    """The schema of one kind of document with all definitions that it needs (JSON Schema 2020-12).
    `address` becomes its `$id`.
    """
    definitions = locked["$defs"]
    root = definitions[locked["documents"][kind]]
    needed: dict[str, None] = {}
    todo = list(_references(root))
    while todo:
        name = todo.pop()
        if name not in needed:
            needed[name] = None
            todo += _references(definitions[name])
    return {
        "$schema": DIALECT,
        "$id": address,
        **root,
        "$defs": {name: definitions[name] for name in sorted(needed)},
    }


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for part in schema.values():
            yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)


#: The document, in a checkout of the generator.
FIELDS = PACKAGE.parent / "docs" / "authoring.md"
_HEAD = "| field | takes | meaning |\n|---|---|---|\n"
_EACH_RECORD = "Every record"
_OWN_FIELDS = "| `fields` | key: value | the registry's own fields, by key |\n"
#: Type of a field -> what one value is, and what several are.
_TAKES = {
    "prose": ("text, at most {0.greatest:,} characters", ""),
    "slug": ("slug", "list of slugs"),
    "boolean": ("`true` or `false`", ""),
    "date": ("`YYYY-MM-DD`", "list of dates"),
    "time": ("a time", ""),
    "zone": ("an IANA zone, or `AoE`", ""),
    "url": ("URL", "list of URLs"),
    "places": ("", "list of places"),
    "tags": ("family: list of slugs", ""),
    "links": ("key: URL", ""),
    "codes": ("", "list of codes"),
    "text": (
        "one line, {0.least}–{0.greatest} characters",
        "list of lines, {0.least}–{0.greatest} characters each",
    ),
    "year": ("{0.least}–{0.greatest}", ""),
    "integer": ("a whole number, {0.least:,} to {0.greatest:,}", ""),
}  # fmt: skip


def field_tables(text: str, kinds: Kinds) -> str:
    """The document with the tables of all fields that are declared now; a kind that has no section
    yet gets one at the end.
    """
    common = read_fields(with_added(Record))
    common = {name: common[name] for name in placed(common, common)}
    text = _with_table(text, _EACH_RECORD, common.values(), kinds, _OWN_FIELDS)
    for name, kind in kinds.items():
        own = (f for f in kind.common.values() if not f.computed and f.name not in common)
        text = _with_table(text, name.capitalize(), own, kinds)
    return text


def _with_table(
    text: str, title: str, fields: Iterable[Field], kinds: Kinds, last: str = ""
) -> str:
    table = _HEAD + "".join(_line(f, kinds) for f in fields) + last
    if f"\n## {title}\n" not in text:
        return f"{text}\n## {title}\n\n{table}"
    before, after = text.split(f"\n## {title}\n", 1)
    after = re.sub(rf"{re.escape(_HEAD)}(?:\|.*\n)*", lambda _: table, after, count=1)
    return f"{before}\n## {title}\n{after}"


def _line(f: Field, kinds: Kinds) -> str:
    words = f.words.text.rstrip(".")
    if not re.match("[A-Z]{2}", words):
        words = words[:1].lower() + words[1:]
    star = " *" if f.required else ""
    return f"| `{f.name}`{star} | {_takes(f, kinds)} | {words} |\n"


def _takes(f: Field, kinds: Kinds) -> str:
    if f.values:
        return ", ".join(f"`{v}`" + " (default)" * (v == f.default) for v in f.values)
    if f.vocabulary:
        return f"a slug of `{f.vocabulary.setting}`"
    if f.refers:
        kind = kinds[f.refers].kind
        one = f"slug of {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        return f"list of slugs of {f.refers}" if f.many else one
    if f.added:
        return f.added.takes
    return _TAKES[f.type][f.many].format(f)
