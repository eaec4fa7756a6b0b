"""The two small registries of own kinds, which many tests build, are without a problem."""

from __future__ import annotations

import re
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


def test_a_fault_of_a_declaration_is_told_alone(tmp_path: Path) -> None:
    """Records of kinds that cannot be read are neither strays nor lost since the last build."""
    folder = registries.write(tmp_path / "content", own_kinds.TOOLS)
    commands.build(folder, tmp_path / "out")
    settings = folder / "registry.yaml"
    settings.write_text(settings.read_text("utf-8").replace('"of": "tools"', '"of": "tolls"'))
    done = commands.run("check", "--content", folder, "--out", tmp_path / "out")
    assert done.status == 1
    codes = re.findall(r"error\[([a-z-]+)\]", done.out + done.err)
    assert {*codes} == {"unknown-kind"}, done.out + done.err
    assert "1 warning" not in done.out + done.err
    assert commands.run("build", "--content", folder, "--out", tmp_path / "out").status == 1
