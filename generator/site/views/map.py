"""`/map/`: a world map of the projects, with maps of programs and organizations beside it.

A collection without a record in a country has no map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator.contract.artifact import Artifact
from generator.site import paths, rendering
from generator.site.drawing import charts
from generator.site.drawing.world import countries
from generator.site.meta import below_home
from generator.site.page_context import Site

ADDRESSES = (paths.MAP,)

#: The most cities that are listed.
MAX_CITIES = 60


def map_paths(mapped: Sequence[str]) -> list[tuple[str, str]]:
    """Each collection on the map with the path of its map; the first is at `/map/`."""
    return [(name, paths.MAP if i == 0 else f"{paths.MAP}{name}/") for i, name in enumerate(mapped)]


def cities(values: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The places below countries that contain no other place, those with the most records first.

    A region of which no record names a city is among them.
    """
    below = [value for value in values if "-" in value["value"]]
    parents = {value["label"].partition(", ")[2] for value in below}
    return [value for value in below if value["label"] not in parents]


def render(site: Site) -> Iterator[Artifact]:
    pages = map_paths(site.fit().mapped)
    for name, path in pages:
        collection = site.grammar.collections[name]
        document = site.kept_document(collection.filter_path("location"))
        values = document["data"]["values"]
        rows, places = charts.rows(site, values, "location", name), cities(values)
        yield rendering.render_page(
            site,
            path,
            "map",
            about=below_home(site, site.theme.texts("map.title", what=collection.label)),
            collection=name,
            pages=pages,
            rows=countries(rows),
            cities=charts.rows(site, places[:MAX_CITIES], "location", name),
            total=len(places),
            remote=next((row for row in rows if row.value == "remote"), None),
        )
