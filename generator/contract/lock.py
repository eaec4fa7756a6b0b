"""The lock of the published schemas, and the schema of one document.

A build publishes the schemas in the lock.  The lock is generated from generator.contract.published,
which only its generation imports.  `since` has the keys that documents of older versions lack.

The lock is that of the generator with all of its own features.  If records have other fields,
because another package adds some or a feature is not there, the schemas are generated at run time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generator.kinds.declare import Declared

LOCK = Path(__file__).with_name("schema.lock.json")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def read_lock() -> dict[str, Any]:
    """The content of the lock."""
    locked: dict[str, Any] = json.loads(LOCK.read_bytes())
    return locked


@lru_cache(maxsize=1)
def locked_schemas() -> dict[str, Any]:
    """The published schemas, which callers must not change: those in the lock, if records have its
    fields.
    """
    from generator.kinds import KINDS

    locked = read_lock()
    return locked if all(map(partial(_has_fields, locked), KINDS.values())) else _generated(locked)


def _has_fields(locked: dict[str, Any], kind: Declared) -> bool:
    """Whether a record of a kind has the fields that the lock says."""
    shape = locked["$defs"].get(f"{kind.kind.capitalize()}Record", {})
    names = {f.name for f in kind.fields.values() if f.published}
    return names | {"slug", "href"} == set(shape.get("properties", ()))


def _generated(locked: dict[str, Any]) -> dict[str, Any]:
    """The schemas of the fields that records have.  Only keys in the lock are required: others
    publish the same format without this package's features.
    """
    from generator.contract.published import generate_lock

    new = generate_lock(locked)
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
    """The names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for part in schema.values():
            yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)
