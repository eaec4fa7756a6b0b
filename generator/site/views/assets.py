"""Style sheets, scripts, pictures and the file of the search box, at paths with a digest."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import finder
from generator.site.page_context import Site
from generator.site.paths import ASSETS

ADDRESSES = (f"{ASSETS}/",)


def render(site: Site) -> Iterator[Artifact]:
    yield from site.theme.assets.values()
    yield finder.artifact(site)
