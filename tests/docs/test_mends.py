"""docs/authoring.md shows the real output of `registry fix`; `pytest --regenerate` updates it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli.edit.fix import command
from support.commands import ROOT

AUTHORING = ROOT / "docs" / "authoring.md"
_BLOCK = re.compile(r"<!-- mends: (\S+) -->\n```yaml\n(.*?)```\n\n```text\n(.*?)```", re.S)


def test_documented_fixes_are_the_real_fixes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regenerate: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "tests/content/base", tmp_path / "content")
    text = AUTHORING.read_text("utf-8")
    blocks = list(_BLOCK.finditer(text))
    assert blocks
    for block in reversed(blocks):
        (tmp_path / "content" / block[1]).write_text(block[2], "utf-8")
        done = CliRunner().invoke(command, [], standalone_mode=False, catch_exceptions=False)
        text = text[: block.start(3)] + done.stdout + text[block.end(3) :]
    if regenerate:
        AUTHORING.write_text(text, "utf-8")
    assert AUTHORING.read_text("utf-8") == text
