"""The page at `/`: the registry in words and figures, new records, upcoming dates, and links to all
lists.

Charts count the collection that the page begins with.  A chart with fewer than two bars is left
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.grammar import TAG_VOCABULARY, Collection, Slice
from generator.grammar.paths import CHANGES, COVERAGE, DASHBOARD
from generator.kinds.declare import OWN_FIELD_PREFIX
from generator.model.kinds.event_times import NEVER
from generator.site import calendar, feeds, labels, lists, meta, paths, rendering
from generator.site.adding import can_be_added
from generator.site.drawing import charts
from generator.site.drawing.world import countries
from generator.site.fit import several
from generator.site.links import links
from generator.site.page_context import Site
from generator.site.templating import markdown

ADDRESSES = ("/index.html",)

#: The aspects of coverage that the page shows, in this order.
ASPECTS = ("website", "places", "tags", "sources", "text", "year")
#: The number of changed and of new records that the page shows.
_CHANGES, _NEWEST = 6, 6
#: The rows of a ranking, and of a chart of tags.
_RANKED, _TAGS = 10, 8
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
    """The records of the latest years: their rows as HTML, and the path of the list by year."""

    rows: Markup
    path: str


class Counted(NamedTuple):
    """A collection with the most frequent values of its filters, as `filters.json` has them."""

    site: Site
    collection: Collection
    filters: Mapping[str, Any]
    total: int

    def rows(self, name: str, most: int | None = None) -> list[charts.ChartValue]:
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
        """Whether a record has at most one value of a filter."""
        own = self.site.grammar.fields.get(self.collection.name, {})
        key = name.removeprefix(OWN_FIELD_PREFIX)
        return not own[key].many if key != name else name in _SINGLE


def render(site: Site) -> Iterator[Artifact]:
    dashboard, changes = site.kept_document(DASHBOARD), site.document(CHANGES)["data"]
    data, lead = dashboard["data"], _counted(site, site.fit().lead)
    feed_links = [feeds.feed_link(site, link.path, link.text) for link in links(site, "feeds")]
    about = meta.home_metadata(site)
    coverage = site.document(COVERAGE)
    yield rendering.render_page(
        site,
        paths.HOME,
        "home",
        about=about._replace(twins=(*about.twins, *feed_links)),
        changes=changes[:_CHANGES],
        data_files=meta.data_files(site),
        dashboard=data,
        as_of=dashboard["as_of"],
        lead=lead.collection,
        newest=_newest(site, lead.collection, data),
        upcoming=_next(site, dashboard["as_of"]) if "events" in site.fit().collections else [],
        years=lead.all_rows("year"),
        subjects=_subjects(site),
        rankings=list(_rankings(lead)),
        countries=several(countries(lead.all_rows("location"))),
        breakdowns=list(_breakdowns(lead)),
        coverage=coverage,
        aspects=_aspects(coverage["data"]),
        own=_introduction(site),
    )


def _counted(site: Site, name: str) -> Counted:
    collection = site.grammar.collections[name]
    filters = site.kept_document(collection.filters_path)["data"]
    total = site.kept_document(DASHBOARD)["data"]["counts"][name]
    return Counted(site, collection, filters, total)


def _newest(site: Site, collection: Collection, data: Mapping[str, Any]) -> Newest | None:
    """The first records of the latest years, if the records have several years."""
    years, encoded = data.get(f"{collection.name}_by_year", ()), list[bytes]()
    if len(years) < 2:
        return None
    for count in reversed(years):
        part = Slice(collection, "year", str(count["year"]))
        encoded += lists.encoded_rows(site.read(part.path()))
        if len(encoded) >= _NEWEST:
            break
    rows = b"".join(lists.row_renderer(site, collection).html.all(encoded[:_NEWEST]))
    by_year = "-year" if "-year" in collection.prepared_sorts else ""
    return Newest(Markup(rows.decode()), paths.list_page(Slice(collection, sort=by_year)))


def _next(site: Site, as_of: str) -> list[dict[str, Any]]:
    """The next dates by the day that is shown: the end of what has begun, the start of the rest."""
    events = site.document(site.grammar.upcoming.path())["data"]
    dated = []
    for event in events:
        start = event["starts_at"]
        has_begun = start is None or start[:10] <= as_of
        path = site.record_page("events", event["slug"])
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


def _rankings(lead: Counted) -> Iterator[Chart]:
    """The programs and organizations with the most records of the leading collection; none if the
    first of many have equally many.
    """
    for f in lead.collection.prepared_filters.values():
        rows = lead.rows(f.name, _RANKED) if f.refers else []
        if rows and (len(rows) < _RANKED or rows[0].count > rows[-1].count):
            target = lead.site.grammar.collections[f.refers]
            for row in rows:
                row.href = lead.site.url(paths.record_page(f.refers, row.value))
            yield Chart(target.name, target.label, rows, target)


def _breakdowns(lead: Counted) -> Iterator[Chart]:
    """Charts of the other filters of the leading collection, then those of what programs and
    organizations are.
    """
    charted = [
        lead.chart(f.name, _RANKED)
        for f in lead.collection.prepared_filters.values()
        if not (f.refers or f.vocabulary.startswith(TAG_VOCABULARY) or f.name in _ELSEWHERE)
    ]
    charted.sort(key=lambda chart: not chart.total)
    for name, kind in (("programs", "type"), ("organizations", "category")):
        if name in lead.site.fit().collections and name != lead.collection.name:
            charted.append(_counted(lead.site, name).chart(kind, _RANKED))
    for chart in charted:
        if chart.rows:
            by = lead.site.theme.texts("embed.by", what=chart.label, things=chart.counted.label)
            yield chart._replace(label=by)


def _aspects(coverage: Mapping[str, Any]) -> list[str]:
    """The aspects that a record of some collection has."""
    return [
        aspect
        for aspect in ASPECTS
        if any(of["fields"].get(aspect, {}).get("share") for of in coverage.values())
    ]


def _introduction(site: Site) -> Markup | str:
    """The registry's own text for the home page: home.md in its templates."""
    try:
        text = site.theme.file("home.md").decode(errors="replace")
    except FileNotFoundError:
        return ""
    return markdown.html(text, site.settings.prefix)
