"""The pages of all lists, and the pages at the former addresses of lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from generator.build.documents import all_hosts_redirect
from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.grammar.refusals import QueryError
from generator.hosts._patterns import former_lists
from generator.model.tables.facets import declared_values
from generator.outputs.pages import count_pages, list_length, render_page, slice_rows, slices
from generator.outputs.records import render_moved_page

if TYPE_CHECKING:
    from generator.published.published import Published


class Lists:
    """An item is the address of a page."""

    def __init__(self, published: Published):
        self._published = published

    @cached_property
    def _declared(self) -> dict[str, Mapping[str, Mapping[str, str]]]:
        """Collection -> filter -> value -> label, of the values that pages exist for."""
        symbols = self._published.symbols
        tables = self._published.registry.tables
        return {t.collection.name: declared_values(t.collection, symbols) for t in tables}

    def items(self) -> Iterator[str]:
        published = self._published
        registry, size = published.registry, published.settings.page_size
        for table in registry.tables:
            declared = self._declared[table.collection.name]
            for part, rows in slices(table, registry.symbols, registry.as_of):
                pages = count_pages(part, rows, declared, size)
                yield from map(part.path, range(1, pages + 1))
        if not all_hosts_redirect(published.hosts):
            for _, was, now in former_lists(published.grammar, published.inputs.aliases):
                yield from map(was.path, range(1, list_length(registry, now) + 1))

    def find(self, address: str) -> str | None:
        return address if "/page/" in address and address.endswith(".json") else None

    def make(self, item: str) -> Iterator[Artifact]:
        published = self._published
        try:
            part, number = published.grammar.parse_path(item)
        except QueryError:
            return
        registry, name, size = (
            published.registry,
            part.collection.name,
            published.settings.page_size,
        )
        table, declared = published.tables[name], self._declared[name]
        is_known = part.filter is None or part.filter in part.collection.virtual or (
            f"{part.filter}/{part.value}" in table.members
            or part.value in declared.get(part.filter, ())
        )  # fmt: skip
        if not is_known:
            yield from self._moved(part, number)
            return
        rows = slice_rows(table, part, registry.as_of)
        if number <= count_pages(part, rows, declared, size):
            yield render_page(
                part, number, rows, table.summaries, size, published.grammar, registry.as_of
            )

    def _moved(self, part: Slice, number: int) -> Iterator[Artifact]:
        """The page at the former address of a list, if a host cannot redirect it."""
        published = self._published
        slug = published.former_slugs.get((part.refers, part.value or "")) if part.refers else None
        if slug is None or all_hosts_redirect(published.hosts):
            return
        now = replace(part, value=slug)
        if number <= list_length(published.registry, now):
            yield render_moved_page(part, now, number, published.grammar)

    def surface(self, address: str) -> str:
        part, _ = self._published.grammar.parse_path(address)
        name, refers = part.collection.name, part.refers
        if refers and (refers, part.value) in self._published.former_slugs:
            return f"{name}/moved"
        if part.filter is not None:
            return f"{name}/{part.filter if part.filter in part.collection.virtual else 'by'}"
        return f"{name}/sort/{part.sort}" if part.sort else f"{name}/list"
