"""Catalogues of texts: folders of the package with one TOML file for each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from generator import PACKAGE


def read_groups(folder: str, names: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the data of each group; `folder` is a path in the package."""
    for name in names:
        yield name, read_toml(PACKAGE / folder / f"{name}.toml")


def read_toml(path: Path) -> dict[str, Any]:
    import tomllib

    with path.open("rb") as file:
        return tomllib.load(file)
