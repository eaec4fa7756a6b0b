"""The published bytes of registries stay the same, as `.venv/bin/python tests/frozen.py` shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import frozen
import pytest

from support import commands
from support.corpora import CORPORA
from support.lanes import fast_first


def run(arguments: Sequence[object], folder: Path, environment: Mapping[str, str]) -> commands.Done:
    return commands.run_forked(*arguments, cwd=folder, env=environment)


@pytest.mark.parametrize("name", fast_first(2, ["golden", "german", "generated-1000"]))
def test_published_bytes_are_frozen(name: str, tmp_path: Path) -> None:
    found = frozen.digest(frozen.build(CORPORA[name], tmp_path, run))
    assert found == frozen.committed()["digests"][name], frozen.why(name)
