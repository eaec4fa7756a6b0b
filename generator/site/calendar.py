"""The pages of the calendar: upcoming events as an agenda, and other lists of events.

Each page of the API has one page here, except for months (generator.site.months).  As in the API,
an event belongs to the month and year of its end, and to the local days of its source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.contract.listing import ValueCount
from generator.grammar.filters import Facet
from generator.grammar.grammar import Slice
from generator.grammar.paths import SELECTION
from generator.grammar.routes import is_answered
from generator.kinds.continents import CONTINENTS
from generator.model.kinds.event_places import places_of, shared_facets
from generator.model.kinds.event_times import NEVER
from generator.site import feeds, labels, lists, paths, rendering
from generator.site.adding import can_be_added
from generator.site.labels import filter_label, value_label
from generator.site.meta import About, Breadcrumb, Twin, below_home, home_breadcrumb
from generator.site.page_context import Site

#: How many months or years may lie between a list and its next or previous list.
_MAX_DISTANCE = {"month": 36, "year": 20}
#: Filters that the agenda reads in full; for others it takes the most frequent values.
_WHOLE = ("month", "year")
#: The most values of a filter in the agenda, and among the choices of a list.
MAX_VALUES, MAX_CHOICES = 24, 500
#: The most dates of a list that is searched and filtered in place, for which its script reads all
#: of them; it asks the API for those of a longer list.
MAX_SEARCHED = 5000
#: The most places of an event in lists.
MAX_PLACES = 3
#: Filters whose values are fields of summaries.
_OWN_VALUES = ("kind", "program", "organization", "status", "stage")

Event = dict[str, Any]


class Group(NamedTuple):
    """Events under one heading: a month `2026-11`, or "" for events under way."""

    month: str
    events: list[Event]


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Iterator[Artifact]:
    """The page of a list of events, except of a month (generator.site.months)."""
    events = [with_links(site, event) for event in orjson.loads(raw)["data"]]
    path, found = paths.list_page(part, number), jumps(site)
    values = common_values(site, part, number, document) | {
        "feed": part.feed if part.filter in part.collection.feeds else None,
        "every": Slice(part.collection).feed,
        "at": partial(paths.list_page, part),
        "finder": finder(site, part, events, document["page"]) if number == 1 else None,
    }
    if part.filter in part.collection.virtual:
        as_of = document["as_of"]
        values |= {
            "groups": list(agenda(events, as_of)),
            "as_of": as_of,
            "browse": browse_filters(site, as_of) if number == 1 else None,
        }
        yield rendering.render_page(site, path, "calendar", **values)
        return
    is_year = part.filter == "year"
    values |= {
        "groups": list(by_month(events)),
        "months": dict(found)[str(part.value)][::-1] if is_year and number == 1 else (),
        "around": neighbour_values(part, found) if is_year else (None, None),
        "of": lists.referred_record(site, part),
    }
    yield rendering.render_page(site, path, "calendar-list", **values)


def common_values(
    site: Site, part: Slice, number: int, document: Mapping[str, Any]
) -> dict[str, Any]:
    """What the templates of all pages of the calendar take; `document` is a page of the list."""
    found = jumps(site)
    return {
        "part": part,
        "page": document["page"],
        "about": page_metadata(site, part, number),
        "row": partial(event_row, site),
        "jumps": found,
        "told": _script_data(site, part, document, found),
    }


def page_metadata(site: Site, part: Slice, number: int) -> About:
    """The metadata of a page, with links to the same as JSON, as a calendar and as a feed."""
    texts, collection = site.theme.texts, site.grammar.events
    twins = [Twin("application/json", site.url(part.path(number)), texts("feeds.json"))]
    upcoming = part.filter in collection.virtual
    if upcoming or part.filter in collection.feeds:
        path = Slice(collection).feed if upcoming else part.feed
        twins.append(Twin("text/calendar", site.url(path), texts("calendar.feed")))
    if upcoming:
        twins.append(feeds.feed_link(site, paths.UPCOMING, "feeds.upcoming"))
        lead = texts("calendar.says")
        return below_home(site, collection.label, lead, twins=tuple(twins))
    trail = [
        home_breadcrumb(site),
        Breadcrumb(collection.label, paths.list_page(site.grammar.upcoming)),
    ]
    if part.filter == "month":
        year = str(part.value)[:4]
        trail.append(Breadcrumb(year, paths.list_page(Slice(collection, "year", year))))
    return About(list_title(site, part), trail=tuple(trail), twins=tuple(twins))


def _script_data(
    site: Site, part: Slice, document: Mapping[str, Any], jumps: list[tuple[str, list[str]]]
) -> dict[str, Any]:
    """What the script of lists of dates is told: the list, the months that have dates, and if the
    list is too long to be read, how to ask the API.
    """
    asked = {
        "api": part.collection.root,
        "kinds": site.theme.texts.known["words"]["event"],
        "records": site.record_page("events", "") is not None,
    }
    return (asked if document["page"]["total_items"] > MAX_SEARCHED else {}) | {
        "base": site.url(paths.list_page(part)),
        "pages": document["page"]["total_pages"],
        "total": document["page"]["total_items"],
        "upcoming": part.filter in part.collection.virtual,
        "chronological": part.filter == "year",
        "months": [month for _, months in reversed(jumps) for month in reversed(months)],
        "month": site.theme.texts.known["format"]["month"],
        "root": paths.ROOTS["events"],
        "feeds": _script_feeds(site, part),
    }


def _script_feeds(site: Site, part: Slice) -> dict[str, Any]:
    """What the script needs to give the feed of what is shown: the filter of the list, the feeds of
    single values, and the address of feeds of selections, None if no host answers it.
    """
    events = part.collection
    answered = site.fit().functions and is_answered(SELECTION, site.grammar)
    return {
        "of": {} if part.filter in (None, *events.virtual) else {part.filter: part.value},
        "base": site.settings.origin,
        "every": site.url(Slice(events).feed),
        "value": site.url(Slice(events, ":name", ":value").feed),
        "prepared": list(events.feeds),
        "selection": site.url(SELECTION) if answered else None,
    }


def jumps(site: Site) -> list[tuple[str, list[str]]]:
    """The years that have dates with their months, both latest first."""
    document = site.kept_document(site.grammar.events.filter_path("month"))
    months = sorted((value["value"] for value in document["data"]["values"]), reverse=True)
    return [(year, list(group)) for year, group in groupby(months, key=lambda month: month[:4])]


def finder(
    site: Site, part: Slice, events: Iterable[Event], page: Mapping[str, Any]
) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The filters of a list of dates with more than one value there, as (name, label, values) with
    the most frequent values; in a list that a script does not read, those of all events.
    """
    counts: Mapping[str, Counter[str]]
    if page["total_items"] > MAX_SEARCHED:
        data = site.kept_document(part.collection.filters_path)["data"]
        counts = {
            name: Counter(
                {v["value"]: v["count"] for v in of["values"] if _is_choice(name, v["value"])}
            )
            for name, of in data.items()
            if name != part.filter
        }
    else:
        given = [event["values"] for event in events]
        later = lists.later_rows(site, part, page["total_pages"])
        counts = _count_values([*given, *(filter_values(site, event) for event in later)])
    found = []
    queried = part.collection.listed_filters.keys() - part.collection.prepared_filters.keys()
    names = (*part.collection.feeds, *(n for n in part.collection.filters if n in queried))
    for name in dict.fromkeys(names):
        values = counts.get(name, Counter())
        most = sorted(values, key=lambda value: (-values[value], value))[:MAX_CHOICES]
        known = [(v, value_label(site, part.collection, name, v)) for v in most]
        known.sort(key=lambda value: (value[1].casefold(), value[0]))
        if len(known) > 1:
            found.append((name, filter_label(site, part.collection, name), known))
    return found


def _is_choice(name: str, value: str) -> bool:
    """Whether a value is among the choices of a filter: no regions and cities."""
    return name != "location" or "-" not in value or value in CONTINENTS


def _count_values(given: Iterable[Mapping[str, list[str]]]) -> dict[str, Counter[str]]:
    """Filter -> how many events have each value, from the values of each event."""
    counts: dict[str, Counter[str]] = {}
    for by_name in given:
        for name, values in by_name.items():
            counts.setdefault(name, Counter()).update(values)
    return counts


def list_title(site: Site, part: Slice) -> str:
    """The title of the list of a value."""
    texts, value = site.theme.texts, str(part.value)
    if part.filter == "month":
        return labels.month(site, value)
    if part.filter == "kind":
        return texts(f"calendar.kinds.{value}")
    if part.refers:
        return texts("calendar.of", name=site.symbols.targets(part.refers)[value].name)
    return value_label(site, part.collection, str(part.filter), value)


def browse_filters(site: Site, as_of: str) -> list[tuple[str, str, list[ValueCount]]]:
    """The filters that link to other lists, as (name, label, values).

    Months that are over are left out.
    """
    events, texts = site.grammar.events, site.theme.texts
    data = site.document(events.filters_path)["data"]
    data |= {name: site.document(events.filter_path(name))["data"] for name in _WHOLE}
    browse = []
    for name in ("kind", *_WHOLE, "program", "organization"):
        values = [ValueCount(v["value"], v["label"], v["count"]) for v in data[name]["values"]]
        if name == "kind":
            values = [v._replace(label=texts(f"calendar.kinds.{v.value}")) for v in values]
        elif name == "month":
            values = sorted(
                v._replace(label=labels.month(site, v.value))
                for v in values
                if v.value >= as_of[:7]
            )
        elif name == "year":
            values = sorted(values, reverse=True)
        if values:
            browse.append((name, filter_label(site, events, name), values[:MAX_VALUES]))
    return browse


def with_links(site: Site, event: Event) -> Event:
    """A summary with the `path` of its page, whether it is `addable` to a calendar there, its
    `owners` as (name, path), and its `values` of the filters of lists.
    """
    path = site.record_page("events", event["slug"])
    return event | {
        "path": path,
        "addable": path is not None and can_be_added(event, site.as_of.isoformat()),
        "owners": named_owners(site, event),
        "values": filter_values(site, event),
    }


def with_words(site: Site, event: Event) -> Event:
    """An event with its `places`, its `labels` of tags as (text, URL), and its `own` fields."""
    row = lists.row_renderer(site, site.grammar.events).row(event)
    own = [text for text, _ in dict(row.notes).get("own", ())]
    return event | {"places": place_names(site, event), "labels": row.tags, "own": own}


def place_names(site: Site, event: Event) -> list[str]:
    """The places of an event, or of its program if it has none, and "Online"; after MAX_PLACES the
    number of the others.
    """
    found = places_of(event, site.symbols)
    shown = found[:MAX_PLACES] + [("online", "")] * bool(event["online"])
    names = [value_label(site, site.grammar.events, "location", *place) for place in shown]
    if len(found) > MAX_PLACES:
        names.insert(MAX_PLACES, f"+{len(found) - MAX_PLACES}")
    return names


def named_owners(site: Site, event: Event) -> list[tuple[str, str]]:
    """The program and the organization of an event, as (name, path)."""
    filters, owners = site.grammar.events.filters, []
    for name in ("program", "organization"):
        target = site.symbols.targets(filters[name].refers).get(event[name])
        if target is not None:
            owners.append((target.name, paths.record_page(filters[name].refers, event[name])))
    return owners


def filter_values(site: Site, event: Event) -> dict[str, list[str]]:
    """The values of an event by filter, also those of its program; no regions and cities."""
    tags = [Facet(f"tag_{family}", tag) for family, slugs in event["tags"].items() for tag in slugs]
    places = [place["country"].lower() for place in event["locations"]]
    owners = event["program"], event["organization"]
    facets = shared_facets(tags, places, event["online"], *owners, site.symbols)
    values: dict[str, list[str]] = {name: [event[name]] for name in _OWN_VALUES if event[name]}
    for name, value in dict.fromkeys(facets):
        if _is_choice(name, value):
            values.setdefault(name, []).append(value)
    return values


def event_row(site: Site, event: Event, by_end: bool = False) -> str:
    """The HTML of an event in lists, under the day of its beginning or, `by_end`, of its end."""
    row: Callable[[Event, bool], str] = rendering.template_macros(site, "dates").row

    def make() -> str:
        return row(with_words(site, event), by_end)

    return site.memo.get_or_make((row, event["slug"], by_end), make)


def agenda(events: Iterable[Event], as_of: str) -> Iterator[Group]:
    """The events under way on the day `as_of`, by their end; then the others by month."""
    later: list[Event] = []
    under_way: list[Event] = []
    for event in events:
        start = event["starts_at"]
        spans = event["rolling"] or start not in (None, event["ends_at"])
        has_begun = (start or "")[:10] <= as_of
        (under_way if spans and has_begun else later).append(event)
    if under_way:
        under_way.sort(key=lambda event: (event["ends_at"] or NEVER, event["slug"]))
        yield Group("", under_way)
    yield from by_month(later)


def by_month(events: Iterable[Event]) -> Iterator[Group]:
    """Groups of consecutive events that begin in the same month; "" for windows that are always
    open.
    """
    for month, group in groupby(events, key=lambda event: start_day(event)[:7]):
        yield Group(month, list(group))


def start_day(event: Event) -> str:
    """The local day on which an event begins; "" for a window that is always open."""
    day: str = (event["starts_local"] or event["ends_local"] or "")[:10]
    return day


def neighbour_values(
    part: Slice, jumps: list[tuple[str, list[str]]]
) -> tuple[str | None, str | None]:
    """The previous and the next month or year that has events, if it is near; `jumps` as above."""
    if part.filter == "year":
        known = [year for year, _ in jumps]
    else:
        known = [month for _, months in jumps for month in months]
    position = known.index(str(part.value))
    near: list[str | None] = []
    for other in (known[position + 1 : position + 2], known[max(position - 1, 0) : position]):
        distance = max((_distance(value, str(part.value)) for value in other), default=0)
        near += other if other and distance <= _MAX_DISTANCE[str(part.filter)] else [None]
    return near[0], near[1]


def _distance(one: str, other: str) -> int:
    """The number of years between two years, or of months between two months."""
    years = int(one[:4]) - int(other[:4])
    return abs(12 * years + int(one[5:]) - int(other[5:]) if one[5:] else years)
