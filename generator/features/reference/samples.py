"""Examples of the API's addresses with the answers of this build.

Each example takes the most frequent values, and the record with the most fields of its list's
first page.  An address without anything to show has no example.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import orjson

from generator.contract.addresses import Address
from generator.engine.bundles import make_table
from generator.engine.context import Engine, Request, Response
from generator.features.reference.pieces import command
from generator.grammar.grammar import (
    TAG_VOCABULARY,
    Collection,
    Count,
    Filter,
    Query,
    Search,
    Slice,
)
from generator.grammar.paths import SEARCH, manifest_part
from generator.site.page_context import Site
from generator.text.words import split_words

#: The values of placeholders that are the same in every registry.
_FIXED = {"page": "1", "number": "0", "code": "not-found"}
#: The filters by which an example of a count groups, if they have values.
_COUNT_BY = ("status", "year", "kind")


class Sample(NamedTuple):
    """An address without the prefix, and the arguments of `registry` for the same.

    `file` is the file with the answer if that is neither the file at the address nor a list.
    """

    address: str
    kind: str
    command: str | None = None
    file: str = ""


class Samples:
    def __init__(self, site: Site):
        self.site, self.grammar = site, site.grammar
        self._engine = Engine(partial(make_table, self.grammar))

    def answer(self, sample: Sample) -> bytes | None:
        """The answer; None for documents about the build, and beyond limits of the engine."""
        path, query = sample.address.partition("?")[::2]
        return self._ask(sample.address) if query else self.file(sample.file or path)

    def on_files(self, sample: Sample) -> tuple[Sample, str]:
        """The sample on a host of files without functions, and the file to link."""
        path, _, raw = sample.address.partition("?")
        prepared = self._respond(sample.address).headers.get("content-location") if raw else None
        if prepared is not None or not (raw or path == SEARCH):
            file = (prepared or sample.file or path).removeprefix(self.grammar.prefix)
            return sample._replace(address=file), file
        lead = self.grammar.collections[self.site.fit().lead]
        collection = next((c for c in self.grammar.collections.values() if c.root == path), lead)
        pairs = [pair for pair in parse_qsl(raw) if pair[0] in collection.query_filters]
        nearest = (Slice(collection, *pair).path() for pair in pairs[:1])
        found = next((file for file in nearest if self.file(file) is not None), None)
        return sample, found or Slice(collection).path()

    def _ask(self, address: str) -> bytes | None:
        response = self._respond(address)
        return response.body if response.status == 200 else None

    def _respond(self, address: str) -> Response:
        return self._engine.respond(Request(address), lambda paths: [*map(self.file, paths)])

    def refusal(self) -> tuple[str, bytes]:
        """An address with an unknown parameter, and its problem document."""
        lead = self.grammar.collections[self.site.fit().lead]
        address = f"{lead.root}?mode=page&years=2024"
        return address, self._respond(address).body

    # --- files ---

    def of(self, address: Address) -> Sample | None:
        """The example of a canonical path."""
        path, value, slug = address.template, "", ""
        for name, text in (_FIXED | {"kind": f"{self.grammar.first.kind}_list"}).items():
            path = path.replace(f"{{{name}}}", text)
        collection = self.grammar.collections.get(address.collection)
        if collection is not None and "{value}" in path:
            value = next((v["value"] for v in self.values(collection, address.filter)), "")
            if not value:
                return None
        if collection is not None and "{slug}" in path:
            slug = self.slug(collection)
            if not slug:
                return None
        path = path.replace("{value}", value).replace("{slug}", slug)
        if path == manifest_part(0):  # only large registries have it
            return None
        return Sample(path, address.kind, self._command(address, path, collection, value, slug))

    def _command(
        self, address: Address, path: str, collection: Collection | None, value: str, slug: str
    ) -> str | None:
        """The arguments of `registry` for a path, or None."""
        kind = address.kind
        if found := self.grammar.kinds.collection_of.get(kind):
            return f"get {found} {slug}"
        if kind == "dashboard":
            return kind
        if kind == "calendar":
            return f"calendar --{address.filter} {value} --ics" if value else "calendar --ics"
        if collection is not None and kind == f"{collection.kind}_list":
            return command(self.grammar.parse_path(path)[0])
        if collection is not None and kind == "filter":
            return f"count {collection.name} --by {path.rpartition('/')[2].removesuffix('.json')}"
        return None

    # --- queries ---

    def record(self, collection: Collection) -> Sample | None:
        """A record at its short address without `/slug/`."""
        slug = self.slug(collection)
        path, arguments = f"{collection.root}/{slug}", f"get {collection.name} {slug}"
        file = collection.record_path(slug)
        return Sample(path, collection.kind, arguments, file) if slug else None

    def queries(self, collection: Collection) -> Iterator[Sample]:
        """Queries by one value, by two, and by words, then a count."""
        values = {f.name: self.values(collection, f.name) for f in self.used(collection)}
        if not values:
            return
        choices = (name for name, found in values.items() if len(found) > 1)
        name = next(choices, next(iter(values)))
        first = (name, values[name][0]["value"])
        yield self._query(Query(collection, (first,)))
        others = tuple(other for other in values if other != name)
        by = tuple(other for other in _COUNT_BY if other in others) or others[:1]
        count = Count(collection, (first,), by=by)
        if (second := self._second_value(count)) is not None:
            order = [*collection.filters]
            pairs = tuple(sorted((first, second), key=lambda pair: order.index(pair[0])))
            sort = collection.prepared_sorts[-1]
            yield self._query(Query(collection, pairs, sort if sort != collection.sorts[0] else ""))
        if (text := self.words(collection)) is not None:
            yield self._query(Query(collection, q=text))
        address = f"{collection.root}?{count.query_string}"
        yield Sample(address, f"{collection.kind}_count", command(count))

    def search(self) -> Sample | None:
        """A search over all collections, or None if no words are known."""
        texts = map(self.words, self.grammar.collections.values())
        text = next(filter(None, texts), None)
        return Sample(Search(text).url, "search", f"search {shlex.quote(text)}") if text else None

    def _second_value(self, count: Count) -> tuple[str, str] | None:
        """The most frequent value of another filter among the counted records."""
        answer = self._ask(f"{count.collection.root}?{count.query_string}")
        counts = orjson.loads(answer)["counts"] if answer is not None else {}
        found = ((name, c["values"][0]["value"]) for name, c in counts.items() if c["values"])
        return next(found, None)

    def _query(self, query: Query) -> Sample:
        collection = query.collection
        address = f"{collection.root}?{query.query_string}"
        return Sample(address, f"{collection.kind}_list", command(query))

    def words(self, collection: Collection) -> str | None:
        """Up to two words that find a record, of the most frequent tag or of the example record."""
        tag = next(
            (f.name for f in self.used(collection) if f.vocabulary.startswith(TAG_VOCABULARY)), None
        )
        if tag is not None:
            text = self.values(collection, tag)[0]["label"]
        elif slug := self.slug(collection):
            text = self.site.kept_document(collection.record_path(slug))["data"]["name"]
        else:
            return None
        return " ".join([word for word in split_words(text) if len(word) > 2][:2]) or None

    # --- values and records of this build ---

    def used(self, collection: Collection) -> list[Filter]:
        """The filters that have pages and values."""
        prepared = collection.prepared_filters.values()
        return [f for f in prepared if self.values(collection, f.name)]

    def values(self, collection: Collection, name: str) -> list[dict[str, Any]]:
        """The most frequent values of a filter, by descending count."""
        data = self.site.kept_document(collection.filters_path)["data"]
        values: list[dict[str, Any]] = data[name]["values"]
        return values

    def slug(self, collection: Collection) -> str:
        """The example record: the one with the most fields on the list's first page, or ""."""
        rows = self.site.kept_document(Slice(collection).path())["data"]
        return str(max(rows, key=lambda row: sum(map(bool, row.values())))["slug"]) if rows else ""

    def file(self, path: str) -> bytes | None:
        try:
            return self.site.read(path)
        except LookupError:
            return None
