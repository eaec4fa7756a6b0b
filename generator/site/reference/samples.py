"""Live examples of the API's addresses: for each one that exists in this build, and its answer.

Values are the most frequent ones, a record is the fullest of its list's first page, so that an
example shows something.  Where a registry has nothing to show at an address there is no example.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import orjson

from generator.contract.lock import Address
from generator.grammar.grammar import TAGS, Collection, Count, Filter, Query, Slice
from generator.grammar.names import KIND_OF
from generator.grammar.paths import manifest_part
from generator.grammar.refusals import QueryError
from generator.grammar.text import words
from generator.search.engine import Engine
from generator.search.manifest import Unavailable
from generator.site.page_context import Site
from generator.site.reference.snippets import command

_KINDS = {kind: name for name, kind in KIND_OF.items()}
#: What stands for the placeholders that are the same in every registry.
_FIXED = {"page": "1", "number": "0", "code": "not-found", "kind": "project_list"}
#: Filters that a count is told by, where there are any.
_COUNTED = ("status", "year", "kind")


class Sample(NamedTuple):
    """An address, without the prefix, and what `registry` is told to ask the same; `file` is what
    answers, where that is neither the file at the address nor a list.
    """

    address: str
    kind: str
    command: str | None = None
    file: str = ""


class Samples:
    """The examples of one registry."""

    def __init__(self, site: Site):
        self.site, self.grammar = site, site.grammar
        self._engine = Engine(self.grammar, lambda wanted: [*map(self.file, wanted)])
        self._read = cache(site.document)

    def answer(self, sample: Sample) -> bytes | None:
        """What is answered at the address of a sample; None for what each build says of itself,
        which no page can have, and where an answer takes longer than any may.
        """
        path, _, raw = sample.address.partition("?")
        if not raw:
            return self.file(sample.file or path)
        collection = next(c for c in self.grammar.collections.values() if c.root == path)
        asked = self.grammar.parse(collection, raw)
        if isinstance(asked, Query) and asked.slice is not None:
            return self.file(asked.slice.path(asked.page))
        return self._asked(asked)

    def _asked(self, asked: Query | Count) -> bytes | None:
        try:
            if isinstance(asked, Count):
                return self._engine.count(asked)
            return self._engine.answer(asked)
        except (QueryError, Unavailable):
            return None

    def refusal(self) -> tuple[str, QueryError]:
        """An address that is refused, for a parameter that there is not, and why."""
        projects, raw = self.grammar.projects, "mode=page&years=2024"
        try:
            self.grammar.parse(projects, raw)
        except QueryError as error:
            return f"{projects.root}?{raw}", error
        raise AssertionError("no filter is called years")

    # --- files ---

    def of(self, address: Address) -> Sample | None:
        """The example of a canonical path."""
        kind, path, value, slug = address.kind, address.template, "", ""
        for name, text in _FIXED.items():
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
        if path == manifest_part(0):  # few registries have so many files
            return None
        return Sample(path, kind, self._told(address, path, collection, value, slug))

    def _told(
        self, address: Address, path: str, collection: Collection | None, value: str, slug: str
    ) -> str | None:
        """What `registry` is told, to ask for a path."""
        kind = address.kind
        if kind in _KINDS:
            return f"get {_KINDS[kind]} {slug}"
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
        """A record at its bare address."""
        slug = self.slug(collection)
        path, told = f"{collection.root}/{slug}", f"get {collection.name} {slug}"
        file = collection.record_path(slug)
        return Sample(path, collection.kind, told, file) if slug else None

    def queries(self, collection: Collection) -> Iterator[Sample]:
        """Pages of one filter's value, which follow from the list of filters alone, of two and of
        words, and a count.
        """
        ranked = {f.name: self.values(collection, f.name) for f in self.used(collection)}
        if not ranked:
            return
        several = (name for name, values in ranked.items() if len(values) > 1)
        name = next(several, next(iter(ranked)))
        one = (name, ranked[name][0]["value"])
        yield self._query(Query(collection, (one,)))
        others = tuple(other for other in ranked if other != name)
        by = tuple(other for other in _COUNTED if other in others) or others[:1]
        count = Count(collection, (one,), by=by)
        if (two := self._beside(count)) is not None:
            order = [*collection.filters]
            pairs = tuple(sorted((one, two), key=lambda pair: order.index(pair[0])))
            sort = collection.prepared_sorts[-1]
            yield self._query(Query(collection, pairs, sort if sort != collection.sorts[0] else ""))
        if (text := self.words(collection)) is not None:
            yield self._query(Query(collection, q=text))
        address = f"{collection.root}?{count.string}"
        yield Sample(address, f"{collection.kind}_count", command(count))

    def _beside(self, count: Count) -> tuple[str, str] | None:
        """The most frequent value of another filter among what is counted."""
        answer = self._asked(count)
        counted = orjson.loads(answer)["counts"] if answer is not None else {}
        values = ((name, of["values"][0]["value"]) for name, of in counted.items() if of["values"])
        return next(values, None)

    def _query(self, query: Query) -> Sample:
        of = query.collection
        return Sample(f"{of.root}?{query.string}", f"{of.kind}_list", command(query))

    def words(self, collection: Collection) -> str | None:
        """Words that find a record: of the most frequent tag, else of the record that stands for
        all.
        """
        tag = next((f.name for f in self.used(collection) if f.vocabulary.startswith(TAGS)), None)
        if tag is not None:
            text = self.values(collection, tag)[0]["label"]
        elif slug := self.slug(collection):
            text = self._read(collection.record_path(slug))["data"]["name"]
        else:
            return None
        return " ".join([word for word in words(text) if len(word) > 2][:2]) or None

    # --- what there is ---

    def used(self, collection: Collection) -> list[Filter]:
        """The filters that have pages and that any record has a value of."""
        prepared = collection.prepared_filters.values()
        return [f for f in prepared if self.values(collection, f.name)]

    def values(self, collection: Collection, name: str) -> list[dict[str, Any]]:
        """The most frequent values of a filter, the first first, as its collection lists them."""
        known: list[dict[str, Any]] = self._filter(collection, name)["values"]
        return known

    def total(self, collection: Collection, name: str) -> int:
        """How many values of a filter any record has."""
        known: int = self._filter(collection, name)["total_values"]
        return known

    def _filter(self, collection: Collection, name: str) -> dict[str, Any]:
        known: dict[str, Any] = self._read(collection.filters_path)["data"][name]
        return known

    def slug(self, collection: Collection) -> str:
        """The record that stands for all, the fullest of the list's first page; "" where there is
        none.
        """
        rows = self._read(Slice(collection).path())["data"]
        return str(max(rows, key=_fullness)["slug"]) if rows else ""

    def file(self, path: str) -> bytes | None:
        try:
            return self.site.read(path)
        except LookupError:
            return None


def _fullness(row: dict[str, Any]) -> int:
    return sum(bool(value) for value in row.values())
