"""`/embed/<name>/`: charts and a list for pages of other sites, each on a page of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.embed import EMBEDS
from generator.grammar.grammar import Collection
from generator.grammar.paths import DASHBOARD
from generator.site import charts, labels, rendering
from generator.site.charts import ChartValue
from generator.site.lists import Shown
from generator.site.meta import About
from generator.site.page_context import Site, several
from generator.site.world import countries

ADDRESSES = (f"{EMBEDS}/",)

MAX_ROWS = 10  # rows of a ranked chart or a list
LIST_HEIGHT = 620  # pixels


class EmbeddedChart(NamedTuple):
    """The chart at `/embed/<name>/` of the records of a collection."""

    of: Collection
    name: str
    kind: str
    title: str
    rows: Sequence[ChartValue] = ()
    total: int = 0

    @property
    def height(self) -> int:
        """The height in pixels, on a page of common width."""
        rows = {"ranked": 44, "shares": 30}.get(self.kind, 0) * max(1, len(self.rows))
        return {"years": 330, "map": 520, "shares": 170}.get(self.kind, 130) + rows


def embeddable_charts(site: Site) -> Iterator[EmbeddedChart]:
    """The charts of collections with records that can be embedded."""
    return (chart for chart in _charts(site) if chart.of.name in site.fit().collections)


def _charts(site: Site) -> Iterator[EmbeddedChart]:
    """All charts; none without a counted kind."""
    kinds, t = site.grammar.kinds, site.theme.texts
    if not kinds.counted:
        return
    data, counted = site.kept_document(DASHBOARD)["data"], site.grammar.counted
    chart = partial(EmbeddedChart, counted)
    location = site.kept_document(counted.filter_path("location"))["data"]["values"]
    places = countries(charts.rows(site, location, "location"))

    def by(what: str, things: str = counted.label) -> str:
        return t("embed.by", what=what, things=things)

    years = charts.rows(site, data["projects_by_year"], "year")
    yield chart("years", "years", t("home.by_year", things=counted.label), years)
    if "status" in counted.filters:
        title = by(labels.filter_label(site, counted, "status"))
        statuses = charts.rows(site, data["statuses"], "status")
        yield chart("status", "shares", title, statuses, data["counts"][counted.name])
    if kinds.series:
        series, number = site.grammar.series, site.counts(kinds.series).of
        title = by(labels.filter_label(site, series, "type"), series.label)
        counts = [of | {"count": number("type", of["value"])} for of in data["program_types"]]
        types = charts.rows(site, counts, "type", series.name)
        yield EmbeddedChart(series, "types", "ranked", title, types)
    for family, values in data.get("tags", {}).items():
        name = f"tag_{family}"
        rows = charts.rows(site, values[:MAX_ROWS], name)
        yield chart(name.replace("_", "-"), "ranked", by(counted.filters[name].label), rows)
    for name in kinds.counting:
        if name in site.fit().collections:
            title = t("embed.most", who=site.grammar[name].label, things=counted.many)
            yield chart(name, "ranked", title, charts.records(site, name, MAX_ROWS))
    yield chart("countries", "ranked", by(t("map.countries")), places[:MAX_ROWS])
    yield chart("map", "map", t("map.title", what=counted.label), places)


def script_data(site: Site) -> dict[str, Any]:
    """The data of the script of embedded lists."""
    collections = {
        name: {
            "root": collection.root,
            "pages": f"{collection.pages}/" if name in site.fit().collections else None,
            "records": site.record_page(name, "") is not None,
            "label": collection.label,
            "one": collection.one,
            "many": collection.many,
            "filters": [*collection.prepared_filters],
        }
        for name, collection in site.grammar.collections.items()
    }
    return {"collections": collections, "first": site.fit().lead, "most": MAX_ROWS}


def render(site: Site) -> Iterator[Artifact]:
    for chart in embeddable_charts(site):
        about = _about(site, chart.title)
        path = f"{EMBEDS}/{chart.name}/"
        yield rendering.render_page(site, path, "embed/chart", about=about, chart=chart)
    about = _about(site, site.theme.texts("embed.list"))
    yield rendering.render_page(
        site, f"{EMBEDS}/list/", "embed/list", about=about, told=script_data(site)
    )


def _about(site: Site, what: str) -> About:
    title = site.theme.texts("embed.title", what=what)
    return About(title, f"{title}: {site.settings.name}", indexed=False)


def panels(site: Site, place: str, subject: Any) -> Iterator[Markup]:
    """The lines to copy, for all charts on the home page and for a list on its own page."""
    if place == "home":
        charted = [chart for chart in embeddable_charts(site) if several(chart.rows)]
        items = [(f"{EMBEDS}/{c.name}/", c.title, c.height) for c in charted]
    elif place == "list":
        items = [(_list_path(subject), subject.heading, LIST_HEIGHT)]
    else:
        return
    if items:
        yield rendering.template_macros(site, "embedded").offer(items)


def _list_path(shown: Shown) -> str:
    part = shown.part
    query = f"collection={part.collection.name}"
    query += f"&{part.filter}={part.value}" if part.filter else ""
    query += f"&sort={part.sort}" if part.sort else ""
    return f"{EMBEDS}/list/?{query}"
