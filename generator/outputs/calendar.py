"""The calendar feeds (RFC 5545): all events, and those of each value of some filters, upcoming and
of the past year.  `generator.contract.vevents` encodes the events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from generator.contract.artifact import Alias, Artifact
from generator.contract.vevents import current_events, encode_event
from generator.grammar.grammar import Slice
from generator.grammar.paths import FEED
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared_values, value_label
from generator.model.tables.table import Table

ADDRESSES = (FEED, f"{FEED.removesuffix('.ics')}/by/")


def render(
    settings: Settings,
    symbols: Symbols,
    events: Table,
    aliases: Sequence[Alias],
    as_of: date,
    modified: Mapping[str, str],
) -> Iterator[Artifact]:
    from generator.contract import ical

    entries = {
        i: encode_event(events.rows[i], settings, symbols, modified)
        for i in current_events(events, as_of)
    }
    known, counts = declared_values(events.collection, symbols), events.counts()

    def feed(part: Slice, name: str) -> Artifact:
        source = settings.origin + symbols.grammar.url(part.feed) if settings.origin else None
        positions = events.positions(part)
        vevents = [entries[i] for i in positions if i in entries]
        about = settings.description.strip()
        text = ical.calendar(name, about, source, vevents, len(positions))
        return Artifact(part.feed, text)

    yield feed(Slice(events.collection), settings.name)
    for name in events.collection.feeds:
        former: dict[str, list[str]] = {}
        for alias in aliases:
            if alias.collection == events.collection.filters[name].refers:
                former.setdefault(alias.slug, []).append(alias.former)
        for value in sorted(counts.values[name]):
            title = value_label(counts, name, value, known)
            artifact = feed(Slice(events.collection, name, value), f"{title} · {settings.name}")
            yield artifact
            # Subscribers of a former slug's feed get the same feed; SOURCE is its present address
            # (RFC 7986 §5.8).
            for slug in former.get(value, ()):
                yield Artifact(Slice(events.collection, name, slug).feed, artifact.data)
