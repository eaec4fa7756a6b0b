"""404.html: the page that hosts show for an unknown address, at any depth."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Query, Slice
from generator.grammar.paths import NOT_FOUND
from generator.site import rendering
from generator.site.meta import About
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    collections = [site.grammar.collections[name] for name in site.fit.collections]
    yield rendering.render_page(
        site,
        NOT_FOUND,
        "404",
        about=About(site.theme.texts("lost.title"), indexed=False),
        asked=Query(site.grammar.collections[site.fit.lead]),
        first={collection.name: Slice(collection).path() for collection in collections},
    )
