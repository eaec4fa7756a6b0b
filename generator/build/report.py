"""The report of a build or a check, with the causes of changed files.  Imports nothing heavy."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

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


class Clock(dict[str, float]):
    """Stage -> seconds spent in it."""

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        began = time.perf_counter()
        yield
        self[name] = self.get(name, 0.0) + time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class NothingChanged:
    """There was nothing to build: content and moment are unchanged."""


@dataclass(frozen=True, slots=True)
class PartialBuild:
    """Only changes were built."""


class FullBuild(NamedTuple):
    """Everything was built; `reason` says why building only changes was not possible."""

    reason: str


#: How a build was done, or would have been done without errors in the content.
Outcome = NothingChanged | PartialBuild | FullBuild


#: The kind of a change of a file.
Change = Literal["added", "changed", "removed"]


class ContentChange(NamedTuple):
    """The cause is a file of the content; `path` is below the content folder."""

    path: str
    change: Change


class FromFile(NamedTuple):
    """The cause is a file of the output."""

    path: str


class ChangedInputs(NamedTuple):
    """The cause is changed inputs of a document (see generator.contract.artifact)."""

    names: tuple[str, ...]


#: The cause of a written or removed file.
Cause = ContentChange | FromFile | ChangedInputs | FullBuild


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a build or a check.

    `accepted` has the warnings that content accepts; a build does not list them.
    `written` and `removed` have the cause of each path; `sizes` is that of the whole output.
    `remarks` are lines on the files and on near limits, `notes` other lines to show.  `elsewhere`
    counts problems of files that were not selected.  `earlier` has the number of records in the
    last build, if known; `state` is the state of this build for guards.
    """

    problems: list[Diagnostic]
    records: Mapping[str, int]
    earlier: Mapping[str, int] | None = None
    sizes: Sizes = field(default_factory=Sizes)
    hosts: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    outcome: Outcome = NothingChanged()
    written: Mapping[str, Cause] = field(default_factory=dict)
    removed: Mapping[str, Cause] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
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
