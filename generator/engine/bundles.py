"""The bundles of the engine's JavaScript, which `make bundle` writes, and what features add."""

from __future__ import annotations

import json
from functools import cache

from generator import PACKAGE
from generator.feature import Feature, features


@cache
def bundle(name: str = "edge") -> str:
    """A script of the engine: edge, browser or cloudfront.  That of functions and of this program
    has what features add to it (docs/extending.md).
    """
    added = additions() if name == "edge" else ()
    return "".join((own_bundle(name), *(script for _, script in added)))


def own_bundle(name: str) -> str:
    """A script without what features add."""
    return (PACKAGE / f"search/js/{name}.js").read_text("utf-8")


@cache
def additions() -> tuple[tuple[Feature, str], ...]:
    """The features that add a script to the engine, with this script."""
    paths = [(feature, feature.folder / "edge.js") for feature in features()]
    return tuple(
        (feature, _addition(feature, path.read_text("utf-8")))
        for feature, path in paths
        if path.exists()
    )


def _addition(feature: Feature, script: str) -> str:
    named = f"{feature.name} ({feature.origin})" if feature.origin else feature.name
    return f"edge.feature={json.dumps(named)};\n{{\n{script}\n}}\n"
