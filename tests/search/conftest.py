"""Builds shared by the tests of the query tier."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support import commands, independent, own_fields, registries, writings
from support.answers import developed
from support.independent import Cases
from support.once import once


@pytest.fixture(scope="session")
def built_own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of own_fields.py next to its content. Do not change it."""
    return once(tmp_path_factory, "built-own", own_fields.build)


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of writings.py for a host with functions. Do not change it."""
    return once(
        tmp_path_factory, "built-writings", lambda folder: writings.build(folder, "netlify")
    )


@pytest.fixture(scope="session")
def written_below(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for a base URL with a path."""
    base_url = "https://registry.example.org/registry"
    return once(
        tmp_path_factory,
        "built-writings-below",
        lambda folder: writings.build(folder, "netlify", base_url),
    )


@pytest.fixture(scope="session")
def served_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a development server of own_fields.py."""
    folder = tmp_path_factory.mktemp("served")
    content = registries.content(own_fields.content(), registry={"site": False})
    registries.write(folder / "content", content)
    with developed(folder) as port:
        yield port


@pytest.fixture(scope="session")
def cases_of_content(oracle: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Cases]:
    """Queries of content/ with the answers of an independent check, by part."""
    content = commands.ROOT / "content"
    wanted = {"words": (4, 300), "search": (7, 120), "rows": (11, 400)}
    return independent.queries_once(
        tmp_path_factory, "queries-of-content", oracle, content, **wanted
    )


@pytest.fixture(scope="session")
def cases_of_real(
    oracle: Path, real_content: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Cases]:
    """The same for a large real registry."""
    wanted = {"words": (5, 150), "search": (7, 50), "rows": (12, 60)}
    return independent.queries_once(
        tmp_path_factory, "queries-of-real", oracle, real_content, **wanted
    )


@pytest.fixture(scope="session")
def cases_of_own(
    oracle: Path, built_own: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Cases]:
    """The same for own_fields.py."""
    wanted = {"words": (6, 400), "rows": (13, 200)}
    return independent.queries_once(
        tmp_path_factory, "queries-of-own", oracle, built_own.parent / "content", **wanted
    )
