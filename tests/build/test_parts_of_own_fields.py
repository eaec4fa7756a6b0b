"""Builds of a registry with own fields: a partial build writes the same bytes as a full build."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from generator.build import BuildOptions, Moment, build
from generator.build.report import PartialBuild, Report
from support import commands, registries
from support.own import OWN

pytestmark = pytest.mark.slow

#: Values of the own fields of one record.
CHANGES: dict[str, tuple[str, str, Any]] = {
    "a number that lists show": ("projects", "acme", {"stage": "series-a", "funding": 7.25}),
    "a choice": ("projects", "acme", {"stage": "series-b", "funding": 1250000}),
    "a value that was the only one": ("projects", "cairn", {"stage": "seed"}),
    "a date and several values": (
        "projects", "bare", {"stage": "seed", "incorporated": "2026-01-01", "roles": ["a", "b"]}),
    "what lists do not show": ("projects", "bare", {"stage": "seed", "motto": "Another"}),
    "a program's": ("programs", "launch", {"equity": 7}),
    "an event's": ("events", "launch-2026-day", {"online": False}),
}  # fmt: skip


MOMENT = Moment(datetime(2026, 11, 21, 12, tzinfo=UTC), date(2026, 11, 21), None)


def run(content: Path, out: Path) -> Report:
    report = build(str(content), out, MOMENT, BuildOptions(site=False))
    assert not report.failed, report.problems
    return report


@pytest.mark.parametrize("case", CHANGES)
def test_a_partial_build_writes_the_bytes_of_a_full_build(case: str, tmp_path: Path) -> None:
    content, out = registries.write(tmp_path / "content", OWN), tmp_path / "out"
    run(content, out)
    collection, slug, fields = CHANGES[case]
    record = {**OWN[collection][slug], "fields": fields}
    (content / collection / f"{slug}.yaml").write_text(registries.as_yaml(record), "utf-8")
    report = run(content, out)
    assert report.outcome == PartialBuild() and report.written
    run(content, tmp_path / "whole")
    assert commands.differing(commands.files(out), commands.files(tmp_path / "whole")) == []
