"""The API reference as data: openapi.json in pages, sections and endpoints, each with an example.

What there is to say of an endpoint stands in openapi.json; what this adds is an order for readers,
and examples of this build.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from generator.contract.lock import Address, addresses
from generator.grammar import paths
from generator.grammar.filters import RANGED
from generator.grammar.grammar import Collection
from generator.site.labels import filter_label
from generator.site.page_context import Site
from generator.site.paths import REFERENCE
from generator.site.reference.excerpt import excerpt
from generator.site.reference.samples import Sample, Samples
from generator.site.reference.schema_tables import Shape, kind, resolved, shape
from generator.site.reference.snippets import SITE, Line, lines

if TYPE_CHECKING:
    from markupsafe import Markup

#: The pages beside those of collections: what is of the whole registry, and what is for agents.
REGISTRY, LAYER, EXPLORER = "registry", "agent-layer", "explorer"
#: Values of a parameter that are shown, where there are more.
_VALUES = 8


#: The one query of the whole registry.
DASHBOARD = Sample(paths.DASHBOARD.removesuffix(".json"), "dashboard", "dashboard", paths.DASHBOARD)

_SECTIONS = {
    "calendar": "feeds",
    "context": "contexts",
    "filter": "values",
    "filter_list": "filters",
}

#: Sections whose endpoints differ in a filter's name alone.
_FOLDED = ("by", "values")
_EXAMPLES = {"page": ("page=2",), "mode": ("mode=page", "mode=count")}


class Parameter(NamedTuple):
    """What an endpoint takes.

    `values` are some of those that there are, of a filter the most frequent with how many records
    have each, and `label` what the site calls it; `total` is how many there are, and `all` the file
    that has every one.
    """

    name: str
    required: bool
    words: str
    type: str
    label: str = ""
    values: tuple[tuple[str, int | None], ...] = ()
    total: int = 0
    all: str = ""
    examples: tuple[str, ...] = ()


class Response(NamedTuple):
    """What an endpoint answers: a status, what that means, and the schemas of its documents."""

    status: str
    words: str
    media: str
    shapes: tuple[str, ...]


class Example(NamedTuple):
    """A live one: its address, how many bytes answer, the answer as HTML, and lines to copy."""

    address: str
    size: int
    answer: Markup | None
    lines: list[Line]


class Endpoint(NamedTuple):
    """An operation of openapi.json; `id` is its anchor."""

    id: str
    path: str
    title: str
    words: str
    parameters: list[Parameter]
    responses: list[Response]
    examples: list[Example]


class Section(NamedTuple):
    """Endpoints of one sort; `folded` where they differ in a filter's name alone."""

    name: str
    endpoints: list[Endpoint]
    folded: bool = False


class Page(NamedTuple):
    """A page of the reference, with the documents that its endpoints answer with."""

    name: str
    path: str
    sections: list[Section]
    shapes: list[Shape]


class Reference:
    """The reference of one registry."""

    def __init__(self, site: Site):
        self.site, self.grammar = site, site.grammar
        self.samples = Samples(site)
        #: Where the API lies, as lines to copy have it.
        self.base = site.absolute("") if site.settings.origin else SITE

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the pages."""
        return (*self.grammar.collections, REGISTRY, LAYER)

    def page(self, name: str) -> Page:
        sections: dict[str, list[Endpoint]] = {}
        for path, operation in self.operations(name):
            endpoints = sections.setdefault(self._section_of(path), [])
            endpoints.append(self._endpoint(path, operation))
        answered = dict.fromkeys(
            schema
            for endpoints in sections.values()
            for endpoint in endpoints
            for response in endpoint.responses
            for schema in response.shapes
        )
        return Page(
            name,
            path_of(name),
            [Section(of, endpoints, of in _FOLDED) for of, endpoints in sections.items()],
            [shape(name, self.schemas) for name in answered],
        )

    def operations(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each path of a page with what openapi.json says of it."""
        for path, item in self.openapi["paths"].items():
            if self._page_of(path) == name:
                yield path, item["get"]

    @cached_property
    def openapi(self) -> dict[str, Any]:
        return self.site.document(paths.OPENAPI)

    @property
    def schemas(self) -> dict[str, Any]:
        schemas: dict[str, Any] = self.openapi["components"]["schemas"]
        return schemas

    def _page_of(self, path: str) -> str:
        known = self._addresses.get(path)
        if known is not None:
            return self._named(known)
        root = path.removesuffix("/{slug}")
        return next((c.name for c in self.grammar.collections.values() if c.root == root), REGISTRY)

    def _named(self, address: Address) -> str:
        """The page of a file."""
        if address.template.startswith(paths.AGENT_CATALOG.rpartition("/")[0]):
            return LAYER
        return address.collection or REGISTRY

    def _section_of(self, path: str) -> str:
        """`queries`, `lists`, `by`, `record`, `filters`, `values`, `feeds`, `contexts` or
        `documents`.
        """
        known = self._addresses.get(path)
        if known is None:
            return "queries"
        if known.kind in _SECTIONS:
            return _SECTIONS[known.kind]
        if known.kind.endswith("_list"):
            return "by" if known.filter else "lists"
        return "record" if known.collection else "documents"

    @cached_property
    def _addresses(self) -> dict[str, Address]:
        return {address.template: address for address in addresses(self.grammar)}

    def _endpoint(self, path: str, operation: dict[str, Any]) -> Endpoint:
        collection = self.grammar.collections.get(self._page_of(path))
        return Endpoint(
            operation["operationId"],
            path,
            operation["summary"],
            operation.get("description", ""),
            [self._parameter(one, path, collection) for one in operation.get("parameters", ())],
            [*self._responses(operation["responses"])],
            [*map(self.example, self._samples(path, collection))],
        )

    def _samples(self, path: str, collection: Collection | None) -> Iterator[Sample]:
        if (known := self._addresses.get(path)) is not None:
            if (sample := self.samples.of(known)) is not None:
                yield sample
        elif collection is None:
            yield DASHBOARD
        elif path == collection.root:
            yield from self.samples.queries(collection)
        elif (record := self.samples.record(collection)) is not None:
            yield record

    def example(self, sample: Sample) -> Example:
        body = self.samples.answer(sample)
        ways = lines(self.base + sample.address, sample.kind, sample.command, self.base)
        if body is None:
            return Example(sample.address, 0, None, ways)
        return Example(sample.address, len(body), excerpt(body), ways)

    # --- parameters and answers ---

    def _parameter(
        self, told: dict[str, Any], path: str, collection: Collection | None
    ) -> Parameter:
        name = told["name"]
        schema, _ = resolved(told["schema"], self.schemas)
        known = self._addresses.get(path)
        of = (known.filter if name == "value" else name) if known else name
        plain = Parameter(name, told["required"], told["description"], kind(schema, self.schemas))
        if collection is None or of not in collection.filters:
            words = schema.get("items", schema).get("enum", ())
            return plain._replace(
                type=schema.get("type", ""),
                values=tuple((word, None) for word in words),
                examples=self._asked_so(name, collection),
            )
        asked = collection.filters[of]
        values = self.samples.values(collection, of) if asked.prepared else []
        shown = tuple((value["value"], value["count"]) for value in values[:_VALUES])
        examples: tuple[str, ...] = ()
        if known is None:
            one = [value for value, _ in shown]
            several = (",".join(one[:2]), f"not:{one[0]}") if len(one) > 1 else ()
            between = (RANGED[asked.ranges],) if asked.ranges else ()
            examples = tuple(f"{of}={text}" for text in (*one[:1], *several, *between))
        return plain._replace(
            label="" if known else filter_label(self.site, collection, of),
            type="string",
            values=shown,
            total=self.samples.total(collection, of) if asked.prepared else 0,
            all=collection.filter_path(of) if asked.prepared else "",
            examples=examples,
        )

    def _asked_so(self, name: str, collection: Collection | None) -> tuple[str, ...]:
        """Examples of a parameter that is no filter."""
        if name == "q" and collection is not None:
            text = self.samples.words(collection)
            return (f"q={quote(text, safe='')}",) if text else ()
        return _EXAMPLES.get(name, ())

    def _responses(self, told: dict[str, Any]) -> Iterator[Response]:
        for status, response in told.items():
            name = str(response.get("$ref", "")).rpartition("/")[2]
            if name:
                response = self.openapi["components"]["responses"][name]
            content: dict[str, Any] = response.get("content", {})
            media = next(iter(content), "")
            schema = content[media]["schema"] if media else {}
            shapes = (
                str(one["$ref"]).rpartition("/")[2]
                for one in schema.get("anyOf", (schema,))
                if "$ref" in one
            )
            yield Response(status, response["description"], media, tuple(shapes))


def path_of(name: str) -> str:
    """Where a page of the reference lies."""
    return f"{REFERENCE}{name}/"
