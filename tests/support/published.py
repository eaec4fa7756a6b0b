"""Fixtures: a freshly built registry, whose manifest has not expired, and a host of a copy."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import commands, registries
from support.fake_host import FakeHost, serving


def built(content: Path, out: Path, ago: int = 0) -> Path:
    """Build as of the given number of seconds ago."""
    epoch = str(int(time.time()) - ago)
    return commands.build(content, out, env={"SOURCE_DATE_EPOCH": epoch})


@pytest.fixture(scope="session")
def two_builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A build, and a later build with one record added, one changed and one removed."""
    folder = tmp_path_factory.mktemp("published")
    content = registries.write(folder / "content", registries.api_alone())
    old = built(content, folder / "old", ago=3600)
    (content / "projects" / "bloom.yaml").write_text("name: Bloom anew\n")
    (content / "projects" / "fresh.yaml").write_text("name: Fresh\n")
    (content / "projects" / "cairn.yaml").unlink()
    return old, built(content, folder / "new")


@pytest.fixture
def published(two_builds: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy of the first build, for a test to damage and replace."""
    return shutil.copytree(two_builds[0], tmp_path / "published")


@pytest.fixture
def host(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHost]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("generator.reader.remote._BACKOFF", 0.01)
    with serving(published, "/registry") as served:
        yield served
