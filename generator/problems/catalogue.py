"""Catalogues of texts: folders of the package with one TOML file for each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from generator import PACKAGE


def read_groups(folder: str, names: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the data of each group; `folder` is a path in the package."""
    import tomllib

    for name in names:
        with (PACKAGE / folder / f"{name}.toml").open("rb") as file:
            yield name, tomllib.load(file)
