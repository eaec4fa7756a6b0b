"""A registry for tests of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import commands, registries
from support.once import once


def _small(folder: Path) -> Path:
    content = registries.write(folder / "content", registries.content())
    return commands.build(content, folder / "build", "--as-of", commands.TODAY)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the small registry.  Do not change it."""
    return once(tmp_path_factory, "small-for-engine", _small)
