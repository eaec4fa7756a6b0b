"""`/embed/<name>/`: charts and a list for pages of other sites, each on a page of its own."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import embed, paths, rendering
from generator.site.meta import About
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    for chart in embed.embeddable_charts(site):
        about = About(chart.title, indexed=False)
        path = f"{paths.EMBEDS}/{chart.name}/"
        yield rendering.render_page(site, path, "embed/chart", about=about, chart=chart)
    about = About(site.theme.texts("embed.list"), indexed=False)
    yield rendering.render_page(
        site, f"{paths.EMBEDS}/list/", "embed/list", about=about, told=embed.script_data(site)
    )
