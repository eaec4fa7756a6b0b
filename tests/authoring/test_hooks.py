"""The pre-commit hooks, installed from this repository and run by pre-commit in a registry."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from shutil import ignore_patterns

import pytest

from support.commands import ROOT, environment
from support.workflows import Workspace, change

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent
WHO = {"GIT_AUTHOR_NAME": "E", "GIT_AUTHOR_EMAIL": "e@e.example",
       "GIT_COMMITTER_NAME": "E", "GIT_COMMITTER_EMAIL": "e@e.example"}  # fmt: skip


def ran(folder: Path, *command: object, **env: str) -> tuple[int, str]:
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=environment(**WHO, **env), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """This repository at a git commit, and an environment in which pip installs the hooks'
    dependencies without the network.
    """
    folder = tmp_path_factory.mktemp("source")
    (folder / "git").mkdir()
    for name in ("generator", "templates"):
        shutil.copytree(ROOT / name, folder / "git" / name, ignore=ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "requirements.txt",
                 ".pre-commit-hooks.yaml"):  # fmt: skip
        shutil.copyfile(ROOT / name, folder / "git" / name)
    assert ran(folder / "git", "git", "init", "-q")[0] == 0
    assert ran(folder / "git", "git", "add", "-A")[0] == 0
    assert ran(folder / "git", "git", "commit", "-q", "-m", "All")[0] == 0
    offline = {"PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_INDEX": "1",
               "PYTHONPATH": sysconfig.get_path("purelib"),
               "PRE_COMMIT_HOME": str(folder / "home")}  # fmt: skip
    return folder / "git", offline


def test_the_hooks_run_on_committed_files(
    source: tuple[Path, dict[str, str]], here: Callable[[], Workspace]
) -> None:
    runner = here()
    repository, offline = source
    folder = runner.workspace
    revision = ran(repository, "git", "rev-parse", "HEAD")[1].strip()
    (folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {repository}\n    rev: {revision}\n"
        "    hooks: [{id: registry-check}, {id: registry-fmt}]\n"
    )
    hook = (BIN / "pre-commit", "run", "--color=never")
    assert ran(folder, "git", "add", "-A")[0] == 0
    status, said = ran(folder, *hook, "--all-files", **offline)
    assert status == 0 and said.count("Passed") == 2, said
    # The commit has no content: there is nothing to do.
    status, said = ran(folder, *hook, **offline)
    assert status == 0 and said.count("Skipped") == 1 and said.count("Passed") == 1, said
    # An error is reported with its line, and a layout is fixed.
    change(folder, "year:", "yaer:")
    assert ran(folder, "git", "add", "-A")[0] == 0
    status, said = ran(folder, *hook, **offline)
    assert status == 1 and 'did you mean "year"?' in said and "example-project.yaml:" in said
    change(folder, "yaer:", "year:  ")
    assert ran(folder, "git", "add", "-A")[0] == 0
    status, said = ran(folder, *hook, **offline)
    assert status == 1 and "files were modified by this hook" in said
    assert ran(folder, "git", "add", "-A")[0] == 0
    assert ran(folder, *hook, **offline)[0] == 0
    # Deleting a record that others refer to fails.
    assert ran(folder, "git", "rm", "-q", "content/programs/example-accelerator.yaml")[0] == 0
    status, said = ran(folder, *hook, **offline)
    assert status == 1 and "example-accelerator" in said


def test_the_hooks_are_valid_by_pre_commit_itself() -> None:
    asked = (BIN / "pre-commit", "validate-manifest", ".pre-commit-hooks.yaml")
    assert ran(ROOT, *asked) == (0, "")
