"""The page at `/`: what this registry is, in words and figures, what is next, and the way in."""

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

#: Which shares of its records a registry is told, in this order.
ASPECTS = ("website", "places", "tags", "sources", "text", "year")
#: How many changes of records are shown.
_CHANGES = 6
_COUNTRIES = {code.lower() for code in COUNTRIES}


def render(site: Site) -> Iterator[Artifact]:
    dashboard = site.document(DASHBOARD)
    values: list[dict[str, Any]] = site.document(_places(site))["data"]["values"]
    changes = site.document(CHANGES)["data"]
    told = [feeds.twin(site, feeds.UPCOMING, "feeds.upcoming")]
    if changes:
        told.append(feeds.twin(site, feeds.CHANGES, "feeds.changes"))
    about = meta.home(site)
    yield rendering.page(
        site,
        paths.HOME,
        "home",
        about=about._replace(twins=(*about.twins, *told)),
        changes=changes[:_CHANGES],
        dashboard=dashboard["data"],
        as_of=dashboard["as_of"],
        countries=[place for place in values if place["value"] in _COUNTRIES],
        coverage=site.document(COVERAGE),
        aspects=ASPECTS,
        own=_own(site),
        embeds=[(f"{c.name}/", c.title, c.height) for c in embed.every(site)],
    )


def _places(site: Site) -> str:
    return site.grammar.projects.filter_path("location")


def _own(site: Site) -> Markup | str:
    """What the registry itself says on its first page: home.md in its templates."""
    try:
        text = site.theme.file("home.md").decode(errors="replace")
    except FileNotFoundError:
        return ""
    return markdown.html(text, site.settings.prefix)
