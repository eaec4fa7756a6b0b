"""The links from pages of the site to pages that belong to no collection.

Features add theirs by the function `links` of their module `views` (docs/extending.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.feature import hooks
from generator.site import paths
from generator.site.page_context import Site
from generator.site.reference.openapi_pages import EXPLORER, LAYER, REGISTRY, reference_path


class Link(NamedTuple):
    """A link in one place, where links are in the order of `order`, then of their features.

    `text` is the key of its text in the catalogue.  Places:

        header            the navigation of every page
        data, agents      the lists at the foot of every page
        home              the last section of the home page; the text below has the same key and
                          "_says"
        world             below the map of the home page
        sitemap           the sitemap, without a text; an order below 0 is before lists and records
        sitemap/projects  before the lists of a collection with records, such as the projects
    """

    place: str
    order: int
    path: str
    text: str = ""


def links(site: Site, place: str) -> list[Link]:
    """The links in a place, in their order."""
    found: list[Link] = site.memo.get_or_make("links", _links, site)
    return [link for link in found if link.place == place]


def _links(site: Site) -> list[Link]:
    found = [*_own(site)]
    for added in hooks("views", "links"):
        found += added(site)
    return sorted(found, key=lambda link: link.order)


def _own(site: Site) -> Iterator[Link]:
    for order, path in enumerate((paths.HOME, paths.CHANGES, paths.AGENTS), -100):
        yield Link("sitemap", order, path)
    yield Link("home", 20, paths.AGENTS, "home.ways.agents")
    yield Link("data", 20, paths.CHANGES, "changes.title")
    yield Link("agents", 10, paths.AGENTS, "site.agents")
    yield from _reference(site)


def _reference(site: Site) -> Iterator[Link]:
    yield Link("home", 10, paths.REFERENCE, "home.ways.api")
    yield Link("header", 40, paths.REFERENCE, "site.api")
    yield Link("data", 10, paths.REFERENCE, "site.reference")
    yield Link("sitemap", -70, paths.REFERENCE)
    for name in (REGISTRY, LAYER, EXPLORER):
        yield Link("sitemap", -70, reference_path(name))
    for name in site.fit().collections:
        yield Link(f"sitemap/{name}", 10, reference_path(name))
