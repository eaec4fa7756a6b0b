"""The shell steps of workflows, of the action and of .gitlab-ci.yml, run by bash with fake commands
that record their calls.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from generator.features.signing.private_key import PrivateKey, new_key
from support.commands import ROOT, build
from support.engines import MODULES, need
from support.fake_host import serving
from support.transcripts import Case, transcript
from support.workflows import StepShell, Workspace, steps

HERE = Path(__file__).parent / "transcripts"


@transcript(HERE / "steps.txt")
def test_quick_steps(
    case: Case, made: Callable[[str, str], Path], tmp_path: Path, regenerate: bool
) -> None:
    case.run(StepShell(tmp_path, made), regenerate)


@pytest.mark.slow
@transcript(HERE / "builds.txt")
def test_other_steps(
    case: Case, made: Callable[[str, str], Path], tmp_path: Path, regenerate: bool
) -> None:
    host = tmp_path / "host"
    with serving(host) as served:
        case.run(StepShell(tmp_path, made, HOST=host, URL=served.base), regenerate)


def test_no_step_is_left_out() -> None:
    every = {
        f"{path.name}: {name}"
        for path in [*(ROOT / ".github/workflows").iterdir(), ROOT / "action.yml"]
        for name in steps(path.read_bytes())
    }
    folder = Path(__file__).parent
    text = (folder / "test_submission_steps.py").read_text("utf-8")
    text += "".join(path.read_text("utf-8") for path in HERE.glob("*.txt"))
    assert every == {
        "action.yml: Build", "action.yml: Check", "action.yml: Compare", "action.yml: Install",
        "action.yml: lock", "check.yml: check/Build", "check.yml: check/Check",
        "check.yml: check/Compare", "check.yml: check/Install", "comment.yml: comment/Comment",
        "links.yml: links/Ask", "links.yml: links/Install", "links.yml: links/Report",
        "publish.yml: build/Build", "publish.yml: build/Compare", "publish.yml: build/Install",
        "publish.yml: build/Look for examples",
        "publish.yml: deploy/Deploy",
        "submissions.yml: submission/Answer", "submissions.yml: submission/Install",
        "submissions.yml: submission/Propose", "submissions.yml: submission/Read",
        "tests.yml: action/Look at what it built", "tests.yml: tests/Test",
    }  # fmt: skip
    others = {step for step in every if not step.startswith("tests.yml")}
    assert all(step.partition(": ")[2] in text for step in others)


@pytest.mark.slow
def test_a_signing_key_is_passed_on(here: Callable[..., Workspace]) -> None:
    """Without the secret, GitHub passes an empty text, and the build is not signed."""
    runner = here()
    private = new_key().strip()
    registry = runner.workspace / "content/registry.yaml"
    registry.write_text(
        f"{registry.read_text()}\nsigning:\n  keys: ['{PrivateKey(private).public}']\n"
    )
    step = runner.steps("publish.yml")["build/Build"]
    root = runner.workspace / "build/api/manifest/root.json"
    for key, signatures in ((private, 1), ("", 0)):
        ran = runner.run(step, {"inputs.first": "true", "secrets.REGISTRY_SIGNING_KEY": key})
        assert ran.status == 0, ran.err
        assert len(json.loads(root.read_bytes())["signatures"]) == signatures


@pytest.mark.slow
def test_this_repository_runs_its_tests_and_its_action(here: Callable[..., Workspace]) -> None:
    does = steps((ROOT / ".github/workflows/tests.yml").read_bytes())
    runner = here()
    (runner.workspace / ".ci").mkdir()
    (runner.workspace / ".ci/run").symlink_to(runner.tools / "pip")
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    assert [call.tool for call in runner.run(does["tests/Test"]).calls] == ["run"]
    build(runner.workspace / "content", runner.workspace / "build", site=True)
    values = {
        "steps.registry.outputs.command": str(runner.tools / "registry"),
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


@pytest.mark.slow
def test_wrangler_itself_accepts_the_build(here: Callable[..., Workspace]) -> None:
    need("wrangler")
    runner = here("cloudflare")
    step = runner.steps("publish.yml")["build/Build"]
    ran = runner.run(step, {"inputs.first": ""})
    assert ran.status == 2 and "registry.yaml has no base_url" in ran.err
    assert runner.run(step, {"inputs.first": "true"}).status == 0
    deploy = f'node "{MODULES}/wrangler/bin/wrangler.js" deploy --dry-run'
    ran = runner.script(deploy, WRANGLER_SEND_METRICS="false", CI="1", PATH=os.environ["PATH"])
    assert ran.status == 0 and "env.ASSETS" in ran.out, ran.err
