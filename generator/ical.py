"""iCalendar bytes (RFC 5545): events and calendars from plain values, escaped and folded, lines ending in CRLF.

Loads the icalendar package, which is slow: import this module where a feed is rendered.  Knows nothing of records.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from icalendar import Calendar, Component, Event, Timezone, TimezoneStandard, vCategory, vDuration, vText, vUri

#: Names the product and not its version, so that a release alone changes no feed (RFC 5545 §3.7.3).
PRODID = "-//registry-generator//Calendar feeds//EN"
#: How often a client is asked to look again.
REFRESH = timedelta(hours=12)
_END = b"END:VCALENDAR\r\n"


class Text(vText):
    r"""Text that reads back as it was.  icalendar's own escaping turns `\N`, as in `C:\New`, into a line break."""

    def to_ical(self) -> bytes:
        text = self.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n").encode()


def vevent(
    *,
    uid: str,
    stamp: datetime,
    start: date | datetime,
    end: date | datetime | None,
    status: str,
    summary: str,
    description: str,
    categories: Iterable[str],
    url: str | None,
) -> bytes:
    """One VEVENT.  Dates make an all-day event, whose `end` is the day after its last (RFC 5545 §3.6.1)."""
    event = Event()
    event["UID"] = Text(uid)
    event.add("DTSTAMP", stamp)
    event.add("DTSTART", start)
    if end is not None:
        event.add("DTEND", end)
    event["SUMMARY"] = Text(summary)
    event["DESCRIPTION"] = Text(description)
    event["CATEGORIES"] = _categories(categories)
    event["STATUS"] = Text(status)
    # Whoever subscribes to dates worth knowing is not busy meanwhile, least of all for a window of three months.
    event["TRANSP"] = Text("TRANSPARENT")
    if url is not None:
        event["URL"] = vUri(url)
    return _bytes(event)


def calendar(name: str, description: str, source: str | None, events: Iterable[bytes]) -> bytes:
    """A calendar of events that are encoded already.  `source` is its own absolute URL.

    There is no METHOD: without one the file is a snapshot and no scheduling message (RFC 5545 §3.7.2), so nothing is
    asked of an ORGANIZER that it does not have, and DTSTAMP is not the time at which the file was made (§3.8.7.2).
    """
    head = Calendar()
    head["VERSION"] = Text("2.0")
    head["PRODID"] = Text(PRODID)
    for key, value in (("NAME", name), ("X-WR-CALNAME", name), ("DESCRIPTION", description), ("X-WR-CALDESC", description)):
        head[key] = Text(value)
    refresh = vDuration(REFRESH)
    head["X-PUBLISHED-TTL"] = refresh
    head["REFRESH-INTERVAL"] = vDuration(REFRESH, {"VALUE": "DURATION"})  # RFC 7986 §5.7 asks for the parameter
    if source is not None:
        head["SOURCE"] = vUri(source, params={"VALUE": "URI"})
    return b"".join((_bytes(head).removesuffix(_END), *(list(events) or [_utc()]), _END))


def _categories(names: Iterable[str]) -> vCategory:
    found = vCategory([])
    found.cats = [Text(name) for name in names]
    return found


def _utc() -> bytes:
    """A VTIMEZONE that nothing refers to: a calendar has at least one component (RFC 5545 §3.6)."""
    standard = TimezoneStandard()
    standard.add("DTSTART", datetime(1970, 1, 1))
    standard.add("TZOFFSETFROM", timedelta(0))
    standard.add("TZOFFSETTO", timedelta(0))
    standard.add("TZNAME", "UTC")
    zone = Timezone()
    zone.add("TZID", "UTC")
    zone.add_component(standard)
    return _bytes(zone)


def _bytes(component: Component) -> bytes:
    data: bytes = component.to_ical(sorted=False)
    return data


def instant(text: str) -> datetime:
    """What a UTC `YYYY-MM-DDTHH:MM:SSZ` names."""
    return datetime.fromisoformat(text).astimezone(UTC)
