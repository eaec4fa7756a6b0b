"""The addresses of a registry by how they are made: records, lists, index, documents, site.

An item is what is made at once: one address, or the name of a part that has several.  A family says
which items there are, makes the files of an item, and says to which item an address would belong.
May import the siblings of this folder, which do not import each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from generator.contract.artifact import Artifact


class Family(Protocol):
    """Addresses that are made alike."""

    def items(self) -> Iterable[str]:
        """All items, in order."""

    def make(self, item: str) -> Iterable[Artifact]:
        """The files of an item."""

    def find(self, address: str) -> str | None:
        """The item that an address belongs to, if it exists; None if it is not of this family."""

    def surface(self, address: str) -> str:
        """What an address is counted as: see `generator.outputs.index`."""
