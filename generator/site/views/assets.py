"""What pages load: style sheets, scripts, pictures; another address where the bytes are others."""

from __future__ import annotations

from collections.abc import Iterator

from generator.api.artifact import Artifact
from generator.site.frame import Site


def render(site: Site) -> Iterator[Artifact]:
    yield from site.theme.assets.values()
