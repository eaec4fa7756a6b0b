"""`/docs/data/`: how recent and how complete the records are, and their latest changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.contract.artifact import Artifact
from generator.grammar.paths import CHANGES, COVERAGE
from generator.site import meta, paths, rendering
from generator.site.page_context import Site

ADDRESSES = (paths.DATA,)

#: The aspects of coverage that the page shows, in this order.
ASPECTS = ("website", "places", "tags", "sources", "text", "year")
#: The number of changes that the page shows.
_CHANGES = 8


def render(site: Site) -> Iterator[Artifact]:
    if not site.fit().collections:
        return
    texts, coverage = site.theme.texts, site.document(COVERAGE)
    title, lead = texts("data.title"), texts("data.lead")
    yield rendering.render_page(
        site,
        paths.DATA,
        "data",
        about=meta.below_home(site, title, lead),
        title=title,
        lead=lead,
        coverage=coverage,
        aspects=_aspects(coverage["data"]),
        changes=site.kept_document(CHANGES)["data"][:_CHANGES],
    )


def _aspects(coverage: Mapping[str, Any]) -> list[str]:
    """The aspects that a record of some collection has."""
    return [
        aspect
        for aspect in ASPECTS
        if any(of["fields"].get(aspect, {}).get("share") for of in coverage.values())
    ]
