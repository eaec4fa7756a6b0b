"""The calendar feeds: all events, and those of each program, organization and kind, upcoming and of
the past year.

Instants are written in UTC, so no reader needs a zone table, and an event of bare dates as whole
days.  An event is encoded once and its bytes are joined into every feed it belongs to.

Two properties say nothing of the clock or the host:

* UID is a name-based UUID (RFC 7986 §5.3) of the registry's name and the event's slug, so that
  entries outlive a move to another base URL.  An event that was renamed keeps the UID of its first
  alias.
* DTSTAMP is the event's own end.  It is the same in every build of the same record, and when a
  deadline is extended, the commonest change, it becomes later, which is what a client that compares
  stamps expects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

import orjson

from generator.contract.artifact import Artifact
from generator.contract.identity import uid
from generator.grammar.grammar import Slice
from generator.model.kinds.event import KINDS, TIMES
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import declared, label
from generator.model.tables.table import Row, Table

#: Beside these RFC 5545 §3.8.1.11 has no status that an event may take; an extended one is
#: confirmed.
STATUSES = {"cancelled": "CANCELLED", "tentative": "TENTATIVE"}


def render(
    settings: Settings,
    symbols: Symbols,
    events: Table,
    aliases: Sequence[tuple[str, str, str]],
    as_of: date,
) -> Iterator[Artifact]:
    from generator.contract import ical

    oldest = f"{year_before(as_of).isoformat()}T00:00:00Z"
    every = events.positions(Slice(events.collection))
    entries = {
        i: vevent(events.rows[i], settings, symbols) for i in every if events.rows[i].ends >= oldest
    }
    known, counts = declared(events.collection, symbols), events.counts()

    def feed(part: Slice, name: str) -> Artifact:
        source = settings.origin + symbols.grammar.url(part.feed) if settings.origin else None
        shown = [entries[i] for i in events.positions(part) if i in entries]
        return Artifact(part.feed, ical.calendar(name, settings.description.strip(), source, shown))

    yield feed(Slice(events.collection), settings.name)
    for name in events.collection.feeds:
        former: dict[str, list[str]] = {}
        for collection, alias, slug in aliases:
            if collection == events.collection.filters[name].refers:
                former.setdefault(slug, []).append(alias)
        for value in sorted(counts.values[name]):
            title = label(counts, name, value, known)
            artifact = feed(Slice(events.collection, name, value), f"{title} · {settings.name}")
            yield artifact
            # Who subscribed to the feed of a former slug goes on reading it; SOURCE says where it
            # is now (RFC 7986 §5.8).
            for alias in former.get(value, ()):
                yield Artifact(Slice(events.collection, name, alias).feed, artifact.data)


def year_before(day: date) -> date:
    """The same day of the year before; the 28th for a 29th of February."""
    year = max(day.year - 1, 1)
    return (
        day.replace(year=year, day=28)
        if (day.month, day.day) == (2, 29)
        else day.replace(year=year)
    )


def vevent(row: Row, settings: Settings, symbols: Symbols) -> bytes:
    """One event as a client shows it."""
    from generator.contract import ical

    event = orjson.loads(row.summary)
    start, end = (
        ical.instant(event["starts_at"] or event["ends_at"]),
        ical.instant(event["ends_at"]),
    )
    record = settings.origin + event["href"] if settings.origin else None
    whole_days = event["kind"] == "event" and event["all_day"]
    last_day = date.fromisoformat(event["ends_local"][:10])
    return ical.vevent(
        uid=uid(settings.name, (*row.aliases, row.slug)[0]),
        stamp=end,
        start=date.fromisoformat(event["starts_local"]) if whole_days else start,
        # An instant has no end: DTEND is later than DTSTART or not there (RFC 5545 §3.8.2.2).
        end=last_day + timedelta(days=1)
        if whole_days
        else end
        if event["starts_at"] and end > start
        else None,
        status=STATUSES.get(event["status"], "CONFIRMED"),
        summary=event["name"],
        description="\n".join(facts(event, symbols, record)),
        categories=[KINDS[event["kind"]], *(name for _, name in owners(event, symbols))],
        url=event["website"] or record,
    )


def owners(event: dict[str, Any], symbols: Symbols) -> Iterator[tuple[str, str]]:
    """(`Program` or `Organization`, its name) of what the event belongs to."""
    for name in ("program", "organization"):
        slug = event[name]
        if slug is not None:
            yield name.capitalize(), symbols.name(f"{name}s", slug)


def facts(event: dict[str, Any], symbols: Symbols, record: str | None) -> Iterator[str]:
    """The description, line by line: the summary, then what the record says, times as their author
    wrote them.
    """
    if event["summary"]:
        yield event["summary"]
        yield ""
    for name, value in owners(event, symbols):
        yield f"{name}: {value}"
    first, last = TIMES[event["kind"]]
    whole_days = event["kind"] == "event" and event["all_day"]
    if first != last and event["starts_local"] is not None:
        yield (
            f"{first.capitalize()}: "
            f"{_written(event['starts_local'], '' if whole_days else ', start of day')}"
        )
    if event["ends_local"] != event["starts_local"] or event["kind"] != "event":
        yield (
            f"{last.capitalize()}: "
            f"{_written(event['ends_local'], '' if whole_days else ', end of day')}"
        )
    if not whole_days:
        zone = event["timezone"]
        yield "Time zone: " + ("AoE (anywhere on earth, UTC-12)" if zone == "AoE" else zone)
    if event["status"] != "confirmed":
        yield f"Status: {event['status']}"
    if event["website"]:
        yield f"Website: {event['website']}"
    if record is not None:
        yield f"Record: {record}"


def _written(time: str, of_day: str) -> str:
    return time.replace("T", " ") if "T" in time else time + of_day
