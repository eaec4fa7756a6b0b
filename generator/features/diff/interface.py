"""The interface of a published state as a flat list of parts, each with its counterpart in a newer
state: documents, settings, filters, addresses, parameters of queries and of tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.features.diff.kinds import KindChanges
from generator.grammar import paths
from generator.grammar.grammar import Collection
from generator.guard.finding import Node
from generator.guard.published import PublishedState

#: The documents of every registry, besides the filters of each collection.
_EVERYWHERE = (
    paths.INDEX, paths.BUILD, paths.DASHBOARD, paths.CHANGES, paths.COVERAGE, paths.OPENAPI,
    paths.AGENT_CATALOG, paths.AGENT_SCHEMA, paths.AGENT_TOOLS,
)  # fmt: skip
#: Filters whose labels a registry decides.  Others have names of records, or follow from the value.
_LABELLED = ("organization_category", "category", "type", "status", "kind")
#: Parameters whose values are filters or files, which are parts of their own.
_LISTED_ELSEWHERE = ("by", "code", "kind", "value", "slug")


class Pair(NamedTuple):
    """A part of the older state: what it is, which decides its rules; its subject in messages; its
    name; and its values in both states, of which the newer may be missing.
    """

    what: str
    subject: str
    name: str
    old: Node
    new: Node


def interface_parts(old: PublishedState, new: PublishedState, kinds: KindChanges) -> Iterator[Pair]:
    """Every part of the older state, and what the newer state requires."""

    def both(path: str, *keys: str | int) -> tuple[Node, Node]:
        return old.document(path).at(*keys), new.document(path).at(*keys)

    collections = old.grammar.collections.values()
    for path in (*_EVERYWHERE, *(collection.filters_path for collection in collections)):
        yield Pair("document", path, path, *both(path))
    yield Pair("index", "", "", *both(paths.INDEX))
    yield Pair("build", "", "", *both(paths.BUILD))
    yield Pair("server", "base_url", "", *both(paths.OPENAPI, "servers", 0, "url"))
    yield Pair("search index", "", "", *both(next(iter(collections)).manifest_path))
    yield from _surfaces(old, new)
    for name, a, b in kinds.pairs():
        yield Pair("kind", name, name, a, b)
    for name, a, b in kinds.own_fields():
        yield from _own_fields(name, a, b, labelled=not kinds.old[name].is_own)
    for collection in collections:
        yield from _filters(collection, *both(collection.filters_path, "data"))
    yield from _filter_values(*both(paths.OPENAPI, "components", "schemas"))
    before, after = both(paths.OPENAPI, "paths")
    for path, methods in before.members.items() if after else ():
        yield Pair("address", path, path, methods, after[path])
        for method, a in methods.members.items():
            if b := after[path][method]:
                subject = f"{method.upper()} {path}"
                yield Pair("operation", subject, path, a, b)
                yield from _parameters(subject, a["parameters"], b["parameters"])
    tools = both(paths.AGENT_TOOLS, "data", "tools")
    for name, a, b in _named("name", *tools) if tools[1] else ():
        yield Pair("tool", name, name, a, b)
        if b:
            yield from _inputs(name, a["input"], b["input"])


def _named(key: str, old: Node, new: Node) -> Iterator[tuple[str, Node, Node]]:
    """The objects of an array, matched by the text of their member `key`."""
    now = new.named(key)
    for name, value in old.named(key).items():
        yield name, value, now.get(name) or new.missing_item()


def _values(what: str, subject: str, old: Node, new: Node) -> Iterator[Pair]:
    """The values of an enumeration; none if the newer state allows any value."""
    for value in old.texts if new else ():
        yield Pair(what, subject, value, old, new if value in new.texts else new.missing_item())


def _surfaces(old: PublishedState, new: PublishedState) -> Iterator[Pair]:
    """Documents in the index without those of collections, with the beginnings of addresses."""

    def address(state: PublishedState, surface: Node) -> Node:
        node = surface["href"] if surface["href"].text else surface["template"]
        begin = re.split(r"[{?]", state.path_of(node.text))[0]
        return Node(node.path, begin, node.keys, node.whole)

    lists = [state.document(paths.INDEX).at("data", "surfaces") for state in (old, new)]
    for name, a, b in _named("name", *lists) if lists[1] else ():
        if name == "site":
            if not new.has_site:
                yield Pair("site", name, name, a, b)
        elif name.partition("_")[0] not in old.grammar.collections:
            yield Pair("surface", name, name, a, b)
            if b:
                yield Pair("surface address", name, name, address(old, a), address(new, b))


def _own_fields(collection: str, old: Node, new: Node, *, labelled: bool) -> Iterator[Pair]:
    for name, a in old.members.items():
        subject, b = f"{collection} fields.{name}", new[name]
        yield Pair("own field", subject, name, a, b)
        values = b["values"].members
        for value, label in a["values"].members.items() if values else ():
            yield Pair("own value", subject, value, label, b["values"][value])
            if labelled:
                yield Pair("label", f"{subject} {value}", value, label, b["values"][value])
        if labelled:
            yield Pair("label", subject, name, a["label"], b["label"])


def _filters(collection: Collection, old: Node, new: Node) -> Iterator[Pair]:
    for name, a in old.members.items() if new else ():
        subject, b = f"{collection.name} {name}", new[name]
        yield Pair("filter", subject, name, a, b)
        if not _is_related(collection, name):
            yield Pair("label", subject, name, a["label"], b["label"])
        if name in _LABELLED or name.startswith("tag_"):
            for value, was, now in _named("value", a["values"], b["values"]):
                yield Pair("label", f"{subject} {value}", value, was["label"], now["label"])


def _is_related(collection: Collection, name: str) -> bool:
    """Whether a filter is of an own kind or of an own relation, whose labels may change."""
    relations = [f.filter for f in collection.declared.own if f.refers and f.filter]
    return collection.declared.is_own or any(
        name == known or name.startswith(f"{known}_") for known in relations
    )


def _filter_values(old: Node, new: Node) -> Iterator[Pair]:
    """The schemas of the values of filters, by `collection.filter`: each value has a list."""
    for name, a in old.members.items():
        if "." in name and (b := new[name]):
            subject = name.replace(".", " ")
            yield from _values("filter value", subject, a["enum"], b["enum"])
            yield Pair("schema", subject, name, a, b)


def _parameters(subject: str, old: Node, new: Node) -> Iterator[Pair]:
    for name, a, b in _named("name", old, new):
        yield Pair("parameter", f"{subject} {name}", name, a, b)
        yield from _schemas(f"{subject} {name}", name, a["schema"], b["schema"])
    was = old.named("name")
    for name, parameter in new.named("name").items():
        needed = name in was and was[name]["required"].plain
        if parameter["required"].plain is True and not needed:
            yield Pair("need", f"{subject} {name}", name, was.get(name, old), parameter)


def _inputs(subject: str, old: Node, new: Node) -> Iterator[Pair]:
    """The properties of the input of a tool, and of objects in it."""
    for name, a in old["properties"].members.items() if new["properties"] else ():
        b = new["properties"][name]
        yield Pair("parameter", f"{subject} {name}", name, a, b)
        yield from _schemas(f"{subject} {name}", name, a, b)
        yield from _inputs(f"{subject} {name}", a, b)
    for name in new["required"].texts if old["properties"] else ():
        if name not in old["required"].texts:
            yield Pair("need", f"{subject} {name}", name, old["required"], new["required"])


def _schemas(subject: str, name: str, old: Node, new: Node) -> Iterator[Pair]:
    """The schema of a parameter, after the schemas in it, and its values."""
    if not old or not new:
        return
    for a, b in [*zip(old["anyOf"].items, new["anyOf"].items, strict=False),
                 (old["items"], new["items"])]:  # fmt: skip
        yield from _schemas(subject, name, a, b)
    yield Pair("schema", subject, name, old, new)
    if name == "sort":
        yield from _values("sort", subject, old["enum"], new["enum"])
        yield Pair("first sort", subject, name, old["enum"][0], new["enum"][0])
    elif name not in _LISTED_ELSEWHERE:
        yield from _values("parameter value", subject, old["enum"], new["enum"])
