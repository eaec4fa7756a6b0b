"""The pages of the calendar: what lies ahead as an agenda, months as a grid, other lists of dates.

Pages are one to one with those of the API, but for months: a month is one page, made of all of its
prepared pages, since a grid shows it whole.  As in the API an event belongs to the month and the
year of its end, and to the days that its source writes, whatever the zone of who reads.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.site import feeds, labels, lists, paths, rendering
from generator.site.labels import filter_label, value_label
from generator.site.meta import About, Twin
from generator.site.page_context import Site

#: How far the next month, or year, that has any event may be.
_FAR = {"month": 36, "year": 20}

#: Filters of which the agenda shows every value, and not the most frequent.
_WHOLE = ("month", "year")
#: Values of a filter that the agenda shows.
MOST = 24

Event = dict[str, Any]
#: A value of a filter, its label and how many events it has.
Value = tuple[str, str, int]


class Group(NamedTuple):
    """Events under one heading: of a month `2026-11`, or "" for what is under way."""

    month: str
    events: list[Event]


class Bar(NamedTuple):
    """An event in one week: from which of its days (1 to 7), and over how many.

    `first` and `last` say that no other week of this month has it before, or after; `since` that it
    began before the month.
    """

    event: Event
    column: int
    width: int
    first: bool
    last: bool
    since: bool


class Week(NamedTuple):
    """Seven days, None where a day is of another month, and what is on them."""

    days: list[str | None]
    bars: list[Bar]


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Artifact | None:
    """The page that is made of a prepared page of events; None where another is made of it."""
    events = [shown(site, event) for event in orjson.loads(raw)["data"]]
    values = {
        "part": part,
        "page": document["page"],
        "about": about(site, part, number),
        "feed": part.feed if part.filter in part.collection.feeds else None,
        "every": Slice(part.collection).feed,
        "at": partial(paths.list_page, part),
        "row": partial(row, site),
    }
    where = paths.list_page(part, number)
    if part.filter in part.collection.virtual:
        as_of = document["as_of"]
        browse = browsed(site, as_of) if number == 1 else None
        groups = list(agenda(events, as_of))
        return rendering.page(
            site, where, "calendar", groups=groups, as_of=as_of, browse=browse, **values
        )
    if part.filter != "month":
        of_year = part.filter == "year"
        return rendering.page(
            site,
            where,
            "calendar-list",
            groups=list(by_month(events)),
            months=months_of(site, str(part.value)) if of_year and number == 1 else (),
            around=neighbours(site, part) if of_year else (None, None),
            of=lists.record(site, part),
            **values,
        )
    if number > 1:
        return None
    for other in range(2, document["page"]["total_pages"] + 1):
        events += (shown(site, event) for event in site.document(part.path(other))["data"])
    begins: int = site.theme.texts.known["times"]["week_begins"]
    return rendering.page(
        site,
        where,
        "calendar-month",
        weeks=weeks(str(part.value), events, begins),
        begins=begins,
        events=events,
        around=neighbours(site, part),
        **values,
    )


def about(site: Site, part: Slice, number: int) -> About:
    """What a page says of itself: the same as JSON, as a calendar and as a feed."""
    texts, of = site.theme.texts, site.grammar.events
    twins = [Twin("application/json", site.url(part.path(number)), texts("feeds.json"))]
    upcoming = part.filter in of.virtual
    if upcoming or part.filter in of.feeds:
        path = Slice(of).feed if upcoming else part.feed
        twins.append(Twin("text/calendar", site.url(path), texts("calendar.feed")))
    if upcoming:
        twins.append(feeds.twin(site, feeds.UPCOMING, "feeds.upcoming"))
        home = ((site.settings.name, paths.HOME),)
        return About(of.label, texts("calendar.says"), home, tuple(twins))
    name = title(site, part)
    trail = [
        (site.settings.name, paths.HOME),
        (of.label, paths.list_page(site.grammar.upcoming)),
    ]
    if part.filter == "month":
        year = str(part.value)[:4]
        trail.append((year, paths.list_page(Slice(of, "year", year))))
    return About(name, trail=tuple(trail), twins=tuple(twins))


def title(site: Site, part: Slice) -> str:
    """What the list of a value is called."""
    texts, value = site.theme.texts, str(part.value)
    if part.filter == "month":
        return labels.month(site, value)
    if part.filter == "kind":
        return texts(f"calendar.kinds.{value}")
    if part.refers:
        return texts("calendar.of", name=site.symbols.targets(part.refers)[value].name)
    return value_label(site, part.collection, str(part.filter), value)


def browsed(site: Site, as_of: str) -> list[tuple[str, str, list[Value]]]:
    """The filters that lead to other lists, each with its label and values: of months those that
    are not over, of programs and organizations those with most dates.
    """
    events, texts = site.grammar.events, site.theme.texts
    data = site.document(events.filters_path)["data"]
    data |= {name: site.document(events.filter_path(name))["data"] for name in _WHOLE}
    shown = []
    for name in ("kind", *_WHOLE, "program", "organization"):
        values = [(one["value"], one["label"], one["count"]) for one in data[name]["values"]]
        if name == "kind":
            values = [(value, texts(f"calendar.kinds.{value}"), n) for value, _, n in values]
        elif name == "month":
            values = sorted((value, labels.month(site, value), n) for value, _, n in values)
            values = [one for one in values if one[0] >= as_of[:7]]
        elif name == "year":
            values = sorted(values, reverse=True)
        if values:
            shown.append((name, filter_label(site, events, name), values[:MOST]))
    return shown


def shown(site: Site, event: Event) -> Event:
    """A summary with the path of its page, and name and path of each record that it belongs to."""
    filters, owners = site.grammar.events.filters, []
    for name in ("program", "organization"):
        target = site.symbols.targets(filters[name].refers).get(event[name])
        if target is not None:
            owners.append((target.name, paths.record_page(filters[name].refers, event[name])))
    return event | {"path": site.record_page("events", event["slug"]), "owners": owners}


def row(site: Site, event: Event, by_end: bool = False) -> str:
    """An event in a list, made once, since it is in several: at its beginning, or `by_end`."""
    key = "row of date", event["slug"], by_end
    html: str | None = site.memo.get(key)
    if html is None:
        html = site.memo[key] = rendering.macros(site, "dates").row(event, by_end)
    return html


def agenda(events: Iterable[Event], as_of: str) -> Iterator[Group]:
    """What is under way on a day, that which ends first before the rest; then what begins, by
    month.
    """
    ahead: list[Event] = []
    under_way: list[Event] = []
    for event in events:
        spans = event["starts_at"] is not None and event["starts_at"] != event["ends_at"]
        (under_way if spans and event["starts_at"][:10] <= as_of else ahead).append(event)
    if under_way:
        yield Group("", sorted(under_way, key=lambda event: (event["ends_at"], event["slug"])))
    yield from by_month(ahead)


def by_month(events: Iterable[Event]) -> Iterator[Group]:
    """Events in their order, under the months in which they begin."""
    for month, group in groupby(events, key=lambda event: begun(event)[:7]):
        yield Group(month, list(group))


def begun(event: Event) -> str:
    """The day on which an event begins, as its source writes it."""
    day: str = (event["starts_local"] or event["ends_local"])[:10]
    return day


def weeks(month: str, events: Iterable[Event], begins: int) -> list[Week]:
    """The weeks of a month `2026-11`, each of which `begins` on a weekday (0 is Monday), with the
    events on their days.
    """
    year, number = map(int, month.split("-"))
    first = date(year, number, 1)
    last = first.replace(day=monthrange(year, number)[1])
    start = first - timedelta(days=(first.weekday() - begins) % 7)
    dated = []
    for event in events:
        begin, end = date.fromisoformat(begun(event)), date.fromisoformat(event["ends_local"][:10])
        dated.append((max(begin, first), end, begin < first, event))
    dated.sort(key=lambda one: (one[0], -one[1].toordinal()))
    every = []
    while start <= last:
        days = [start + timedelta(days=n) for n in range(7)]
        bars = [
            Bar(
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
        every.append(Week(inside, bars))
        start += timedelta(days=7)
    return every


def neighbours(site: Site, part: Slice) -> tuple[str | None, str | None]:
    """The month, or the year, before and after one, of those that have any event."""
    known = (near(site, part, step) for step in (-1, 1))
    return next(known), next(known)


def near(site: Site, part: Slice, step: int) -> str | None:
    """The nearest month, or year, that has any event, later by `step` 1 or earlier by -1."""
    year, month = int(str(part.value)[:4]), int(str(part.value)[5:] or 1)
    for away in range(1, _FAR[str(part.filter)] + 1):
        if part.filter == "month":
            years, months = divmod(month - 1 + step * away, 12)
            value = f"{year + years:04d}-{months + 1:02d}"
        else:
            value = f"{year + step * away:04d}"
        if there(site, Slice(part.collection, part.filter, value)):
            return value
    return None


def months_of(site: Site, year: str) -> list[str]:
    """The months of a year that have any event."""
    every = (f"{year}-{month:02d}" for month in range(1, 13))
    return [month for month in every if there(site, Slice(site.grammar.events, "month", month))]


def there(site: Site, part: Slice) -> bool:
    try:
        site.read(part.path())
    except LookupError:
        return False
    return True
