"""The schemes of a registry, and the identifiers of each record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.features.identifiers.schemes import IdScheme, listed, schemes_of
from generator.features.identifiers.settings import Settings
from generator.model.kind import Kind
from generator.model.settings.registry import Settings as Registry
from generator.model.symbols import Symbols
from generator.model.tables.table import Table


def know(settings: Registry) -> dict[str, IdScheme]:
    return Settings.of(settings).schemes()


def collect(kind: Kind, record: Any, symbols: Symbols) -> tuple[tuple[str, str], ...] | None:
    """(scheme, id) of the identifiers of a record."""
    return tuple((scheme, text) for scheme, text, _ in listed(record.identifiers)) or None


def identifiers(table: Table, symbols: Symbols) -> Iterator[tuple[str, str, str, str]]:
    """(slug, scheme, id, URL) of the identifiers of records."""
    schemes = schemes_of(symbols)
    for slug, collected in table.extras.get("identifiers", {}).items():
        for scheme, text in collected:
            yield slug, scheme, text, schemes[scheme].address(text)
