"""The file of each record, the files at its former addresses, contexts for agents, and logos."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.contract.artifact import Artifact
from generator.grammar.paths import MEDIA, agent_context
from generator.outputs import context
from generator.outputs.records import render_moved
from generator.published.families import Family, KnownFiles

if TYPE_CHECKING:
    from generator.published.content.records import Records
    from generator.published.published import Published

_RECORD = re.compile(r"(.+)/slug/([^/]+)\.json")
_CONTEXT = re.compile(re.escape(agent_context("@", "@")).replace("@", "([^/]+)"))


class RecordFiles(Family):
    """An item is the address of a record; those of former slugs come after all records."""

    def __init__(self, published: Published):
        self._published = published
        self._names = {c.root: name for name, c in published.grammar.collections.items()}

    def items(self) -> Iterator[str]:
        tables = self._published.registry.tables.values()
        for table in tables:
            yield from map(table.collection.record_path, table.slugs)
        for table in tables:
            for aliases in table.aliases.values():
                yield from map(table.collection.record_path, dict.fromkeys(aliases))

    def _key(self, address: str) -> tuple[str, str] | None:
        """The collection and the slug in the address of a record."""
        match = _RECORD.fullmatch(address)
        name = self._names.get(match[1]) if match is not None else None
        return (name, match[2]) if match is not None and name is not None else None

    def find(self, address: str) -> str | None:
        return address if self._key(address) is not None else None

    def is_small(self, item: str) -> bool:
        return True

    def make(self, item: str) -> Iterator[Artifact]:
        published, key = self._published, self._key(item)
        assert key is not None
        data = published.document(*key)
        if data is not None:
            yield Artifact(item, data)
        elif (current := published.former_slugs.get(key)) is not None:
            collection, grammar = published.grammar.collections[key[0]], published.grammar
            yield from render_moved(collection, current, [key[1]], grammar)

    def prepare(self) -> None:
        _ = self._published.former_slugs

    def surface(self, address: str) -> str:
        key = self._key(address)
        assert key is not None
        return f"{key[0]}/{'moved' if key in self._published.former_slugs else 'slug'}"


class Contexts(Family):
    """An item is the address of the context of a record."""

    def __init__(self, published: Published):
        self._published, self._names = published, published.grammar.contexts

    def items(self) -> Iterator[str]:
        for name in self._names:
            for slug in self._published.tables[name].slugs:
                yield agent_context(name, slug)

    def find(self, address: str) -> str | None:
        match = _CONTEXT.fullmatch(address)
        return address if match and match[1] in self._names else None

    def is_small(self, item: str) -> bool:
        return True

    def make(self, item: str) -> Iterator[Artifact]:
        published, match = self._published, _CONTEXT.fullmatch(item)
        assert match is not None
        name, slug = match.groups()
        data = published.document(name, slug)
        if data is not None:
            record = Artifact(published.grammar.collections[name].record_path(slug), data)
            events = published.tables.get(published.grammar.kinds.timed)
            yield context.record_context(
                record, name, published.settings, published.symbols, events
            )

    def surface(self, address: str) -> str:
        match = _CONTEXT.fullmatch(address)
        assert match is not None
        return f"{match[1]}/context"


def logo_files(records: Records) -> KnownFiles:
    """The logos that records name."""

    def read() -> dict[str, bytes]:
        published = (records.logos.paths[path] for path in sorted(records.named_logos()))
        return {address: records.logos.data[address] for address in published if address}

    return KnownFiles(f"{MEDIA}/", "logos", read)
