"""The shell steps of the action of this repository, and of its own tests.yml."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from support.commands import ROOT
from support.workflows import MARK, Ran, Runner, Workspace, asked, change, steps

pytestmark = pytest.mark.slow


def test_the_action_installs_its_own_commit_by_hashes(tmp_path: Path) -> None:
    runner = Runner(tmp_path, tmp_path / "runner")
    does = steps((ROOT / "action.yml").read_bytes())
    lock = runner.run(does["lock"], GITHUB_ACTION_PATH=str(ROOT))
    assert lock.status == 0 and len(lock.outputs["digest"]) == 64
    values = {"steps.python.outputs.python-path": str(runner.tools / "venv"), "runner.temp": "/t"}
    ran = runner.run(does["Install"], values, GITHUB_ACTION_PATH=str(ROOT))
    assert ran.status == 0, ran.err
    own = str(runner.temp / "registry")
    assert asked(ran) == [
        ("venv", ["-m", "venv", own]),
        ("pip", ["install", "--quiet", "--require-hashes", "--requirement",
                 f"{ROOT}/requirements.txt", "--requirement", f"{ROOT}/requirements-build.txt"]),
        ("pip", ["install", "--quiet", "--no-deps", "--no-build-isolation", str(ROOT)]),
    ]  # fmt: skip
    assert ran.calls[1].environment["PIP_CACHE_DIR"] == "/t/registry-pip"
    assert ran.outputs == {"command": f"{own}/bin/registry"}


def acting(runner: Workspace, name: str, **inputs: str) -> Ran:
    """A step of the action, installed, with its inputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_bytes())
    given = {key: str(says["default"]) for key, says in action["inputs"].items()} | inputs
    bin = runner.temp / "registry/bin"
    if not bin.exists():
        bin.mkdir(parents=True)
        (bin / "registry").symlink_to(runner.tools / "registry")
    values = {f"inputs.{key}": value for key, value in given.items()}
    return runner.run(steps((ROOT / "action.yml").read_bytes())[name], values)


def test_the_action_checks_builds_and_compares(here: Callable[..., Workspace]) -> None:
    runner = here()
    assert acting(runner, "Check")[:2] == (0, "")
    ran = acting(
        runner, "Build", out="a folder", host="netlify firebase", **{"as-of": "2026-11-21"}
    )
    assert ran.status == 0 and ran.outputs == {"out": "a folder"}, ran.err
    build = runner.workspace / "a folder"
    assert json.loads((build / "api/build.json").read_bytes())["as_of"] == "2026-11-21"
    assert (build / "_redirects").is_file() and not (build / ".nojekyll").exists()
    ran = acting(runner, "Compare", out="a folder", against="HEAD^1")
    told = Path(ran.outputs["changes"]).read_text("utf-8")
    assert ran.status == 0 and told.startswith(MARK) and "example-project" in told
    change(runner.workspace, "programs: [example-accelerator]", "programs: [none]")
    ran = acting(runner, "Check")
    assert ran.status == 1 and "::error file=content/projects/example-project.yaml" in ran.out
    told = Path(ran.outputs["changes"]).read_text("utf-8")
    assert ran.summary == told and told.startswith(MARK)
    assert "`content/projects/example-project.yaml:" in told
    assert acting(runner, "Build").status == 1


def test_the_action_takes_its_inputs_as_they_are(here: Callable[..., Workspace]) -> None:
    runner = here()
    for name in ("Check", "Build", "Compare"):
        ran = acting(runner, name, content="$(touch owned)", host="$(touch owned) `x`",
                     against="$(touch owned)", strict="$(touch owned)")  # fmt: skip
        assert ran.status in (1, 2) and not list(runner.workspace.rglob("owned"))
    assert acting(runner, "Check", strict="false").status == 0


def test_this_repository_runs_its_tests_and_its_action(
    here: Callable[..., Workspace],
) -> None:
    does = steps((ROOT / ".github/workflows/tests.yml").read_bytes())
    runner = here()
    (runner.workspace / ".ci").mkdir()
    (runner.workspace / ".ci/run").symlink_to(runner.tools / "pip")
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    assert [call.tool for call in runner.run(does["tests/Test"]).calls] == ["run"]
    acting(runner, "Build")
    values = {
        "steps.registry.outputs.command": str(runner.temp / "registry/bin/registry"),
        "steps.registry.outputs.out": "build",
    }
    ran = runner.run(does["action/Look at what it built"], values)
    assert ran.status == 0 and "projects" in ran.out, ran.err
    shutil.rmtree(runner.workspace / "build")
    assert runner.run(does["action/Look at what it built"], values).status == 1


def test_inputs_and_outputs_of_the_action_are_documented() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_bytes())
    text = (ROOT / "docs/operating.md").read_text("utf-8")
    section = text.partition("An action of this repository")[2].partition("### At GitLab")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", section, re.M) == list(action["inputs"])
    (outputs,) = re.findall(r"^Its outputs are (.*?)\n\n", section, re.M | re.S)
    told = [name for name in re.findall(r"`([\w-]+)`", outputs) if name != "registry"]
    assert sorted(told) == sorted(action["outputs"])
    (used,) = re.findall(r"- uses: (actions/checkout@.*)", section)
    assert used in (ROOT / ".github/workflows/check.yml").read_text("utf-8")
