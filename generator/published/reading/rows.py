"""Renders records: the row of a record for lists and counts, and its published file."""

from __future__ import annotations

from itertools import chain
from typing import Any

import orjson

from generator.contract.artifact import Artifact
from generator.model.identifiers import listed
from generator.model.kinds.event import NEVER, Event, event_places, event_times
from generator.model.symbols import Counted, Kind, Symbols, encode_places
from generator.model.tables.coverage import coverage_numbers
from generator.model.tables.table import Row
from generator.outputs.records import render_record
from generator.text.words import fold, format_utc

NO_COUNTS = Counted()


def render(
    kind: Kind, slug: str, data: Any, symbols: Symbols, counts: Counted = NO_COUNTS
) -> tuple[Row, Artifact]:
    """The row and the file of a valid record."""
    summary = kind.summary(slug, data, symbols, counts)
    row = _row(kind, slug, data, symbols, counts, summary)
    return row, render_record(kind, data, symbols, summary, counts)


def row_to_check(kind: Kind, slug: str, data: Any, symbols: Symbols) -> Row:
    """The row of a record without its summary, for checks across records."""
    return _row(kind, slug, data, symbols, NO_COUNTS, {})


def _row(
    kind: Kind, slug: str, data: Any, symbols: Symbols, counts: Counted, summary: dict[str, Any]
) -> Row:
    ends = ""
    if isinstance(data, Event):
        when = event_times(data)
        start = when.starts_at or when.ends_at
        key = format_utc(start) if start else NEVER
        ends = format_utc(when.ends_at) if when.ends_at else NEVER
        if when.ends_at is None and data.status == "cancelled":
            ends = ""  # over
    else:
        key = fold(data.name)
    return Row(
        slug,
        data.name,
        key,
        kind.numbers(data, symbols, counts),
        ends,
        kind.facets(data, symbols),
        _place_labels(data, symbols),
        tuple(data.aliases or ()),
        tuple(f"{s}:{text}" for s, text, _ in listed(data.identifiers)) if data.identifiers else (),
        coverage_numbers(data),
        orjson.dumps(summary),
    )


def _place_labels(data: Any, symbols: Symbols) -> tuple[tuple[str, str], ...]:
    """(place, label) for the places of a record, as it spells them."""
    if isinstance(data, Event):
        return event_places(data, symbols)
    if not data.locations:
        return ()
    found = encode_places(data.locations)
    return found[0].labels if len(found) == 1 else tuple(chain(*(p.labels for p in found)))
