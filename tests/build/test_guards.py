"""If many records are gone since the last build, nothing is published until somebody confirms the
loss.
"""

from __future__ import annotations

import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.dialect.folder import open_content
from generator.guard.state import State
from generator.published.content.guards import Guard, Loss, last_state
from generator.published.history.provenance import Moment
from generator.published.report import Report
from support import registries
from support.kinds import Settings

DAY = date(2026, 6, 1)


def built(content: Path, loss: Loss = "stop", day: date = DAY) -> Report:
    return build(
        str(content),
        content.parent / "out",
        Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), day, None),
        BuildOptions(loss=loss, site=False),
    )


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """Twenty-five projects, two organizations and programs, three events."""
    projects = {f"p{n:02}": {"name": f"Project {n}", "programs": ["launch"]} for n in range(25)}
    return registries.write(tmp_path / "content", registries.content(projects=projects))


def remove(content: Path, projects: int) -> None:
    for path in sorted(content.glob("projects/*.yaml"))[:projects]:
        path.unlink()


def codes(report: Report) -> list[tuple[str, str]]:
    return [(problem.code, problem.severity) for problem in report.problems]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"data":{"projects":{"total":"many"}}}',
        b"\xff",
    ],
)
def test_unreadable_documents_do_not_count_as_an_earlier_build(raw: bytes, content: Path) -> None:
    built(content)
    shutil.rmtree(content.parent / ".registry")
    (content.parent / "out/api/coverage.json").write_bytes(raw)
    assert last_state(str(content), content.parent / "out", surely=False) is None


def test_an_output_of_other_content_does_not_count_as_an_earlier_build(
    content: Path, tmp_path: Path
) -> None:
    built(content)
    other = registries.write(tmp_path / "other")
    assert last_state(str(other), tmp_path / "out", surely=False) is None
    assert last_state(str(content), tmp_path / "out", surely=True) is not None


def test_a_build_says_that_it_was_not_compared_with_that_of_other_content(
    content: Path, tmp_path: Path
) -> None:
    assert not [note for note in built(content).notes if "compared" in note]
    other = shutil.copytree(content, tmp_path / "other")
    remove(other, 20)
    report = built(other)
    said = f"{tmp_path / 'out'} was a build of other content: losses were not compared with it."
    assert not report.failed and said in report.notes
    assert said not in built(other).notes


def test_the_dev_server_warns_and_the_next_build_still_stops(content: Path) -> None:
    built(content)
    remove(content, 20)
    report = built(content, "tell")
    assert codes(report) == [("records-lost", "warning")] and report.difference.removed
    assert codes(built(content, "tell")) == [("records-lost", "warning")]
    assert codes(built(content, day=date(2026, 6, 2))) == [("records-lost", "error")]
    assert codes(built(content)) == [("records-lost", "error")]
    assert codes(built(content, "allow")) == []
    assert codes(built(content)) == []


def test_a_guard_counts_each_collection() -> None:
    guard = Guard(State({"organizations": 10, "programs": 9, "events": 1, "projects": 0}, {}, {}))
    records = {"organizations": 8, "programs": 1, "events": 0, "projects": 0}
    content, settings = open_content("c"), Settings(name="x", description="x")
    state = State(records, {}, {})
    assert [p.message for p in guard.check_state(content, state, settings)] == [
        "1 of 1 events is gone. Without events, all their lists by filter values are gone too"
    ]
    assert [p.message for p in guard.check_counts(content, records, settings)] == [
        "1 of 1 events is gone"
    ]
    settings = settings.model_copy(update={"allow_loss": True})
    assert guard.check_state(content, state, settings) == []
    assert guard.check_counts(content, records, settings) == []
