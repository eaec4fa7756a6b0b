"""The lock of the published schemas, the schema of one document, and the addresses of documents.

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
from typing import Any, NamedTuple

from generator.grammar import paths
from generator.grammar.grammar import Collection, Grammar, Slice
from generator.kinds import KINDS
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


class Address(NamedTuple):
    """Canonical files of one shape: their path with `{name}` placeholders, the kind of document,
    and a description.  `{value}` is a value of `filter` in `collection`.
    """

    template: str
    kind: str
    description: str
    collection: str = ""
    filter: str = ""


_FIRST = (
    Address(paths.INDEX, "index", "Everything that the API publishes"),
    Address(paths.DASHBOARD, "dashboard", "The whole registry in one answer"),
    Address(paths.BUILD, "build", "When and from what the registry was built"),
    Address(paths.CHANGES, "change_list", "The latest new, changed and removed records"),
    Address(paths.REMOVED, "removed_list", "The records that were removed for good"),
    Address(paths.COVERAGE, "coverage", "How recent and how complete the records are"),
    Address(paths.MANIFEST_ROOT, "manifest_root",
            "The root of the manifest of what is published"),
    Address(paths.MANIFEST_SNAPSHOT, "manifest_snapshot", "The hash of each bin"),
    Address(paths.manifest_part("{number}"), "manifest_snapshot",
            "The hash of each of some bins, if there are very many"),
    Address(paths.manifest_bin("{number}"), "manifest_bin",
            "Path, size and SHA-256 of some files"),
)  # fmt: skip
_LAST = (
    Address(paths.problem_path("{code}"), "problem", "A problem of a query"),
    Address(paths.schema_path("{kind}"), "schema", "The JSON Schema of one kind of document"),
    Address(paths.OPENAPI, "openapi", "The API in OpenAPI 3.1"),
    Address(paths.AGENT_CATALOG, "agent_catalog",
            "What an agent can read, how large it is and in which order"),
    Address(paths.AGENT_SCHEMA, "agent_schema",
            "What every field means, with an example of each kind"),
    Address(paths.AGENT_TOOLS, "agent_tools", "The queries as tools"),
    Address(paths.AGENT_OVERVIEW, "context", "An overview of the registry, to paste into a prompt"),
)  # fmt: skip


def addresses(grammar: Grammar) -> Iterator[Address]:
    """The addresses of all canonical files of the API, without the prefix."""
    yield from _FIRST
    for collection in grammar.collections.values():
        yield from _collection_addresses(collection)
    events = grammar.events
    words = f"The {events.many} as iCalendar, upcoming and of the past year"
    yield Address(Slice(events).feed, "calendar", words, events.name)
    for name in events.feeds:
        words = f"The {events.many} of one {name} as iCalendar, upcoming and of the past year"
        yield Address(Slice(events, name, "{value}").feed, "calendar", words, events.name, name)
    # Those of features on request are here, because the lock and OpenAPI have one order.
    if grammar.by_id:
        template = paths.identified("{scheme}", "{digest}")
        yield Address(template, "identified", "The records with an identifier")
    if "changes" in grammar.asked:
        words = "Every change of a record, the oldest first"
        yield Address(paths.change_page("{page}"), "change_page", words)
    yield from _LAST
    for c in map(grammar.collections.__getitem__, grammar.contexts):
        words = f"Facts about one {c.one}, to paste into a prompt"
        yield Address(paths.agent_context(c.name, "{slug}"), "context", words, c.name)


def _collection_addresses(c: Collection) -> Iterator[Address]:
    noun, pages = c.many, f"{c.kind}_list"
    yield Address(Slice(c).path("{page}"), pages, f"All {noun}", c.name)
    for sort in c.prepared_sorts[1:]:
        path = Slice(c, sort=sort).path("{page}")
        yield Address(path, pages, f"All {noun}, sorted by {sort}", c.name)
    for f, virtual_slice in c.virtual_slices():
        yield Address(virtual_slice.path("{page}"), pages, f"{c.label} {f.label}", c.name)
    for f in c.prepared_filters.values():
        path = Slice(c, f.name, "{value}").path("{page}")
        words = f"The {noun} with one value of {f.name} ({f.label})"
        yield Address(path, pages, words, c.name, f.name)
    yield Address(c.record_path("{slug}"), c.kind, f"One whole record of the {noun}", c.name)
    words = f"The filters of {noun}, each with its most frequent values"
    yield Address(c.filters_path, "filter_list", words, c.name)
    for f in c.listed_filters.values():
        words = f"All values of {f.name} ({f.label}) among {noun}"
        yield Address(c.filter_path(f.name), "filter", words, c.name)
