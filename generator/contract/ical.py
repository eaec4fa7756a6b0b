"""iCalendar bytes (RFC 5545): events and calendars from plain values, escaped and folded, lines
ending in CRLF.

The icalendar package encodes each value; lines are put together here, because its own component
writer takes three times as long.  The package is slow to load: import this module where a feed is
rendered.  Knows nothing of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Protocol

from icalendar import vCategory, vDate, vDatetime, vDuration, vText, vUri

#: Names the product and not its version, so that a release alone changes no feed (RFC 5545 §3.7.3).
PRODID = "-//registry-generator//Calendar feeds//EN"
#: How often a client is asked to look again.
REFRESH = timedelta(hours=12)


class Value(Protocol):
    def to_ical(self) -> bytes: ...


class Text(vText):
    r"""Text that reads back as it was.  The package's own escaping turns `\N`, as in `C:\New`, into
    a line break.
    """

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
    """One VEVENT.  Dates make an all-day event, whose `end` is the day after its last (RFC 5545
    §3.6.1).
    """

    def properties() -> Iterator[tuple[str, Value]]:
        yield "UID", Text(uid)
        yield "DTSTAMP", vDatetime(stamp)
        yield _when("DTSTART", start)
        if end is not None:
            yield _when("DTEND", end)
        yield "SUMMARY", Text(summary)
        yield "DESCRIPTION", Text(description)
        yield "CATEGORIES", _categories(categories)
        yield "STATUS", Text(status)
        # Whoever subscribes to dates worth knowing is not busy meanwhile, least of all for a window
        # of three months.
        yield "TRANSP", Text("TRANSPARENT")
        if url is not None:
            yield "URL", vUri(url)

    return component("VEVENT", properties())


def calendar(name: str, description: str, source: str | None, events: Iterable[bytes]) -> bytes:
    """A calendar of events that are encoded already.  `source` is its own absolute URL.

    There is no METHOD: without one the file is a snapshot and no scheduling message (RFC 5545
    §3.7.2), so nothing is asked of an ORGANIZER that it does not have, and DTSTAMP is not the time
    at which the file was made (§3.8.7.2).
    """
    properties: list[tuple[str, Value]] = [
        ("VERSION", Text("2.0")),
        ("PRODID", Text(PRODID)),
        ("NAME", Text(name)),  # RFC 7986; the X- names are what older clients read
        ("X-WR-CALNAME", Text(name)),
        ("DESCRIPTION", Text(description)),
        ("X-WR-CALDESC", Text(description)),
        ("REFRESH-INTERVAL;VALUE=DURATION", vDuration(REFRESH)),
        ("X-PUBLISHED-TTL", vDuration(REFRESH)),
    ]
    if source is not None:
        properties.append(("SOURCE;VALUE=URI", vUri(source)))
    return component("VCALENDAR", properties, list(events) or [_utc()])


def component(
    name: str, properties: Iterable[tuple[str, Value]], inner: Iterable[bytes] = ()
) -> bytes:
    """A component of properties, each under its name with its parameters, and of components encoded
    already.
    """
    lines = [fold(f"{key}:".encode() + value.to_ical()) for key, value in properties]
    return b"".join((f"BEGIN:{name}\r\n".encode(), *lines, *inner, f"END:{name}\r\n".encode()))


def fold(line: bytes) -> bytes:
    """One content line with its CRLF, folded at 75 octets, never inside a UTF-8 sequence or an
    escape (RFC 5545 §3.1).
    """
    if len(line) <= 75:
        return line + b"\r\n"
    parts = []
    start, room = 0, 75
    while len(line) - start > room:
        end = start + room
        while line[end] & 0xC0 == 0x80:  # a byte that continues a character
            end -= 1
        # Some clients unescape before they unfold, so a backslash stays with what follows it.
        if line[end - 1] == 0x5C:
            backslashes = end - len(line[start:end].rstrip(b"\\")) - start
            end -= backslashes % 2
        parts.append(line[start:end])
        start, room = end, 74
    parts.append(line[start:])
    return b"\r\n ".join(parts) + b"\r\n"


def _when(name: str, when: date | datetime) -> tuple[str, Value]:
    return (
        (name, vDatetime(when))
        if isinstance(when, datetime)
        else (f"{name};VALUE=DATE", vDate(when))
    )


def _categories(names: Iterable[str]) -> vCategory:
    categories = vCategory([])
    categories.cats = [Text(name) for name in names]
    return categories


def _utc() -> bytes:
    """A VTIMEZONE that nothing refers to: a calendar has at least one component (RFC 5545 §3.6)."""
    zero = Text("+0000")
    began = vDatetime(datetime(1970, 1, 1))
    standard = component(
        "STANDARD",
        [("DTSTART", began), ("TZOFFSETFROM", zero), ("TZOFFSETTO", zero), ("TZNAME", Text("UTC"))],
    )
    return component("VTIMEZONE", [("TZID", Text("UTC"))], [standard])


def instant(text: str) -> datetime:
    """What a UTC `YYYY-MM-DDTHH:MM:SSZ` names."""
    return datetime.fromisoformat(text).astimezone(UTC)
