"""`registry --version` names the commit of the generator, if it is known."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator import __version__
from support.commands import ROOT, environment

COMMIT = "84f809cf0123456789abcdef0123456789abcdef"


def version(package: Path) -> str:
    command = [sys.executable, "-c", "from generator.__main__ import main; main()", "--version"]
    env = environment(PYTHONPATH=str(package))
    done = subprocess.run(
        command, cwd=package, env=env, capture_output=True, text=True, check=True
    )  # fmt: skip
    return done.stdout.removeprefix(f"registry, version {__version__}").strip()


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=E", "-c", "user.email=e@e.example", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=environment(), check=True, capture_output=True
    )
    return done.stdout.decode().strip()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a copy of the package, not installed."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "generator", tmp_path / "lib/generator", ignore=ignored)
    (tmp_path / "lib/generator/_commit.txt").unlink(missing_ok=True)
    return tmp_path / "lib"


def test_a_checkout_names_its_commit_and_that_it_has_changes(package: Path) -> None:
    git(package, "init", "-q")
    assert version(package) == ""
    git(package, "add", "-A")
    git(package, "commit", "-q", "-m", "One")
    commit = git(package, "rev-parse", "HEAD")
    assert version(package) == f"({commit[:8]})"
    (package / "notes.txt").write_text("beside the code")
    assert version(package) == f"({commit[:8]})"
    (package / "generator/more.py").write_text("")
    assert version(package) == f"({commit[:7]}+)"


def test_a_wheel_names_the_commit_that_it_was_made_from(package: Path) -> None:
    # The repository around an environment is another one.
    git(package.parent, "init", "-q")
    git(package.parent, "commit", "-q", "--allow-empty", "-m", "Of a registry")
    (package / "generator/_commit.txt").write_text(f"{COMMIT}\n")
    assert version(package) == "(84f809cf)"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f'{{"url": "https://x", "vcs_info": {{"commit_id": "{COMMIT}"}}}}', "(84f809cf)"),
        ('{"url": "file:///x.whl", "archive_info": {}}', ""),
        ("no JSON", ""),
        (None, ""),
    ],
)  # fmt: skip
def test_an_installation_from_git_names_its_commit(
    package: Path, url: str | None, shown: str
) -> None:
    about = package / f"registry_generator-{__version__}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: registry-generator\nVersion: {__version__}\n")
    if url is not None:
        (about / "direct_url.json").write_text(url)
    assert version(package) == shown
