"""Published registries, served like a host with a query tier."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import browser, commands, registries
from support.once import once
from support.serving import Published


@contextlib.contextmanager
def publish(out: Path) -> Iterator[Published]:
    with browser.served(out) as base:
        yield Published(base)


@pytest.fixture(scope="session")
def content(built_content: Path) -> Iterator[Published]:
    with publish(built_content) as published:
        yield published


def small(factory: pytest.TempPathFactory, name: str, **settings: object) -> Path:
    """A build of the small registry with its site."""

    def make(folder: Path) -> Path:
        records = registries.content(registry=settings)
        content = registries.write(folder / "content", records)
        return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)

    return once(factory, name, make)


@pytest.fixture(scope="session")
def small_registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    with publish(small(tmp_path_factory, "small-site")) as published:
        yield published


@pytest.fixture(scope="session")
def small_at_a_prefix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    """The small registry, whose future base URL has a path."""
    base = "https://registry.example/data/"
    with publish(small(tmp_path_factory, "small-prefix", base_url=base)) as published:
        yield published
