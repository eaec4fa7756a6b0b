"""The addresses of a registry by how they are made: records, lists, index, documents, site.

An item is what is made at once: one address, or the name of a part that has several.  A family says
which items there are, makes the files of an item, and says to which item an address would belong.
May import the siblings of this folder, which do not import each other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping

from generator.contract.artifact import Artifact
from generator.published.made_once import made_once

#: The number of a family, and the name of one of its items; plain data, for other processes.
Item = tuple[int, str]


class Family(ABC):
    """Addresses that are made alike."""

    @abstractmethod
    def items(self) -> Iterable[str]:
        """All items, in order."""

    @abstractmethod
    def make(self, item: str) -> Iterable[Artifact]:
        """The files of an item."""

    def is_small(self, item: str) -> bool:
        """Whether an item needs little of the whole registry, so that any machine can make it."""
        return False

    @abstractmethod
    def find(self, address: str) -> str | None:
        """The item that an address belongs to, if it exists; None if it is not of this family."""

    @abstractmethod
    def surface(self, address: str) -> str:
        """What an address is counted as: see `generator.outputs.state`."""

    def prepare(self) -> None:  # noqa: B027  (most families share nothing)
        """Make what the items share, before processes are forked."""


class KnownFiles(Family):
    """Files that are made together, when one is asked for; an item is an address."""

    def __init__(self, start: str, surface: str, read: Callable[[], Mapping[str, bytes]]):
        """All addresses begin with `start`; `read` makes the files."""
        self._start, self._surface, self._read = start, surface, read

    @made_once
    def _files(self) -> Mapping[str, bytes]:
        return self._read()

    def items(self) -> Iterator[str]:
        yield from self._files

    def find(self, address: str) -> str | None:
        return address if address.startswith(self._start) else None

    def make(self, item: str) -> Iterator[Artifact]:
        if item in self._files:
            yield Artifact(item, self._files[item])

    def surface(self, address: str) -> str:
        return self._surface
