"""`/map/`: a world map of the projects, with maps of programs and organizations beside it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import paths, rendering
from generator.site.drawing import charts
from generator.site.drawing.world import countries
from generator.site.meta import below_home
from generator.site.page_context import Site

COLLECTIONS = ("projects", "programs", "organizations")


def map_path(collection: str) -> str:
    """The path of a collection's map."""
    return paths.MAP if collection == COLLECTIONS[0] else f"{paths.MAP}{collection}/"


def render(site: Site) -> Iterator[Artifact]:
    pages = [(name, map_path(name)) for name in COLLECTIONS]
    for name, path in pages:
        collection = site.grammar.collections[name]
        document = site.document(collection.filter_path("location"))
        rows = charts.rows(site, document["data"]["values"], "location", name)
        yield rendering.render_page(
            site,
            path,
            "map",
            about=below_home(site, site.theme.texts("map.title", what=collection.label)),
            collection=name,
            pages=pages,
            rows=countries(rows),
            remote=next((row for row in rows if row.value == "remote"), None),
        )
