"""The page at `/`: what the registry is, its search, values to browse, new records, upcoming dates
and charts.

Charts count the collection that the page begins with.  A chart with fewer than two bars, or with
equal bars, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.filters import Facet
from generator.grammar.grammar import TAG_VOCABULARY, Collection, Filter, Slice
from generator.grammar.paths import CHANGES
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.kinds.event_times import NEVER
from generator.site import calendar, charts, feeds, labels, lists, markdown, meta, paths, rendering
from generator.site.feeds import can_be_added
from generator.site.links import links
from generator.site.page_context import Site, several, telling
from generator.site.world import countries

ADDRESSES = ("/index.html",)

#: The number of new records that the page shows, and of records from which it does not show all.
_NEWEST, _MANY = 6, 60
#: The rows of a ranking, and of a chart of tags.
_RANKED, _TAGS = 10, 8
#: The values of a filter to browse, and the days of a week.
_BROWSED, _WEEK = 6, 7
#: Filters that have a section of their own, or too many values for a chart.
_ELSEWHERE = ("year", "month", "location", "organization_category")


#: The filters, besides own fields, of which a record has at most one value.
_SINGLE = ("status", "kind", "type", "category")


class Chart(NamedTuple):
    """A chart of one filter; `counted` is the collection that it counts.

    `total` is the number of its records if each has at most one value, else 0.
    """

    id: str
    label: str
    rows: list[charts.ChartValue]
    counted: Collection
    total: int = 0


class Newest(NamedTuple):
    """All records if there are few (`are_all`), else the last added if `added`, else those of the
    latest years: their rows as HTML, and the path of their list.
    """

    rows: Markup
    path: str
    added: bool = False
    are_all: bool = False


class Amount(NamedTuple):
    """The number of records of a collection, in words: how many, the path of their list or of the
    only record, how many of them are active or upcoming, and in how many countries they are.
    """

    collection: Collection
    total: int
    path: str
    active: int = 0
    upcoming: int = 0
    countries: int = 0

    @property
    def noun(self) -> str:
        return self.collection.one if self.total == 1 else self.collection.many


class Browse(NamedTuple):
    """Values of a filter to browse by."""

    label: str
    rows: list[charts.ChartValue]


class CountedCollection(NamedTuple):
    """A collection with the most frequent values of its filters, as `filters.json` has them."""

    site: Site
    collection: Collection
    filters: Mapping[str, Any]
    total: int

    def rows(self, name: str, most: int | None = None) -> list[charts.ChartValue]:
        """The values of a filter, the greatest first, if a chart of them says something."""
        return telling(self.values(name, most))

    def values(self, name: str, most: int | None = None) -> list[charts.ChartValue]:
        """The values of a filter, the greatest first; none if there are fewer than two."""
        if name not in self.collection.prepared_filters:
            return []
        return self._rows(name, self.filters[name]["values"], most)

    def all_rows(self, name: str) -> list[charts.ChartValue]:
        """All values of a filter; none if there are fewer than two."""
        if name not in self.collection.prepared_filters:
            return []
        document = self.site.kept_document(self.collection.filter_path(name))
        return self._rows(name, document["data"]["values"])

    def _rows(self, name: str, values: Any, most: int | None = None) -> list[charts.ChartValue]:
        return charts.rows(self.site, several(values)[:most], name, self.collection.name)

    def chart(self, name: str, most: int | None = None) -> Chart:
        label = labels.filter_label(self.site, self.collection, name)
        chart_id = f"{self.collection.name}-{name.replace('_', '-')}"
        total = self.total if self._has_one_value(name) else 0
        return Chart(chart_id, label, self.rows(name, most), self.collection, total)

    def _has_one_value(self, name: str) -> bool:
        own = (f.name for f in self.collection.declared.own if not f.many)
        return name in (*_SINGLE, *own)


def render(site: Site) -> Iterator[Artifact]:
    as_of, lead = site.as_of.isoformat(), _counted(site, site.fit().lead)
    years, has_dates = lead.all_rows("year"), site.grammar.kinds.timed in site.fit().collections
    feed_links = [feeds.feed_link(site, link.path, link.text) for link in links(site, "feeds")]
    about = meta.home_metadata(site)
    yield rendering.render_page(
        site,
        paths.HOME,
        "home",
        about=about._replace(twins=(*about.twins, *feed_links)),
        amounts=[_amount(site, name) for name in site.fit().collections],
        browse=list(_browse(site, lead)),
        closing=_closing(site) if has_dates else 0,
        data_files=meta.data_files(site),
        as_of=as_of,
        lead=lead.collection,
        newest=_all(lead) or _added(site, lead.collection) or _newest(lead, years),
        upcoming=_next(site, as_of) if has_dates else None,
        every=Slice(site.grammar.timed).feed if has_dates else None,
        years=telling(years),
        undated=lead.total - sum(row.count for row in years),
        subjects=_subjects(site),
        rankings=list(_rankings(lead)),
        countries=_countries(lead),
        telling=telling,
        breakdowns=list(_breakdowns(lead)),
        own=_introduction(site),
    )


def _amount(site: Site, name: str) -> Amount:
    collection, counts = site.grammar.collections[name], site.counts(name)
    total, path = counts.total, f"{collection.pages}/"
    active, upcoming = counts.values.get("status", {}).get("active", 0), 0
    if total == 1:
        path = site.record_page(name, site.tables[name].slugs[0]) or path
    if collection.declared.timed:
        upcoming = site.kept_document(site.grammar.upcoming.path())["page"]["total_items"]
    return Amount(
        collection,
        total,
        path,
        active if active < total else 0,
        upcoming,
        len(COUNTRY_SLUGS.intersection(counts.values.get("location", ()))),
    )


def _countries(lead: CountedCollection) -> list[charts.ChartValue]:
    return several(countries(lead.all_rows("location")))


def _browse(site: Site, lead: CountedCollection) -> Iterator[Browse]:
    """The most frequent tags of the first family, and the countries with most records, each of the
    first collection that has them.
    """
    counted = [lead, *(_counted(site, name) for name in site.fit().collections[1:])]
    families = (
        (of, f.name)
        for of in counted
        for f in of.collection.prepared_filters.values()
        if f.vocabulary.startswith(TAG_VOCABULARY)
    )
    tags = ((of, name, of.values(name, _BROWSED)) for of, name in families)
    for of, name, rows in tags:
        if rows:
            yield Browse(labels.filter_label(site, of.collection, name), rows)
            break
    places = (_countries(of) for of in counted)
    rows = next(filter(None, places), [])
    if rows:
        yield Browse(site.theme.texts("home.countries"), rows[:_BROWSED])


def _closing(site: Site) -> int:
    """How many application windows and deadlines end within a week."""
    table = site.tables[site.grammar.timed.name]
    first, last = site.as_of.isoformat(), (site.as_of + timedelta(days=_WEEK)).isoformat()
    out = {*table.members.get(Facet("status", "cancelled"), ())}
    return sum(
        first <= table.rows[position].ends < last
        for kind in ("application_window", "deadline")
        for position in table.members.get(Facet("kind", kind), ())
        if position not in out
    )


def _all(lead: CountedCollection) -> Newest | None:
    """All records, if there are few."""
    site, collection = lead.site, lead.collection
    if not 0 < lead.total < _MANY or collection.declared.timed:
        return None
    rows = _rows(site, collection, site.tables[collection.name].summaries)
    return Newest(rows, paths.list_page(Slice(collection)), are_all=True)


def _added(site: Site, collection: Collection) -> Newest | None:
    """The records that were added last, if the history has more than their first import."""
    changes = site.kept_document(CHANGES)["data"]
    added = [c for c in changes if c["change"] == "added" and c["href"]]
    slugs = [c["slug"] for c in added if c["collection"] == collection.name]
    if len({c["at"] for c in added}) < 2 or not slugs or collection.declared.timed:
        return None
    table = site.tables[collection.name]
    positions = [table.slugs.index(slug) for slug in slugs if slug in table.slugs][:_NEWEST]
    rows = _rows(site, collection, [table.summaries[position] for position in positions])
    return Newest(rows, paths.list_page(Slice(collection)), True) if positions else None


def _rows(site: Site, collection: Collection, encoded: Sequence[bytes]) -> Markup:
    return Markup(b"".join(lists.row_renderer(site, collection).html.all(encoded)).decode())


def _counted(site: Site, name: str) -> CountedCollection:
    collection = site.grammar.collections[name]
    filters = site.kept_document(collection.filters_path)["data"]
    return CountedCollection(site, collection, filters, site.counts(name).total)


def _newest(lead: CountedCollection, years: Sequence[charts.ChartValue]) -> Newest | None:
    """The first records of the latest years, if the records have several years."""
    site, collection, encoded = lead.site, lead.collection, list[bytes]()
    if not years or collection.declared.timed:
        return None
    for year in sorted(years, key=lambda row: int(row.value), reverse=True):
        part = Slice(collection, "year", year.value)
        encoded += lists.encoded_rows(site.read(part.path()))
        if len(encoded) >= _NEWEST:
            break
    rows = _rows(site, collection, encoded[:_NEWEST])
    by_year = "-year" if "-year" in collection.prepared_sorts else ""
    return Newest(rows, paths.list_page(Slice(collection, sort=by_year)))


def _next(site: Site, as_of: str) -> list[dict[str, Any]]:
    """The next dates by the day that is shown: the end of what has begun, the start of the rest."""
    events = site.document(site.grammar.upcoming.path())["data"]
    dated = []
    for event in events:
        start = event["starts_at"]
        has_begun = start is None or start[:10] <= as_of
        path = site.record_page(site.grammar.timed.name, event["slug"])
        shown = event | {
            "path": path,
            "addable": path is not None and can_be_added(event, as_of),
            "owners": calendar.named_owners(site, event)[:1],
            "places": calendar.place_names(site, event),
        }
        dated.append((event["ends_at"] or NEVER if has_begun else start, has_begun, shown))
    dated.sort(key=lambda date: date[0])
    return [shown | {"has_begun": has_begun} for _, has_begun, shown in dated]


def _subjects(site: Site) -> list[Chart]:
    """A chart of each tag family of the first collection that has tags."""
    for name in site.fit().collections:
        counted = _counted(site, name)
        charted = [
            counted.chart(f.name, _TAGS)
            for f in counted.collection.prepared_filters.values()
            if f.vocabulary.startswith(TAG_VOCABULARY)
        ]
        found = [chart for chart in charted if chart.rows]
        if found:
            return found
    return []


def _behind(lead: CountedCollection) -> list[Filter]:
    """The filters by who is behind records: owners and series."""
    filters, kinds = lead.collection.prepared_filters.values(), lead.site.grammar.kinds
    return [f for f in filters if f.refers and f.refers in (kinds.owner, kinds.series)]


def _rankings(lead: CountedCollection) -> Iterator[Chart]:
    for f in _behind(lead):
        chart, target = lead.chart(f.name, _RANKED), lead.site.grammar[f.refers]
        for row in chart.rows:
            row.href = lead.site.url(target.record_page(row.value))
        if f.name == target.kind:
            chart = chart._replace(id=target.name, label=target.label)
        if chart.rows:
            yield chart._replace(counted=target)


def _breakdowns(lead: CountedCollection) -> Iterator[Chart]:
    """Charts of the other filters of the leading collection, then those of what the records of
    other collections are.
    """
    elsewhere = (*_ELSEWHERE, *(f.name for f in _behind(lead)))
    charted = [
        lead.chart(f.name, _RANKED)
        for f in lead.collection.prepared_filters.values()
        if not (f.vocabulary.startswith(TAG_VOCABULARY) or f.name in elsewhere)
    ]
    charted.sort(key=lambda chart: not chart.total)
    for name in lead.site.fit().collections[1:]:
        kind = lead.site.grammar.kinds[name]
        if kind.badged and not kind.counted and not kind.timed:
            charted.append(_counted(lead.site, name).chart(kind.badged, _RANKED))
    for chart in charted:
        if chart.rows:
            by = lead.site.theme.texts("embed.by", what=chart.label, things=chart.counted.label)
            yield chart._replace(label=by)


def _introduction(site: Site) -> Markup | str:
    """The registry's own text for the home page: home.md in its templates."""
    try:
        text = site.theme.file("home.md").decode(errors="replace")
    except FileNotFoundError:
        return ""
    return markdown.html(text, site.settings.prefix)
