"""What came of a build or a check, and what each surface came to.  Imports nothing heavy."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from generator.problems.diagnostic import Diagnostic, is_error, ordered

if TYPE_CHECKING:
    from generator.guard.state import State

#: Tells how far a stage is: its name, items done, items in all.
Progress = Callable[[str, int, int], None]


class Sizes(dict[str, tuple[int, int]]):
    """surface -> (files, bytes).  Documents are surfaces of their own, named by their path."""

    def add(self, surface: str, size: int, files: int = 1) -> None:
        before = self.get(surface, (0, 0))
        self[surface] = before[0] + files, before[1] + size
        if self[surface] == (0, 0):
            del self[surface]

    @property
    def files(self) -> int:
        return sum(files for files, _ in self.values())

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.values())


class Clock(dict[str, float]):
    """stage -> seconds that it took, in all the times that it was entered."""

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts the time of what is done inside."""
        began = time.perf_counter()
        yield
        self[name] = self.get(name, 0.0) + time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class Nothing:
    """The output is as the last build left it: content and moment are the same."""


@dataclass(frozen=True, slots=True)
class Part:
    """What changed was built into the last output."""


class Whole(NamedTuple):
    """All was built; `reason` says what kept a part of it from doing."""

    reason: str


#: What a build did, or would have done had the content no error.
Outcome = Nothing | Part | Whole


#: What became of a file.
Change = Literal["added", "changed", "removed"]


class Input(NamedTuple):
    """A file of the content, by its path below the content folder."""

    path: str
    change: Change


class Follows(NamedTuple):
    """A file of the output, by its path, from which another follows."""

    path: str


class Values(NamedTuple):
    """Inputs of a document that are not what they were (see generator.contract.artifact)."""

    names: tuple[str, ...]


#: Why a file was written or removed.
Cause = Input | Follows | Values | Whole


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a build, which `outcome` names, or of a check.

    `written` and `removed` say of every path why it was; `sizes` is of the whole output, and
    `remarks` says what makes its files and which limits are near, `notes` what else is worth
    knowing.  `elsewhere` counts the problems of files that were not asked about.  `earlier` has the
    records of the last build, where that is known; `state` is what guards count of this one.
    """

    problems: list[Diagnostic]
    records: Mapping[str, int]
    earlier: Mapping[str, int] | None = None
    sizes: Sizes = field(default_factory=Sizes)
    hosts: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    outcome: Outcome = Nothing()
    written: Mapping[str, Cause] = field(default_factory=dict)
    removed: Mapping[str, Cause] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    elsewhere: int = 0
    state: State | None = None

    @property
    def failed(self) -> bool:
        return any(map(is_error, self.problems))


def judged(problems: Iterable[Diagnostic], strict: bool) -> list[Diagnostic]:
    """Problems as they are told: each once, in order; with `strict`, all of them are errors."""
    return ordered(replace(p, severity="error") if strict else p for p in problems)
