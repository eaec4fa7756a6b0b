"""`/embed/<name>/`: charts and a list for pages of other sites, each on a page of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.embed.addresses import EMBEDS
from generator.grammar.paths import DASHBOARD
from generator.site import labels, paths, rendering
from generator.site.drawing import charts
from generator.site.drawing.charts import ChartValue
from generator.site.drawing.world import countries
from generator.site.fit import several
from generator.site.lists import Shown
from generator.site.meta import About
from generator.site.page_context import Site

ADDRESSES = (f"{EMBEDS}/",)

MAX_ROWS = 10  # rows of a ranked chart or a list
LIST_HEIGHT = 620  # pixels


class EmbeddedChart(NamedTuple):
    """The chart at `/embed/<name>/`; `counted` names the counted records if not projects."""

    name: str
    kind: str
    title: str
    rows: Sequence[ChartValue] = ()
    total: int = 0
    counted: str = ""

    @property
    def height(self) -> int:
        """The height in pixels, on a page of common width."""
        rows = {"ranked": 44, "shares": 30}.get(self.kind, 0) * max(1, len(self.rows))
        return {"years": 330, "map": 520, "shares": 170}.get(self.kind, 130) + rows


def embeddable_charts(site: Site) -> Iterator[EmbeddedChart]:
    """The charts of collections with records that can be embedded."""
    return (chart for name, chart in _charts(site) if name in site.fit().collections)


def _charts(site: Site) -> Iterator[tuple[str, EmbeddedChart]]:
    """Each chart with the collection that it needs."""
    data = site.kept_document(DASHBOARD)["data"]
    location = site.kept_document(site.grammar.projects.filter_path("location"))["data"]["values"]
    places = countries(charts.rows(site, location, "location"))
    t, collections = site.theme.texts, site.grammar.collections
    projects, programs = collections["projects"], collections["programs"]
    years, status, types = (
        charts.rows(site, data["projects_by_year"], "year"),
        charts.rows(site, data["statuses"], "status"),
        charts.rows(site, data["program_types"], "type", "programs"),
    )

    def title_by(what: str, things: str = projects.label) -> str:
        return t("embed.by", what=what, things=things)

    yield (
        "projects",
        EmbeddedChart("years", "years", t("home.by_year", things=projects.label), years),
    )
    kind = labels.filter_label(site, projects, "status")
    shares = EmbeddedChart("status", "shares", title_by(kind), status, data["counts"]["projects"])
    yield "projects", shares
    kind = labels.filter_label(site, programs, "type")
    title = title_by(kind, programs.label)
    yield "programs", EmbeddedChart("types", "ranked", title, types, counted=programs.label)
    for family, values in data["tags"].items():
        name = f"tag_{family}"
        rows = charts.rows(site, values[:MAX_ROWS], name)
        title = title_by(projects.filters[name].label)
        yield "projects", EmbeddedChart(name.replace("_", "-"), "ranked", title, rows)
    for name in ("programs", "organizations"):
        title = t("embed.most", who=collections[name].label, things=projects.many)
        rows = charts.records(site, data[f"top_{name}"], name)
        if name in site.fit().collections:
            yield "projects", EmbeddedChart(name, "ranked", title, rows)
    title = title_by(t("map.countries"))
    yield "projects", EmbeddedChart("countries", "ranked", title, places[:MAX_ROWS])
    yield "projects", EmbeddedChart("map", "map", t("map.title", what=projects.label), places)


def script_data(site: Site) -> dict[str, Any]:
    """The data of the script of embedded lists."""
    collections = {
        name: {
            "root": collection.root,
            "pages": f"{paths.ROOTS[name]}/" if name in site.fit().collections else None,
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
