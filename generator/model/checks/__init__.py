"""Checks that need more than the form of one field.  Each module is one check, and so is
the module `checks` of a feature.

A module has `check_record(kind, record, symbols)`, which returns the faults of one record, or
`check_registry(collections, path_of)`, which yields the faults of several records together.
What only records of one kind are checked for is `Kind.check`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.feature import Hook
from generator.grammar.filters import Facet
from generator.kinds.declare import Declared
from generator.model.kind import Kind
from generator.model.settings.list_files import Removal
from generator.model.symbols import Symbols
from generator.problems.faults import Fault


class DuplicateKeys(NamedTuple):
    """The keys by which duplicates of a record are found, "" for an absent one: the folded name and
    website, and the countries with a space between them (see `duplicates.make_duplicate_keys`).

    `step` is the place of an event in a timeline (see `Kind.step_key`); `core` is the name of
    a project or an organization without its legal form.
    """

    name: str = ""
    website: str = ""
    countries: str = ""
    step: str = ""
    core: str = ""


class RecordFault(NamedTuple):
    """A fault of the record with a slug."""

    collection: str
    slug: str
    fault: Fault


class CollectionRecords(NamedTuple):
    """The records of one collection, as checks between records need them.

    `declared` is their kind.  `live_slugs` has the slugs in use, `duplicate_keys` the keys of
    duplicates by slug, `members`
    the numbers of the records in each slice, `slugs` their slugs by number, `labels` those of
    places, `open_families` the tag families that take any tag, `removed` the slugs that may not be
    used again, `stages` those of events, in order, `accepts` the codes that records accept, by
    slug, `extras` what features collected of records, by feature and slug, and `times_added`
    returns when git got the files of records, in seconds, infinity for files that it does not have.
    """

    declared: Declared
    live_slugs: Container[str]
    parents: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    duplicate_keys: Mapping[str, DuplicateKeys]
    members: Mapping[Facet, Sequence[int]] = {}
    slugs: Sequence[str] = ()
    labels: Mapping[str, str] = {}
    open_families: frozenset[str] = frozenset()
    removed: Mapping[str, Removal] = {}
    stages: tuple[str, ...] = ()
    accepts: Mapping[str, Sequence[str]] = {}
    extras: Mapping[str, Mapping[str, Any]] = {}
    times_added: Callable[[Collection[str]], Mapping[str, float]] = lambda slugs: {}

    def first_slug(self, part: Facet) -> str:
        """The first slug of a slice, in alphabetical order."""
        return min(self.slugs[number] for number in self.members[part])


RecordCheck = Callable[[Kind, Any, Symbols], Iterable[Fault]]
#: (collection, slug) -> path of the record's file, as its author would type it
PathOf = Callable[[str, str], str]
RegistryCheck = Callable[[Mapping[str, CollectionRecords], PathOf], Iterator[RecordFault]]

_modules = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
RECORD_CHECKS: tuple[RecordCheck, ...] = (
    *(m.check_record for m in _modules if hasattr(m, "check_record")),
    *Hook[RecordCheck]("checks", "check_record", "kind, record, symbols"),
    lambda kind, record, symbols: kind.check(record, symbols),
)
REGISTRY_CHECKS: tuple[RegistryCheck, ...] = (
    *(m.check_registry for m in _modules if hasattr(m, "check_registry")),
    *Hook[RegistryCheck]("checks", "check_registry", "collections, path_of"),
)
