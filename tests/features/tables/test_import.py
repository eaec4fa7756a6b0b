"""`registry import`: the messages of the catalogue, and tables too large for a session."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from generator.problems.codes import codes
from support import sessions
from support.commands import files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(sessions.BASE, tmp_path / "content")
    return tmp_path


#: code -> the table, the map, and the records in addition to the base.
SAID: dict[str, tuple[str, str, dict[str, str]]] = {
    "table-syntax": ("Company,URL\nAurora Heat,\nQuiet Sea,https://quiet.example/,2020\n",
                     "kind: project\nfields:\n  name: Company\n", {}),
    "unknown-column": ("Company\nAurora Heat\n", "kind: project\nfields:\n  name: Compani\n", {}),
    "invalid-map": ("Company,Founded\nAurora Heat,2020\n", "kind: project\nfields:\n"
                    "  name: Company\n  year: {column: Founded, date: yyyy}\n", {}),
    "unmatched-value": ("Company,Sector\nAurora Heat,Climte\n", "kind: project\nfields:\n"
                        "  name: Company\n  tags.topic: Sector\n", {}),
    "row-conflict": ("Company,URL\nAurora Heat,https://aurora-grid.example/\n",
                     "kind: project\nfields:\n  name: Company\n  website: URL\n",
                     {"aurora-grid": "name: Aurora Grid\nwebsite: https://aurora-grid.example\n"}),
    "unchangeable": ("Company,Founded\nAurora Grid,2020\n", "kind: project\nfields:\n"
                     "  slug: {column: Company, values: {Aurora Grid: aurora-grid}}\n"
                     "  name: Company\n  year: Founded\n",
                     {"aurora-grid": "name: [Aurora\n"}),
    "formula": ("Company,Words\nAurora Heat,=A1&B1\n",
                "kind: project\nfields:\n  name: Company\n  summary: Words\n", {}),
}  # fmt: skip


@pytest.mark.parametrize("code", SAID)
def test_the_catalogue_has_the_messages_about_tables(code: str, folder: Path) -> None:
    table, said, records = SAID[code]
    for slug, text in records.items():
        (folder / "content/projects" / f"{slug}.yaml").write_text(text)
    (folder / "companies.csv").write_text(table, "utf-8")
    (folder / "map.yaml").write_text(said, "utf-8")
    done = sessions.run("import", "companies.csv", "--map", "map.yaml", cwd=folder)
    assert done.status == (0 if code == "formula" else 1)  # formula is a warning
    assert re.split("[01] errors?, ", done.err)[0].strip() == codes()[code].said.strip()


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("t.csv", "name\nx\n".encode("utf-16"), "this file is saved as UTF-16"),
        ("t.csv", b"name\n" + b"x" * 300_000 + b"\n", "a cell is too long for a record"),
        ("t.json", b"[" * 100_000, "nested too deep"),
        ("t.json", b'[{"name": "A", "year": 1' + b"0" * 5000 + b"}]", "t.json:1:2: "),
    ],
)
def test_a_table_may_be_anything(folder: Path, name: str, raw: bytes, said: str) -> None:
    (folder / name).write_bytes(raw)
    before = files(folder / "content")
    done = sessions.run("import", name, "--kind", "project", "--write", cwd=folder)
    assert done.status == 1 and said in done.err and files(folder / "content") == before
