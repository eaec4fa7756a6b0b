"""Successive builds, and stores to publish them to: in memory, and an S3 server over HTTP."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.features.buckets import lease
from generator.features.buckets.store import Store
from support import commands, registries
from support.stores import S3, moto_server, s3_settings


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four builds: each adds, changes and removes one record; the last adds enough records to
    change the number of manifest bins.
    """
    folder = tmp_path_factory.mktemp("builds")
    content = registries.write(folder / "content", registries.api_alone())
    projects, made = content / "projects", []
    for number in range(4):
        (projects / "bloom.yaml").write_text(f"name: Bloom {number}\n")
        (projects / f"fresh-{number}.yaml").write_text(f"name: Fresh {number}\n")
        if number:
            (projects / f"fresh-{number - 1}.yaml").unlink()
        if number == 3:
            for more in range(300):
                (projects / f"more-{more}.yaml").write_text(f"name: More {more}\n")
        epoch = str(int(time.time()) - 3600 + number)
        env = {"SOURCE_DATE_EPOCH": epoch}
        made.append(commands.build(content, folder / f"build-{number}", env=env))
    return made


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lease of a dead publisher expires after a moment."""
    monkeypatch.setattr(lease, "WATCHED", 0.3)


@pytest.fixture
def memory() -> Iterator[Store]:
    fsspec = pytest.importorskip("fsspec", reason="the package fsspec is not installed")
    yield Store(f"memory://{uuid.uuid4().hex}/registry", connections=4)
    fsspec.filesystem("memory").store.clear()


@pytest.fixture(scope="session")
def moto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with moto_server(tmp_path_factory.mktemp("moto") / "said") as address:
        yield address


@pytest.fixture
def s3(moto: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> S3:
    for name in list(os.environ):
        if name.startswith("AWS_") or name.lower() in ("http_proxy", "all_proxy"):
            monkeypatch.delenv(name)
    for name, value in s3_settings(moto, tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return S3(moto)
