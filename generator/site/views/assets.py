"""Style sheets, scripts and pictures; the address of a file has a digest of its bytes."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    yield from site.theme.assets.values()
