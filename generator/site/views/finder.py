"""The file of the search box."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import finder
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    yield finder.artifact(site)
