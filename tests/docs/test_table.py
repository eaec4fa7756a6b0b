"""The table of docs/authoring.md is imported into the registry of its examples, and what is shown
is what the command says.  `pytest --regenerate` writes it anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import commands
from support.commands import ROOT

AUTHORING = ROOT / "docs" / "authoring.md"
_FILE = re.compile(r"<!-- (file|table|map): (\S+) -->\n```\w+\n(.*?)```", re.S)
_SAID = re.compile(r"(<!-- import: (\S+) -->\n```text\n)(.*?)```", re.S)


def test_what_is_said_of_the_table_is_what_the_command_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regenerate: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    text = AUTHORING.read_text("utf-8")
    names = {}
    for what, name, held in _FILE.findall(text):
        path = Path("content", name) if what == "file" else Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(held, "utf-8")
        names[what] = name
    done = CliRunner().invoke(commands, ["import", names["table"], "--map", names["map"]],
                              standalone_mode=False)  # fmt: skip
    assert done.return_value == 1 and done.exception is None
    said = re.sub(r"\n\n+", "\n\n", done.stdout + done.stderr)
    if regenerate:
        text = _SAID.sub(lambda match: f"{match[1]}{said}```", text)
        AUTHORING.write_text(text, "utf-8")
    assert [match[2] for match in _SAID.findall(text)] == [said]
