"""The values of each collection's filters, which the search box of every page offers."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.kinds import KINDS
from generator.site import finder, paths
from generator.site.page_context import Site

ADDRESSES = tuple(paths.values_file(kind.name) for kind in KINDS.values() if not kind.timed)


def render(site: Site) -> Iterator[Artifact]:
    for name in site.fit().collections:
        if not KINDS[name].timed:
            yield finder.values(site, site.grammar.collections[name])
