"""Pages that are made of several files of the API, one view a module.

A view has `render(site)`, which yields its pages; it is found by being there.  The build records
what it reads through `site`, and renders it again when something that it read has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from generator.contract.artifact import Artifact
from generator.site.page_context import Site


class View(NamedTuple):
    """One page of the site, or several that are rendered together."""

    name: str
    render: Callable[[Site], Iterator[Artifact]]
