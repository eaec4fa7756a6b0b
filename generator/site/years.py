"""The page of a year: its twelve months as small tables, and the first dates of each month.

A date is in the month in which it ends, as in the API and on the page of that month, to whose days
the tables lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.site import calendar, lists, paths, rendering
from generator.site.calendar import Event, start_day
from generator.site.months import Week, weeks
from generator.site.page_context import Site

#: A month with more than FEW dates shows SHOWN of them, and links to its page.
FEW, SHOWN = 7, 5
#: The number of months that are open: the first that are not over. The script has the same:
#: generator/site/source/agenda/wall.mjs.
OPEN = 3
#: What marks a day with dates of several kinds.
_KINDS = ("deadline", "application_window", "event")


#: How many shades the days of deadlines have; those of the busiest day of the year have the last.
_SHADES = 3


class Day(NamedTuple):
    """The number of dates of a day, and the first kind of _KINDS among them."""

    number: int
    kind: str


class YearMonth(NamedTuple):
    """A month `2026-11` with its days that have dates, and `shown` of its `total` dates."""

    month: str
    weeks: list[Week]
    days: Mapping[str, Day]
    shown: list[Event]
    total: int
    path: str
    is_open: bool


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Iterator[Artifact]:
    """The page of a year, as generator.site.calendar.render; a year has only one."""
    if number > 1:
        return
    later = lists.later_rows(site, part, document["page"]["total_pages"])
    events = [calendar.with_links(site, event) for event in (*orjson.loads(raw)["data"], *later)]
    book = calendar.Book(events, 1, 1)
    begins: int = site.theme.texts.known["times"]["week_begins"]
    months = list(_months(str(part.value), events, document["as_of"], begins, part))
    values = calendar.common_values(site, part, book, document) | {
        "months": months,
        "shades": _shades(day.number for month in months for day in month.days.values()),
        "kinds": [kind for kind in _KINDS if any(event["kind"] == kind for event in events)],
        "begins": begins,
        "around": calendar.neighbour_values(part, calendar.jumps(site)),
    }
    # The pages that have all dates of the year, for the script; none if they are all here.
    cut = any(len(month.shown) < month.total for month in months)
    size = calendar.pages_in_one(document["page"]["size"]) * document["page"]["size"]
    rest = [
        site.url(paths.numbered(month.path, page))
        for month in months
        if cut and month.total
        for page in range(1, -(-month.total // size) + 1)
    ]
    values["told"] |= {"rest": rest}
    yield rendering.render_page(site, paths.list_page(part), "calendar-year", **values)


def _shades(numbers: Iterable[int]) -> dict[int, int]:
    """The number of dates of a day -> its shade, from 1 to _SHADES of the busiest day."""
    found = {*numbers}
    return {number: -(-_SHADES * number // max(found)) for number in found}


def _months(
    year: str, events: Iterable[Event], as_of: str, begins: int, part: Slice
) -> Iterator[YearMonth]:
    by_month: dict[str, list[Event]] = {f"{year}-{n:02}": [] for n in range(1, 13)}
    for event in events:
        by_month[event["ends_local"][:7]].append(event)
    ahead = [month for month, of in by_month.items() if of and month >= as_of[:7]]
    for month, of in by_month.items():
        of.sort(key=shown_day)
        yield YearMonth(
            month,
            weeks(month, (), begins),
            _days(of),
            _shown(of, as_of),
            len(of),
            paths.list_page(Slice(part.collection, "month", month)),
            month in ahead[:OPEN],
        )


def shown_day(event: Event) -> str:
    """The day of an event in its row: the first, or the last if it began in an earlier month."""
    begin, end = start_day(event), event["ends_local"][:10]
    return begin if begin[:7] == end[:7] else end


def _shown(events: list[Event], as_of: str) -> list[Event]:
    """The dates of a month that its year shows: all if they are few, else the first ahead."""
    if len(events) <= FEW:
        return events
    first = next((i for i, e in enumerate(events) if e["ends_local"][:10] >= as_of), 0)
    start = min(first, len(events) - SHOWN)
    return events[start : start + SHOWN]


def _days(events: Iterable[Event]) -> dict[str, Day]:
    """Day -> its dates: those that end then, and events from their first day in the month on."""
    found: dict[str, Day] = {}
    for event in events:
        kind, month, last = event["kind"], event["ends_local"][:7], int(event["ends_local"][8:10])
        begin, first = start_day(event), last
        if kind == "event":
            first = int(begin[8:10]) if begin[:7] == month else 1
        for number in range(first, last + 1):
            day = f"{month}-{number:02}"
            known = found.get(day)
            best = min(kind, known.kind, key=_KINDS.index) if known else kind
            found[day] = Day(known.number + 1 if known else 1, best)
    return found
