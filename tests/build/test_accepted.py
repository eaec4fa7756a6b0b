"""Warnings that a registry accepts, and warnings that time alone brings: neither stops a build with
`--strict`, which the generated workflows use.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from generator.build.load import check
from generator.edit.layout import format_record
from generator.problems.codes import codes
from support.commands import ROOT, Done, run_forked
from support.lanes import fast_first

REGISTRY = (
    "name: Tried\ndescription: A registry.\nbase_url: https://registry.example/\n"
    "program_types: {workshop: Workshop}\n"
)
INACTIVE = "name: Phoenix\nstatus: inactive\n"
FACULTY = "website: https://uni.example/\ncategory: faculty\n"
#: What a registry may have -> its files, and the file and the entry that accept the warning.
SHAPES: dict[str, tuple[dict[str, str], str, str]] = {
    "two former companies of one name": (
        {"projects/phoenix.yaml": INACTIVE, "projects/phoenix-2.yaml": INACTIVE},
        "projects/phoenix.yaml",
        "same-record",
    ),
    "two faculties with one website": (
        {
            "registry.yaml": f"{REGISTRY}organization_categories: {{faculty: Faculty}}\n",
            "organizations/law.yaml": f"name: Law\n{FACULTY}",
            "organizations/arts.yaml": f"name: Arts\n{FACULTY}",
        },
        "organizations/law.yaml",
        "same-record",
    ),
    "an old company in a new workshop": (
        {
            "organizations/host.yaml": "name: Host\ncategory: school\n",
            "registry.yaml": f"{REGISTRY}organization_categories: {{school: School}}\n",
            "programs/workshop.yaml": "name: Workshop 2025\nkind: cohort\ntype: workshop\n"
            "organization: host\nyear: 2025\n",
            "projects/old.yaml": "name: Old\nyear: 1981\nprograms: [workshop]\n",
        },
        "projects/old.yaml",
        "implausible-value",
    ),
    "many people": (
        {"projects/large.yaml": "name: Large\nteam_size: 25000\n"},
        "projects/large.yaml",
        "implausible-value",
    ),
    "nothing yet": ({}, "registry.yaml", "empty-registry"),
    "no address yet": (
        {
            "registry.yaml": "name: Tried\ndescription: A registry.\n",
            "projects/one.yaml": "name: One\n",
        },
        "registry.yaml",
        "no-base-url",
    ),
    "a German registry with a stray file": (
        {
            "registry.yaml": f"{REGISTRY}language: de\n",
            "projects/eins.yaml": "name: Eins\n",
            "notizen.txt": "Notizen\n",
        },
        "registry.yaml",
        "stray-file",
    ),
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in ({"registry.yaml": REGISTRY} | files).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def strict(content: Path, day: str = "2026-11-27") -> Done:
    out = content.parent / "build"
    options = ("--strict", "--no-site", "--as-of", day, "--host", "github-pages")
    return run_forked("build", "--content", content, "--out", out, *options)


@pytest.mark.parametrize("shape", fast_first(3, SHAPES))
def test_one_entry_accepts_a_warning_of_a_record_or_of_the_registry(
    shape: str, tmp_path: Path
) -> None:
    files, path, code = SHAPES[shape]
    content = write(tmp_path / "content", files)
    base = files.get("registry.yaml", REGISTRY)
    stopped = strict(content)
    assert stopped.status == 1 and f" error[{code}]\n" in stopped.err
    text = (content / path).read_text("utf-8")
    in_registry = f"accept:\n  {code}: It is right.\n"
    entry = in_registry if path == "registry.yaml" else f"accept: [{code}]\n"
    (content / path).write_text(text + entry, "utf-8")
    built = strict(content)
    assert built.status == 0 and built.err == ""
    (content / path).write_text(text, "utf-8")
    (content / "registry.yaml").write_text(base + in_registry, "utf-8")
    assert strict(content).status == 0


def test_what_is_accepted_is_shown_with_its_reason_only_on_request(tmp_path: Path) -> None:
    files, _, _ = SHAPES["two former companies of one name"]
    content = write(tmp_path / "content", files)
    (content / "projects/large.yaml").write_text("name: Large\nteam_size: 25000\n")
    done = run_forked("check", "--content", content)
    assert done.status == 0
    assert done.err.endswith(
        "\n0 errors, 2 warnings; the workflows publish only without warnings: 2\n"
    )
    accept = "accept: {implausible-value: Nothing is too large for us.}\n"
    (content / "registry.yaml").write_text(REGISTRY + accept)
    (content / "projects/phoenix.yaml").write_text(f"{INACTIVE}accept: [same-record]\n")
    done = run_forked("check", "--content", content, "--strict")
    assert (done.status, done.out, done.err) == (0, "3 records, no problem.\n", "")
    done = run_forked("check", "--content", content, "--strict", "--all")
    assert done.status == 0 and done.err.endswith("0 errors, 0 warnings, 2 accepted\n")
    assert "accepted in registry.yaml: Nothing is too large for us.\n" in done.err
    assert f"{content}/projects/phoenix.yaml" in done.err
    listed = json.loads(run_forked("check", "--content", content, "--all", "--format", "json").out)
    assert {p["severity"] for p in listed["problems"]} == {"accepted"}


def test_a_record_accepts_that_it_resembles_another_but_not_that_others_do(tmp_path: Path) -> None:
    files = {f"projects/{slug}.yaml": "name: Twin\n" for slug in ("b", "c")}
    content = write(
        tmp_path / "c", files | {"projects/a.yaml": "name: Twin\naccept: [same-record]\n"}
    )
    (problem,) = check(str(content), date(2026, 11, 27)).problems
    assert problem.path.endswith("/c.yaml") and problem.message.endswith("/b.yaml.")


def test_accepted_warnings_of_a_file_hide_no_other_problem(tmp_path: Path) -> None:
    founders = ", ".join(f"A<b>{number}" for number in range(80))
    text = f"name: Many\nfounders: [{founders}]\naccept: [html-in-text]\nteam_size: 25000\n"
    content = write(tmp_path / "c", {"projects/many.yaml": text})
    (problem,) = check(str(content), date(2026, 11, 27)).problems
    assert problem.code == "implausible-value"


def test_accept_is_not_published(tmp_path: Path) -> None:
    files = {"projects/large.yaml": "name: Large\nteam_size: 25000\naccept: [implausible-value]\n"}
    content = write(tmp_path / "content", files)
    assert strict(content).status == 0
    for path in (tmp_path / "build").rglob("*"):
        raw = path.read_bytes() if path.is_file() else b""
        assert b'"accept"' not in raw and b"implausible" not in raw, path


def test_fmt_puts_accept_after_the_sources() -> None:
    raw = b"accept: [same-record]\nname: A\nsources: [https://a.example/]\n"
    after = format_record(raw).decode().splitlines()
    assert [line.partition(":")[0] for line in after] == ["name", "sources", "accept"]


def test_what_depends_on_the_day_is_a_warning_also_with_strict(tmp_path: Path) -> None:
    event = "name: Call\nkind: deadline\ndue: 2026-06-01\nstatus: tentative\n"
    content = write(tmp_path / "content", {"events/call.yaml": event})
    assert strict(content, "2026-06-30").err == ""
    late = strict(content, "2028-01-01")
    assert late.status == 0 and " warning[still-tentative]\n" in late.err
    assert late.err.endswith("\n0 errors, 1 warning\n")
    assert not check(str(content), date(2028, 1, 1), strict=True).failed
    (content / "events/call.yaml").write_text(f"{event}verified: 2100-01-01\n")
    assert "[in-the-future]" in strict(content).err
    (content / "events/call.yaml").write_text(f"{event}accept: [still-tentative]\n")
    assert strict(content, "2026-06-02").err == strict(content, "2028-01-01").err == ""


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
