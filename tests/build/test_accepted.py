"""Warnings that a registry accepts, and warnings that time alone brings: neither stops a build with
`--strict`, which the generated workflows use.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from generator.problems.codes import codes
from generator.published.check import check
from support.commands import ROOT

REGISTRY = (
    "name: Tried\ndescription: A registry.\nbase_url: https://registry.example/\n"
    "program_types: {workshop: Workshop}\n"
)


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in ({"registry.yaml": REGISTRY} | files).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def test_accepted_warnings_of_a_file_hide_no_other_problem(tmp_path: Path) -> None:
    founders = ", ".join(f"A<b>{number}" for number in range(80))
    text = f"name: Many\nfounders: [{founders}]\naccept: [html-in-text]\nteam_size: 25000\n"
    content = write(tmp_path / "c", {"projects/many.yaml": text})
    (problem,) = check(str(content), date(2026, 11, 27)).problems
    assert problem.code == "implausible-value"


def test_an_end_long_after_its_start_is_the_same_warning_on_every_day(tmp_path: Path) -> None:
    event = "name: Fair\nkind: event\nstarts: 2026-06-01\nends: 2062-06-01\n"
    content = write(tmp_path / "content", {"events/fair.yaml": event})
    for year in (2026, 2052):
        problems = check(str(content), date(year, 1, 1)).problems
        assert [problem.code for problem in problems] == ["implausible-value"]


def test_own_content_is_published_on_any_later_day() -> None:
    report = check(str(ROOT / "content"), date(2028, 1, 1), strict=True)
    assert not report.failed
    assert {codes()[problem.code].depends for problem in report.problems} == {"day"}


def test_every_code_that_is_reported_as_a_warning_can_be_accepted() -> None:
    cases = (ROOT / "tests/content/bad").glob("*.txt")
    lines = (line for case in cases for line in case.read_text("utf-8").splitlines())
    warned = {line.split("[")[-1][:-1] for line in lines if ": warning[" in line}
    assert {name for name in warned if not codes()[name].accept} == {"unused-accept"}
