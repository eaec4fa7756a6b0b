"""Checks beyond a field's own form, one a file.

A module has `check_record(kind, record, symbols)`, which yields the faults of one record, of all
collections unless it has `COLLECTIONS`, or `check_registry(known, where)`, which yields
(collection, slug, fault) for what only several records together show; `where` names their files.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.model.kinds import KINDS
from generator.model.settings.removed import Removal
from generator.model.symbols import Kind, Symbols
from generator.problems.faults import Fault

#: What duplicates are found by: the name and website of a record, and its countries with a space
#: between them (see `twins`).
Mark = tuple[str, str, str]


class Uses(NamedTuple):
    """Which records are in which slice: `members` has their numbers, `slugs` is by number, and
    `labels` names places.
    """

    members: Mapping[str, Sequence[int]] = {}
    slugs: Sequence[str] = ()
    labels: Mapping[str, str] = {}

    def first(self, of: str) -> str:
        """The first slug of a slice."""
        return min(self.slugs[number] for number in self.members[of])


class Known(NamedTuple):
    """What checks across records look at in one collection: live slugs, the parents and aliases of
    records that have any, what duplicates are found by (`marks`), and which slices are used.

    `open` has the families whose tags nobody lists, and `removed` the slugs that no record may get
    again.
    """

    live: Container[str]
    parents: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    marks: Mapping[str, Mark]
    uses: Uses = Uses()
    open: frozenset[str] = frozenset()
    removed: Mapping[str, Removal] = {}


RecordCheck = Callable[[Kind, Any, Symbols], Iterable[Fault]]
#: (collection, slug) -> the record's file as its author would type it
Where = Callable[[str, str], str]
RegistryCheck = Callable[[Mapping[str, Known], Where], Iterator[tuple[str, str, Fault]]]

_modules = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
#: collection -> its checks
RECORD_CHECKS: dict[str, tuple[RecordCheck, ...]] = {
    name: tuple(
        m.check_record
        for m in _modules
        if hasattr(m, "check_record") and name in getattr(m, "COLLECTIONS", KINDS)
    )
    for name in KINDS
}
REGISTRY_CHECKS: tuple[RegistryCheck, ...] = tuple(
    m.check_registry for m in _modules if hasattr(m, "check_registry")
)
