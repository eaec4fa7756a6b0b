"""Checks beyond a field's own form, one a file.

A module has `check_record(kind, record, symbols)`, which yields the faults of one record, of all
collections unless it has `COLLECTIONS`, or `check_registry(known, where)`, which yields
(collection, slug, fault) for what only several records together show; `where` names their files.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from generator.records.faults import Fault
from generator.records.kinds import KINDS
from generator.records.removed import Removal
from generator.records.symbols import Kind, Symbols

Mark = tuple[str, str, int]


class Known(NamedTuple):
    """What checks across records look at in one collection: live slugs, and the parents and aliases
    of who has any.

    `marks` has a record's name and website (`twins`), and its horizon (`plausible`); of `fresh`
    records warnings are told, None means of all.  `removed` has the slugs that nobody gets again.
    """

    live: Container[str]
    parents: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    marks: Mapping[str, Mark]
    fresh: Container[str] | None = None
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
