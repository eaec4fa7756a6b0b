"""Content lines of iCalendar (RFC 5545 §3.1), and calendars joined from prepared parts, without the
package icalendar, which is slow to load.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: The last line of an event.
EVENT_END = b"END:VEVENT\r\n"


#: What the description of a calendar says of events that are not in it.
LEFT_OUT = "Left out, because they ended more than a year ago or are always open: :left of :all."


class Head(NamedTuple):
    """The lines of a calendar before its name, its description as a text, the lines after that, and
    the component of a calendar without events.
    """

    opening: str
    description: str
    rest: str
    empty: str


def join_calendar(
    head: Head, name: str, source: str | None, events: Sequence[bytes], total: int
) -> bytes:
    """A calendar of encoded events, out of `total` events.  `source` is its own absolute URL."""
    about = head.description
    if left := total - len(events):
        about += "\n" + LEFT_OUT.replace(":left", str(left)).replace(":all", str(total))
    # NAME and DESCRIPTION are of RFC 7986; older clients read the others.
    named = [text_line(key, name) for key in ("NAME", "X-WR-CALNAME")]
    named += [text_line(key, about) for key in ("DESCRIPTION", "X-WR-CALDESC")]
    own = b"" if source is None else fold_line(b"SOURCE;VALUE=URI:" + source.encode())
    inner = b"".join(events) or head.empty.encode()
    parts = head.opening.encode(), *named, head.rest.encode(), own, inner, b"END:VCALENDAR\r\n"
    return b"".join(parts)


def text_line(key: str, text: str) -> bytes:
    """The folded line of a property with a TEXT value."""
    return fold_line(f"{key}:{escape_text(text)}".encode())


def escape_text(text: str) -> str:
    r"""A TEXT value (RFC 5545 §3.3.11), without loss: `\N` in `C:\New` is no line break."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")


def fold_line(line: bytes) -> bytes:
    """One line with CRLF, folded at 75 octets, not in a character or an escape (RFC 5545 §3.1)."""
    if len(line) <= 75:
        return line + b"\r\n"
    parts = []
    start, room = 0, 75
    while len(line) - start > room:
        end = start + room
        while line[end] & 0xC0 == 0x80:  # a continuation byte of UTF-8
            end -= 1
        # Some clients unescape before they unfold, so an escape stays on one line.
        if line[end - 1] == 0x5C:
            backslashes = end - len(line[start:end].rstrip(b"\\")) - start
            end -= backslashes % 2
        parts.append(line[start:end])
        start, room = end, 74
    parts.append(line[start:])
    return b"\r\n ".join(parts) + b"\r\n"
