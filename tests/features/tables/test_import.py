"""`registry import`: the messages of the catalogue, and tables too large for a session."""

from __future__ import annotations

import datetime
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from generator.edit.tables.sources import read
from generator.features.tables.keys import key_of
from generator.kinds import built_in
from generator.problems.codes import codes
from generator.reader.remote import Remote
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


def test_a_sheet_of_excel_is_a_table(folder: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Companies"
    sheet.append(["Company", "Founded", "Team", "Remote", "Listed", "Notes", ""])
    day = datetime.date(2019, 5, 17)
    sheet.append(["Aurora Heat", day, 12, True, 1.5, "a;b\nc", None])
    sheet.append([])
    sheet.append(["Polar Wind", "x", "many", None, None, None, "beside"])
    book.create_sheet("Old").sheet_state = "hidden"
    book.save(folder / "t.xlsx")
    table = read(str(folder / "t.xlsx"))
    assert [row.number for row in table.rows] == [2, 4]
    assert dict(table.rows[0].values) == {
        "Company": "Aurora Heat", "Founded": "2019-05-17", "Team": 12, "Remote": True,
        "Listed": 1.5, "Notes": "a;b\nc",
    }  # fmt: skip
    (folder / "map.yaml").write_text(
        "kind: project\nfields: {name: Company, year: {column: Founded, date: '%Y-%m-%d'}, "
        "team_size: Team}\n"
    )
    done = sessions.run("import", "t.xlsx", "--map", "map.yaml", cwd=folder)
    assert "t.xlsx:4:12: error[invalid-date]" in done.err and "row 4: year: " in done.err
    book["Old"].sheet_state = "visible"
    book.save(folder / "t.xlsx")
    done = sessions.run("import", "t.xlsx", "--map", "map.yaml", cwd=folder)
    assert 'say in the map which: rows: "Companies" or "Old"' in done.err
    done = sessions.run("import", "t.xlsx", "--guess", "--kind", "project", cwd=folder)
    assert "may also be at Old\n" in done.out and "rows: Companies\n" in done.out
    assert "  name: Company\n" in done.out
    (folder / "map.yaml").write_text("kind: project\nrows: Old\nfields: {name: Company}\n")
    done = sessions.run("import", "t.xlsx", "--map", "map.yaml", cwd=folder)
    assert "the first row must name the columns" in done.err


def test_a_table_is_read_from_a_web_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(self: Remote, paths: list[str]) -> list[bytes]:
        asked.append((self.base, *paths))
        return [b"name\nA\n"]

    monkeypatch.setattr(Remote, "read", answer)
    table = read("https://files.example:8443/a/t.csv?raw=1#x")
    assert asked == [("https://files.example:8443", "/a/t.csv?raw=1")]
    assert [row.values for row in table.rows] == [{"name": "A"}]


def test_a_workbook_may_be_anything(folder: Path) -> None:
    book = Workbook()
    book.active.append(["Company"])
    book.active.cell(1_048_576, 16_384, "far away")
    book.save(folder / "t.xlsx")
    done = sessions.run("import", "t.xlsx", "--kind", "project", cwd=folder)
    assert done.status == 1 and "this sheet has too many cells" in done.err
    with zipfile.ZipFile(folder / "t.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b" " * (1 << 28))
    done = sessions.run("import", "t.xlsx", "--kind", "project", cwd=folder)
    assert done.status == 1 and "this workbook is too large" in done.err


@pytest.mark.parametrize("empty", [{}, {"year": None}, {"year": []}, {"year": {}}])
def test_records_without_a_value_of_the_key_have_no_key(empty: dict[str, object]) -> None:
    """Else two of them would be the same record."""
    assert key_of(built_in()["projects"], ("year",), {"name": "Acme", **empty}) == ""
