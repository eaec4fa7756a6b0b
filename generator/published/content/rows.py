"""Renders records: the row of a record for lists and counts, and its published file."""

from __future__ import annotations

from typing import Any

import orjson

from generator.contract.artifact import Artifact
from generator.feature import parts
from generator.model.kind import Kind, OwnerCounts
from generator.model.symbols import Symbols
from generator.model.tables.coverage import coverage_numbers, number_fields
from generator.model.tables.table import Row
from generator.outputs.records import render_record

NO_COUNTS = OwnerCounts()
#: Feature -> the function that collects what it keeps of a record.
_COLLECTORS = {
    feature.name: module.collect
    for feature, module in parts("collect")
    if hasattr(module, "collect")
}


def render(
    kind: Kind, slug: str, data: Any, symbols: Symbols, counts: OwnerCounts = NO_COUNTS
) -> tuple[Row, Artifact]:
    """The row and the file of a valid record."""
    summary = kind.summary(slug, data, symbols, counts)
    row = _row(kind, slug, data, symbols, counts, summary)
    return row, render_record(kind, data, symbols, summary, counts)


def row_to_check(kind: Kind, slug: str, data: Any, symbols: Symbols) -> Row:
    """The row of a record without its summary, for checks across records."""
    return _row(kind, slug, data, symbols, NO_COUNTS, {})


def _row(
    kind: Kind, slug: str, data: Any, symbols: Symbols, counts: OwnerCounts, summary: dict[str, Any]
) -> Row:
    key, ends = kind.sort_key(data)
    counted = symbols.cached(
        ("coverage", kind.collection), lambda: number_fields(kind.collection, symbols.grammar)
    )
    return Row(
        slug,
        data.name,
        key,
        kind.numbers(data, symbols, counts),
        ends,
        kind.facets(data, symbols),
        kind.place_labels(data, symbols),
        tuple(data.aliases or ()),
        _extras(kind, data, symbols),
        coverage_numbers(data, counted),
        orjson.dumps(summary),
    )


def _extras(kind: Kind, data: Any, symbols: Symbols) -> dict[str, Any]:
    """Feature -> what it collects of a record."""
    found = {name: collect(kind, data, symbols) for name, collect in _COLLECTORS.items()}
    return {name: collected for name, collected in found.items() if collected is not None}
