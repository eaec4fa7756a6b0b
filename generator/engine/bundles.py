"""The bundles of the engine's JavaScript, which `make bundle` writes."""

from __future__ import annotations

from functools import cache

from generator import PACKAGE
from generator.feature import files


@cache
def bundle(name: str = "edge") -> str:
    """A script of the engine: edge, browser or cloudfront.  That of functions and of this program
    has what features add to it (docs/extending.md).
    """
    own = (PACKAGE / f"search/js/{name}.js").read_text("utf-8")
    added = files("edge.js") if name == "edge" else ()
    return "".join((own, *(f"{{\n{path.read_text('utf-8')}\n}}\n" for path in added)))
