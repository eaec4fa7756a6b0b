"""One record -> what lists and counts see of it, and its own file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.text import fold, utc
from generator.model.kinds.event import Event, times
from generator.model.symbols import Counted, Kind, Symbols, places
from generator.model.tables.coverage import covers
from generator.model.tables.table import Row
from generator.outputs.records import record

NOTHING = Counted()


class Rendered(NamedTuple):
    """A record as lists see it, and its file."""

    row: Row
    artifact: Artifact


def render(
    kind: Kind, slug: str, data: Any, symbols: Symbols, counts: Counted = NOTHING
) -> Rendered:
    """What is made of a record that has no fault."""
    return render_each(kind, [(slug, data)], symbols, counts)[0]


def render_each(
    kind: Kind, records: Sequence[tuple[str, Any]], symbols: Symbols, counts: Counted = NOTHING
) -> list[Rendered]:
    """The same of each of several records, one step after the other."""
    summaries = [kind.summary(slug, data, symbols, counts) for slug, data in records]
    both = list(zip(records, summaries, strict=True))
    rows = [_row(kind, slug, data, symbols, counts, summary) for (slug, data), summary in both]
    files = [record(kind, data, symbols, summary, counts) for (_, data), summary in both]
    return list(map(Rendered, rows, files))


def _row(
    kind: Kind, slug: str, data: Any, symbols: Symbols, counts: Counted, summary: dict[str, Any]
) -> Row:
    ends = ""
    if isinstance(data, Event):
        when = times(data)
        key, ends = utc(when.starts_at or when.ends_at), utc(when.ends_at)
    else:
        key = fold(data.name)
    return Row(
        slug,
        data.name,
        key,
        kind.numbers(data, symbols, counts),
        ends,
        kind.facets(data, symbols),
        labels(kind, data),
        tuple(data.aliases or ()),
        covers(data),
        orjson.dumps(summary),
    )


def labels(kind: Kind, data: Any) -> tuple[tuple[str, str], ...]:
    """The places of a record with what it calls them."""
    if not data.locations or kind.collection == "events":
        return ()
    held = places(data.locations)
    return held[0].labels if len(held) == 1 else tuple(chain(*(where.labels for where in held)))
