"""The files of feeds in the search index, which have the starts of the large row files."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from generator.contract.listing import EVENT_END, text_line
from generator.contract.vevents import current_events, encode_event
from generator.features.feeds import CURRENT
from generator.model.tables.table import Registry
from generator.search.format import filter_key
from generator.search.manifest import FEEDS, ROWS, Part, RowFiles
from generator.search.terms import Addition, IndexSource


def add(source: IndexSource) -> Addition | None:
    """The files of events."""
    table, registry = source.table, source.registry
    if not table.collection.feeds:
        return None
    current = current_events(table, registry.as_of)
    files = _FeedFiles(source.rows, current, registry)
    return Addition(files.part_counts(), files.data, facets={filter_key(*CURRENT): current})


class _FeedFiles:
    """The files: one of the lines that all feeds have, and the events with the starts of rows."""

    def __init__(self, rows: RowFiles, current: Sequence[int], registry: Registry):
        self.rows, self.current = rows, frozenset(current)
        self.settings, self.symbols = registry.settings, registry.symbols
        self.modified = registry.modified

    def part_counts(self) -> dict[str, int]:
        rows = self.rows.starts
        kinds = {kind: len(rows[ROWS[n]]) for n, kind in enumerate(FEEDS) if n and ROWS[n] in rows}
        return {FEEDS[0]: 1, **kinds}

    def data(self, part: Part) -> bytes:
        from generator.contract.ical import calendar_head

        settings, symbols = self.settings, self.symbols
        if part[0] == FEEDS[0]:
            head = calendar_head(settings.description.strip())
            return orjson.dumps([settings.name, settings.origin, *head])
        lines = []
        for i in self._positions(part):
            texts: tuple[str, ...] = ()
            if i in self.current:
                table = self.rows.table
                event = encode_event(table, i, settings, symbols, self.modified)
                alarm = _encode_alarm(table.summaries[i])
                texts = event.removesuffix(EVENT_END).decode(), alarm
            lines.append(orjson.dumps(texts) + b"\n" if texts else b"\n")
        return b"".join(lines)

    def _positions(self, part: Part) -> Sequence[int]:
        span, _ = self.rows.span((ROWS[FEEDS.index(part[0])], part[1]))
        return self.rows.order[span]


def _encode_alarm(summary: bytes) -> str:
    """The VALARM of an event with this summary, up to the duration of its trigger, such as P7D.

    The alarm of an application window is before its end, if it has two ends, else before the start
    (RFC 5545 §3.8.6.3).
    """
    event = orjson.loads(summary)
    is_window = event["kind"] == "application_window" and event["starts_at"] is not None
    related = ";RELATED=END" if is_window and event["starts_at"] < event["ends_at"] else ""
    shown = text_line("DESCRIPTION", event["name"]).decode()
    return f"BEGIN:VALARM\r\nACTION:DISPLAY\r\n{shown}TRIGGER{related}:-"
