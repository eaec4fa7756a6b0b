"""Builds shared by the tests of the query tier."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import own_fields


@pytest.fixture(scope="session")
def built_own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of own_fields.py next to its content. Do not change it."""
    return own_fields.build(tmp_path_factory.mktemp("own"))
