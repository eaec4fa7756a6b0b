"""`/calendar/upcoming.atom`: the first page of upcoming dates as a feed.

An entry's `updated` is when its event was last changed, as in the calendar feeds, and never later
than that of the feed (RFC 4287 4.2.15).  Windows that are always open are no dates.  The feed says
how many upcoming dates and open windows it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.contract.vevents import UNKNOWN
from generator.site import calendar, feeds, paths
from generator.site.page_context import Site

ADDRESSES = (paths.UPCOMING,)


def render(site: Site) -> Iterator[Artifact]:
    if "events" not in site.fit().collections:
        return
    document = feeds.read_document(site, site.grammar.upcoming.path())
    events = [
        calendar.with_words(site, calendar.with_links(site, event)) for event in document["data"]
    ]
    entries = [
        feeds.FeedEntry(
            f"date {event['slug']}",
            event["name"],
            event["path"],
            site.modified(event["slug"]) or UNKNOWN,
            event,
        )
        for event in events
        if event["ends_at"] or event["starts_at"]
    ]
    page = paths.list_page(site.grammar.upcoming)
    updated = max([f"{document['as_of']}T00:00:00Z", *(entry.updated for entry in entries)])
    left_out = document["page"]["total_items"] - len(entries)
    yield feeds.render_feed(
        site,
        paths.UPCOMING,
        "upcoming-feed",
        page=page,
        updated=updated,
        entries=entries,
        left_out=left_out,
    )
