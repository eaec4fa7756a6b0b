"""The wheel that `registry init` puts into a registry: built from the running code, in a checkout
or installed, and installed by the workflows on a machine with Python only.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from generator.edit.starting import wheel
from support.commands import ROOT, environment, files, lacking, run_forked
from support.git import commit, git
from support.workflows import Workspace

GITHUB = "https://github.com/o/r"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry made by `registry init` from this checkout."""
    folder = tmp_path_factory.mktemp("made") / "r"
    done = run_forked("init", folder, "--name", "R", "--repository", GITHUB)
    assert (done.status, done.err) == (0, "")
    return folder


def test_the_wheel_lists_each_of_its_files_with_its_hash(made: Path) -> None:
    with zipfile.ZipFile(made / wheel.PATH) as packed:
        assert packed.testzip() is None
        record = packed.read(next(name for name in packed.namelist() if name.endswith("/RECORD")))
        listed = {
            path: (digest, size) for path, digest, size in csv.reader(record.decode().split())
        }
        assert listed.keys() == set(packed.namelist()) and len(listed) == len(packed.namelist())
        for path, (digest, size) in listed.items():
            if not path.endswith("/RECORD"):
                data = packed.read(path)
                sha256 = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
                assert (digest, size) == (f"sha256={sha256.rstrip('=')}", str(len(data))), path


@pytest.mark.slow
def test_the_wheel_equals_that_of_the_build_backend(made: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, env=environment(), check=True, capture_output=True)
    (theirs,) = tmp_path.glob("*.whl")
    assert theirs.name == wheel.NAME
    with zipfile.ZipFile(theirs) as one, zipfile.ZipFile(made / wheel.PATH) as other:
        # Its build backend, and fields that follow from the backend; the commit is of `make dist`.
        own = ("WHEEL", "RECORD", "_commit.txt")
        wanted = {name for name in one.namelist() if not name.endswith(own)}
        assert {name for name in other.namelist() if not name.endswith(own)} == wanted
        for name in wanted - {n for n in wanted if n.endswith("/METADATA")}:
            assert one.read(name) == other.read(name), name


def test_requirements_fix_the_wheel_and_every_package_by_hash(made: Path) -> None:
    text = (made / "requirements.txt").read_text("utf-8")
    entries = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
    assert all("--hash=sha256:" in entry for entry in entries)
    *packages, last = entries
    digest = hashlib.sha256((made / wheel.PATH).read_bytes()).hexdigest()
    assert last == f"./{wheel.PATH} --hash=sha256:{digest}"
    locked = (ROOT / "requirements.txt").read_text("utf-8")
    names = {entry.partition("==")[0] for entry in packages}
    assert names == set(re.findall(r"^([a-z0-9-]+)==", locked, re.M)) and len(names) > 20


@pytest.mark.slow
def test_a_generator_that_is_not_installed_says_so_and_makes_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "generator", copy / "generator")
    shutil.copytree(ROOT / "templates", copy / "templates")
    shutil.copy(ROOT / "requirements.txt", copy)
    text = (copy / "generator/__init__.py").read_text("utf-8")
    (copy / "generator/__init__.py").write_text(
        re.sub(r'__version__ = ".*"', '__version__ = "9.9"', text), "utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "generator", "init", "r", "--host", "netlify"],
        cwd=copy, env=environment(PYTHONPATH=str(copy)), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2 and "is not installed, so it cannot be packed" in done.stderr
    assert not (copy / "r").exists()


# --- on a machine with Python only -----------------------------------------------------


class FreshMachine(Workspace):
    """A runner whose only tools are those of a new virtual environment."""

    def __init__(self, workspace: Path, kept: Path):
        super().__init__(workspace, kept)
        shutil.rmtree(self.tools)
        subprocess.run([sys.executable, "-m", "venv", str(kept / "venv")], check=True)
        self.tools = kept / "venv/bin"
        self.inherited = {
            name: value
            for name, value in os.environ.items()
            if name.startswith("PIP_") or name.lower().endswith("_proxy") or name == "SSL_CERT_FILE"
        }


@pytest.fixture(scope="module")
def machine(made: Path, tmp_path_factory: pytest.TempPathFactory) -> FreshMachine:
    """A machine with a clone of the registry, after its workflow installed the generator."""
    folder = tmp_path_factory.mktemp("machine")
    commit(made, "The first records")
    git(folder, "clone", "-q", str(made), "clone")
    machine = FreshMachine(folder / "clone", folder / "runner")
    probe = 'pip download --quiet --no-deps --no-cache-dir --dest "$RUNNER_TEMP/probe" click==8.1.8'
    reached = machine.script(probe)
    if reached.status != 0:
        lacking(f"pip cannot download from a package index here: {reached.err[-300:]}")
    for name in ("check.yml", "publish.yml", "submissions.yml"):
        installs = [step for job, step in machine.steps(name).items() if job.endswith("/Install")]
        assert [step.run for step in installs] == [machine.steps("check.yml")["check/Install"].run]
    ran = machine.run(machine.steps("check.yml")["check/Install"])
    assert ran.status == 0, ran.err
    return machine


@pytest.mark.slow
def test_workflows_check_build_and_compare_with_the_installed_wheel(machine: FreshMachine) -> None:
    for name, values in (("check.yml", {}), ("publish.yml", {"inputs.first": "true"})):
        for job, step in machine.steps(name).items():
            if job.rpartition("/")[2] in ("Check", "Build"):
                ran = machine.run(step, values)
                assert ran.status == 0, (name, job, ran.err)
    assert (machine.workspace / "build/.nojekyll").is_file()
    where = machine.script("pip show registry-generator && pip check && registry --version")
    assert where.status == 0 and f"Location: {machine.tools.parent}" in where.out, where.err
    assert str(ROOT) not in where.out


@pytest.mark.slow
def test_an_installed_wheel_packs_the_same_bytes_again(made: Path, machine: FreshMachine) -> None:
    again = machine.temp / "again"
    ran = machine.script(f'registry init "{again}" --name R --repository {GITHUB}')
    assert (ran.status, ran.err) == (0, "")
    of_git = {path for path in files(made) if path.startswith(".git/")}
    assert {p: d for p, d in files(made).items() if p not in of_git} == files(again)
    assert (again / wheel.PATH).read_bytes() == (made / wheel.PATH).read_bytes()


@pytest.mark.slow
def test_a_wheel_with_other_bytes_is_not_installed(machine: FreshMachine) -> None:
    changed = machine.temp / "changed"
    shutil.copytree(machine.workspace, changed, ignore=shutil.ignore_patterns("build", ".registry"))
    with (changed / wheel.PATH).open("ab") as file:
        file.write(b"\0")
    ran = machine.script(
        f'cd "{changed}" && pip install --force-reinstall --no-deps --requirement requirements.txt'
    )
    assert ran.status != 0 and "DO NOT MATCH THE HASHES" in ran.err, ran.err
