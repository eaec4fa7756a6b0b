"""The pages of all lists, and the pages at the former addresses of lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.hosts._patterns import former_lists
from generator.model.tables.facets import declared_values
from generator.outputs.records import (
    count_pages,
    list_length,
    render_list_page,
    render_moved_page,
    slices,
)
from generator.published.families import Family
from generator.published.made_once import made_once

if TYPE_CHECKING:
    from generator.published.published import Published


class _List(NamedTuple):
    """A list: its slice, the number of its pages and the positions of its rows; or, at the former
    address `part` of a list, the slice that it is now.
    """

    part: Slice
    pages: int
    rows: Sequence[int] = ()
    now: Slice | None = None

    @property
    def surface(self) -> str:
        name, part = self.part.collection.name, self.part
        if self.now is not None:
            return f"{name}/moved"
        if part.filter is not None:
            return f"{name}/{part.filter if part.filter in part.collection.virtual else 'by'}"
        return f"{name}/sort/{part.sort}" if part.sort else f"{name}/list"


class Lists(Family):
    """An item is the address of a page."""

    def __init__(self, published: Published):
        self._published = published

    @made_once
    def _lists(self) -> Mapping[str, _List]:
        """All lists by the beginning of the addresses of their pages."""
        return {found.part.folder: found for found in self._found()}

    def _found(self) -> Iterator[_List]:
        published = self._published
        registry, size = published.registry, published.settings.page_size
        for name, table in registry.tables.items():
            declared = declared_values(published.inputs.counts[name], published.symbols)
            for part, rows in slices(table, registry.symbols, registry.as_of):
                yield _List(part, count_pages(part, rows, declared, size), rows)
        if not published.redirects:  # these need pages that tell what moved
            for _, was, now in former_lists(published.grammar, published.inputs.aliases):
                yield _List(was, list_length(registry, now), now=now)

    def items(self) -> Iterator[str]:
        for found in self._lists.values():
            yield from map(found.part.path, range(1, found.pages + 1))

    def prepare(self) -> None:
        _ = self._lists

    def find(self, address: str) -> str | None:
        folder, page, number = address.removesuffix(".json").rpartition("/page/")
        found = self._lists.get(folder) if page and number.isdecimal() else None
        if found is None or not 1 <= int(number[:9]) <= found.pages:
            return None
        return address if address == found.part.path(int(number)) else None

    def is_small(self, item: str) -> bool:
        return True

    def make(self, item: str) -> Iterator[Artifact]:
        published = self._published
        folder, _, number = item.removesuffix(".json").rpartition("/page/")
        found = self._lists[folder]
        if found.now is not None:
            yield render_moved_page(found.part, found.now, int(number), published.grammar)
            return
        table = published.tables[found.part.collection.name]
        size, as_of = published.settings.page_size, published.registry.as_of
        yield render_list_page(
            found.part, int(number), found.rows, table.summaries, size, published.grammar, as_of
        )

    def surface(self, address: str) -> str:
        return self._lists[address.rpartition("/page/")[0]].surface
