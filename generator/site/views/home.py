"""The page at `/`: the registry in words and figures, upcoming dates, and links to all lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.paths import CHANGES, COVERAGE, DASHBOARD
from generator.model.fields import COUNTRIES
from generator.site import embed, feeds, meta, paths, rendering
from generator.site.page_context import Site
from generator.site.templating import markdown

#: The aspects of coverage that the page shows, in this order.
ASPECTS = ("website", "places", "tags", "sources", "text", "year")
#: The number of changed records that the page shows.
_CHANGES = 6
_COUNTRIES = {code.lower() for code in COUNTRIES}


def render(site: Site) -> Iterator[Artifact]:
    dashboard = site.document(DASHBOARD)
    location_path = site.grammar.projects.filter_path("location")
    locations: list[dict[str, Any]] = site.document(location_path)["data"]["values"]
    changes = site.document(CHANGES)["data"]
    feed_links = [feeds.feed_link(site, feeds.UPCOMING, "feeds.upcoming")]
    if changes:
        feed_links.append(feeds.feed_link(site, feeds.CHANGES, "feeds.changes"))
    about = meta.home_metadata(site)
    yield rendering.render_page(
        site,
        paths.HOME,
        "home",
        about=about._replace(twins=(*about.twins, *feed_links)),
        changes=changes[:_CHANGES],
        dashboard=dashboard["data"],
        as_of=dashboard["as_of"],
        countries=[place for place in locations if place["value"] in _COUNTRIES],
        coverage=site.document(COVERAGE),
        aspects=ASPECTS,
        own=_introduction(site),
        embeds=[(f"{c.name}/", c.title, c.height) for c in embed.embeddable_charts(site)],
    )


def _introduction(site: Site) -> Markup | str:
    """The registry's own text for the home page: home.md in its templates."""
    try:
        text = site.theme.file("home.md").decode(errors="replace")
    except FileNotFoundError:
        return ""
    return markdown.html(text, site.settings.prefix)
