"""The card, and the lines about it in the head of pages (https://ogp.me/#structured)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.cards import card
from generator.site import rendering
from generator.site.page_context import Site
from generator.site.paths import ASSETS

ADDRESSES = (f"{ASSETS}/card-",)


def render(site: Site) -> Iterator[Artifact]:
    path = card.path(site.settings)
    if path is not None:
        yield Artifact(path, card.draw(site.settings))


def panels(site: Site, place: str, subject: Any) -> Iterator[Markup]:
    if place == "head" and site.settings.origin and subject.indexed:
        yield site.memo.get_or_make("card", _lines, site)


def _lines(site: Site) -> Markup:
    path = card.path(site.settings)
    if path is None:
        return Markup()
    preview = site.absolute(path)
    lines: Markup = rendering.template_macros(site, "card").lines(preview)
    return lines
