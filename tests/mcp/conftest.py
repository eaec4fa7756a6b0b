"""Published registries, each built when a test first asks for it."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from support.mcp_sites import Published, publish


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Published]:
    """A published registry by its name: see mcp_sites.publish."""
    return functools.cache(
        lambda name: publish(name, tmp_path_factory.mktemp(name.strip("/") or "mcp"))
    )
