"""docs/tables.md shows the real output of importing its table into the registry of
docs/authoring.md.  `pytest --regenerate` updates the output.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import commands
from support.commands import ROOT

AUTHORING, TABLES = ROOT / "docs" / "authoring.md", ROOT / "docs" / "tables.md"
_FILE = re.compile(r"<!-- (file|table|map): (\S+) -->\n```\w+\n(.*?)```", re.S)
_OUTPUT = re.compile(r"(<!-- import: (\S+) -->\n```text\n)(.*?)```", re.S)


def test_the_documented_import_is_the_output_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regenerate: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    text = TABLES.read_text("utf-8")
    names = {}
    for kind, name, text_of_file in _FILE.findall(AUTHORING.read_text("utf-8") + text):
        path = Path("content", name) if kind == "file" else Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of_file, "utf-8")
        names[kind] = name
    done = CliRunner().invoke(commands, ["import", names["table"], "--map", names["map"]],
                              standalone_mode=False)  # fmt: skip
    assert done.return_value == 1 and done.exception is None
    output = re.sub(r"\n\n+", "\n\n", done.stdout + done.stderr)
    if regenerate:
        text = _OUTPUT.sub(lambda match: f"{match[1]}{output}```", text)
        TABLES.write_text(text, "utf-8")
    assert [match[2] for match in _OUTPUT.findall(text)] == [output]
