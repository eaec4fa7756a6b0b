"""`/calendar/upcoming.atom`: the next dates, as many as a page of them has.

No record says when it was last touched, and a feed knows no clock: an entry's `updated` is the end
of its event, which becomes another when a deadline is extended, as in the calendar feeds.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import calendar, feeds, paths
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    document = feeds.document(site, site.grammar.upcoming.path())
    events = [calendar.shown(site, event) for event in document["data"]]
    entries = (
        feeds.Entry(f"date {event['slug']}", event["name"], event["path"], event["ends_at"], event)
        for event in events
    )
    page, updated = paths.list_page(site.grammar.upcoming), f"{document['as_of']}T00:00:00Z"
    yield feeds.feed(site, feeds.UPCOMING, "upcoming-feed", page, updated, entries)
