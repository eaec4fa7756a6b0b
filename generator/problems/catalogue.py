"""Reads a catalogue of texts, a TOML file of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def read_toml(path: Path) -> dict[str, Any]:
    import tomllib

    with path.open("rb") as file:
        return tomllib.load(file)
