"""Builds that all tests of the client share, and a host that serves one below /registry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import commands, registries
from support.fake_host import FakeHost, serving


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 projects in three pages, for https://registry.example/registry."""
    folder = tmp_path_factory.mktemp("client")
    settings = {"base_url": "https://registry.example/registry", "page_size": 10}
    made = registries.write(
        folder / "content", registries.content(projects=registries.PAGED, registry=settings)
    )
    return commands.build(made, folder / "build", "--as-of", commands.TODAY)


NAMES = (
    "Wolt", "Aurora Grid", "Bloom", "Open Harbour", "Stripe", "Quantum Ferry",
    *(f"Company Nr {n}" for n in range(60)),
)  # fmt: skip


@pytest.fixture(scope="session")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """66 projects with only a name, but Aurora Grid has a place and Bloom a website."""
    projects: dict[str, Any] = {name.lower().replace(" ", "-"): {"name": name} for name in NAMES}
    projects["aurora-grid"]["locations"] = [{"country": "KE"}]
    projects["bloom"] |= {"website": "https://bloom.test/", "locations": [{"country": "DE"}]}
    folder = tmp_path_factory.mktemp("named")
    made = registries.write(folder / "content", registries.content(projects=projects))
    return commands.build(made, folder / "build")


@pytest.fixture
def host(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHost]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("generator.reader.remote._BACKOFF", 0.01)
    with serving(site, "/registry") as found:
        yield found
