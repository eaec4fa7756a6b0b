"""Outputs of commands in docs/ are the real ones; `pytest --regenerate` updates them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import commands
from support.commands import ROOT

AUTHORING, TABLES = ROOT / "docs" / "authoring.md", ROOT / "docs" / "tables.md"
_FIXED = re.compile(r"<!-- mends: (\S+) -->\n```yaml\n(.*?)```\n\n```text\n(.*?)```", re.S)
_FILE = re.compile(r"<!-- (file|table|map): (\S+) -->\n```\w+\n(.*?)```", re.S)
_IMPORTED = re.compile(r"<!-- import: \S+ -->\n```text\n(.*?)```", re.S)


def output(*arguments: str) -> str:
    done = CliRunner().invoke(commands, arguments, standalone_mode=False, catch_exceptions=False)
    return re.sub(r"\n\n+", "\n\n", done.stdout + done.stderr)


def assert_shown(document: Path, text: str, regenerate: bool) -> None:
    if regenerate:
        document.write_text(text, "utf-8")
    assert document.read_text("utf-8") == text


def test_documented_fixes_are_the_real_fixes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regenerate: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "tests/content/base", tmp_path / "content")
    text = AUTHORING.read_text("utf-8")
    blocks = list(_FIXED.finditer(text))
    assert blocks
    for block in reversed(blocks):
        (tmp_path / "content" / block[1]).write_text(block[2], "utf-8")
        text = text[: block.start(3)] + output("fix") + text[block.end(3) :]
    assert_shown(AUTHORING, text, regenerate)


def test_the_documented_import_is_the_output_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regenerate: bool
) -> None:
    """Into the registry of docs/authoring.md."""
    monkeypatch.chdir(tmp_path)
    text, names = TABLES.read_text("utf-8"), {}
    for kind, name, written in _FILE.findall(AUTHORING.read_text("utf-8") + text):
        path = Path("content", name) if kind == "file" else Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written, "utf-8")
        names[kind] = name
    (block,) = _IMPORTED.finditer(text)
    shown = output("import", names["table"], "--map", names["map"])
    assert_shown(TABLES, text[: block.start(1)] + shown + text[block.end(1) :], regenerate)
