"""`registry upgrade`: a new generator in a registry keeps the changes of people."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from generator import __version__
from generator.edit.starting import init, wheel
from support.commands import ROOT, files, run_forked, typed
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
    done = run_forked("upgrade", folder, "--yes", "--no-compare")
    assert (done.status, done.err) == (0, "")
    wanted.parent.mkdir()
    run_forked("init", wanted, "--host", host, "--repository", REPOSITORIES[ci])
    assert files(folder) == files(wanted)


@pytest.mark.parametrize(
    ("answer", "written"), [("y", True), pytest.param("n", False, marks=_SLOW), ("", False)]
)
def test_on_a_terminal_it_asks(made: Path, tmp_path: Path, answer: str, written: bool) -> None:
    folder = shutil.copytree(made, tmp_path / "r")
    done = typed(f"{answer}\n".encode(), "upgrade", "--no-compare", cwd=folder)
    assert done.status == 0 and "Make these changes? [y/N]: " in done.err
    assert (folder / wheel.PATH).exists() is written is not (folder / OLD).exists()


#: The older version builds one project more, by the running code.
BUILD = """
import os, shutil, subprocess, sys
def main():
    content, out = sys.argv[3], sys.argv[5]
    shutil.copytree(content, "more")
    with open("more/projects/more.yaml", "w") as file:
        file.write("name: More\\nsummary: One project more.\\n")
    command = [{python!r}, "-m", "generator", "build", "--content", "more", "--out", out]
    sys.exit(subprocess.run(command, env=os.environ | {{"PYTHONPATH": {root!r}}}).returncode)
"""


def install_older(folder: Path, source: str) -> None:
    """Make a wheel with this source the registry's generator."""
    about = "registry_generator-0.0.9.dist-info"
    with zipfile.ZipFile(folder / OLD, "w") as packed:
        packed.writestr("older.py", source)
        packed.writestr(
            f"{about}/METADATA", "Metadata-Version: 2.1\nName: registry-generator\nVersion: 0.0.9\n"
        )
        packed.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr(f"{about}/entry_points.txt", "[console_scripts]\nregistry = older:main\n")
        packed.writestr(f"{about}/RECORD", "")
    digest = hashlib.sha256((folder / OLD).read_bytes()).hexdigest()
    (folder / "requirements.txt").write_text(f"./{OLD} --hash=sha256:{digest}\n")
    note = json.loads((folder / ".generator.json").read_bytes())
    for path in (OLD, "requirements.txt"):
        note["files"][path] = init.digest((folder / path).read_bytes())
    (folder / ".generator.json").write_text(json.dumps(note))


@_SLOW  # a virtual environment is made
def test_it_says_what_readers_will_notice(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    folder = shutil.copytree(made, tmp_path / "r")
    evil = folder / ".venv/bin/registry"
    evil.parent.mkdir(parents=True)
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    evil.chmod(0o755)
    for name in ("pip", "venv", "generator"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    before = files(folder)
    install_older(folder, BUILD.format(python=sys.executable, root=str(ROOT)))
    done = run_forked("upgrade", ".", cwd=folder)
    assert "older → newer" in done.out, done.err
    assert "projects removed\n  more  More\n" in done.out
    assert "Do not publish this yet: " in done.out
    assert done.status == 1 and done.out.endswith("Nothing was written. Add --yes to write it.\n")
    assert not (tmp_path / "ran").exists() and files(folder).keys() == before.keys()
    install_older(folder, "def main():\n    raise SystemExit('Error: no disk')")
    done = run_forked("upgrade", ".", "--yes", cwd=folder)
    why = "the older version does not build the content: Error: no disk. To compare later, run "
    assert f"What readers will notice is not known: {why}" in done.err
    assert done.status == 0 and (folder / wheel.PATH).exists()
