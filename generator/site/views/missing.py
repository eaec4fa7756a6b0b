"""404.html: the page that hosts show for an unknown address, at any depth."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.paths import NOT_FOUND
from generator.site import paths, rendering
from generator.site.meta import About
from generator.site.page_context import Site

ADDRESSES = (NOT_FOUND,)


def render(site: Site) -> Iterator[Artifact]:
    collections = [site.grammar.collections[name] for name in site.fit().collections]
    yield rendering.render_page(
        site,
        NOT_FOUND,
        "404",
        about=About(site.theme.texts("lost.title"), site.theme.texts("lost.lead"), indexed=False),
        collections=collections,
        told={
            "own": NOT_FOUND,
            "collections": [
                {"root": f"{paths.ROOTS[collection.name]}/", "api": collection.root}
                for collection in collections
            ],
        },
    )
