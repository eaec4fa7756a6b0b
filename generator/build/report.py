"""What came of a build or a check, and what each surface came to.  Imports nothing heavy."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from generator.api.diagnostic import Diagnostic, is_error, ordered

#: Tells how far a stage is: its name, items done, items in all.
Progress = Callable[[str, int, int], None]


class Sizes(dict[str, tuple[int, int]]):
    """surface -> (files, bytes).  Documents are surfaces of their own, named by their path."""

    def add(self, surface: str, size: int, files: int = 1) -> None:
        had = self.get(surface, (0, 0))
        self[surface] = had[0] + files, had[1] + size
        if self[surface] == (0, 0):
            del self[surface]

    @property
    def files(self) -> int:
        return sum(files for files, _ in self.values())

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.values())


@dataclass(frozen=True, slots=True)
class Nothing:
    """The output is as the last build left it: content and moment are the same."""


@dataclass(frozen=True, slots=True)
class Part:
    """What changed was built into the last output."""


@dataclass(frozen=True, slots=True)
class Whole:
    """All was built; `reason` says what kept a part of it from doing."""

    reason: str


#: What a build did, or would have done had the content no error.
Outcome = Nothing | Part | Whole


@dataclass(slots=True)
class Report:
    """What came of a build, which `outcome` names, or of a check.

    `written` and `removed` say of every path why it was; `sizes` is of the whole output, and
    `too_large` says which hosts would not take it.  `elsewhere` counts the problems of files that
    were not asked about. `earlier` has the records of the last build, where that is known.
    """

    problems: list[Diagnostic] = field(default_factory=list)
    records: dict[str, int] = field(default_factory=dict)
    earlier: Mapping[str, int] | None = None
    sizes: Sizes = field(default_factory=Sizes)
    hosts: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    outcome: Outcome = Nothing()
    written: dict[str, str] = field(default_factory=dict)
    removed: dict[str, str] = field(default_factory=dict)
    too_large: list[str] = field(default_factory=list)
    elsewhere: int = 0

    @property
    def failed(self) -> bool:
        return any(is_error(problem) for problem in self.problems)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts the time of what is done inside."""
        began = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began

    def finish(self, problems: Iterable[Diagnostic], strict: bool) -> None:
        self.problems = ordered(replace(p, severity="error") if strict else p for p in problems)
