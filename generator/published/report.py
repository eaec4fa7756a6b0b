"""The report of a build or a check.  Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from generator.problems.diagnostic import Diagnostic, is_error
from generator.published.listing import SurfaceSizes

if TYPE_CHECKING:
    from generator.guard.state import State
    from generator.model.symbols import Symbols


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
