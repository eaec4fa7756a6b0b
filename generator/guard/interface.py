"""What a published state offers its readers, as one flat list of parts, each with its counterpart
in a newer state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.grammar import paths
from generator.grammar.grammar import Collection, Grammar
from generator.guard.finding import went
from generator.guard.node import Node
from generator.guard.published import Published

#: Every registry has them; the filters of each collection are added.
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
#: Filters whose values have labels that a registry decides; the others' are names of records, or
#: follow from the value.
_LABELLED = ("organization_category", "category", "type", "status", "kind")


class Part(NamedTuple):
    """A part of the older state: its feature, which decides the rules that hold for it; its name,
    after what people say before it; and the values of both states.
    """

    feature: str
    prefix: str
    name: str
    old: Node
    new: Node

    @property
    def subject(self) -> str:
        return self.prefix + self.name


def parts(old: Published, new: Published) -> Iterator[Part]:
    """Every part of the older state; `new` is a missing value where the newer one has none."""

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
        asked = operation.old["parameters"], operation.new["parameters"]
        yield from _parameters(f"{operation.subject} ", *asked)
    yield from _tools(*both(paths.AGENT_TOOLS, "data", "tools"))


def _members(feature: str, prefix: str, old: Node, new: Node) -> Iterator[Part]:
    for name, value in old.members.items():
        yield Part(feature, prefix, name, value, new[name])


def _named(feature: str, prefix: str, key: str, old: Node, new: Node) -> Iterator[Part]:
    """The objects of an array, by the text that each has at a key."""
    now = new.named(key)
    for name, value in old.named(key).items():
        yield Part(feature, prefix, name, value, now.get(name) or new.absent())


def _own_fields(old: Node, new: Node) -> Iterator[Part]:
    for collection, fields in old.members.items():
        for field in _members("own field", f"{collection} fields.", fields, new[collection]):
            yield field
            words = field.old["values"], field.new["values"]
            if words[1].members:
                yield from _members("own word", f"{field.subject} ", *words)


def _filters(collection: Collection, old: Node, new: Node) -> Iterator[Part]:
    for known in _members("filter", f"{collection.name} ", old, new):
        yield known
        if known.name in _LABELLED or known.name.startswith("tag_"):
            values = known.old["values"], known.new["values"]
            yield from _named("value", f"{known.subject} ", "value", *values)


# --- what is asked --------------------------------------------------------------------------------


def operations(old: Node, new: Node) -> Iterator[Part]:
    """What both states answer, by the `paths` of openapi.json."""
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
            yield from _taken("parameter schema", prefix, parameter.name, *schemas)
    for name in went([*new.named("name")], [*old.named("name")]):
        yield Part("new parameter", prefix, name, old, new.named("name")[name])


def _taken(feature: str, prefix: str, name: str, old: Node, new: Node) -> Iterator[Part]:
    """A schema of what is taken, and the schemas in it."""
    choices = [node["anyOf"].value for node in (old, new)]
    some = min(len(each) if isinstance(each, list) else 0 for each in choices)
    inner = [(old["anyOf"][n], new["anyOf"][n]) for n in range(some)]
    for a, b in [*inner, (old["items"], new["items"])]:
        if a and b:
            yield from _taken(feature, prefix, name, a, b)
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
    """The properties of an object that a tool takes, and of objects in it."""
    prefix = f"{subject} "
    for name, a in old["properties"].members.items() if new["properties"] else ():
        b = new["properties"][name]
        yield Part("tool input", prefix, name, a, b)
        if b:
            yield from _taken("tool-input schema", prefix, name, a, b)
            yield from _inputs(f"{prefix}{name}", a, b)
    if old["properties"]:
        for name in went(new["required"].texts, old["required"].texts):
            yield Part("new need", prefix, name, old["required"], new["required"])


def enumerated(openapi: Node, path: str, name: str) -> list[str]:
    """The words that a parameter of an address takes."""
    parameters = openapi.at("paths", path, "get", "parameters").named("name")
    return parameters[name].at("schema", "enum").texts if name in parameters else []
