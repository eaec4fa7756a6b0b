"""Style sheets, scripts, pictures, the file of the search box and the card of link previews, at
paths with a digest.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import finder
from generator.site.drawing import card
from generator.site.page_context import Site
from generator.site.paths import ASSETS

ADDRESSES = (f"{ASSETS}/",)


def render(site: Site) -> Iterator[Artifact]:
    yield from site.theme.assets.values()
    yield finder.artifact(site)
    card_path = card.path(site.settings)
    if card_path is not None:
        yield Artifact(card_path, card.draw(site.settings))
