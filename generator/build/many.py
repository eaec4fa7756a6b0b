"""The files of records, of which most are many: no objects, but paths joined."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, product
from typing import Any, overload

from generator.build.inventory import INPUT, Folder, Inventory, lookup
from generator.records.folder import COLLECTIONS, STREAMED, Content, Source, slug_of
from generator.records.strays import ENDINGS


class Sources(Sequence[Source]):
    """Files of records, each made when it is asked for."""

    def __init__(self, sources: Iterable[Source]):
        self._joined = os.fsencode("\0".join([source.path for source in sources]))
        paths = self._joined.split(b"\0") if self._joined else []
        #: Of each path, and of what would come after the last.
        self._starts = array("Q", accumulate((len(path) + 1 for path in paths), initial=0))

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Source: ...
    @overload
    def __getitem__(self, index: slice) -> list[Source]: ...
    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self[index : index + 1][0]
        start, stop, _ = index.indices(len(self))
        if start >= stop:
            return []
        joined = self._joined[self._starts[start] : self._starts[stop] - 1]
        return [Source(slug_of(path), path) for path in os.fsdecode(joined).split("\0")]

    def __iter__(self) -> Iterator[Source]:
        return iter(self[:])

    @cached_property
    def _by_slug(self) -> array[int]:
        return array(
            "I", sorted(range(len(self)), key=[source.slug for source in self].__getitem__)
        )

    def find(self, slug: str) -> Source:
        """The file of a record that there is."""
        place = bisect_left(self._by_slug, slug, key=lambda number: self[number].slug)
        return self[self._by_slug[place]]


class Joined(Sequence[Source]):
    """Several of these, one after another."""

    def __init__(self, parts: Sequence[Sources]):
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    @overload
    def __getitem__(self, index: int) -> Source: ...
    @overload
    def __getitem__(self, index: slice) -> list[Source]: ...
    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self[index : index + 1][0]
        start, stop, _ = index.indices(len(self))
        taken: list[Source] = []
        for part in self._parts:
            taken += part[max(0, start) : max(0, stop)]
            start, stop = start - len(part), stop - len(part)
        return taken


class Seen:
    """The files of a collection by the folders that a look has seen."""

    def __init__(self, folders: Inventory):
        self._folders = folders

    def find(self, slug: str) -> Source:
        """The file of a record that there is."""
        for folder, ending in product(self._folders, ENDINGS):
            path = f"{folder}/{slug}{ending}"
            if lookup(self._folders, path, INPUT) is not None:
                return Source(slug, path)
        raise KeyError(slug)


def seen(folders: Inventory) -> dict[str, Any]:
    """The files of each collection, by the folders that a look has seen."""
    of: dict[str, dict[str, Folder]] = {name: {} for name in COLLECTIONS}
    for folder, held in folders.items():
        if (name := folder.partition("/")[0]) in of:
            of[name][folder] = held
    return {name: Seen(some) for name, some in of.items()}


class _Names:
    """The names in a folder."""

    def __init__(self, names: Sequence[str]):
        self._joined = os.fsencode("\0".join(names))

    def __iter__(self) -> Iterator[str]:
        return iter(os.fsdecode(self._joined).split("\0"))


def packed(content: Content) -> Joined:
    """Pack what a scan says of names; the files of all records that nothing refers to."""
    sources: dict[str, Any] = content.sources
    names: dict[str, Any] = content.names
    for name in STREAMED:
        sources[name] = Sources(sources[name])
    for folder, held in names.items():
        if held:
            names[folder] = _Names(held)
    return Joined([sources[name] for name in STREAMED])
