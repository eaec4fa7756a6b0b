"""The pages of all lists, and the pages at the former addresses of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.grammar.paths import agent_context
from generator.hosts._patterns import former_lists
from generator.kinds.every import REFERRED
from generator.model.tables.facets import declared_values
from generator.outputs import context
from generator.outputs.pages import count_pages, list_length, render_page, slices
from generator.outputs.records import render_moved, render_moved_page
from generator.published.documents import all_hosts_redirect
from generator.published.families import Family
from generator.published.once import once

if TYPE_CHECKING:
    from generator.published.published import Published


_RECORD = re.compile(r"(.+)/slug/([^/]+)\.json")


class RecordFiles(Family):
    """An item is the address of a record; those of former slugs come after all records."""

    def __init__(self, published: Published):
        self._published = published

    @once
    def _collections(self) -> dict[str, str]:
        """Root address -> name."""
        collections = self._published.grammar.collections.items()
        return {collection.root: name for name, collection in collections}

    def items(self) -> Iterator[str]:
        tables = self._published.registry.tables.values()
        for table in tables:
            yield from map(table.collection.record_path, table.slugs)
        for table in tables:
            for aliases in table.aliases.values():
                yield from map(table.collection.record_path, dict.fromkeys(aliases))

    def find(self, address: str) -> str | None:
        match = _RECORD.fullmatch(address)
        return address if match and match[1] in self._collections else None

    def make(self, item: str) -> Iterator[Artifact]:
        match = _RECORD.fullmatch(item)
        assert match is not None
        name, slug = self._collections[match[1]], match[2]
        data = self.document(name, slug)
        if data is not None:
            yield Artifact(item, data)
        elif (current := self._published.former_slugs.get((name, slug))) is not None:
            collection, grammar = self._published.grammar.collections[name], self._published.grammar
            yield from render_moved(collection, current, [slug], grammar)

    def document(self, collection: str, slug: str) -> bytes | None:
        """The published file of a record; None if there is no such record."""
        if collection in REFERRED:
            return self._published.tabulated.documents[collection].get(slug)
        record = self._published.streamed[collection].get(slug)
        return record.document if record is not None else None

    def prepare(self) -> None:
        _ = self._published.streamed, self._published.former_slugs

    def surface(self, address: str) -> str:
        match = _RECORD.fullmatch(address)
        assert match is not None
        name = self._collections[match[1]]
        return f"{name}/{'slug' if self.document(name, match[2]) is not None else 'moved'}"


class Contexts(Family):
    """An item is the address of the context of a program or an organization."""

    def __init__(self, published: Published, records: RecordFiles):
        self._published, self._records = published, records
        self._names = published.grammar.contexts
        pattern = re.escape(agent_context("@", "@")).replace("@", "([^/]+)")
        self._pattern = re.compile(pattern)

    def items(self) -> Iterator[str]:
        for name in self._names:
            for slug in self._published.tabulated.documents[name]:
                yield agent_context(name, slug)

    def find(self, address: str) -> str | None:
        match = self._pattern.fullmatch(address)
        return address if match and match[1] in self._names else None

    def make(self, item: str) -> Iterator[Artifact]:
        published, match = self._published, self._pattern.fullmatch(item)
        assert match is not None
        name, slug = match[1], match[2]
        data = self._records.document(name, slug)
        if data is not None:
            record = Artifact(published.grammar.collections[name].record_path(slug), data)
            yield context.record_context(
                record, name, published.settings, published.symbols, published.registry.events
            )

    def surface(self, address: str) -> str:
        match = self._pattern.fullmatch(address)
        assert match is not None
        return f"{match[1]}/context"


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

    @once
    def _lists(self) -> Mapping[str, _List]:
        """All lists by the beginning of the addresses of their pages."""
        return {found.part.folder: found for found in self._found()}

    def _found(self) -> Iterator[_List]:
        published = self._published
        registry, size = published.registry, published.settings.page_size
        for table in registry.tables.values():
            declared = declared_values(table.collection, published.symbols)
            for part, rows in slices(table, registry.symbols, registry.as_of):
                yield _List(part, count_pages(part, rows, declared, size), rows)
        if not all_hosts_redirect(published.hosts):  # these need pages that tell what moved
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
        return address if found and address in _pages(found, number) else None

    def make(self, item: str) -> Iterator[Artifact]:
        published = self._published
        folder, _, number = item.removesuffix(".json").rpartition("/page/")
        found = self._lists[folder]
        if found.now is not None:
            yield render_moved_page(found.part, found.now, int(number), published.grammar)
            return
        table = published.tables[found.part.collection.name]
        size, as_of = published.settings.page_size, published.registry.as_of
        yield render_page(
            found.part, int(number), found.rows, table.summaries, size, published.grammar, as_of
        )

    def surface(self, address: str) -> str:
        return self._lists[address.rpartition("/page/")[0]].surface


def _pages(found: _List, number: str) -> tuple[str, ...]:
    """The address of a page with this number, if the list has it."""
    return (found.part.path(int(number)),) if 1 <= int(number[:9]) <= found.pages else ()
