"""The two small registries of own kinds, which many tests build, are without a problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import commands, own_kinds, registries


@pytest.mark.parametrize("content", [own_kinds.INVESTORS, own_kinds.TOOLS])
def test_it_has_no_problem(content: registries.Content, tmp_path: Path) -> None:
    folder = registries.write(tmp_path, content)
    done = commands.run("check", "--content", folder)
    assert done.status == 0, done.out + done.err
    assert "warning" not in done.out + done.err, done.out + done.err


@pytest.mark.parametrize("name", ["investors", "tools"])
def test_it_is_built(name: str, built_own_kinds: dict[str, Path]) -> None:
    assert (built_own_kinds[name] / "api" / name / "filters.json").is_file()
