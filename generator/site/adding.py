"""How an event gets into a reader's own calendar: as a file, in Google Calendar, in Outlook.

The file is in its link, so it needs no script and no address of the API.  Its VEVENT is that of the
feeds, byte for byte: who adds a date and subscribes later has it once.

Neither Google nor Microsoft documents the addresses of its form.  The parameters are those that
https://github.com/InteractionDesignFoundation/add-event-to-calendar-docs describes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from generator.contract.vevents import EventValues, encode_event, entry_of
from generator.model.tables.table import Row
from generator.site.page_context import Site

GOOGLE = "https://calendar.google.com/calendar/render"
OUTLOOK = "https://outlook.live.com/calendar/0/deeplink/compose"


class Adding(NamedTuple):
    """The addresses that add an event: `file` is a data URL (RFC 2397) and `name` what the browser
    saves it as; `feed` is the path of a feed that has the event, and whose dates that feed has.
    """

    file: str
    name: str
    google: str
    outlook: str
    feed: tuple[str, str]


def can_be_added(event: Mapping[str, Any], as_of: str) -> bool:
    """Whether an event has an end, which was ahead on the day `as_of`, and is not cancelled."""
    return event["status"] != "cancelled" and (event["ends_at"] or "")[:10] >= as_of


def adding(site: Site, event: Mapping[str, Any], feed: tuple[str, str]) -> Adding:
    """How to add an event; `feed` is as in `Adding`."""
    from generator.contract import ical

    row = _rows(site)[event["slug"]]
    modified = site.modified(row.slug)
    known = {row.slug: modified} if modified else {}
    vevent = encode_event(row, site.settings, site.symbols, known)
    entry = entry_of(row, site.settings, site.symbols, modified)
    return Adding(
        f"data:text/calendar;charset=utf-8,{quote(ical.single(vevent), safe='')}",
        f"{row.slug}.ics",
        _google(entry, event),
        _outlook(entry, event),
        feed,
    )


def _rows(site: Site) -> Mapping[str, Row]:
    return site.memo.get_or_make("events", lambda: {row.slug: row for row in site.tables["events"]})


def _details(entry: EventValues, event: Mapping[str, Any]) -> str:
    return "\n\n".join(filter(None, (event["summary"], entry["url"])))


def _google(entry: EventValues, event: Mapping[str, Any]) -> str:
    start, end = entry["start"], entry["end"] or entry["start"]
    form = "%Y%m%dT%H%M%SZ" if isinstance(start, datetime) else "%Y%m%d"
    parameters = {
        "action": "TEMPLATE",
        "text": entry["summary"],
        "dates": f"{start.strftime(form)}/{end.strftime(form)}",
        "details": _details(entry, event),
        "location": entry["location"],
    }
    return _address(GOOGLE, parameters)


def _outlook(entry: EventValues, event: Mapping[str, Any]) -> str:
    start, end = entry["start"], entry["end"] or entry["start"]
    timed = isinstance(start, datetime)
    form = "%Y-%m-%dT%H:%M:%SZ" if timed else "%Y-%m-%d"
    parameters = {
        "path": "/calendar/action/compose",
        "rru": "addevent",
        "subject": entry["summary"],
        "startdt": start.strftime(form),
        "enddt": end.strftime(form),
        "allday": "" if timed else "true",
        "body": _details(entry, event),
        "location": entry["location"],
    }
    return _address(OUTLOOK, parameters)


def _address(form: str, parameters: Mapping[str, str]) -> str:
    given = {name: value for name, value in parameters.items() if value}
    return f"{form}?{urlencode(given, quote_via=quote)}"
