"""Whether there is a card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.problems.extras import how_to_install

if TYPE_CHECKING:
    from generator.published.published import Published


def notes(published: Published) -> Iterator[str]:
    if not (published.has_site and published.settings.origin):
        return
    from generator.features.cards import card

    if card.pillow_version() is None:
        drawing = how_to_install("cards")
        yield f"Previews of links have no picture, which Pillow would draw: {drawing}"
