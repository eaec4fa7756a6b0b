"""What features add to the search indexes: terms of each record, and files.

The kinds of files and their order in the manifest are part of the format, in
generator.search.manifest: the engine in JavaScript, which has one bundle for all registries, checks
them too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from generator.feature import Hook, parts
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


class IndexSource(NamedTuple):
    """What additions are made from.  `records` has the id and slug of each record, by id, and its
    terms for the feature.
    """

    table: Table
    registry: Registry
    rows: RowFiles
    records: Sequence[tuple[int, str, str]]


TERMS: Hook[Callable[[str, Mapping[str, Any]], str]] = Hook("index", "terms", "slug, data")


@cache
def _term_makers() -> tuple[Callable[[str, Mapping[str, Any]], str], ...]:
    return tuple(TERMS)


def added_terms(slug: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    """The terms for each feature of a record with these fields of its model."""
    return tuple(make(slug, data) for make in _term_makers())


def additions(
    table: Table,
    registry: Registry,
    rows: RowFiles,
    records: Sequence[tuple[int, str, Sequence[str]]],
) -> list[Addition]:
    """What features add to the index of a table; `records` is like that of IndexSource, with the
    terms for all features.
    """
    found = []
    for _, module in parts("index"):
        make = getattr(module, "terms", None)
        number = _term_makers().index(make) if make else None
        own = [(n, slug, "" if number is None else terms[number]) for n, slug, terms in records]
        addition = module.add(IndexSource(table, registry, rows, own))
        if addition is not None:
            found.append(addition)
    return found
