"""`registry upgrade`: a new generator in a registry keeps the changes of people."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from generator import __version__
from generator.edit.starting import init, wheel
from support.commands import files, run_forked, typed
from support.transcripts import Case, Shell, transcript

REPOSITORIES = {"github": "https://github.com/o/r", "gitlab": "https://gitlab.com/o/r"}
OLD = "wheels/registry_generator-0.0.9-py3-none-any.whl"


_SLOW = pytest.mark.slow


def older(folder: Path, host: str = "netlify", ci: str = "github") -> Path:
    """A registry of an older generator, with another wheel, requirements.txt, check and Netlify
    file, and with a workflow that no longer exists.
    """
    done = run_forked("init", folder, "--host", host, "--repository", REPOSITORIES[ci])
    assert done.status == 0, done.err
    (folder / wheel.PATH).rename(folder / OLD)
    (folder / OLD).write_bytes(b"PK\0the older wheel")
    requirements = folder / "requirements.txt"
    text = requirements.read_text("utf-8").replace(wheel.PATH, OLD)
    digest = hashlib.sha256(b"PK\0the older wheel").hexdigest()
    requirements.write_text(re.sub(r"[0-9a-f]{64}\n\Z", f"{digest}\n", text), "utf-8")
    checks = folder / (".gitlab-ci.yml" if ci == "gitlab" else ".github/workflows/check.yml")
    checks.write_text(f"{checks.read_text('utf-8')}# of before\n", "utf-8")
    if ci == "github":
        (folder / ".github/workflows/gone.yml").write_text("name: Gone\n")
        (folder / ".github/workflows/comment.yml").write_text("name: Comment\n")
    note = json.loads((folder / ".generator.json").read_bytes())
    written = {*note["files"], ".github/workflows/gone.yml", OLD} - {wheel.PATH}
    note["files"] = {
        path: init.digest((folder / path).read_bytes())
        for path in sorted(written)
        if (folder / path).exists()
    }
    (folder / ".generator.json").write_text(json.dumps(note))
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return older(tmp_path_factory.mktemp("made") / "r")


@transcript(Path(__file__).parent / "transcripts/upgrade.txt")
def test_upgrade(case: Case, made: Path, tmp_path: Path, regenerate: bool) -> None:
    shutil.copytree(made, tmp_path / "r")
    case.run(Shell(tmp_path, VERSION=__version__), regenerate)


@pytest.mark.parametrize(
    ("host", "ci"),
    [("gitlab-pages", "gitlab"), pytest.param("cloudflare", "github", marks=pytest.mark.slow)],
)
def test_unchanged_files_of_other_hosts_are_replaced(tmp_path: Path, host: str, ci: str) -> None:
    folder, wanted = older(tmp_path / "r", host, ci), tmp_path / "wanted" / "r"
    done = run_forked("upgrade", folder, "--yes")
    assert (done.status, done.err) == (0, "")
    wanted.parent.mkdir()
    run_forked("init", wanted, "--host", host, "--repository", REPOSITORIES[ci])
    assert files(folder) == files(wanted)


@pytest.mark.parametrize(
    ("answer", "written"),
    [("y", True), pytest.param("n", False, marks=_SLOW), ("", False)],
)
def test_on_a_terminal_it_asks(made: Path, tmp_path: Path, answer: str, written: bool) -> None:
    folder = shutil.copytree(made, tmp_path / "r")
    done = typed(f"{answer}\n".encode(), "upgrade", cwd=folder)
    assert done.status == 0 and "Make these changes? [y/N]: " in done.err
    assert (folder / wheel.PATH).exists() is written is not (folder / OLD).exists()
