"""The file of each record, the files at its former addresses, contexts for agents, and logos."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.contract.artifact import Artifact
from generator.grammar.paths import MEDIA, agent_context
from generator.kinds.every import REFERRED
from generator.outputs import context
from generator.outputs.records import render_moved
from generator.published.families import Family, KnownFiles
from generator.published.made_once import made_once

if TYPE_CHECKING:
    from generator.published.content.records import Records
    from generator.published.published import Published

_RECORD = re.compile(r"(.+)/slug/([^/]+)\.json")


class RecordFiles(Family):
    """An item is the address of a record; those of former slugs come after all records."""

    def __init__(self, published: Published):
        self._published = published

    @made_once
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


def logo_files(records: Records) -> KnownFiles:
    """The logos that records name."""

    def read() -> dict[str, bytes]:
        named = records.named_logos()
        published = [records.logos.paths[path] for path in sorted(named)]
        return {address: records.logos.data[address] for address in published}

    return KnownFiles(f"{MEDIA}/", "logos", read)
