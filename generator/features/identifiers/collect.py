"""The schemes of a registry, and the identifiers of each record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from generator.features.identifiers.schemes import (
    IdScheme,
    by_host,
    ids_in_links,
    listed,
    schemes_of,
)
from generator.features.identifiers.settings import Settings
from generator.model.kind import Kind
from generator.model.settings.registry import Settings as Registry
from generator.model.symbols import Symbols
from generator.model.tables.table import Table


class Collected(NamedTuple):
    """(scheme, id) of the identifiers of a record, and the number of its links that are some."""

    ids: tuple[tuple[str, str], ...]
    in_links: int


def know(settings: Registry) -> dict[str, IdScheme]:
    return Settings.of(settings).schemes()


def collect(kind: Kind, record: Any, symbols: Symbols) -> tuple[Any, ...] | None:
    if not record.identifiers and not record.links:
        return None
    ids = tuple((scheme, text) for scheme, text, _ in listed(record.identifiers))
    hosts = symbols.cached("hosts of identifiers", lambda: by_host(schemes_of(symbols)))
    in_links = len(ids_in_links(record.links, hosts)) if record.links else 0
    return tuple(Collected(ids, in_links)) if ids or in_links else None


def identifiers(table: Table, symbols: Symbols) -> Iterator[tuple[str, str, str, str]]:
    """(slug, scheme, id, URL) of the identifiers of records."""
    schemes = schemes_of(symbols)
    for slug, collected in table.extras.get("identifiers", {}).items():
        for scheme, text in Collected(*collected).ids:
            yield slug, scheme, text, schemes[scheme].address(text)
