"""The interface of a published state: a flat list of parts, each with its counterpart in a newer
state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.grammar import paths
from generator.grammar.grammar import Collection, Grammar
from generator.guard.node import Node
from generator.guard.published import PublishedState

# --- URI templates --------------------------------------------------------------------------------
#
# Whether a changed URI template (RFC 6570) still gives every address that it gave.


#: An expression of a template: its operator, then names with commas between.
_expressions = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")


class _Form(NamedTuple):
    """A template: its path with expressions, its fixed parameters as `name=value`, and the names of
    its other parameters.  Parameters have no order.
    """

    path: str
    fixed: frozenset[str]
    names: frozenset[str]


def covers(now: str, was: str) -> bool:
    """Whether `now` gives every address that `was` gives: variables may be added, because an
    address is made without those that have no value.
    """
    known = {name for _, names in _expressions.findall(was) for name in names.split(",")}
    old, new = _form(was), _form(now)
    given = {pair.partition("=")[0] for pair in old.fixed - new.fixed}
    return (
        _expressions.sub(lambda found: _with_names(found, known), new.path) == old.path
        and new.fixed <= old.fixed
        and given | old.names <= new.names
    )


def _form(template: str) -> _Form:
    names: set[str] = set()

    def without_query(found: re.Match[str]) -> str:
        if found[1] not in ("?", "&"):
            return found[0]
        names.update(found[2].split(","))
        return ""

    path, _, query = _expressions.sub(without_query, template).partition("?")
    return _Form(path, frozenset(filter(None, query.split("&"))), frozenset(names))


def _with_names(found: re.Match[str], known: set[str]) -> str:
    """An expression with the known ones of its variables; no expression if there are none."""
    kept = ",".join(name for name in found[2].split(",") if name in known)
    return f"{{{found[1]}{kept}}}" if kept else ""


# --- the interface --------------------------------------------------------------------------------


#: The documents of every registry, besides the filters of each collection.
_EVERYWHERE = (
    paths.INDEX,
    paths.BUILD,
    paths.DASHBOARD,
    paths.CHANGES,
    paths.COVERAGE,
    paths.OPENAPI,
    paths.AGENT_CATALOG,
    paths.AGENT_SCHEMA,
    paths.AGENT_TOOLS,
)
#: Filters whose labels a registry decides.  Others have names of records, or follow from the value.
_LABELLED = ("organization_category", "category", "type", "status", "kind")


class Part(NamedTuple):
    """A part of the older state: its feature, which decides its rules; the text before its name in
    messages; its name; and its values in both states.
    """

    feature: str
    prefix: str
    name: str
    old: Node
    new: Node

    @property
    def subject(self) -> str:
        return self.prefix + self.name


def interface_parts(old: PublishedState, new: PublishedState) -> Iterator[Part]:
    """Every part of the older state; `new` is a missing value if the newer state lacks it."""

    def both(path: str, *keys: str | int) -> tuple[Node, Node]:
        return old.document(path).at(*keys), new.document(path).at(*keys)

    collections = Grammar({}).collections.values()
    for path in (*_EVERYWHERE, *(collection.filters_path for collection in collections)):
        document = both(path)
        missing = document[0] and not document[1]
        yield Part("missing document" if missing else "document", "", path, *document)
    yield Part("registry", "", "", *both(paths.INDEX))
    yield Part("build", "", "", *both(paths.BUILD))
    yield Part("server", "", "base_url", *both(paths.OPENAPI, "servers", 0, "url"))
    yield from _own_fields(*both(paths.INDEX, "data", "fields"))
    tags = both(paths.DASHBOARD, "data", "tags")
    if tags[1]:
        yield from _members("family", "tags.", *tags)
    for code in enumerated(old.document(paths.OPENAPI), paths.problem_path("{code}"), "code"):
        problem = both(paths.problem_path(code))
        if problem[0]:
            yield Part("problem", "", code, *problem)
    for collection in collections:
        index = both(collection.manifest_path)
        yield Part("search index", "", collection.name, *index)
        columns = (node["columns"] for node in index)
        yield from _members("column", f"{collection.name} ", *columns)
        yield from _filters(collection, *both(collection.filters_path, "data"))
    for operation in operations(*both(paths.OPENAPI, "paths")):
        yield operation
        parameters = operation.old["parameters"], operation.new["parameters"]
        yield from _parameters(f"{operation.subject} ", *parameters)
    yield from _tools(*both(paths.AGENT_TOOLS, "data", "tools"))


def _members(feature: str, prefix: str, old: Node, new: Node) -> Iterator[Part]:
    for name, value in old.members.items():
        yield Part(feature, prefix, name, value, new[name])


def _named(feature: str, prefix: str, key: str, old: Node, new: Node) -> Iterator[Part]:
    """The objects of an array, matched by the text of their member `key`."""
    now = new.named(key)
    for name, value in old.named(key).items():
        yield Part(feature, prefix, name, value, now.get(name) or new.missing_item())


def _own_fields(old: Node, new: Node) -> Iterator[Part]:
    for collection, fields in old.members.items():
        for field in _members("own field", f"{collection} fields.", fields, new[collection]):
            yield field
            words = field.old["values"], field.new["values"]
            if words[1].members:
                yield from _members("own word", f"{field.subject} ", *words)


def _filters(collection: Collection, old: Node, new: Node) -> Iterator[Part]:
    for part in _members("filter", f"{collection.name} ", old, new):
        yield part
        if part.name in _LABELLED or part.name.startswith("tag_"):
            values = part.old["values"], part.new["values"]
            yield from _named("value", f"{part.subject} ", "value", *values)


def operations(old: Node, new: Node) -> Iterator[Part]:
    """The operations of both states, from the `paths` of openapi.json."""
    for path, methods in old.members.items():
        for method, a in methods.members.items():
            b = new[path][method]
            if b:
                yield Part("operation", f"{method.upper()} ", path, a, b)


def _parameters(prefix: str, old: Node, new: Node) -> Iterator[Part]:
    for parameter in _named("parameter", prefix, "name", old, new):
        yield parameter
        if parameter.new:
            schemas = parameter.old["schema"], parameter.new["schema"]
            yield from _schemas("parameter schema", prefix, parameter.name, *schemas)
    for name in missing_words([*new.named("name")], [*old.named("name")]):
        yield Part("new parameter", prefix, name, old, new.named("name")[name])


def _schemas(feature: str, prefix: str, name: str, old: Node, new: Node) -> Iterator[Part]:
    """The schema of an input, after the schemas in it."""
    choices = zip(old["anyOf"].items, new["anyOf"].items, strict=False)
    for a, b in [*choices, (old["items"], new["items"])]:
        if a and b:
            yield from _schemas(feature, prefix, name, a, b)
    yield Part(feature, prefix, name, old, new)


def _tools(old: Node, new: Node) -> Iterator[Part]:
    for tool in _named("tool", "", "name", old, new) if new else ():
        yield tool
        name, a, b = tool.name, tool.old, tool.new
        if b:
            yield from _inputs(name, a["input"], b["input"])
            yield from _members("template", f"{name} ", a["templates"], b["templates"])
            yield from _members("bound", name, a["bounds"], b["bounds"])


def _inputs(subject: str, old: Node, new: Node) -> Iterator[Part]:
    """The properties of the input of a tool, and of objects in it."""
    prefix = f"{subject} "
    for name, a in old["properties"].members.items() if new["properties"] else ():
        b = new["properties"][name]
        yield Part("tool input", prefix, name, a, b)
        if b:
            yield from _schemas("tool-input schema", prefix, name, a, b)
            yield from _inputs(f"{prefix}{name}", a, b)
    if old["properties"]:
        for name in missing_words(new["required"].texts, old["required"].texts):
            yield Part("new need", prefix, name, old["required"], new["required"])


def enumerated(openapi: Node, path: str, name: str) -> list[str]:
    """The words that a parameter of an address can have."""
    parameters = openapi.at("paths", path, "get", "parameters").named("name")
    return parameters[name].at("schema", "enum").texts if name in parameters else []


def missing_words(was: Sequence[str], now: Sequence[str]) -> list[str]:
    """The words of `was` that are not in `now`, in order."""
    return [word for word in was if word not in now]
