"""Registries made by `registry init`, each with a runner for its workflows."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.model.examples import EXAMPLE_PATHS, MARK
from support.commands import run_forked
from support.git import commit
from support.workflows import Workspace, change

GITHUB, GITLAB = "https://github.com/o/r", "https://gitlab.com/o/r"


def own(folder: Path) -> None:
    """Turn the examples into published records of the registry's own."""
    for path in EXAMPLE_PATHS:
        file = folder / "content" / path
        lines = file.read_text("utf-8").splitlines(keepends=True)
        file.write_text("".join(line for line in lines if not line.startswith(MARK)), "utf-8")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """A new registry for a host, with a change since its first commit."""
    folders: dict[tuple[str, str], Path] = {}

    def make(host: str, repository: str) -> Path:
        if (host, repository) not in folders:
            folder = tmp_path_factory.mktemp("made") / "r"
            asked = ("init", folder, "--host", host, "--repository", repository)
            assert run_forked(*asked).status == 0
            own(folder)
            commit(folder, "The first records")
            change(folder, "summary: Small turbines", "summary: Large turbines")
            commit(folder, "They are large")
            folders[host, repository] = folder
        return folders[host, repository]

    return make


@pytest.fixture
def here(made: Callable[[str, str], Path], tmp_path: Path) -> Callable[..., Workspace]:
    """A runner whose workspace is a registry for a host, in a repository at GitHub or GitLab."""

    def start(host: str = "github-pages", *, gitlab: bool = False) -> Workspace:
        where = tmp_path / "workspace"
        shutil.copytree(made(host, GITLAB if gitlab else GITHUB), where, symlinks=True)
        return Workspace(where, tmp_path / "runner")

    return start
