"""The API reference as data: openapi.json as pages, sections and endpoints with examples.

openapi.json describes the endpoints; this module orders them for readers and adds examples of this
build.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from generator.contract.addresses import Address, addresses
from generator.features.reference.pieces import (
    SITE,
    Shape,
    Snippet,
    describe_schema,
    excerpt,
    kind,
    lines,
    resolve_reference,
)
from generator.features.reference.samples import Sample, Samples
from generator.grammar import paths
from generator.grammar.filters import RANGE_EXAMPLES
from generator.grammar.grammar import Collection
from generator.site.labels import filter_label
from generator.site.page_context import Site
from generator.site.paths import REFERENCE

if TYPE_CHECKING:
    from markupsafe import Markup

#: The pages that are not of a collection: the whole registry, documents for agents, query form.
REGISTRY, LAYER, EXPLORER = "registry", "agent-layer", "explorer"
#: The most values of a parameter that are shown.
_VALUES = 8
#: The only query of the whole registry.
DASHBOARD = Sample(paths.DASHBOARD.removesuffix(".json"), "dashboard", "dashboard", paths.DASHBOARD)

#: Kind of document -> the section of its endpoints.
_SECTIONS = {
    "calendar": "feeds",
    "context": "contexts",
    "filter": "values",
    "filter_list": "filters",
}
#: Sections whose endpoints differ only in the name of a filter.
_FOLDED = ("by", "values")
#: Examples of parameters that are not filters.
_EXAMPLES = {"page": ("page=2",), "mode": ("mode=page", "mode=count")}


class EndpointParameter(NamedTuple):
    """A parameter of an endpoint.

    For a filter `values` are the most frequent values and their number of records, `label` is its
    label on the site, `total` the number of all values and `all` the file that lists them.
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


class EndpointResponse(NamedTuple):
    """A response of an endpoint: status, description, media type and schemas."""

    status: str
    words: str
    media: str
    shapes: tuple[str, ...]


class Example(NamedTuple):
    """An address with the size of its answer in bytes, the answer as HTML, and code to copy.

    `link` is the address that every host answers: without functions a file, "" if none is near.
    """

    address: str
    link: str
    size: int
    answer: Markup | None
    lines: list[Snippet]


class Endpoint(NamedTuple):
    """An operation of openapi.json; `id` is its anchor."""

    id: str
    path: str
    title: str
    words: str
    parameters: list[EndpointParameter]
    responses: list[EndpointResponse]
    examples: list[Example]


class Section(NamedTuple):
    """Similar endpoints; `folded` if they differ only in the name of a filter."""

    name: str
    endpoints: list[Endpoint]
    folded: bool = False


class ReferencePage(NamedTuple):
    """A page of the reference with the schemas of its answers."""

    name: str
    path: str
    sections: list[Section]
    shapes: list[Shape]


class ApiReference:
    def __init__(self, site: Site):
        self.site, self.grammar = site, site.grammar
        self.samples = Samples(site)
        #: The address of the API in code to copy.
        self.base = site.absolute("") if site.settings.origin else SITE

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.site.fit().collections, REGISTRY, LAYER)

    def page(self, name: str) -> ReferencePage:
        sections: dict[str, list[Endpoint]] = {}
        for path, operation in self.operations(name):
            endpoints = sections.setdefault(self._section_of(path), [])
            endpoints.append(self._endpoint(path, operation))
        schemas = dict.fromkeys(
            schema
            for endpoints in sections.values()
            for endpoint in endpoints
            for response in endpoint.responses
            for schema in response.shapes
        )
        return ReferencePage(
            name,
            reference_path(name),
            [Section(section, found, section in _FOLDED) for section, found in sections.items()],
            [describe_schema(schema, self.schemas) for schema in schemas],
        )

    def operations(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for path, item in self.openapi["paths"].items():
            if self._page_of(path) == name:
                yield path, item["get"]

    @cached_property
    def openapi(self) -> dict[str, Any]:
        return self.site.kept_document(paths.OPENAPI)

    @cached_property
    def schemas(self) -> dict[str, Any]:
        schemas: dict[str, Any] = self.openapi["components"]["schemas"]
        return schemas

    def _page_of(self, path: str) -> str:
        address = self._addresses.get(path)
        if address is None:
            root = path.removesuffix("/{slug}")
            collections = self.grammar.collections.values()
            return next((c.name for c in collections if c.root == root), REGISTRY)
        if address.template.startswith(paths.AGENT_CATALOG.rpartition("/")[0]):
            return LAYER
        return address.collection or REGISTRY

    def _section_of(self, path: str) -> str:
        """The name of the section with the endpoints of a path."""
        address = self._addresses.get(path)
        if address is None:
            return "queries"
        if address.kind in _SECTIONS:
            return _SECTIONS[address.kind]
        if address.kind.endswith("_list"):
            return "by" if address.filter else "lists"
        return "record" if address.collection else "documents"

    @cached_property
    def _addresses(self) -> dict[str, Address]:
        found = self.site.memo.get_or_make("addresses", lambda: [*addresses(self.grammar)])
        return {address.template: address for address in found}

    def _endpoint(self, path: str, operation: dict[str, Any]) -> Endpoint:
        collection = self.grammar.collections.get(self._page_of(path))
        return Endpoint(
            operation["operationId"],
            path,
            operation["summary"],
            operation.get("description", ""),
            [self._parameter(p, path, collection) for p in operation.get("parameters", ())],
            [*self._responses(operation["responses"])],
            [*map(self.example, self._samples(path, collection))],
        )

    def _samples(self, path: str, collection: Collection | None) -> Iterator[Sample]:
        found: Iterable[Sample | None] = ()
        if (address := self._addresses.get(path)) is not None:
            found = [self.samples.of(address)]
        elif path == paths.SEARCH:
            found = [self.samples.search()]
        elif path == paths.DASHBOARD.removesuffix(".json"):
            found = [DASHBOARD]
        elif collection is not None:
            is_list = path == collection.root
            found = (
                self.samples.queries(collection) if is_list else [self.samples.record(collection)]
            )
        return (sample for sample in found if sample is not None)

    def example(self, sample: Sample) -> Example:
        body, link = self.samples.answer(sample), sample.address
        if not self.site.fit().functions:
            sample, link = self.samples.on_files(sample)
        url, kinds = self.base + sample.address, self.grammar.kinds
        code = lines(url, sample.kind, sample.command, self.base, kinds)
        if link != sample.address:  # only `registry` can ask a host of files
            code = [line for line in code if line.name == "registry"]
        shown = excerpt(body) if body is not None else None
        return Example(sample.address, link, len(body or b""), shown, code)

    # --- parameters and answers ---

    def _parameter(
        self, parameter: dict[str, Any], path: str, collection: Collection | None
    ) -> EndpointParameter:
        name, address = parameter["name"], self._addresses.get(path)
        schema, _ = resolve_reference(parameter["schema"], self.schemas)
        plain = EndpointParameter(
            name, parameter["required"], parameter["description"], kind(schema, self.schemas)
        )
        filter_name = address.filter if address and name == "value" else name
        if collection is None or filter_name not in collection.filters:
            words = schema.get("items", schema).get("enum", ())
            return plain._replace(
                type=schema.get("type", ""),
                values=tuple((word, None) for word in words),
                examples=self._examples(name, collection),
            )
        query_filter = collection.filters[filter_name]
        counts = self.samples.values(collection, filter_name) if query_filter.listed else []
        values = tuple((value["value"], value["count"]) for value in counts[:_VALUES])
        plain = plain._replace(type="string", values=values)
        if query_filter.listed:
            filters = self.site.kept_document(collection.filters_path)["data"]
            total = filters[filter_name]["total_values"]
            plain = plain._replace(total=total, all=collection.filter_path(filter_name))
        if address:
            return plain
        texts = [value for value, _ in values[:1]]
        if len(values) > 1:
            texts += [",".join(value for value, _ in values[:2]), f"not:{values[0][0]}"]
        if query_filter.range_form:
            texts.append(RANGE_EXAMPLES[query_filter.range_form])
        return plain._replace(
            label=filter_label(self.site, collection, filter_name),
            examples=tuple(f"{filter_name}={text}" for text in texts),
        )

    def _examples(self, name: str, collection: Collection | None) -> tuple[str, ...]:
        """Examples of a parameter that is not a filter."""
        if name == "q" and collection is not None:
            text = self.samples.words(collection)
            return (f"q={quote(text, safe='')}",) if text else ()
        return _EXAMPLES.get(name, ())

    def _responses(self, responses: dict[str, Any]) -> Iterator[EndpointResponse]:
        for status, response in responses.items():
            name = _reference(response)
            if name:
                response = self.openapi["components"]["responses"][name]
            content: dict[str, Any] = response.get("content", {})
            media = next(iter(content), "")
            schema = content[media]["schema"] if media else {}
            names = tuple(filter(None, map(_reference, schema.get("anyOf", (schema,)))))
            yield EndpointResponse(status, response["description"], media, names)


def _reference(schema: dict[str, Any]) -> str:
    """The name that a `$ref` ends with, or ""."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def reference_path(name: str) -> str:
    return f"{REFERENCE}{name}/"
