"""What can stand in pages elsewhere: each chart of the first page, and any list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from generator.grammar.paths import DASHBOARD
from generator.site import labels, paths
from generator.site.drawing import charts
from generator.site.drawing.charts import Row
from generator.site.drawing.world import countries
from generator.site.page_context import Site

MOST = 10  # rows of a list


class Chart(NamedTuple):
    """What stands at `/embed/<name>/`; `counted` is what is counted where that is not projects."""

    name: str
    kind: str
    title: str
    rows: Sequence[Row] = ()
    total: int = 0
    counted: str = ""

    @property
    def height(self) -> int:
        """Pixels that it takes in a page of common width."""
        of_rows = {"ranked": 44, "shares": 30}.get(self.kind, 0) * max(1, len(self.rows))
        return {"years": 330, "map": 520, "shares": 170}.get(self.kind, 130) + of_rows


def every(site: Site) -> Iterator[Chart]:
    """Every chart that can be embedded; one of no records too, for it may have some later."""
    data = site.document(DASHBOARD)["data"]
    location = site.document(site.grammar.projects.filter_path("location"))["data"]["values"]
    places = countries(charts.rows(site, location, "location"))
    t, collections = site.theme.texts, site.grammar.collections
    projects, programs = collections["projects"], collections["programs"]
    years, status, types = (
        charts.rows(site, data["projects_by_year"], "year"),
        charts.rows(site, data["statuses"], "status"),
        charts.rows(site, data["program_types"], "type", "programs"),
    )

    def by(what: str, things: str = projects.label) -> str:
        return t("embed.by", what=what, things=things)

    yield Chart("years", "years", t("home.by_year", things=projects.label), years)
    kind = labels.filter_label(site, projects, "status")
    yield Chart("status", "shares", by(kind), status, data["counts"]["projects"])
    kind = labels.filter_label(site, programs, "type")
    yield Chart("types", "ranked", by(kind, programs.label), types, counted=programs.label)
    for family, values in data["tags"].items():
        name = f"tag_{family}"
        rows = charts.rows(site, values[:MOST], name)
        yield Chart(name.replace("_", "-"), "ranked", by(projects.filters[name].label), rows)
    for name in ("programs", "organizations"):
        title = t("embed.most", who=collections[name].label, things=projects.many)
        yield Chart(name, "ranked", title, charts.records(site, data[f"top_{name}"], name))
    yield Chart("countries", "ranked", by(t("map.countries")), places[:MOST])
    yield Chart("map", "map", t("map.title", what=projects.label), places)


def told(site: Site) -> dict[str, Any]:
    """What the script of a list knows of each collection."""
    of = {
        name: {
            "root": collection.root,
            "pages": f"{paths.ROOTS[name]}/",
            "label": collection.label,
            "one": collection.one,
            "many": collection.many,
            "filters": [*collection.prepared_filters],
        }
        for name, collection in site.grammar.collections.items()
    }
    return {"collections": of, "most": MOST}
