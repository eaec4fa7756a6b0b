"""The files of a build, and the report of a build or a check.  Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems.diagnostic import (
    Diagnostic,
    is_accepted,
    is_error,
    sort_diagnostics,
    stops_publish,
)

if TYPE_CHECKING:
    from generator.guard.state import State

#: A function that shows progress: (name of the stage, items done, items in all).
Progress = Callable[[str, int, int], None]


class Sizes(dict[str, tuple[int, int]]):
    """Surface -> (files, bytes).  Each document is its own surface, named by its path."""

    def add(self, surface: str, size: int, files: int) -> None:
        old_files, old_size = self.get(surface, (0, 0))
        self[surface] = old_files + files, old_size + size
        if self[surface] == (0, 0):
            del self[surface]

    @property
    def files(self) -> int:
        return sum(files for files, _ in self.values())

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.values())


class File(NamedTuple):
    """The size and the SHA-256 of a published file."""

    size: int
    sha256: bytes

    @classmethod
    def of(cls, data: bytes) -> File:
        return cls(len(data), sha256(data).digest())

    def entry(self) -> dict[str, Any]:
        """The file as a manifest has it."""
        return {"size": self.size, "sha256": self.sha256.hex()}


class Listing:
    """Published files by address, and how many bytes each surface has."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        self.sizes = Sizes()

    def add(self, surface: str, address: str, file: File) -> None:
        self.files[address] = file
        self.sizes.add(surface, file.size, 1)


class Difference(NamedTuple):
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
    build for guards.
    """

    problems: list[Diagnostic]
    records: Mapping[str, int]
    earlier: Mapping[str, int] | None = None
    sizes: Sizes = field(default_factory=Sizes)
    hosts: tuple[str, ...] = ()
    difference: Difference = Difference()  # noqa: RUF009  (a named tuple of empty tuples)
    is_current: bool = False
    notes: tuple[str, ...] = ()
    elsewhere: int = 0
    state: State | None = None
    accepted: Sequence[Diagnostic] = ()

    @property
    def failed(self) -> bool:
        return any(map(is_error, self.problems))


def sort_problems(problems: Iterable[Diagnostic], strict: bool) -> list[Diagnostic]:
    """Problems without repetitions and accepted warnings, in order.  With `strict`, warnings are
    errors, except those that depend on the day: time alone stops no build.
    """
    found = (p for p in problems if not is_accepted(p))
    return sort_diagnostics(map(_strict, found) if strict else found)


def _strict(problem: Diagnostic) -> Diagnostic:
    return replace(problem, severity="error") if stops_publish(problem) else problem
