"""Problems that involve several records, or depend on the day, are the same in a partial build and
in a full build.
"""

from __future__ import annotations

import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.build.provenance import Moment
from generator.build.report import PartialBuild, Report
from support.commands import ROOT

DAY = date(2026, 11, 22)


def run(content: Path, out: Path, day: date = DAY) -> Report:
    at = datetime(2026, 11, 22, tzinfo=UTC)
    return build(str(content), out, Moment(at, day, None), BuildOptions(jobs=1, site=False))


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "tests/content/base", tmp_path / "content")


REGISTRY = (ROOT / "tests/content/base/registry.yaml").read_text("utf-8")
#: File -> text, None to remove it; the codes of the problems after each step.
STEPS: list[tuple[dict[str, str | None], list[str]]] = [
    (
        {
            "projects/one.yaml": "name: Acme Heating\nlocations: [{country: NO, city: Moss}]\n"
            "tags: {technology: [turbine]}\n",
            "projects/two.yaml": "name: Other\nlocations: [{country: SE, city: Oslo}]\n",
        },
        ["city-elsewhere"],
    ),
    (
        {
            "projects/three.yaml": "name: Acme Heatng\nlocations: [{country: NO}]\n"
            "tags: {technology: [turbines]}\n"
        },
        ["city-elsewhere", "same-record", "similar-tag"],
    ),
    # Only the line of the problems and their file change.
    (
        {
            "projects/three.yaml": "# Hot\nname: Acme Heatng\ntags: {technology: [turbines]}\n"
            "locations: [{country: NO}]\n"
        },
        ["city-elsewhere", "same-record", "similar-tag"],
    ),
    (
        {
            "projects/one.yaml": None,
            "projects/on/one.yaml": "name: Acme Heating\n"
            "locations: [{country: NO, city: Moss}]\ntags: {technology: [turbine]}\n",
            "projects/two.yaml": "name: Other\nyear: 2020\n"
            "locations: [{country: SE, city: Oslo}]\n",
        },
        ["city-elsewhere", "same-record", "similar-tag"],
    ),
    (
        {"projects/on/one.yaml": "name: Acme Heating\nyear: 2020\n"
         "locations: [{country: NO, city: Moss}]\ntags: {technology: [turbine]}\n"},
        ["city-elsewhere", "same-record", "similar-tag"],
    ),
    ({"projects/on/one.yaml": "name: Acme Heating\nlocations: [{country: NO}]\n"},
     ["city-elsewhere", "same-record"]),
    ({"projects/three.yaml": "name: Acme Hating\nlocations: [{country: FI}]\n"},
     ["city-elsewhere"]),
    ({"projects/four.yaml": "name: Fourth\nlocations: [{country: SE, city: Oslo}]\n"}, []),
    ({"projects/four.yaml": None}, ["city-elsewhere"]),
    ({"organizations/o.yaml": "name: O\ncategory: investor\ntags: {technology: [robot, robots]}\n"},
     ["city-elsewhere", "similar-tag"]),
    # A record accepts what it and another record cause, in whichever file the warning is.
    ({"projects/a.yaml": "name: Twin\nyear: 1990\n", "projects/b.yaml": "name: Twin\n"},
     ["city-elsewhere", "same-record", "similar-tag"]),
    ({"projects/a.yaml": "name: Twin\nyear: 1990\naccept: [same-record]\n"},
     ["city-elsewhere", "similar-tag"]),
    ({"projects/c.yaml": "name: Twin\n"}, ["city-elsewhere", "same-record", "similar-tag"]),
    ({"projects/c.yaml": None, "projects/b.yaml": "name: Other twin\n"},
     ["city-elsewhere", "similar-tag", "unused-accept"]),
    ({"projects/a.yaml": "name: Twin\n", "registry.yaml": REGISTRY + "accept:\n"
      "  similar-tag: Robots are many.\n  city-elsewhere: Oslo in Sweden.\n"}, []),
]  # fmt: skip


@pytest.mark.slow
def test_a_partial_build_reports_the_same_as_a_full_build(content: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(content, out)
    for number, (files, codes) in enumerate(STEPS):
        for path, text in files.items():
            if text is None:
                (content / path).unlink()
            else:
                (content / path).parent.mkdir(exist_ok=True)
                (content / path).write_text(text, "utf-8")
        part, whole = run(content, out), run(content, tmp_path / f"whole-{number}")
        assert isinstance(part.outcome, PartialBuild)
        assert part.problems == whole.problems
        assert sorted(problem.code for problem in part.problems) == codes


def test_a_new_day_can_change_the_problems(content: Path, tmp_path: Path) -> None:
    (content / "events/maybe.yaml").write_text(
        "name: Maybe\nkind: deadline\ndue: 2026-11-01 12:00\ntimezone: AoE\nstatus: tentative\n"
    )
    (content / "projects/next.yaml").write_text("name: Next\nyear: 2027\n")
    out = tmp_path / "out"
    for day, codes in (
        (DAY, ["in-the-future"]),
        (date(2026, 12, 1), ["in-the-future"]),
        (date(2026, 12, 2), ["still-tentative", "in-the-future"]),
        (date(2026, 12, 31), ["still-tentative", "in-the-future"]),
        (date(2027, 1, 1), ["still-tentative"]),
        (DAY, ["in-the-future"]),
    ):
        assert [problem.code for problem in run(content, out, day).problems] == codes
