"""iCalendar bytes (RFC 5545) of events and calendars, from plain values.

The icalendar package encodes values; this module writes the lines, three times as fast as the
package's component writer.  The package is slow to load, so import this module only where a feed is
rendered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from icalendar import vCategory, vDate, vDatetime, vDuration, vText, vUri

from generator.contract.listing import Head, escape_text, fold_line, join_calendar

if TYPE_CHECKING:
    from generator.contract.vevents import EventValues

#: The product without its version: a new release changes no feed (RFC 5545 §3.7.3).
PRODID = "-//registry-generator//Calendar feeds//EN"
#: How often clients should fetch a calendar.
REFRESH_INTERVAL = timedelta(hours=12)


class PropertyValue(Protocol):
    def to_ical(self) -> bytes: ...


class CalendarText(vText):
    r"""Text escaped without loss.  The package itself makes a line break of `\N` in `C:\New`."""

    def to_ical(self) -> bytes:
        return escape_text(self).encode()


def vevent(entry: EventValues) -> bytes:
    """One VEVENT."""

    def properties() -> Iterator[tuple[str, PropertyValue]]:
        yield "UID", CalendarText(entry.uid)
        yield "DTSTAMP", vDatetime(entry.stamp)
        if entry.modified is not None:
            yield "LAST-MODIFIED", vDatetime(entry.modified)
        yield _when("DTSTART", entry.start)
        if entry.end is not None:
            yield _when("DTEND", entry.end)
        yield "SUMMARY", CalendarText(entry.summary)
        if entry.location:
            yield "LOCATION", CalendarText(entry.location)
        yield "DESCRIPTION", CalendarText(entry.description)
        yield "CATEGORIES", _categories(entry.categories)
        yield "STATUS", CalendarText(entry.status)
        # A date to know does not make the subscriber busy.
        yield "TRANSP", CalendarText("TRANSPARENT")
        if entry.url is not None:
            yield "URL", vUri(entry.url)

    return component("VEVENT", properties())


def calendar(
    name: str, description: str, source: str | None, events: Iterable[bytes], total: int
) -> bytes:
    """A calendar of encoded events, out of `total` events.  `source` is its own absolute URL."""
    return join_calendar(calendar_head(description), name, source, list(events), total)


def single(event: bytes) -> bytes:
    """A calendar of one encoded event, without what a subscriber needs."""
    named = [("VERSION", CalendarText("2.0")), ("PRODID", CalendarText(PRODID))]
    return component("VCALENDAR", named, [event])


def calendar_head(description: str) -> Head:
    """What all calendars of a registry have.

    Without METHOD the file is a snapshot and no scheduling message (RFC 5545 §3.7.2).  So an
    ORGANIZER is not required, and DTSTAMP need not be the time of writing (§3.8.7.2).
    """
    opening = [("VERSION", CalendarText("2.0")), ("PRODID", CalendarText(PRODID))]
    rest: list[tuple[str, PropertyValue]] = [
        ("REFRESH-INTERVAL;VALUE=DURATION", vDuration(REFRESH_INTERVAL)),
        ("X-PUBLISHED-TTL", vDuration(REFRESH_INTERVAL)),
    ]
    begin = b"BEGIN:VCALENDAR\r\n"
    first = (begin + _lines(opening)).decode()
    return Head(first, description, _lines(rest).decode(), _utc().decode())


def component(
    name: str, properties: Iterable[tuple[str, PropertyValue]], inner: Iterable[bytes] = ()
) -> bytes:
    """A component of properties, as (name with parameters, value), and of encoded components."""
    begin, end = f"BEGIN:{name}\r\n".encode(), f"END:{name}\r\n".encode()
    return b"".join((begin, _lines(properties), *inner, end))


def _lines(properties: Iterable[tuple[str, PropertyValue]]) -> bytes:
    return b"".join(fold_line(f"{key}:".encode() + value.to_ical()) for key, value in properties)


def _when(name: str, when: date | datetime) -> tuple[str, PropertyValue]:
    if isinstance(when, datetime):
        return name, vDatetime(when)
    return f"{name};VALUE=DATE", vDate(when)


def _categories(names: Iterable[str]) -> vCategory:
    categories = vCategory([])
    categories.cats = [CalendarText(name) for name in names]
    return categories


def _utc() -> bytes:
    """A VTIMEZONE for calendars without events: one component is required (RFC 5545 §3.6)."""
    zero = CalendarText("+0000")
    start = vDatetime(datetime(1970, 1, 1))
    standard = component(
        "STANDARD",
        [
            ("DTSTART", start),
            ("TZOFFSETFROM", zero),
            ("TZOFFSETTO", zero),
            ("TZNAME", CalendarText("UTC")),
        ],
    )
    return component("VTIMEZONE", [("TZID", CalendarText("UTC"))], [standard])
