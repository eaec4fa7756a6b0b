"""An index that is kept up to date in place is that of a clean build, byte for byte."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from generator.build.buildlog import Log

from generator.build import build
from generator.build.options import BuildOptions
from generator.build.provenance import Moment
from generator.build.report import Part, Report
from generator.search import patched, update, vocabulary
from support import registries


def test_for_what_grows_an_index_is_not_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, out = tmp_path / "content", tmp_path / "out"
    projects = {f"p{number}": {"name": f"Cart{number} cargo"} for number in range(12)}
    registries.write(content, registries.api_alone(projects=projects))

    def run() -> Report:
        moment = Moment(datetime(2026, 6, 1, tzinfo=UTC), date(2026, 6, 1), None)
        return build(str(content), out, moment, BuildOptions(site=False))

    monkeypatch.setattr(vocabulary, "GROUP_WEIGHT", 60)
    assert not run().failed
    log = Log.find(tmp_path / ".registry" / "out" / "log")
    assert log is not None
    monkeypatch.setattr(patched, "GROUP_WEIGHT", min(log.head.index["projects"][1].values()) - 1)
    monkeypatch.setattr(update, "Index", None)
    registries.write(content, {"projects": {"p1a": {"name": "Cart1 cargo"}}})
    assert run().outcome == Part()
