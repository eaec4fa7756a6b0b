"""Builds shared by the tests of the query tier."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support import alike, commands, own_fields, registries, writings
from support.once import once


def _small_part(*collections: str) -> Callable[[Path], Path]:
    """Builds the smallest registry with these collections alone."""
    records = {name: registries.SMALL[name] for name in ("registry", *collections)}

    def build(folder: Path) -> Path:
        made = registries.write(folder / "content", records)
        return commands.build(made, folder / "out", "--as-of", commands.TODAY)

    return build


_BUILDS: dict[str, Callable[[Path], Path]] = {
    "own": own_fields.build,
    "writings": lambda folder: writings.build(folder, "cloudflare"),
    "alike": alike.build,
    "events_only": _small_part("organizations", "programs", "events"),
    "empty": _small_part(),
}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The build of a registry, by the name of its requests/*.txt.  Do not change it."""
    return lambda name: once(tmp_path_factory, f"built-{name}", _BUILDS[name])


@pytest.fixture(scope="session")
def written(built: Callable[[str], Path]) -> Path:
    """A build of writings.py for a host with functions.  Do not change it."""
    return built("writings")
