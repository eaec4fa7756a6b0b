"""The files of a registry with their sizes, and the report of a build or a check.  Imports nothing
heavy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.contract.artifact import SurfaceSize
from generator.problems.diagnostic import Diagnostic, is_error

if TYPE_CHECKING:
    from generator.guard.state import State
    from generator.model.symbols import Symbols


class SurfaceSizes(dict[str, SurfaceSize]):
    """The sizes of surfaces.  Each document is its own surface, named by its path."""

    def add(self, surface: str, size: int) -> None:
        files, total = self.get(surface, (0, 0))
        self[surface] = SurfaceSize(files + 1, total + size)

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
        self.sizes.add(surface, file.size)


class OutputDifference(NamedTuple):
    """The addresses of two states of an output that differ."""

    added: Sequence[str] = ()
    changed: Sequence[str] = ()
    removed: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a build or a check.

    `accepted` has the warnings that content accepts; a build does not list them.  `sizes` is that
    of the whole output, `difference` what a build changed there; `is_current` says that the output
    was a build of the same already, so that nothing was made.
    `notes` are lines to show.  `elsewhere` counts problems of files that were not selected.
    `earlier` has the number of records in the last build, if known; `state` is the state of this
    build for guards.  `symbols` are those of a check, None if registry.yaml could not be read.
    """

    problems: list[Diagnostic]
    records: Mapping[str, int]
    earlier: Mapping[str, int] | None = None
    sizes: SurfaceSizes = field(default_factory=SurfaceSizes)
    hosts: tuple[str, ...] = ()
    difference: OutputDifference = OutputDifference()  # noqa: RUF009  (a named tuple of empty tuples)
    is_current: bool = False
    notes: tuple[str, ...] = ()
    elsewhere: int = 0
    state: State | None = None
    accepted: Sequence[Diagnostic] = ()
    symbols: Symbols | None = field(default=None, compare=False)

    @property
    def failed(self) -> bool:
        return any(map(is_error, self.problems))
