"""`registry fmt`: the files it writes, and the files it does not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import ROOT, files, run_forked, stamps
from support.registries import content, write

LOOSE = (
    b"\xef\xbb\xbf# ours\r\n\r\n\r\nwebsite: https://a.example/\r\n# who\r\nname: A   # short\r\n"
    b"tags:\r\n    topic:\r\n    - climate   # why\r\n\r\n\r\ndescription: |\r\n   One\r\n\r\n"
    b"     two\r\n"
)
TIGHT = """\
# ours

# who
name: A  # short
description: |
  One

    two
tags:
  topic:
    - climate  # why
website: https://a.example/
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "content", content())
    (tmp_path / "content/projects/loose.yaml").write_bytes(LOOSE)
    return tmp_path / "content"


def test_a_record_gets_the_standard_layout_and_keeps_its_comments(folder: Path) -> None:
    before = stamps(folder)
    asked = ("fmt", "--content", folder)
    checked = run_forked(*asked, "--check")
    assert (checked.status, checked.out) == (1, "")
    assert checked.err == "would be written  projects/loose.yaml\n1 file would be written.\n"
    assert "+name: A  # short\n" in run_forked(*asked, "--dry-run").out
    assert stamps(folder) == before
    done = run_forked(*asked)
    assert (done.status, done.out.splitlines()[0]) == (0, "written  projects/loose.yaml")
    assert (folder / "projects/loose.yaml").read_text() == TIGHT
    assert stamps(folder).keys() == before.keys()  # no temporary file is left
    again = run_forked(*asked, "--check")
    assert again.status == 0 and "0 files" in again.err


def test_files_can_be_named_and_files_with_errors_stay(folder: Path) -> None:
    (folder / "projects/odd.yaml").write_text("name: &x A\n")
    other = folder / "projects/other.yaml"
    other.write_text("year: 2020\nname: B\n")
    before = files(folder)
    done = run_forked("fmt", folder / "projects/odd.yaml", other, "--content", folder)
    assert done.status == 0 and "projects/odd.yaml is not changed: it has errors" in done.err
    assert done.out.endswith("1 file written.\n") and "Every file" not in done.out
    assert files(folder) == before | {"projects/other.yaml": b"name: B\nyear: 2020\n"}
    none = run_forked("fmt", folder / "registry.yaml", "--content", folder)
    assert none.status == 2 and "is not the file of a record" in none.err


def test_a_text_that_other_parsers_read_as_something_else_gets_quotes(folder: Path) -> None:
    loose, tight = (
        f"name: {q}001E62{q}\nverified: 2026-01-31\nfounders: [{q}0x1F{q}, A]  # who\naliases:\n"
        f"  - {q}007{q}\nlocations: [{{country: {q}NO{q}}}]\nwebsite: https://a.example/?q=1\n"
        f"sources: [{q}https://a.example/?q=1{q}]\nfields: {{motto: {q}1:30{q}, day: 2026-01-31}}\n"
        for q in ("", '"')
    )
    record = folder / "projects/loose.yaml"
    record.write_text(loose)
    assert run_forked("fmt", record, "--content", folder).status == 0
    assert sorted(record.read_text().splitlines()) == sorted(tight.splitlines())
    assert run_forked("fmt", record, "--content", folder, "--check").status == 0


def test_our_own_records_have_the_layout() -> None:
    done = run_forked("fmt", "--content", ROOT / "content", "--check")
    assert done.status == 0, done.err
