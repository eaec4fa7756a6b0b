"""`registry fix` applies unambiguous fixes only, and shows each."""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.build.load import check
from generator.cli.edit.fix import command
from generator.cli.publishing.check import command as check_command
from support.commands import ROOT

BASE = ROOT / "tests/content/base"
DAY = date(2026, 11, 22)
PROJECT, EVENT, PROGRAM = "projects/acme.yaml", "events/acme.yaml", "programs/acme.yaml"
HEAD = "name: Acme\nkind: program\ntype: accelerator\norganization: north-college\n"
DUE = "name: Acme\nkind: deadline\n"

#: path, wrong text, fixed text
MENDS = [
    (PROJECT, "```yaml\nname: Acme\n```\n", "name: Acme\n"),
    (PROJECT, "name\tAcme\nyear\t2020\n", "name: Acme\nyear: 2020\n"),
    (PROJECT, 'name: Acme\nfounders:\n  - "Ida",\n  - "Jon",\n  - "Per"\n',
     'name: Acme\nfounders:\n  - "Ida"\n  - "Jon"\n  - "Per"\n'),
    (PROJECT, "name: ' Acme '\nremote: ja\n", "name: Acme\nremote: true\n"),
    (PROJECT, "name: Acme\ntags: climate, Health\n",
     "name: Acme\ntags: {topic: [climate, health]}\n"),
    (PROJECT, "name: Acme\nlocations: [{country: \u0421\u041d}]\nyear: \uff12\uff10\uff12\uff10\n",
     "name: Acme\nlocations: [{country: CH}]\nyear: 2020\n"),
    (EVENT, f"{DUE}due: 2027\u201302\u201301\n", f"{DUE}due: 2027-02-01\n"),
    (PROJECT, "name: Acme\nwebsite: https://acme.example/?utm_source=x&id=1\n",
     "name: Acme\nwebsite: https://acme.example/?id=1\n"),
    (PROJECT, "name: Acme\nsummary: Heat pumps: for fjords  \nyear: 2020\n",
     'name: Acme\nsummary: "Heat pumps: for fjords"  \nyear: 2020\n'),
    (PROJECT, 'name: Say "hi": Acme\n', "name: 'Say \"hi\": Acme'\n"),
    (PROJECT, "name: “Acme: Labs”\n", 'name: "Acme: Labs"\n'),
    (PROJECT, "name: Acme: x\nsummary: y: z\nyear: “2020”\n",
     'name: "Acme: x"\nsummary: "y: z"\nyear: 2020\n'),
    (PROJECT, "name: Acme\ntags:\n\ttopic:\n\t\t- climate # why\n",
     "name: Acme\ntags:\n  topic:\n    - climate # why\n"),
    (PROJECT, "name: Acme\nlocations:\n\t- country: NO\n\t  city: Oslo\n",
     "name: Acme\nlocations:\n  - country: NO\n    city: Oslo\n"),
    (PROJECT, "name: Acme\nlocations:\n  - country: SE\n\tcity: Lund\n",
     "name: Acme\nlocations:\n  - country: SE\n    city: Lund\n"),
    (PROJECT, "name: Acme\ntags:\n  topic: [climate]\n\ttechnology: [x]\n",
     "name: Acme\ntags:\n  topic: [climate]\n  technology: [x]\n"),
    (PROJECT, "name: Acme\nfounders:\n  - Ada\n\t- Bob\n",
     "name: Acme\nfounders:\n  - Ada\n  - Bob\n"),
    (PROJECT, "name: Acme\nfounders:\n  -Ada\n  -Bob\n",
     "name: Acme\nfounders:\n  - Ada\n  - Bob\n"),
    (PROJECT, "name: Acme\u00a0\nsummary: \"Heat \u00a0\"\nyear: 2020\u200b\n",
     "name: Acme\nsummary: \"Heat\"\nyear: 2020\n"),
    (PROJECT, "name: Acme\nname: Acme\nyear: '2020'\n", "name: Acme\nyear: 2020\n"),
    (PROJECT, "name: Acme\nwebsite: https://acme.example.\nsources: [https://a.example./b.]\n",
     "name: Acme\nwebsite: https://acme.example\nsources: [https://a.example/b.]\n"),
    (PROJECT, "name: Acme\nlocations: [{country: se}, {country: no}, {country: UK}]\n",
     'name: Acme\nlocations: [{country: SE}, {country: "NO"}, {country: GB}]\n'),
    (PROJECT, "name: Acme\nlocations:\n  - country: Germany\n",
     "name: Acme\nlocations:\n  - country: DE\n"),
    (PROJECT, "name: 2020\nyear: '2020'\nremote: Yes\n",
     'name: "2020"\nyear: 2020\nremote: true\n'),
    (PROJECT, "name: Acme\nstatus: Active\nTeam-Size: 3\n",
     "name: Acme\nstatus: active\nteam_size: 3\n"),
    (PROJECT, "name: Acme\nwebsite: “https://a.example/”\ntags: {topic: [“climate”]}\n",
     "name: Acme\nwebsite: https://a.example/\ntags: {topic: [climate]}\n"),
    (PROJECT, "name: Acme\ntags: {topic: [Climate, climate, climate], technology: [Heat Pumps]}\n",
     "name: Acme\ntags: {topic: [climate], technology: [heat-pumps]}\n"),
    (PROJECT, "name: Acme\nprograms: Launch_2025\n", "name: Acme\nprograms: [launch-2025]\n"),
    (PROJECT, "name:Acme\r\nyear:2020\r\n", "name: Acme\r\nyear: 2020\r\n"),
    (PROJECT, "name: Acme\nyear: 2020\nremote: true\nyear: 2020\n",
     "name: Acme\nyear: 2020\nremote: true\n"),
    (PROJECT, "name:\u00a0Acme\nyear: \u00a02020\n", "name: Acme\nyear: 2020\n"),
    (PROJECT, "name: Tom &amp; Jerry\nsummary: \"Fast\tand warm\"\n",
     "name: Tom & Jerry\nsummary: \"Fast and warm\"\n"),
    (PROGRAM, f"{HEAD}starts: 31.12.2026\nends: 2027-31-12\n",
     f"{HEAD}starts: 2026-12-31\nends: 2027-12-31\n"),
    (PROGRAM, f"{HEAD}starts: 20261231\nends: Dec 31st, 2027\n",
     f"{HEAD}starts: 2026-12-31\nends: 2027-12-31\n"),
    (EVENT, f"{DUE}due: 12/31/2026 5 pm\ntimezone: europe/oslo\n",
     f"{DUE}due: 2026-12-31 17:00\ntimezone: Europe/Oslo\n"),
    ("registry.yaml", "name: R\ndescription: D\nlicense: cc by 4.0\npage_size: '25'\n",
     "name: R\ndescription: D\nlicense: CC-BY-4.0\npage_size: 25\n"),
]  # fmt: skip

#: Problems that a person has to decide.
LEFT = [
    (PROJECT, "name: Acme year: 2020\n"),
    (PROJECT, "name: Acme\nsummary: Heat: it\n  goes on\n"),
    (PROJECT, "name: Acme\ntags:\n  topic:\n\ttechnology:\n"),
    (PROJECT, "name: Acme\nfounders: Ada\n  - Bob\n  - Cy\n"),
    (PROJECT, "name: Acme\nfounders:\n- Ada\n  - 'Bob'\n"),
    (PROJECT, "name: Acme\nfounders: Ada\n  Bob\n"),
    (PROJECT, "name: Acme\nfounders: |\n  Ada\n  Bob\n"),
    (PROJECT, "name: Acme\nfounders: Ada und Bob\n"),
    (PROJECT, "name: Acme\nfounders: Ada / Bob\n"),
    (PROJECT, "name: Acme\nsources: https://a.example/ https://b.example/\n"),
    (PROJECT, "name: Acme\ntags: {technology: [Heat pumps / Solar]}\n"),
    (PROJECT, "name: Acme\ntags:\n  technology:\n  - Heat pumps\n    Solar\n"),
    (PROJECT, "name: Acme\nprograms: Launch 2025\n  North\n"),
    (PROJECT, "name: Acme\nyear: 2020\nyear: 2021\n"),
    (PROJECT, "name: Acme\nteam_size: 2\nTeam-Size: 3\n"),
    (PROJECT, "name: Acme\nfounders: Ada and Bob\n"),
    (PROJECT, "name: Acme\nlocations: [{country: EN}, {country: false}]\n"),
    (PROJECT, "name: Acme\naliases: [Über]\n"),
    (PROJECT, "name: Acme\n<<<<<<< a\nyear: 2020\n=======\nyear: 2021\n>>>>>>> b\n"),
    (PROJECT, "name: Acme\nstatus: activ\nsumary: x\n"),
    (PROJECT, "name: “Acme”\n"),
    (PROGRAM, f"{HEAD}starts: 03/04/2026\n"),
    (EVENT, f"{DUE}due: 2026-1-5 5pm\n"),
    (EVENT, f"{DUE}due: 2026-01-05T17:00Z\n"),
]


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(BASE, tmp_path / "content")


def fix(*options: str) -> Result:
    return CliRunner().invoke(command, options, standalone_mode=False, catch_exceptions=False)


@pytest.mark.parametrize(("path", "before", "after"), MENDS)
def test_unambiguous_problems_are_fixed(content: Path, path: str, before: str, after: str) -> None:
    others = {p: p.read_bytes() for p in content.rglob("*.yaml")}
    (content / path).write_bytes(before.encode())
    done = fix("--dry-run")
    assert (content / path).read_bytes() == before.encode()
    assert f"+++ b/{path}" in done.stdout
    done = fix()
    assert (content / path).read_bytes().decode() == after
    assert f"written  {path}\n" in done.stdout
    assert f"content/{path}:" in done.stdout
    others[content / path] = after.encode()
    assert {p: p.read_bytes() for p in content.rglob("*.yaml")} == others
    here = [p for p in check("content", DAY).problems if p.path == f"content/{path}"]
    assert [p for p in here if p.fix is not None] == []
    again = fix("--check")
    assert again.return_value == 0 and "0 files would be written" in again.stderr


@pytest.mark.parametrize(("path", "text"), LEFT)
def test_ambiguous_problems_stay(content: Path, path: str, text: str) -> None:
    (content / path).write_bytes(text.encode())
    assert [p for p in check("content", DAY).problems if p.path == f"content/{path}"]
    done = fix()
    assert (content / path).read_bytes().decode() == text
    assert "0 files written" in done.stdout


def test_a_file_is_renamed_to_its_slug(content: Path) -> None:
    odd = content / "projects/a/Acme Über.yaml"
    odd.parent.mkdir()
    odd.write_text("name: Acme\nyear: '2020'\n")
    done = fix()
    assert "+ projects/a/acme-uber.yaml\n" in done.stdout
    assert not odd.exists()
    assert odd.with_name("acme-uber.yaml").read_text() == "name: Acme\nyear: 2020\n"
    assert check("content", DAY).problems == []


def test_the_file_name_of_another_record_is_not_taken(content: Path) -> None:
    (content / "projects/Aurora_Grid.yaml").write_text("name: Other\n")
    done = fix()
    assert "aurora-grid.yaml already exists" in done.stderr
    assert (content / "projects/Aurora_Grid.yaml").exists()


def test_only_one_of_two_files_gets_a_name(content: Path) -> None:
    for name, text in (("ACME", "name: One\n"), ("Acme", "name: Two\n")):
        (content / f"projects/{name}.yaml").write_text(text)
    fix()
    assert (content / "projects/acme.yaml").read_text() == "name: One\n"
    assert (content / "projects/Acme.yaml").read_text() == "name: Two\n"


def test_only_the_named_files_are_fixed(content: Path) -> None:
    for name in ("one", "two"):
        (content / f"projects/{name}.yaml").write_text(f"name: {name.title()}\nyear: '2020'\n")
    fix("content/projects/one.yaml")
    assert (content / "projects/one.yaml").read_text() == "name: One\nyear: 2020\n"
    assert (content / "projects/two.yaml").read_text() == "name: Two\nyear: '2020'\n"


def test_check_changes_nothing_and_fails_if_a_file_would_change(content: Path) -> None:
    path = content / "projects/acme.yaml"
    path.write_text("name: Acme: Labs\n")
    done = fix("--check")
    assert done.return_value == 1
    assert path.read_text() == "name: Acme: Labs\n"
    assert "1 file would be written" in done.stderr


def test_fixes_are_shown_without_control_characters(content: Path) -> None:
    (content / "projects/acme.yaml").write_text("name: \u202eAcme: Labs\n")
    assert "\u202e" not in fix().stdout


#: A record, the number of fixed problems, and the last line of `registry fix`.
ENDS = [
    ("name: Acme\n", 0, "0 files written.\nNo problem is left."),
    ("name: Acme\nyear: '2020'\n", 1, "1 file written.\nNo problem is left."),
    (
        "name: Acme\nteam-size: 1,200\n",
        1,
        "1 file written.\n1 error is left: run `registry check`.",
    ),
    (
        "name: Acme\nprograms: Lunch\n",
        0,
        "0 files written.\n"
        "Nothing could be fixed automatically. 1 error is left: run `registry check`.",
    ),
    (
        "name: “Acme”\nsumary: x\nyear: “2020”\nstatus: activ\n",
        1,
        "1 file written.\n2 errors and 1 warning are left: run `registry check`.",
    ),
    (
        "name: Acme\nname: Acme\nyear: 2020\nyear: 2021\n",
        1,
        "1 file written.\n1 error is left: run `registry check`.",
    ),
    (
        "name: “Acme”\n",
        0,
        "0 files written.\n"
        "Nothing could be fixed automatically. 1 warning is left: run `registry check`.",
    ),
]


@pytest.mark.parametrize(("text", "fixed", "end"), ENDS)
def test_fixable_problems_are_fixed_and_the_rest_is_counted(
    content: Path, text: str, fixed: int, end: str
) -> None:
    path = content / PROJECT
    path.write_text(text)
    before = checked()
    promised = f"; `registry fix` can fix {fixed}" if fixed else ""
    assert promised in before.stderr and ("can fix" in before.stderr) == bool(fixed)
    done = fix()
    assert done.stdout.endswith(f"{end}\n")
    assert done.return_value == (1 if " error" in end else 0)
    after = checked()
    assert "can fix" not in after.stderr
    assert after.return_value == done.return_value


def checked() -> Result:
    return CliRunner().invoke(check_command, [], standalone_mode=False, catch_exceptions=False)


def test_every_changed_line_is_shown_and_as_many_problems_as_promised(content: Path) -> None:
    (content / PROJECT).write_text(
        "name: Acme\nfounders:\n\t- Ada\n\t- Bob\nprograms: Launch 2025\n"
        "tags:\n\ttopic: [Climate]\n"
    )
    before = (content / PROJECT).read_text().splitlines()
    promised = re.search(r"can fix (\d+)", checked().stderr)
    done = fix()
    after = (content / PROJECT).read_text().splitlines()
    shown = re.findall(r"^  ([-+]) (.*)$", done.stdout, re.M)
    assert after[4] == "programs: [launch-2025]" and before[4] == "programs: Launch 2025"
    for mark, lines, others in (("-", before, after), ("+", after, before)):
        assert {line.replace("\t", "\\t") for line in lines if line not in others} <= {
            line for sign, line in shown if sign == mark
        }
    assert promised and int(promised[1]) == len(re.findall(r"^content/.*:\d+: ", done.stdout, re.M))
