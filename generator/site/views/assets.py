"""What pages load: style sheets, scripts, pictures; another address where the bytes are others."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    yield from site.theme.assets.values()
