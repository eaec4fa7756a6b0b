"""The page at `/`: what the registry is, its search, values to browse, new records, upcoming dates
and charts.

Charts count the collection that the page begins with.  A chart with fewer than two bars, or with
equal bars, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.contract.templates import HOME_TEXT
from generator.grammar.filters import Facet
from generator.grammar.grammar import TAG_VOCABULARY, Collection, Filter, Slice
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.kinds.event_times import NEVER
from generator.site import calendar, charts, colours, feeds, front, markdown, meta, paths, rendering
from generator.site.counted import Chart, CountedCollection, counted_collection
from generator.site.feeds import can_be_added
from generator.site.links import links
from generator.site.page_context import Site, several, telling
from generator.site.theme import asset_path
from generator.site.world import countries

ADDRESSES = ("/index.html", f"{paths.ASSETS}/world-")

#: The rows of a ranking, and of a chart of tags.
_RANKED, _TAGS = 10, 8
_WEEK = 7  # days
_MAP_COLOURS = ("edge", "line", "sunk", *(f"step-{i}" for i in range(1, charts.STEPS + 1)))
#: Filters that have a section of their own, or too many values for a chart.
_ELSEWHERE = ("year", "month", "location", "organization_category")


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


def render(site: Site) -> Iterator[Artifact]:
    as_of, lead = site.as_of.isoformat(), counted_collection(site, site.fit().lead)
    years, has_dates = lead.all_rows("year"), site.grammar.kinds.timed in site.fit().collections
    chart, closing = front.lead_chart(lead, years), _closing(site) if has_dates else 0
    above = ["status"] if chart and chart.parts else []
    texts, amounts = site.theme.texts, [_amount(site, name) for name in site.fit().collections]
    if above:
        amounts[0] = amounts[0]._replace(active=0)
    others = [texts("list.other"), *([texts("home.closing")] if closing else ())]
    feed_links = [feeds.feed_link(site, link.path, link.text) for link in links(site, "feeds")]
    about = meta.home_metadata(site)
    drawing = _drawing(lead)
    yield from drawing
    yield rendering.render_page(
        site,
        paths.HOME,
        "home",
        about=about._replace(twins=(*about.twins, *feed_links)),
        amounts=amounts,
        browse=front.browsed(lead, others),
        closing=closing,
        data_files=meta.data_files(site),
        as_of=as_of,
        lead=lead.collection,
        finding=chart,
        first=front.first(lead, chart is not None),
        upcoming=_next(site, as_of) if has_dates else None,
        every=Slice(site.grammar.timed).feed if has_dates else None,
        undated=lead.total - sum(row.count for row in years),
        subjects=_subjects(site),
        rankings=list(_rankings(lead)),
        countries=_countries(lead),
        drawing=drawing[0].path if drawing else "",
        telling=telling,
        breakdowns=list(_breakdowns(lead, above)),
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


def _drawing(lead: CountedCollection) -> list[Artifact]:
    """The map as a file: it is most of what the page has, and read after the page."""
    site, rows = lead.site, _countries(lead)
    if not rows:
        return []
    tokens = Markup(colours.token_rules(site.theme.accent, _MAP_COLOURS))
    raw = rendering.template_macros(site, "world").drawing(rows, tokens).strip().encode()
    return [Artifact(asset_path("world.svg", raw), raw)]


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
            "places": calendar.shown_places(site, event),
        }
        dated.append((event["ends_at"] or NEVER if has_begun else start, has_begun, shown))
    dated.sort(key=lambda date: date[0])
    return [shown | {"has_begun": has_begun} for _, has_begun, shown in dated]


def _subjects(site: Site) -> list[Chart]:
    """A chart of each tag family of the first collection that has tags."""
    for name in site.fit().collections:
        counted = counted_collection(site, name)
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


def _breakdowns(lead: CountedCollection, above: Sequence[str]) -> Iterator[Chart]:
    """Charts of the other filters of the leading collection, without those `above`, then those of
    what the records of other collections are.
    """
    elsewhere = (*_ELSEWHERE, *above, *(f.name for f in _behind(lead)))
    charted = [
        lead.chart(f.name, _RANKED)
        for f in lead.collection.prepared_filters.values()
        if not (f.vocabulary.startswith(TAG_VOCABULARY) or f.name in elsewhere)
    ]
    charted.sort(key=lambda chart: not chart.total)
    for name in lead.site.fit().collections[1:]:
        kind = lead.site.grammar.kinds[name]
        if kind.badged and not kind.counted and not kind.timed:
            charted.append(counted_collection(lead.site, name).chart(kind.badged, _RANKED))
    for chart in charted:
        if chart.rows:
            by = lead.site.theme.texts("embed.by", what=chart.label, things=chart.counted.label)
            yield chart._replace(label=by)


def _introduction(site: Site) -> Markup | str:
    """The registry's own text for the home page."""
    try:
        text = site.theme.file(HOME_TEXT).decode(errors="replace")
    except FileNotFoundError:
        return ""
    return markdown.html(text, site.settings.prefix)
