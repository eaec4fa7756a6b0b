"""After edits, the index is that of a clean build, byte for byte."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.build.provenance import Moment
from generator.build.report import PartialBuild, Report
from generator.search import vocabulary
from support import registries
from support.commands import differing, files


@pytest.mark.slow
def test_a_growing_group_is_divided_as_in_a_clean_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, out = tmp_path / "content", tmp_path / "out"
    projects = {f"p{number}": {"name": f"Cart{number} cargo"} for number in range(12)}
    registries.write(content, registries.api_alone(projects=projects))

    def run(where: Path) -> Report:
        moment = Moment(datetime(2026, 6, 1, tzinfo=UTC), date(2026, 6, 1), None)
        return build(str(content), where, moment, BuildOptions(site=False))

    monkeypatch.setattr(vocabulary, "GROUP_WEIGHT", 60)
    assert not run(out).failed
    divided = set()
    for number in range(4):
        name = {"name": f"Cart1 cargo car{number}"}
        registries.write(content, {"projects": {f"p1{number}a": name}})
        assert run(out).outcome == PartialBuild()
        run(tmp_path / f"clean-{number}")
        assert differing(files(out), files(tmp_path / f"clean-{number}")) == []
        split = json.loads((out / "api/index/projects/manifest.json").read_bytes())["split"]
        divided.add(tuple(split))
    assert len(divided) > 1, "a group should have been divided"
