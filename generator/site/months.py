"""The pages of a month: its events as a grid and as a list.

The grid of a month with several pages has the number of events on each day in place of their names.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.site import calendar, paths, rendering
from generator.site.calendar import Event, start_day
from generator.site.page_context import Site


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


class DayCount(NamedTuple):
    """The number of events that begin on a day, and the path of the page where they begin."""

    number: int
    path: str


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Iterator[Artifact]:
    """The page of a month, as generator.site.calendar.render."""
    book = calendar.read_book(site, part, number, document, raw)
    if book is None:
        return
    begins: int = site.theme.texts.known["times"]["week_begins"]
    is_one = book.total == 1
    grid = weeks(str(part.value), book.dates if is_one else (), begins)
    values = calendar.common_values(site, part, book, document) | {
        "weeks": grid,
        "counts": {} if is_one else _counts(site, part, document["page"]),
        "first_on": first_on(grid),
        "begins": begins,
        "events": calendar.by_day(book.dates),
        "around": calendar.neighbour_values(part, calendar.jumps(site)),
    }
    yield rendering.render_page(
        site, paths.list_page(part, book.number), "calendar-month", **values
    )


def first_on(weeks: Sequence[Week]) -> dict[str, str]:
    """Day -> the slug of an event on it: the first that begins then, else the first under way."""
    found: dict[str, str] = {}
    for begins in (True, False):
        for week in weeks:
            for bar in week.bars:
                for day in week.days[bar.column - 1 : bar.column - 1 + bar.width]:
                    if day is not None and (start_day(bar.event) == day) == begins:
                        found.setdefault(day, bar.event["slug"])
    return found


def _counts(site: Site, part: Slice, page: Mapping[str, Any]) -> Mapping[str, DayCount]:
    """The events of each day, computed once for all pages of a month."""
    key = "month", part.value
    return site.memo.get_or_make(key, _count_days, site, part, page)


def _count_days(site: Site, part: Slice, page: Mapping[str, Any]) -> dict[str, DayCount]:
    """Day -> the events that begin on it; on the first of the month, also those from before."""
    first, counts = f"{part.value}-01", dict[str, DayCount]()
    several = calendar.pages_in_one(page["size"])
    for number in range(1, page["total_pages"] + 1):
        path = paths.list_page(part, (number - 1) // several + 1)
        for event in site.document(part.path(number))["data"]:
            day = max(start_day(event), first)
            known = counts.get(day)
            counts[day] = known._replace(number=known.number + 1) if known else DayCount(1, path)
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
