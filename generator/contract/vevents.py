"""Events as VEVENTs (RFC 5545), the same in every feed.

Instants are written in UTC, so readers need no table of time zones.  An event with bare dates is
written as whole days.

* UID is a name-based UUID (RFC 7986 §5.3) of the registry's name and the event's slug, or its first
  alias.  So it stays the same under another base URL and after a renaming.
* DTSTAMP and LAST-MODIFIED are the time of the latest commit that changed the event.  They do not
  depend on the time of the build, and never become earlier.  If the history is not known, there is
  no LAST-MODIFIED, and DTSTAMP is UNKNOWN: a stamp made from the dates of the event would become
  earlier when a date is corrected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

import orjson

from generator.contract.listing import uid
from generator.grammar.grammar import Slice
from generator.kinds.event import KIND_LABELS
from generator.model.kinds.event_places import places_of
from generator.model.kinds.event_times import NEVER, TIME_FIELDS
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Row, Table

#: The time of an event's last change if the history is not known.
UNKNOWN = "1970-01-01T00:00:00Z"
#: Statuses of events -> RFC 5545 §3.8.1.11.  All others, "extended" too, are CONFIRMED.
STATUSES = {"cancelled": "CANCELLED", "tentative": "TENTATIVE"}


def current_events(events: Table, as_of: date) -> list[int]:
    """Positions of the events that feeds have: not rolling, and not over since more than a year."""
    oldest = f"{year_before(as_of).isoformat()}T00:00:00Z"
    every = events.positions(Slice(events.collection))
    return [i for i in every if oldest <= events.ends[i] < NEVER]


def year_before(day: date) -> date:
    """The same day of the year before; the 28th for a 29th of February."""
    year = max(day.year - 1, 1)
    if (day.month, day.day) == (2, 29):
        day = day.replace(day=28)
    return day.replace(year=year)


def encode_event(
    events: Table, position: int, settings: Settings, symbols: Symbols, modified: Mapping[str, str]
) -> bytes:
    """The VEVENT of an event, which a process encodes once for all its feeds."""
    row, summary = events.rows[position], events.summaries[position]
    at = modified.get(row.slug)

    def encoded() -> bytes:
        from generator.contract import ical

        return ical.vevent(entry_of(row, summary, settings, symbols, at))

    key = "vevent", settings.name, settings.origin, row.aliases, summary, at
    return symbols.cached(key, encoded)


class EventValues(NamedTuple):
    """The values of a VEVENT.  With dates, `end` is the day after the last day (RFC 5545 §3.6.1).
    An empty `location` is left out.
    """

    uid: str
    stamp: datetime
    modified: datetime | None
    start: date | datetime
    end: date | datetime | None
    status: str
    summary: str
    location: str
    description: str
    categories: list[str]
    url: str | None


def entry_of(
    row: Row, summary: bytes, settings: Settings, symbols: Symbols, modified: str | None
) -> EventValues:
    """The VEVENT of an event that is not rolling; `modified` is when it was last changed."""
    event = orjson.loads(summary)
    ends_at = parse_instant(event["ends_at"])
    page = record_page(event["slug"], settings, symbols)
    record = page or (settings.origin + event["href"] if settings.origin else None)
    start: date
    end: date | None
    if _is_whole_days(event):
        start = date.fromisoformat(event["starts_local"])
        end = date.fromisoformat(event["ends_local"][:10]) + timedelta(days=1)
    else:
        start = parse_instant(event["starts_at"] or event["ends_at"])
        # DTEND is later than DTSTART, or absent (RFC 5545 §3.8.2.2).
        end = ends_at if ends_at > start else None
    return EventValues(
        uid=uid(settings.name, (*row.aliases, row.slug)[0]),
        stamp=parse_instant(modified or UNKNOWN),
        modified=parse_instant(modified) if modified else None,
        start=start,
        end=end,
        status=STATUSES.get(event["status"], "CONFIRMED"),
        summary=event["name"],
        location="; ".join(place_names(event, symbols)),
        description="\n".join(description_lines(event, symbols, record)),
        categories=[KIND_LABELS[event["kind"]], *categories(event, symbols)],
        url=page or event["website"] or record,
    )


def parse_instant(text: str) -> datetime:
    """The time of a text like 2026-11-23T09:00:00Z."""
    return datetime.fromisoformat(text).astimezone(UTC)


def record_page(slug: str, settings: Settings, symbols: Symbols) -> str | None:
    """The absolute address of an event's page; None without a base URL, and without pages."""
    page = symbols.grammar.record_page(symbols.grammar.kinds.timed, slug)
    return settings.origin + symbols.grammar.url(page) if page and settings.origin else None


def _is_whole_days(event: dict[str, Any]) -> bool:
    return bool(TIME_FIELDS[event["kind"]][1] == "ends" and event["all_day"])


def owners(event: dict[str, Any], symbols: Symbols) -> Iterator[tuple[str, str]]:
    """(label of the field, name) of the records that the event belongs to."""
    for f in symbols.grammar.timed.declared.owners:
        for slug in f.values_in(event):
            yield f.label, symbols.name(f.refers, slug)


def place_names(event: dict[str, Any], symbols: Symbols) -> Iterator[str]:
    """The places of an event in words, and `Online`."""
    yield from (place.label for place in places_of(event, symbols))
    if event["online"]:
        yield "Online"


def categories(event: dict[str, Any], symbols: Symbols) -> Iterator[str]:
    """The names of the owners of the event, and the labels of its tags, each once."""
    tags = (label for _, labels in tag_labels(event, symbols) for label in labels)
    yield from dict.fromkeys((*(name for _, name in owners(event, symbols)), *tags))


def tag_labels(event: dict[str, Any], symbols: Symbols) -> Iterator[tuple[str, list[str]]]:
    """(family, tags) of an event in words."""
    for family, tags in event["tags"].items():
        if tags:
            labels = [symbols.tag_label(family, tag) for tag in tags]
            yield symbols.grammar.tag_families[family], labels


def description_lines(event: dict[str, Any], symbols: Symbols, record: str | None) -> Iterator[str]:
    """The lines of the description: the summary, then facts, with times as their author wrote them.

    `record` is the address of its page, or of its file; None if the registry has no base URL.
    """
    if event["summary"]:
        yield event["summary"]
        yield ""
    for name, value in owners(event, symbols):
        yield f"{name}: {value}"
    first, last = TIME_FIELDS[event["kind"]]
    whole_days = _is_whole_days(event)
    if first != last and event["starts_local"] is not None:
        time = _local_time(event["starts_local"], "" if whole_days else ", start of day")
        yield f"{first.capitalize()}: {time}"
    if event["ends_local"] != event["starts_local"] or last != "ends":
        time = _local_time(event["ends_local"], "" if whole_days else ", end of day")
        yield f"{last.capitalize()}: {time}"
    if not whole_days:
        zone = event["timezone"]
        yield "Time zone: " + ("AoE (anywhere on earth, UTC-12)" if zone == "AoE" else zone)
    if event["status"] != "confirmed":
        yield f"Status: {event['status']}"
    for label, labels in tag_labels(event, symbols):
        yield f"{label}: {', '.join(labels)}"
    declared = symbols.grammar.timed.declared
    for field in (f for f in declared.own if f.listed and f not in declared.owners):
        if values := field.values_in(event):
            yield f"{field.label}: {', '.join(map(field.value_text, values))}"
    if event["website"]:
        yield f"Website: {event['website']}"
    if record is not None:
        yield f"Record: {record}"


def _local_time(time: str, suffix: str) -> str:
    """A time for people; a bare date gets the suffix."""
    return time.replace("T", " ") if "T" in time else time + suffix
