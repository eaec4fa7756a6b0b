"""The pages of a month: its events as a grid and as a list.

A month with many events has several pages, each of as many pages of the API as have at most
`MAX_ROWS` events; its grid has the number of events on each day in place of their names.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.site import calendar, lists, paths, rendering
from generator.site.calendar import Event, start_day
from generator.site.page_context import Site

#: The most events on a page.
MAX_ROWS = 500


class MonthBar(NamedTuple):
    """An event in one week: its first day there (1 to 7) and the number of days.

    `first` and `last` say that it begins or ends in this week; `since` that it began before the
    month.
    """

    event: Event
    column: int
    width: int
    first: bool
    last: bool
    since: bool


class Week(NamedTuple):
    """Seven days, None for days of another month, and the events on them."""

    days: list[str | None]
    bars: list[MonthBar]


class Count(NamedTuple):
    """The number of events that begin on a day, and the path of the page where they begin."""

    number: int
    path: str


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Iterator[Artifact]:
    """The page of a month that begins with a page of the API, from its number, its head and its
    bytes; none if that page of the API is in the middle of a page of the month.
    """
    several = MAX_ROWS // document["page"]["size"]
    if (number - 1) % several:
        return
    pages = document["page"]["total_pages"]
    last = min(number + several - 1, pages)
    events = [*orjson.loads(raw)["data"], *lists.later_rows(site, part, last, number)]
    events = [calendar.with_links(site, event) for event in events]
    own, of = (number - 1) // several + 1, -(-pages // several)
    begins: int = site.theme.texts.known["times"]["week_begins"]
    values = calendar.common_values(site, part, number, document)
    if own > 1:
        title = f"{values['about'].title} – {site.theme.texts('list.page', number=own)}"
        values["about"] = values["about"]._replace(title=title)
    values |= {
        "page": document["page"] | {"number": own, "total_pages": of},
        "at": partial(paths.list_page, part),
        "weeks": weeks(str(part.value), events if of == 1 else (), begins),
        "counts": _counts(site, part, pages, several) if of > 1 else {},
        "begins": begins,
        "events": events,
        "around": calendar.neighbour_values(part, calendar.jumps(site)),
    }
    yield rendering.render_page(site, paths.list_page(part, own), "calendar-month", **values)


def _counts(site: Site, part: Slice, pages: int, several: int) -> Mapping[str, Count]:
    """The events of each day, computed once for all pages of a month."""
    key = "month", part.value
    return site.memo.get_or_make(key, _count_days, site, part, pages, several)


def _count_days(site: Site, part: Slice, pages: int, several: int) -> dict[str, Count]:
    """Day -> the events that begin on it; on the first of the month, also those from before."""
    first, counts = f"{part.value}-01", dict[str, Count]()
    for number in range(1, pages + 1):
        path = paths.list_page(part, (number - 1) // several + 1)
        for event in site.document(part.path(number))["data"]:
            day = max(start_day(event), first)
            known = counts.get(day)
            counts[day] = known._replace(number=known.number + 1) if known else Count(1, path)
    return counts


def weeks(month: str, events: Iterable[Event], begins: int) -> list[Week]:
    """The weeks of a month `2026-11` with their events; weeks start on weekday `begins` (0-6)."""
    year, number = map(int, month.split("-"))
    first = date(year, number, 1)
    last = first.replace(day=monthrange(year, number)[1])
    start = first - timedelta(days=(first.weekday() - begins) % 7)
    dated = []
    for event in events:
        begin, end = (
            date.fromisoformat(start_day(event)),
            date.fromisoformat(event["ends_local"][:10]),
        )
        dated.append((max(begin, first), end, begin < first, event))
    dated.sort(key=lambda entry: (entry[0], -entry[1].toordinal()))
    found = []
    while start <= last:
        days = [start + timedelta(days=n) for n in range(7)]
        bars = [
            MonthBar(
                event,
                (max(begin, days[0]) - days[0]).days + 1,
                (min(end, days[6]) - max(begin, days[0])).days + 1,
                begin >= days[0],
                end <= days[6],
                since,
            )
            for begin, end, since, event in dated
            if begin <= days[6] and end >= days[0]
        ]
        inside = [day.isoformat() if first <= day <= last else None for day in days]
        found.append(Week(inside, bars))
        start += timedelta(days=7)
    return found
