"""The pages of the calendar: upcoming events as an agenda, and other lists of events.

A page has the events of as many pages of the API as have at most `MAX_ROWS`, so a script seldom
reads another.  As in the API, an event belongs to the month and year of its end, and to the local
days of its source.  Months and years have pages of their own: generator.site.months and years.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection, Slice
from generator.grammar.routes import service_paths
from generator.kinds.continents import CONTINENTS
from generator.model.kinds.event_places import places_of, shared_facets
from generator.model.kinds.event_times import NEVER
from generator.site import feeds, labels, lists, paths, rendering, titles
from generator.site.feeds import can_be_added
from generator.site.labels import filter_label, shown_label
from generator.site.meta import About, Breadcrumb, Twin, below_home, home_breadcrumb
from generator.site.page_context import Site

#: How many months or years may lie between a list and its next or previous list.
_MAX_DISTANCE = {"month": 36, "year": 20}
#: The most events on a page.
MAX_ROWS = 500
#: Filters that the agenda reads in full; for others it takes the most frequent values.
_WHOLE = ("month", "year")
#: The most values of a filter in the agenda, and among the choices of a list.
MAX_VALUES, MAX_CHOICES = 24, 500
#: The most dates of a list that is searched and filtered in place, for which its script reads all
#: of them; it asks the API for those of a longer list.
MAX_SEARCHED = 5000
#: The most places of an event in lists.
MAX_PLACES = 3

Event = dict[str, Any]


class MonthGroup(NamedTuple):
    """Events under one heading: a month `2026-11`, "" for events under way, or `over`."""

    month: str
    events: list[Event]


class Views(NamedTuple):
    """The paths of the agenda and of a month and a year near to a page, "" if there are none, and
    which of them the page is: `agenda`, `month`, `year` or "".
    """

    agenda: str
    month: str
    year: str
    current: str


class Book(NamedTuple):
    """The events of a page of the site, its number, and the number of pages."""

    dates: list[Event]
    number: int
    total: int


def pages_in_one(size: int) -> int:
    """How many pages of the API, of `size` events, a page of the site has."""
    return max(1, MAX_ROWS // size)


def read_book(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Book | None:
    """The page of the site that begins with a page of the API, from its number, its head and its
    bytes; None if that page of the API is in the middle of a page of the site.
    """
    several = pages_in_one(document["page"]["size"])
    if (number - 1) % several:
        return None
    pages = document["page"]["total_pages"]
    last = min(number + several - 1, pages)
    events = [*orjson.loads(raw)["data"], *lists.later_rows(site, part, last, number)]
    found = [with_links(site, event) for event in events]
    return Book(found, (number - 1) // several + 1, -(-pages // several))


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Iterator[Artifact]:
    """The page of a list of events, except of a month or a year (generator.site.months, years)."""
    book = read_book(site, part, number, document, raw)
    if book is None:
        return
    as_of = document["as_of"]
    values = common_values(site, part, book, document)
    values["feed"] = _feed(site, part, values["about"]) if number == 1 else None
    path = paths.list_page(part, book.number)
    if part.filter in part.collection.virtual:
        values |= {
            "groups": list(agenda(book.dates, as_of)),
            "as_of": as_of,
            "browse": browse_filters(site, as_of) if number == 1 else None,
        }
        yield rendering.render_page(site, path, "calendar", **values)
        return
    groups = agenda(book.dates, as_of) if book.total == 1 else by_month(book.dates)
    values |= {
        "groups": list(groups),
        "of": lists.referred_record(site, part),
    }
    yield rendering.render_page(site, path, "calendar-list", **values)


def _feed(site: Site, part: Slice, about: About) -> tuple[str, str, bool] | None:
    """The path of the feed that the page of a list offers, what it is called, and whether it has no
    other dates than the list; None for years.
    """
    if part.filter in part.collection.feeds:
        return part.feed, about.title, True
    is_agenda = part.filter in part.collection.virtual
    every = Slice(part.collection).feed
    return None if part.filter in _WHOLE else (every, site.theme.texts("calendar.every"), is_agenda)


def common_values(
    site: Site, part: Slice, book: Book, document: Mapping[str, Any]
) -> dict[str, Any]:
    """What the templates of all pages of the calendar take; `document` is a page of the list."""
    page = document["page"] | {"number": book.number, "total_pages": book.total}
    # Nothing narrows the grid of a month that has numbers in place of names.
    is_narrowed = book.number == 1 and (book.total == 1 or part.filter != "month")
    filters = facets(site, part, book, page) if is_narrowed else []
    about = page_metadata(site, part, document["page"]["number"], book)
    names = dict.fromkeys(event["name"] for event in book.dates)
    described = titles.of_list(site, about.title, page["total_items"], names)
    return {
        "part": part,
        "page": page,
        "about": about._replace(description=described),
        "row": partial(event_row, site, part),
        "at": partial(paths.list_page, part),
        "facets": filters,
        "seen": lists.VISIBLE_VALUES,
        "opened": lists.OPEN_GROUPS,
        "views": views(site, part, document["as_of"]),
        "told": _script_data(site, part, page, filters),
    }


def views(site: Site, part: Slice, as_of: str) -> Views:
    """The views of a page: of a month or a year those around it, else those of the day `as_of`."""
    events, found = site.grammar.timed, jumps(site)
    months = [month for _, of_year in found for month in of_year]
    value = str(part.value) if part.filter in _WHOLE else as_of[:7]
    within = [month for month in months if month.startswith(value)]
    if part.filter == "year" and value == as_of[:4] and as_of[:7] in within:
        value = as_of[:7]
    near = [month for month in months if month >= value]
    month = value if value in months else (near or months or [""])[-1 if near else 0]
    year = value[:4] if value[:4] in dict(found) else month[:4]
    return Views(
        paths.list_page(site.grammar.upcoming),
        paths.list_page(Slice(events, "month", month)) if month else "",
        paths.list_page(Slice(events, "year", year)) if year else "",
        "agenda" if part.filter in events.virtual else part.filter if part.filter in _WHOLE else "",
    )


def page_metadata(site: Site, part: Slice, number: int, book: Book) -> About:
    """The metadata of a page, with links to the same as JSON, from the page `number` of the API on,
    as a calendar and as a feed.
    """
    texts, collection = site.theme.texts, site.grammar.timed
    twins = [Twin("application/json", site.url(part.path(number)), texts("feeds.json"))]
    upcoming = part.filter in collection.virtual
    if upcoming or part.filter in collection.feeds:
        path = Slice(collection).feed if upcoming else part.feed
        twins.append(Twin("text/calendar", site.url(path), texts("calendar.feed")))
    if upcoming:
        twins.append(feeds.feed_link(site, paths.UPCOMING, "feeds.upcoming"))
        title = _numbered(site, texts("calendar.title", many=collection.many), book)
        return below_home(site, title, twins=tuple(twins))
    trail = [
        home_breadcrumb(site),
        Breadcrumb(collection.label, paths.list_page(site.grammar.upcoming)),
    ]
    if part.filter == "month":
        year = str(part.value)[:4]
        trail.append(Breadcrumb(year, paths.list_page(Slice(collection, "year", year))))
    title = _numbered(site, titles.list_title(site, part, date_words), book)
    return About(title, trail=tuple(trail), twins=tuple(twins))


def _numbered(site: Site, title: str, book: Book) -> str:
    if book.number == 1:
        return title
    return f"{title} – {site.theme.texts('list.page', number=book.number)}"


def _script_data(
    site: Site, part: Slice, page: Mapping[str, Any], facets: list[lists.FilterGroup]
) -> dict[str, Any]:
    """The settings for the script of lists of dates: the list, its filters, the months that have
    dates, and how to draw rows from the API if the list is too long to be read.
    """
    events = part.collection
    asked = {
        "kinds": labels.declared(site, events, "kind"),
        "records": site.record_page(events.name, "") is not None,
    }
    filters = [events.filters[name] for name in filter_names(events)] if facets else []
    kinds = {
        kind: labels.within_sentence(site, site.theme.texts(f"calendar.kinds.{kind}"))
        for kind in labels.declared(site, events, "kind")
    }
    return {
        "asked": asked if page["total_items"] > MAX_SEARCHED else None,
        "api": events.root,
        "filters": [lists.script_filter(site, events, f) for f in filters],
        "words": {
            f.name: words for f in filters if (words := labels.declared(site, events, f.name))
        },
        "narrowing": [group.name for group in facets],
        "ranged": {},
        "titles": lists.script_titles(site, events),
        "kinds": kinds,
        "many": kinds.get(str(part.value), events.many) if part.filter == "kind" else events.many,
        "title": _narrowed_title(site, part),
        "most": MAX_VALUES,
        "base": site.url(paths.list_page(part)),
        "pages": page["total_pages"],
        "total": page["total_items"],
        "panel": site.asset("panel.js"),
        "upcoming": part.filter in events.virtual,
        "chronological": part.filter in _WHOLE,
        "months": [month for _, months in reversed(jumps(site)) for month in reversed(months)],
        "month": site.theme.texts.known["format"]["month"],
        "root": site.grammar.timed.pages,
        "feeds": _script_feeds(site, part),
    }


def _narrowed_title(site: Site, part: Slice) -> str:
    """The title of a list that is narrowed further, with `{many}` in place of what it then has."""
    if part.filter in part.collection.virtual:
        title: str = site.theme.texts.known["calendar"]["title"]
        return title
    if part.filter in _WHOLE:
        return f"{date_words(site, part)}: {{many}}"
    return "{many}" if part.filter == "kind" else titles.list_words(site, part, "{many}")


def _script_feeds(site: Site, part: Slice) -> dict[str, Any]:
    """What the script needs to give the feed of what is shown: the filter of the list, the feeds of
    single values, and the address of feeds of selections, None if no host answers it.
    """
    events = part.collection
    selections = service_paths("feed", site.grammar) if site.fit().functions else ()
    return {
        "of": {} if part.filter in (None, *events.virtual) else {part.filter: part.value},
        "base": site.settings.origin,
        "every": site.url(Slice(events).feed),
        "value": site.url(Slice(events, ":name", ":value").feed),
        "prepared": list(events.feeds),
        "selection": site.url(selections[0]) if selections else None,
    }


def jumps(site: Site) -> list[tuple[str, list[str]]]:
    """The years that have dates with their months, both latest first."""
    document = site.kept_document(site.grammar.timed.filter_path("month"))
    months = sorted((value["value"] for value in document["data"]["values"]), reverse=True)
    return [(year, list(group)) for year, group in groupby(months, key=lambda month: month[:4])]


def facets(site: Site, part: Slice, book: Book, page: Mapping[str, Any]) -> list[lists.FilterGroup]:
    """The filters of a list of dates with more than one value there, each with its most frequent
    values; in a list that a script does not read, those of all events.
    """
    events, counts = part.collection, dict[str, Counter[str]]()
    if page["total_items"] > MAX_SEARCHED:
        data = site.kept_document(events.filters_path)["data"]
        counts = {
            name: Counter(
                {v["value"]: v["count"] for v in of["values"] if _is_choice(name, v["value"])}
            )
            for name, of in data.items()
            if name != part.filter
        }
    else:
        later = lists.later_rows(site, part, -(-page["total_items"] // page["size"]))
        given = [event["values"] for event in book.dates]
        if book.total > 1:
            given = [*given[: page["size"]], *(filter_values(site, event) for event in later)]
        counts = _count_values(given)
    found = []
    for name in filter_names(events):
        counted = counts.get(name, Counter())
        if len(counted) > 1:
            most = sorted(counted, key=lambda value: (-counted[value], value))[:MAX_CHOICES]
            values = [_facet_value(site, Slice(events, name, v), counted[v]) for v in most]
            nested = lists.nested(values) if name == "location" else values
            label = filter_label(site, events, name)
            found.append(lists.FilterGroup(name, label, len(counted), nested))
    return found


def filter_names(events: Collection) -> list[str]:
    """The filters of lists of dates: those with feeds first, and neither months nor years."""
    queried = events.listed_filters.keys() - events.prepared_filters.keys()
    others = (name for name in events.filters if name in queried)
    return list(dict.fromkeys((*events.feeds, *others)))


def _facet_value(site: Site, part: Slice, count: int) -> lists.FilterValue:
    name, value = str(part.filter), str(part.value)
    label = shown_label(site, part.collection, name, value)
    return lists.FilterValue(
        value, label, count, paths.list_page(part) if paths.visited(part) else ""
    )


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


def date_words(site: Site, part: Slice) -> str:
    """What the list of a value is called."""
    texts, value = site.theme.texts, str(part.value)
    if part.filter == "month":
        return labels.month(site, value)
    if part.filter == "kind":
        return texts(f"calendar.kinds.{value}")
    if part.filter == "year":
        return texts("calendar.in_year", year=value)
    if part.refers:
        return texts("calendar.of", name=site.symbols.targets(part.refers)[value].name)
    return shown_label(site, part.collection, str(part.filter), value)


class BrowsedValue(NamedTuple):
    """A value of a filter, its label, and the number of the records that have it."""

    value: str
    label: str
    records: int


def browse_filters(site: Site, as_of: str) -> list[tuple[str, str, list[BrowsedValue]]]:
    """The filters that link to other lists, as (name, label, values).

    Months that are over are left out.
    """
    events, texts = site.grammar.timed, site.theme.texts
    data = site.document(events.filters_path)["data"]
    data |= {name: site.document(events.filter_path(name))["data"] for name in _WHOLE}
    browse = []
    names = ("kind", *_WHOLE, *(f.filter for f in events.declared.owners))
    for name in filter(events.prepared_filters.__contains__, names):
        values = [BrowsedValue(v["value"], v["label"], v["count"]) for v in data[name]["values"]]
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
    path = site.record_page(site.grammar.timed.name, event["slug"])
    return event | {
        "path": path,
        "addable": path is not None and can_be_added(event, site.as_of.isoformat()),
        "owners": named_owners(site, event),
        "values": filter_values(site, event),
    }


def with_words(site: Site, event: Event) -> Event:
    """An event with its `places`, its `labels` of tags as (text, URL), and its `own` fields."""
    row = lists.row_renderer(site, site.grammar.timed).row(event)
    own = [text for text, _ in dict(row.notes).get("own", ())]
    return event | {"places": shown_places(site, event), "labels": row.tags, "own": own}


def shown_places(site: Site, event: Event) -> list[str]:
    """The places of an event, or of its program if it has none, and "Online"; after MAX_PLACES the
    number of the others.
    """
    found = places_of(event, site.symbols)
    shown = [(place.slug, place.label) for place in found[:MAX_PLACES]]
    shown += [("online", "")] * bool(event["online"])
    names = [shown_label(site, site.grammar.timed, "location", *place) for place in shown]
    if len(found) > MAX_PLACES:
        names.insert(MAX_PLACES, f"+{len(found) - MAX_PLACES}")
    return names


def named_owners(site: Site, event: Event) -> list[tuple[str, str]]:
    """The records that an event refers to, as (name, path)."""
    return [
        (target.name, site.grammar[f.refers].record_page(slug))
        for f in site.grammar.timed.declared.owners
        for slug in f.values_in(event)
        if (target := site.symbols.targets(f.refers).get(slug))
    ]


def filter_values(site: Site, event: Event) -> dict[str, list[str]]:
    """The values of an event by filter, also those of its program; no regions and cities."""
    tags = [Facet(f"tag_{family}", tag) for family, slugs in event["tags"].items() for tag in slugs]
    places = [place["country"].lower() for place in event["locations"]]
    kinds, declared = site.grammar.kinds, site.grammar.timed.declared
    referred = {f.refers: f.value_in(event) for f in declared.owners if not f.many}
    owners = referred.get(kinds.series), referred.get(kinds.owner)
    facets = shared_facets(tags, places, event["online"], *owners, site.symbols)
    filtered = (f for f in declared.filtered if f.listed and f.is_plain and not f.is_own)
    values: dict[str, list[str]] = {
        f.filter: [*event[f.name]] if f.many else [event[f.name]] for f in filtered if event[f.name]
    }
    for name, value in dict.fromkeys(facets):
        if _is_choice(name, value):
            values.setdefault(name, []).append(value)
    return values


def event_row(site: Site, part: Slice, event: Event, by_end: bool = False) -> str:
    """The HTML of an event in a list, under the day of its beginning or, `by_end`, of its end.  In
    the list of a record this is not named again, and a program says its summary in place of none.
    """
    row: Callable[[Event, bool, bool, str], str] = rendering.template_macros(site, "dates").row
    _, of = lists.referred_record(site, part) or ("", "")

    def make() -> str:
        shown = with_words(site, event)
        series, value = site.grammar.kinds.series, str(part.value)
        if part.refers == series and not event["summary"] and site.source(series, value):
            program = site.kept_document(site.grammar.series.record_path(value))
            shown["summary"] = program["data"]["summary"]
        return row(shown, by_end, False, of)

    return site.memo.get_or_make((row, event["slug"], by_end, of), make)


def agenda(events: Iterable[Event], as_of: str) -> Iterator[MonthGroup]:
    """The events under way on the day `as_of`, by their end; then those ahead by month; then those
    that are over, the latest first.
    """
    later: list[Event] = []
    under_way: list[Event] = []
    over: list[Event] = []
    for event in events:
        start, end = event["starts_at"], event["ends_at"]
        spans = event["rolling"] or start not in (None, end)
        has_begun = (start or "")[:10] <= as_of
        is_over = end is not None and end[:10] < as_of
        (over if is_over else under_way if spans and has_begun else later).append(event)
    if under_way:
        under_way.sort(key=lambda event: (event["ends_at"] or NEVER, event["slug"]))
        yield MonthGroup("", under_way)
    yield from by_month(later)
    if over:
        over.sort(key=lambda event: (event["ends_at"], event["slug"]), reverse=True)
        yield MonthGroup("over", over)


def by_month(events: Iterable[Event]) -> Iterator[MonthGroup]:
    """The events by the month in which they begin; last, under "", windows that are always open."""
    for month, group in groupby(by_day(events), key=lambda event: start_day(event)[:7]):
        yield MonthGroup(month, list(group))


def by_day(events: Iterable[Event]) -> list[Event]:
    """The events by the local day on which they begin, those of a day as the API has them, which
    is by UTC.
    """
    return sorted(events, key=lambda event: start_day(event) or NEVER)


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
    years = int(one[:4]) - int(other[:4])
    return abs(12 * years + int(one[5:]) - int(other[5:]) if one[5:] else years)
