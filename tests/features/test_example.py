"""The feature of docs/extending.md, as a package of others: installed, used, broken, removed."""

from __future__ import annotations

import json
import re
import shutil
import site
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.disk.output_state import STATE_FOLDER
from generator.engine.bundles import NOTE
from support.commands import ROOT, environment
from support.serving import Server

EXAMPLE = ROOT / "tests/features/example"
LINES = 100


class Environment:
    """A Python environment that has what this one has, and packages of its own."""

    def __init__(self, folder: Path):
        self.folder, self.python = folder, str(folder / "env/bin/python")
        venv.create(folder / "env", symlinks=True)
        (own,) = (folder / "env/lib").glob("python*/site-packages")
        beside = [*site.getsitepackages(), str(ROOT)]
        (own / "beside.pth").write_text("\n".join(beside), "utf-8")
        self.packages = own

    def pip(self, *arguments: str) -> None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", self.python]
        done = subprocess.run([*pip, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, *arguments: str, status: int = 0) -> str:
        done = subprocess.run(
            [self.python, "-m", "generator", *arguments],
            cwd=self.folder, env=environment(PYTHONPATH=None),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    folder = tmp_path_factory.mktemp("extended")
    found = Environment(folder)
    shutil.copytree(EXAMPLE, folder / "example")
    found.pip(
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        str(folder / "example"),
    )
    projects = folder / "content/projects"
    projects.mkdir(parents=True)
    (folder / "content/registry.yaml").write_text("name: Harbour\ndescription: Ships.\n", "utf-8")
    (projects / "sloop.yaml").write_text(
        "name: Sloop\nstars: 12\nwebsite: https://s.test\n", "utf-8"
    )
    (projects / "ketch.yaml").write_text("name: Ketch\nstars: 4500\n", "utf-8")
    found.run("build")
    yield found
    found.pip("uninstall", "--quiet", "--yes", "registry-stars")
    assert "stars" not in found.run("features")
    assert 'there is no field "stars"' in found.run("check", status=1)
    # The build says itself what it has: queries need no feature.
    assert '"slug":"ketch"' in found.run("search", "ketch", "--in", "projects")
    # Another version of the generator does not use what the build noted for its own.
    note = found.folder / STATE_FOLDER / "build" / NOTE
    noted = note.read_bytes()
    note.write_bytes(b"00000000" + noted[8:])
    said = found.run("search", "ketch", "--in", "projects", status=2)
    assert "has other columns than this program knows (stars)" in said
    assert "It was built with the feature stars (registry-stars 1.0), which is not" in said
    note.write_bytes(noted)
    for name in ("ketch", "sloop"):
        (projects / f"{name}.yaml").write_text(f"name: {name.capitalize()}\n", "utf-8")
    assert "Built build" in found.run("build")  # the files of the feature go
    assert not (found.folder / "build/stars").exists()


def test_the_example_is_short() -> None:
    files = [
        path for path in EXAMPLE.rglob("*") if path.is_file() and "__pycache__" not in str(path)
    ]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) < LINES


def test_it_adds_a_field_a_check_a_file_a_page_and_a_command(installed: Environment) -> None:
    assert re.search(r"^stars \(registry-stars 1\.0\): Stars: ", installed.run("features"), re.M)
    assert "ketch.yaml:2:8: warning[stars-without-website]" in installed.run("check")
    installed.run("build")
    file = json.loads((installed.folder / "build/api/stars.json").read_bytes())
    assert [(one["name"], one["stars"]) for one in file["data"]] == [("Ketch", 4500), ("Sloop", 12)]
    assert "4,500" in (installed.folder / "build/stars/index.html").read_text("utf-8")
    assert installed.run("stars") == "   4,500  Ketch\n      12  Sloop\n"
    installed.run("verify", "build")
    listed = json.loads(installed.run("rows", "projects", "--sort", "-stars", "--fields", "stars"))
    assert listed["rows"] == [["ketch", 4500], ["sloop", 12]]
    program = (installed.python, "-m", "generator")
    with Server(installed.folder, "--no-reload", program=program).running() as server:
        assert b"Ketch" in server.get("/stars/").body
        for _ in range(2):
            installed.run("mirror", f"http://127.0.0.1:{server.port}", "copy")
    assert (installed.folder / "copy/stars/index.html").is_file()


def test_a_feature_that_fails_in_another_process_names_itself(installed: Environment) -> None:
    outputs = installed.packages / "registry_stars/outputs.py"
    text = outputs.read_text("utf-8")
    try:
        outputs.write_text(text.replace('index("stars")', 'index("no such number")'), "utf-8")
        said = installed.run("build", "--out", "failed", "--jobs", "2", status=2)
    finally:
        outputs.write_text(text, "utf-8")
    assert "The feature stars (registry-stars 1.0) failed in " in said
    assert "outputs.py, line 11" in said and "Traceback" not in said
    assert not (installed.folder / "failed").exists()
