"""The page at `/`: what this registry is, and the way in."""

from __future__ import annotations

from collections.abc import Iterator

from generator.api.artifact import Artifact
from generator.api.paths import DASHBOARD
from generator.site import paths
from generator.site.frame import Site


def sources(site: Site) -> tuple[str, ...]:
    return (DASHBOARD,)


def render(site: Site) -> Iterator[Artifact]:
    yield site.page(paths.HOME, "home", dashboard=site.document(DASHBOARD)["data"])
