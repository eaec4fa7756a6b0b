"""The files of names and of identifiers in the search index."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, starmap

from generator.feature import Hook
from generator.features.matching.name_files import NamedRecord, id_files, name_files
from generator.features.matching.name_files import pack_names as terms
from generator.model.symbols import Symbols
from generator.model.tables.table import Table
from generator.search.additions import Addition, IndexSource
from generator.search.manifest import IDS, NAMES

__all__ = ["add", "terms"]


IDENTIFIERS: Hook[Callable[[Table, Symbols], Iterable[tuple[str, str, str, str]]]] = Hook(
    "collect", "identifiers", "table, symbols"
)


def add(source: IndexSource) -> Addition:
    named = [*starmap(NamedRecord, source.records)]
    names, split = name_files(named)
    files = {NAMES: names}
    asked = source.table, source.registry.symbols
    identifiers = chain(*(of(*asked) for of in IDENTIFIERS))
    if ids := id_files(named, identifiers):
        files[IDS] = ids
    counts = {kind: len(found) for kind, found in files.items()}
    return Addition(counts, lambda part: files[part[0]][part[1]], split)
