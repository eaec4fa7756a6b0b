"""Atom feeds (RFC 4287), rendered from files of the API, and how an event gets into a reader's own
calendar: as a file, in Google Calendar, in Outlook.

The id and time of an entry of a feed follow from its content, so every build of the same content
gives the same feed, and ids stay when the registry moves to another address.

The file of an event is in its link, so it needs no script and no address of the API.  Its VEVENT is
that of the feeds, byte for byte: who adds a date and subscribes later has it once.  Neither Google
nor Microsoft documents the addresses of its form.  The parameters are those that
https://github.com/InteractionDesignFoundation/add-event-to-calendar-docs describes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import orjson

from generator.contract.artifact import Artifact
from generator.contract.listing import uid
from generator.contract.vevents import EventValues, encode_event, entry_of
from generator.site import rendering
from generator.site.meta import Twin
from generator.site.page_context import Site

#: The media type of feeds.
TYPE = "application/atom+xml"
#: Characters that XML excludes (XML 1.0 §2.2); texts of records have no control characters.
_NO_XML = re.compile("[\ufffe\uffff]")


class FeedEntry(NamedTuple):
    """An entry: `name` is unique in the registry, `path` is its page or None, `of` is the event or
    change that the template shows.
    """

    name: str
    title: str
    path: str | None
    updated: str
    of: Any


def read_document(site: Site, path: str) -> dict[str, Any]:
    """A JSON file of the API without characters that XML excludes.  Raises LookupError."""
    parsed: dict[str, Any] = orjson.loads(_NO_XML.sub("", site.read(path).decode()))
    return parsed


def feed_link(site: Site, path: str, title: str) -> Twin:
    """The link to a feed in the head of a page; `title` is the key of a text."""
    return Twin(TYPE, site.url(path), site.theme.texts(title, name=site.settings.name))


def render_feed(
    site: Site,
    path: str,
    template: str,
    *,
    page: str,
    updated: str,
    entries: Iterable[FeedEntry],
    left_out: int = 0,
) -> Artifact:
    """The feed at `path`; `page` is the path of the page with the same entries.  `left_out` is the
    number of those that the feed does not have.
    """

    def identity(name: str) -> str:
        return f"urn:uuid:{uid(site.settings.name, name)}"

    return rendering.render_page(
        site,
        path,
        template,
        page=page,
        updated=updated,
        entries=list(entries),
        identity=identity,
        left_out=left_out,
    )


GOOGLE = "https://calendar.google.com/calendar/render"
OUTLOOK = "https://outlook.live.com/calendar/0/deeplink/compose"


class Adding(NamedTuple):
    """The addresses that add an event: `file` is a data URL (RFC 2397) and `name` what the browser
    saves it as.
    """

    file: str
    name: str
    google: str
    outlook: str


def can_be_added(event: Mapping[str, Any], as_of: str) -> bool:
    """Whether an event has an end, which was ahead on the day `as_of`, and is not cancelled."""
    return event["status"] != "cancelled" and (event["ends_at"] or "")[:10] >= as_of


def adding(site: Site, event: Mapping[str, Any]) -> Adding:
    from generator.contract import ical

    table = site.tables[site.grammar.timed.name]
    positions: Mapping[str, int] = site.memo.get_or_make(
        "dates", lambda: {slug: position for position, slug in enumerate(table.slugs)}
    )
    position = positions[event["slug"]]
    row = table.rows[position]
    modified = site.modified(row.slug)
    known = {row.slug: modified} if modified else {}
    vevent = encode_event(table, position, site.settings, site.symbols, known)
    entry = entry_of(row, table.summaries[position], site.settings, site.symbols, modified)
    return Adding(
        f"data:text/calendar;charset=utf-8,{quote(ical.single(vevent), safe='')}",
        f"{row.slug}.ics",
        _google(entry, event),
        _outlook(entry, event),
    )


def _details(entry: EventValues, event: Mapping[str, Any]) -> str:
    return "\n\n".join(filter(None, (event["summary"], entry.url)))


def _google(entry: EventValues, event: Mapping[str, Any]) -> str:
    start, end = entry.start, entry.end or entry.start
    form = "%Y%m%dT%H%M%SZ" if isinstance(start, datetime) else "%Y%m%d"
    parameters = {
        "action": "TEMPLATE",
        "text": entry.summary,
        "dates": f"{start.strftime(form)}/{end.strftime(form)}",
        "details": _details(entry, event),
        "location": entry.location,
    }
    return _address(GOOGLE, parameters)


def _outlook(entry: EventValues, event: Mapping[str, Any]) -> str:
    start, end = entry.start, entry.end or entry.start
    timed = isinstance(start, datetime)
    form = "%Y-%m-%dT%H:%M:%SZ" if timed else "%Y-%m-%d"
    parameters = {
        "path": "/calendar/action/compose",
        "rru": "addevent",
        "subject": entry.summary,
        "startdt": start.strftime(form),
        "enddt": end.strftime(form),
        "allday": "" if timed else "true",
        "body": _details(entry, event),
        "location": entry.location,
    }
    return _address(OUTLOOK, parameters)


def _address(form: str, parameters: Mapping[str, str]) -> str:
    given = {name: value for name, value in parameters.items() if value}
    return f"{form}?{urlencode(given, quote_via=quote)}"
