"""The links from pages of the site to pages that belong to no collection.

Features add theirs by the function `links` of their module `views` (docs/extending.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from generator.feature import hooks
from generator.model.settings.registry import Settings
from generator.site import paths
from generator.site.fit import Fit

Place = Literal["home", "header", "sitemap"]


class Link(NamedTuple):
    """A link in one place, where links are in the order of `order`, then of their features.

    `text` is the key of its text in the catalogue; on the home page the text below has the same key
    and "_says".  In the sitemap, links with an order below 0 are before lists and records.
    """

    place: Place
    order: int
    path: str
    text: str = ""


def links(place: Place, settings: Settings, fit: Fit) -> list[Link]:
    """The links in a place, in their order."""
    found = [*_own(fit)]
    for added in hooks("views", "links"):
        found += added(settings, fit)
    return sorted((link for link in found if link.place == place), key=lambda link: link.order)


def _own(fit: Fit) -> Iterator[Link]:
    yield Link("home", 10, paths.REFERENCE, "home.ways.api")
    yield Link("home", 20, paths.AGENTS, "home.ways.agents")
    yield Link("header", 40, paths.REFERENCE, "site.api")
    if fit.mapped:
        yield Link("header", 20, paths.MAP, "site.map")
        yield Link("sitemap", -20, paths.MAP)
    if fit.compared:
        yield Link("home", 40, paths.COMPARE, "home.ways.compare")
        yield Link("header", 30, paths.COMPARE, "site.compare")
        yield Link("sitemap", -10, paths.COMPARE)
