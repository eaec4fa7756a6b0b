"""The files of a registry by address, and how many bytes they have."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from generator.contract.artifact import SurfaceSize


class SurfaceSizes(dict[str, SurfaceSize]):
    """The sizes of surfaces.  Each document is its own surface, named by its path."""

    def add(self, surface: str, size: int, files: int) -> None:
        old = self.get(surface, SurfaceSize(0, 0))
        self[surface] = SurfaceSize(old.files + files, old.bytes + size)
        if self[surface] == (0, 0):
            del self[surface]

    @property
    def files(self) -> int:
        return sum(surface.files for surface in self.values())

    @property
    def bytes(self) -> int:
        return sum(surface.bytes for surface in self.values())


class ListedFile(NamedTuple):
    """The size and the SHA-256 of a published file."""

    size: int
    sha256: bytes

    @classmethod
    def of(cls, data: bytes) -> ListedFile:
        return cls(len(data), sha256(data).digest())

    def entry(self) -> dict[str, Any]:
        """The file as a manifest has it."""
        return {"size": self.size, "sha256": self.sha256.hex()}


class Listing:
    """Published files by address, and how many bytes each surface has."""

    def __init__(self) -> None:
        self.files: dict[str, ListedFile] = {}
        self.sizes = SurfaceSizes()

    def add(self, surface: str, address: str, file: ListedFile) -> None:
        self.files[address] = file
        self.sizes.add(surface, file.size, 1)
