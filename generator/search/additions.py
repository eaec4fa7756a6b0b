"""What features add to the search indexes: what they keep of each record, and files.

The kinds of files and their order in the manifest are part of the format, in
generator.search.manifest: the engine in JavaScript, which has one bundle for all registries, checks
them too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from generator.feature import hooks, parts
from generator.model.tables.table import Registry, Table
from generator.search.manifest import Part
from generator.search.row_files import RowFiles


class Addition(NamedTuple):
    """The files of a feature in the index of a collection.

    `files` has the number of files of each kind, and `data` gives one.  `split` are further keys
    that the manifest calls divided.  `facets` are further keys with positions of records, like the
    values of filters.
    """

    files: Mapping[str, int]
    data: Callable[[Part], bytes]
    split: Iterable[str] = ()
    facets: Mapping[str, Sequence[int]] = {}


class Source(NamedTuple):
    """What additions are made from.  `records` has the id and slug of each record, by id, and what
    the feature collected of it.
    """

    table: Table
    registry: Registry
    rows: RowFiles
    records: Sequence[tuple[int, str, str]]


@cache
def _collectors() -> tuple[Callable[[str, Mapping[str, Any]], str], ...]:
    return tuple(hooks("index", "collect"))


def collect(slug: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    """What each feature keeps of a record with these fields of its model."""
    return tuple(keep(slug, data) for keep in _collectors())


def additions(
    table: Table,
    registry: Registry,
    rows: RowFiles,
    records: Sequence[tuple[int, str, Sequence[str]]],
) -> list[Addition]:
    """What features add to the index of a table; `records` is like that of Source, with all that
    was collected.
    """
    found = []
    for _, module in parts("index"):
        kept = getattr(module, "collect", None)
        number = _collectors().index(kept) if kept else None
        own = [(n, slug, "" if number is None else c[number]) for n, slug, c in records]
        addition = module.add(Source(table, registry, rows, own))
        if addition is not None:
            found.append(addition)
    return found
