"""The page of a record, and what stands where a record or a list of a former slug was."""

from __future__ import annotations

from typing import Any

from generator.api.artifact import Artifact
from generator.site import paths
from generator.site.frame import Site


def render(site: Site, collection: str, document: dict[str, Any]) -> Artifact:
    """The page of a record, of its document."""
    record = document["data"]
    before, after = site.neighbours(collection, record["slug"])
    return site.page(
        paths.record_page(collection, record["slug"]),
        "record",
        collection=site.grammar.collections[collection],
        record=record,
        links=document["links"],
        source=site.source(collection, record["slug"]),
        before=before,
        after=after,
    )


def moved(site: Site, path: str, now: str) -> Artifact:
    """The page at `path`, which leads to that at `now`."""
    return site.page(path, "moved", now=now)
