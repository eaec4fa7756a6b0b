"""Successive builds, and stores to publish them to: in memory, and an S3 server over HTTP."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.features.buckets import lease
from generator.features.buckets.store import Store
from support import commands, registries
from support.stores import S3

_ADDRESS = re.compile(r"http://127\.0\.0\.1:[1-9][0-9]*")


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
    """The base URL of moto's server."""
    for package in ("moto", "flask", "s3fs"):
        try:
            __import__(package)
        except ImportError:
            commands.lacking(f"{package} is not installed")
    log = tmp_path_factory.mktemp("moto") / "said"
    with log.open("wb") as stream:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + 60
        while (running := _ADDRESS.search(log.read_text("utf-8"))) is None:
            assert server.poll() is None and time.monotonic() < until, log.read_text("utf-8")
            time.sleep(0.05)
        yield running[0]
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@pytest.fixture
def s3(moto: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> S3:
    for name in list(os.environ):
        if name.startswith("AWS_") or name.lower() in ("http_proxy", "all_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-a-test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "very-secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return S3(moto)
