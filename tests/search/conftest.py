"""Builds that the tests of the query tier share."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import own_fields


@pytest.fixture(scope="session")
def built_own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of own_fields.py, beside its content.  Not to be changed."""
    return own_fields.build(tmp_path_factory.mktemp("own"))
