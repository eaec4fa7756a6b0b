"""The published bytes of three registries stay the same, after a clean build and after each of ten
edits.

`.venv/bin/python tests/frozen.py` does the same with 200 edits and with larger registries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import frozen
import pytest

from support import commands
from support.corpora import CORPORA
from support.lanes import fast_first

STEPS = 10
CASES = [("golden", STEPS), ("german", 2), ("german", STEPS), ("generated-1000", STEPS)]


def run(arguments: Sequence[object], folder: Path, environment: Mapping[str, str]) -> commands.Done:
    return commands.run_forked(*arguments, cwd=folder, env=environment)


@pytest.mark.parametrize(("name", "steps"), fast_first(2, CASES))
def test_published_bytes_are_frozen(name: str, steps: int, tmp_path: Path) -> None:
    """After the last step a clean build gives the same bytes."""
    wanted = frozen.committed()["digests"][name]
    assert len(wanted) > steps, frozen.RENEW
    for found in frozen.play(CORPORA[name], tmp_path, steps, run):
        what = found.step.what if found.step is not None else "a clean build"
        assert found.digest == wanted[found.number], (
            f"step {found.number}, {what}\n{frozen.why(name)}"
        )
