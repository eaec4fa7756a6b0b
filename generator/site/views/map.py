"""`/map/`: a world map of the projects, with maps of programs and organizations beside it.

A collection without a record in a country has no map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.contract.artifact import Artifact
from generator.site import paths, rendering
from generator.site.drawing import charts
from generator.site.drawing.world import countries
from generator.site.meta import below_home
from generator.site.page_context import Site


def map_paths(mapped: Sequence[str]) -> list[tuple[str, str]]:
    """Each collection on the map with the path of its map; the first is at `/map/`."""
    return [(name, paths.MAP if i == 0 else f"{paths.MAP}{name}/") for i, name in enumerate(mapped)]


def render(site: Site) -> Iterator[Artifact]:
    pages = map_paths(site.fit.mapped)
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
