"""The addresses of a registry by how they are made: records, lists, index, documents, site.

An item is what is made at once: one address, or the name of a part that has several.  A family says
which items there are, makes the files of an item, and says to which item an address would belong.
May import the siblings of this folder, which do not import each other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from generator.contract.artifact import Artifact

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

    @abstractmethod
    def find(self, address: str) -> str | None:
        """The item that an address belongs to, if it exists; None if it is not of this family."""

    @abstractmethod
    def surface(self, address: str) -> str:
        """What an address is counted as: see `generator.outputs.index`."""

    def prepare(self) -> None:  # noqa: B027  (most families share nothing)
        """Make what the items share, before processes are forked."""
