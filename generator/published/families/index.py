"""The search index of each collection."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Collection
from generator.search.index import Index
from generator.search.manifest import ROWS, Part, PartCheck

if TYPE_CHECKING:
    from generator.published.published import Published

_MANIFEST = "manifest.json"


class IndexFiles:
    """An item is a part of an index, spelled as the folder of the index, the kind and the number of
    the part; or the address of a manifest, which comes after all parts.

    The address of a part ends with a check of its bytes, so it is known when the part is made.
    """

    def __init__(self, published: Published):
        self._published = published
        self.index = cache(self._index)
        self._checks = cache(self._new_checks)

    def _index(self, name: str) -> Index:
        published = self._published
        return Index(published.tables[name], published.terms(name), published.registry)

    def items(self) -> Iterator[str]:
        for collection in self._published.grammar.collections.values():
            for kind, number in self.index(collection.name).parts():
                yield f"{collection.index_folder}/{kind}/{number}"
        for collection in self._published.grammar.collections.values():
            yield f"{collection.index_folder}/{_MANIFEST}"

    def find(self, address: str) -> str | None:
        collection = self._collection(address)
        if collection is None:
            return None
        if address == f"{collection.index_folder}/{_MANIFEST}":
            return address
        folder, _, name = address.rpartition("/")
        number = name.partition("-")[0]
        if not number.isdecimal() or not number.isascii() or len(number) > 9:
            return None
        kind = folder.removeprefix(f"{collection.index_folder}/")
        part = self._part(self.index(collection.name), kind, int(number))
        return f"{collection.index_folder}/{part[0]}/{part[1]}" if part is not None else None

    def _part(self, index: Index, kind: str, number: int) -> Part | None:
        """The part that has a file with this number: several small files of rows are one part."""
        if kind == ROWS[0]:
            blocks = index.blocks
            if number not in blocks.slots:
                return None
            start = blocks.starts[list(blocks.slots).index(number)]
            number = bisect_right(index.rows.starts[kind], start) - 1
        known = dict(index.part_counts())
        return (kind, number) if number < known.get(kind, 0) else None

    def make(self, item: str) -> Iterator[Artifact]:
        collection = self._collection(item)
        assert collection is not None
        if item.endswith(f"/{_MANIFEST}"):
            yield self.manifest(collection.name, self._checks(collection.name))
            return
        kind, _, number = item.removeprefix(f"{collection.index_folder}/").rpartition("/")
        yield from self.index(collection.name).render((kind, int(number)))[0]

    def manifest(self, name: str, checks: dict[Part, PartCheck]) -> Artifact:
        """The manifest of a collection's index, from the checks of all its parts."""
        return self.index(name).manifest(checks)

    def _new_checks(self, name: str) -> dict[Part, PartCheck]:
        index = self.index(name)
        return {part: index.render(part)[1] for part in index.parts()}

    def _collection(self, address: str) -> Collection | None:
        collections = self._published.grammar.collections.values()
        return next((c for c in collections if address.startswith(f"{c.index_folder}/")), None)

    def surface(self, address: str) -> str:
        return "index"
