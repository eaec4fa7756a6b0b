"""Pages rendered from several files of the API, one view a module.

Each module here with a function `render(site)` that yields pages is a view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from generator.contract.artifact import Artifact
from generator.site.page_context import Site


class View(NamedTuple):
    """One page of the site, or several that are rendered together; their addresses begin with one
    of `addresses`.
    """

    name: str
    render: Callable[[Site], Iterator[Artifact]]
    addresses: tuple[str, ...]
