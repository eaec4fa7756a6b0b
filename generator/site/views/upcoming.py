"""`/calendar/upcoming.atom`: the first page of upcoming dates as a feed.

Records have no time of their last change.  An entry's `updated` is the end of its event, which
changes when a deadline is extended, as in the calendar feeds.  Windows that are always open are no
dates.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import calendar, feeds, paths
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    if "events" not in site.fit().collections:
        return
    document = feeds.read_document(site, site.grammar.upcoming.path())
    events = [calendar.with_links(site, event) for event in document["data"]]
    entries = (
        feeds.Entry(f"date {event['slug']}", event["name"], event["path"], at, event)
        for event in events
        if (at := event["ends_at"] or event["starts_at"])
    )
    page, updated = paths.list_page(site.grammar.upcoming), f"{document['as_of']}T00:00:00Z"
    yield feeds.render_feed(site, feeds.UPCOMING, "upcoming-feed", page, updated, entries)
