"""Every script of benchmarks/ runs, here with a registry of a few records; the build for the
comparison with peers makes their pages and no word index.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import browser, engines
from support.commands import ROOT, environment, files, lacking

pytestmark = pytest.mark.slow

BENCHMARKS = ROOT / "benchmarks"
#: Modules that scripts import or start; they are not scripts.
SHARED = {"corpus", "engine", "measure", "reading", "report", "sections", "tree"}
#: The optimisations of without.py.
LEFT_OUT = re.findall(r'^    "([\w-]+)": \($', (BENCHMARKS / "without.py").read_text("utf-8"), re.M)
DRAWN = "--projects 40 --queries 5 --out {work}/search.md --kept {work}/kept.json"
#: script -> its arguments; `{content}` is a registry, `{build}` a build of it, `{work}` a folder
#: with documents whose sections are filled in.
SCRIPTS = {
    "agents": "{build} {content}",
    "answers": "{build}",
    "counts": DRAWN,
    "edge": DRAWN,
    "generate": "{work}/content --projects 3",
    "integrity": "{build} --files 2000",
    "naive": "{content} {work}/out",
    "ours": "build --no-site --content {content} --out {work}/out",
    "matching": "{content}",
    "lanes": "--documents 2000 --jobs 1 --from {content}",
    "parts": "{content} --work {work}",
    "phone": "{build} / --runs 1",
    "searching": "{build} --words for --more with --runs 1",
    "queries": DRAWN,
    "relevance": DRAWN,
    "run": "--sizes 20 --clusters 20 --runs 1 --peers naive,floor --cache {work} "
    "--out {work}/performance.md",
    "scale": "{work}/scale --projects 30 --workers 1 --compare",
    "serve": "{content} --runs 1 --work {work}",
    "site": "--projects 20 --runs 1 --work {work} --out {work}/site.md",
    "stages": "{content} --runs 1 --work {work}",
    "suggest": DRAWN,
    "without": "--projects 3,5 --runs 1 --names no-rendering --work {work} --out {work}/aims.md",
}
SECTIONS = {
    "aims.md": ("optimisations",),
    "search.md": ("counts", "edge", "queries", "relevance", "suggestions"),
    "site.md": ("cost",),
}


def run(script: str, *arguments: object, today: bool = True) -> str:
    """The output of a script, which builds as of today or as of the day of the tests."""
    done = subprocess.run(
        [sys.executable, BENCHMARKS / f"{script}.py", *map(str, arguments)],
        env=environment(SOURCE_DATE_EPOCH=None) if today else environment(),
        capture_output=True,
        text=True,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small registry and its build.  Tests must not change them."""
    folder = tmp_path_factory.mktemp("measured")
    paths = {name: folder / name for name in ("content", "build")}
    run("generate", paths["content"], "--projects", 30)
    command = [sys.executable, "-m", "generator", "build"]
    build = [*command, "--content", paths["content"], "--out", paths["build"]]
    subprocess.run(build, env=environment(), capture_output=True, check=True)
    return paths


def needed(script: str) -> None:
    """Skip a script if this machine lacks a program or a module for it."""
    if script == "queries":
        install = [sys.executable, "-c", "import queries; queries.install()"]
        if subprocess.run(install, cwd=BENCHMARKS, env=environment(), check=False).returncode:
            lacking("npm cannot install minisearch here.")
    if script == "edge":
        engines.need("@cloudflare/workerd-linux-64")
    if script in ("phone", "searching") and browser.executable() is None:
        lacking("There is no Chromium on this machine.")
    if script == "run" and shutil.which("gcc") is None:
        lacking("There is no gcc on this machine.")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_runs(script: str, measured: dict[str, Path], tmp_path: Path) -> None:
    needed(script)
    for name, sections in SECTIONS.items():
        marks = "".join(
            f"<!-- {section}: begin -->\n<!-- {section}: end -->\n" for section in sections
        )
        (tmp_path / name).write_text(marks)
    words = [word.format(**measured, work=tmp_path) for word in SCRIPTS[script].split()]
    tables = run(script, *words)
    tables += "".join(file.read_text() for file in tmp_path.glob("*.md"))
    if script not in ("generate", "naive", "ours"):
        assert re.search(r"[1-9]", tables), "no number is told"


def test_no_script_is_left_out() -> None:
    assert {path.stem for path in BENCHMARKS.glob("*.py")} == SCRIPTS.keys() | SHARED
    assert len(LEFT_OUT) > 5


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_build_without_an_optimisation_has_the_same_bytes(
    name: str, measured: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    words = ["--only", name, "build", "--content", measured["content"], "--out", out]
    run("without", *words, today=False)
    assert files(out) == files(measured["build"])


def test_the_pages_of_the_peers_can_be_built(tmp_path: Path) -> None:
    run("ours", "build", "--no-site", "--content", ROOT / "tests/golden/content", "--out",
        tmp_path / "out")  # fmt: skip
    made = files(tmp_path / "out" / "api")
    projects = [path for path in made if path.startswith("projects/")]
    assert {path.split("/")[1] for path in projects} == {"slug", "page", "by"}
    assert all("tag_" in path for path in projects if path.startswith("projects/by/"))
    assert [path for path in made if path.startswith("index/") and "manifest" not in path] == []
