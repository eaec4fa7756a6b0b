"""`/map/`: a world map of the projects, with maps of programs and organizations beside it.

A collection with records in fewer than two countries has no map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.contract.artifact import Artifact
from generator.features.map import MAP
from generator.kinds.continents import CONTINENTS
from generator.kinds.types import COUNTRY_SLUGS
from generator.site import charts, rendering, titles
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site
from generator.site.world import countries

ADDRESSES = (MAP,)

#: The most cities that are listed.
MAX_CITIES = 60


def mapped(site: Site) -> list[tuple[str, str]]:
    """The collections with records in several countries, each with the path of its map; the first
    is at `/map/`.
    """
    names = (name for name in site.fit().collections if not site.grammar.kinds[name].timed)
    found = [
        name
        for name in names
        if len(COUNTRY_SLUGS.intersection(site.counts(name).values.get("location", ()))) > 1
    ]
    return [(name, MAP if i == 0 else f"{MAP}{name}/") for i, name in enumerate(found)]


def links(site: Site) -> Iterator[Link]:
    maps = dict(mapped(site))
    if maps:
        yield Link("header", 20, MAP, "site.map")
        yield Link("sitemap", -60, MAP)
    if site.fit().lead in maps:
        yield Link("world", 10, maps[site.fit().lead], "home.map")


def cities(values: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The places below countries that contain no other place, those with the most records first.

    A region of which no record names a city is among them.
    """
    below = [v for v in values if "-" in v["value"] and v["value"] not in CONTINENTS]
    parents = {value["label"].partition(", ")[2] for value in below}
    return [value for value in below if value["label"] not in parents]


def render(site: Site) -> Iterator[Artifact]:
    pages = mapped(site)
    for name, path in pages:
        collection = site.grammar.collections[name]
        document = site.kept_document(collection.filter_path("location"))
        values = document["data"]["values"]
        rows, places = charts.rows(site, values, "location", name), cities(values)
        title, shown = site.theme.texts("map.title", what=collection.label), countries(rows)
        described = titles.of_list(site, title, len(shown), [country.label for country in shown])
        yield rendering.render_page(
            site,
            path,
            "map",
            about=below_home(site, title, described),
            collection=name,
            pages=pages,
            rows=shown,
            cities=charts.rows(site, places[:MAX_CITIES], "location", name),
            total=len(places),
            remote=next((row for row in rows if row.value == "remote"), None),
        )
