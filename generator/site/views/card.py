"""The picture that link previews show."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site.drawing import card
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    path = card.path(site.settings)
    if path is not None:
        yield Artifact(path, card.draw(site.settings))
