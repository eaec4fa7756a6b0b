"""The search index of each collection."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from generator.contract.artifact import Artifact
from generator.contract.files import Vouched
from generator.grammar.grammar import Collection
from generator.published.families import Family, KnownFiles
from generator.published.made_once import made_once_each
from generator.search.index import CollectionIndex
from generator.search.manifest import ROWS, Part, PartCheck

if TYPE_CHECKING:
    from generator.published.published import Published


class IndexFiles(Family):
    """An item is a part of an index, spelled as the folder of the index, the kind and the number of
    the part.

    The address of a part ends with a check of its bytes, so it is known when the part is made.
    """

    def __init__(self, published: Published):
        self._published = published
        self.index = made_once_each(self._index)
        #: Collection -> part -> the check of its bytes.
        self._checks: dict[str, dict[Part, PartCheck]] = {}

    def _index(self, name: str) -> CollectionIndex:
        return CollectionIndex(self._published.tables[name], self._published.registry)

    def items(self) -> Iterator[str]:
        for collection in self._published.grammar.collections.values():
            for kind, number in self.index(collection.name).parts():
                yield f"{collection.index_folder}/{kind}/{number}"

    def prepare(self) -> None:
        for name in self._published.grammar.collections:
            self.index(name)

    def find(self, address: str) -> str | None:
        collection = self._collection(address)
        kind, number, _ = self._parse(address)
        if collection is None or not number.isdecimal() or not number.isascii() or len(number) > 9:
            return None
        part = self._part(self.index(collection.name), kind, int(number))
        return f"{collection.index_folder}/{part[0]}/{part[1]}" if part is not None else None

    def _parse(self, address: str) -> tuple[str, str, str]:
        """The kind and the number of the part with an address, and the check of its bytes."""
        collection = self._collection(address)
        start = f"{collection.index_folder}/" if collection is not None else ""
        kind, _, file = address.removeprefix(start).rpartition("/")
        number, _, check = file.partition(".")[0].partition("-")
        return kind, number, check

    def _part(self, index: CollectionIndex, kind: str, number: int) -> Part | None:
        """The part that has a file with this number: several small files of rows are one part."""
        if kind == ROWS[0]:
            start = index.blocks.start_of.get(number)
            if start is None:
                return None
            number = bisect_right(index.rows.starts[kind], start) - 1
        return (kind, number) if number < index.part_counts.get(kind, 0) else None

    def make(self, item: str) -> Iterator[Artifact]:
        collection = self._collection(item)
        assert collection is not None
        kind, _, number = item.removeprefix(f"{collection.index_folder}/").rpartition("/")
        yield from self.index(collection.name).render((kind, int(number)))[0]

    def vouched(self, address: str, check: int) -> Vouched | None:
        """A file of the index for queries, if all checks are replaced by `check`: then the manifest
        needs no part, and a part only itself.  None for other addresses.
        """
        collections = self._published.grammar.collections.values()
        for collection in collections:
            if address == collection.manifest_path:
                index = self.index(collection.name)
                return Vouched(index.manifest(dict.fromkeys(index.parts(), check)).data, check)
        start, _, end = address.rpartition("-")
        item = self.find(address) if end == f"{check:08x}.txt" else None
        if item is None:
            return None
        files = (each for each in self.make(item) if each.path.startswith(f"{start}-"))
        return next((Vouched(each.data, check) for each in files), None)

    def note(self, addresses: Iterable[str]) -> None:
        """Take the checks of all parts from their addresses; they need not be made again for it."""
        self._checks = {name: {} for name in self._published.grammar.collections}
        collections = self._published.grammar.collections.values()
        folders = tuple(f"{collection.index_folder}/" for collection in collections)
        for address in addresses:
            if address.startswith(folders) and (collection := self._collection(address)):
                kind, number, check = self._parse(address)
                part = self._part(self.index(collection.name), kind, int(number))
                if part is not None:
                    self._checks[collection.name][part] = int(check, 16)

    def manifest(self, collection: Collection) -> Mapping[str, bytes]:
        """The manifest of a collection's index, which has the checks of all its parts."""
        name, index = collection.name, self.index(collection.name)
        if name not in self._checks:
            self._checks[name] = {part: index.render(part)[1] for part in index.parts()}
        return dict([index.manifest(self._checks[name])])

    def manifests(self) -> Iterator[KnownFiles]:
        """The manifest of each index."""
        for collection in self._published.grammar.collections.values():
            read = partial(self.manifest, collection)
            yield KnownFiles(collection.manifest_path, "index", read)

    def _collection(self, address: str) -> Collection | None:
        collections = self._published.grammar.collections.values()
        return next((c for c in collections if address.startswith(f"{c.index_folder}/")), None)

    def surface(self, address: str) -> str:
        return "index"
