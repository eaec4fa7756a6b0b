"""The shell steps of check.yml and publish.yml, run by bash in new registries, with fake commands
that record their calls.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from generator.reader.signing import Signer, new_key
from support.commands import ROOT
from support.engines import MODULES, need
from support.workflows import MARK, SECRETS, Workspace, asked, change, published, steps


def test_no_step_is_left_out() -> None:
    every = {
        f"{path.name}: {name}"
        for path in [*(ROOT / ".github/workflows").iterdir(), ROOT / "action.yml"]
        for name in steps(path.read_bytes())
    }
    tests = (
        "workflow_steps", "comment_steps", "action_steps", "submission_steps", "links_steps",
        "examples",
    )  # fmt: skip
    text = "".join((Path(__file__).parent / f"test_{name}.py").read_text("utf-8") for name in tests)
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
    assert all(text.count(f'"{step.partition(": ")[2]}"') for step in every)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("check.yml", "check/Install"),
        ("publish.yml", "build/Install"),
        ("submissions.yml", "submission/Install"),
    ],
)
def test_the_generator_is_installed_by_the_line_of_the_registry(
    here: Callable[..., Workspace], name: str, step: str
) -> None:
    runner = here()
    does = runner.steps(name)[step]
    ran = runner.run(does)
    said = ["install", "--disable-pip-version-check", "--requirement", "requirements.txt"]
    assert ran.status == 0 and asked(ran) == [("pip", said)]
    assert runner.run(does, FAILS_PIP="1").status == 1
    (runner.workspace / "extra.txt").write_text("cryptography\n")
    ran = runner.run(does)
    assert ran.status == 0 and asked(ran) == [("pip", said), ("pip", [*said[:-1], "extra.txt"])]


@pytest.mark.slow
def test_a_module_in_the_workspace_is_not_imported(here: Callable[..., Workspace]) -> None:
    runner = here()
    does = runner.steps("check.yml")
    for name in ("yaml", "generator", "click"):
        (runner.workspace / f"{name}.py").write_text("raise SystemExit('of the workspace')\n")
    for step in ("check/Check", "check/Build"):
        assert runner.run(does[step]).status == 0


@pytest.mark.slow
def test_a_signing_key_is_passed_on(here: Callable[..., Workspace]) -> None:
    """Without the secret, GitHub passes an empty text, and the build is not signed."""
    runner = here()
    private = new_key().strip()
    registry = runner.workspace / "content/registry.yaml"
    registry.write_text(f"{registry.read_text()}\nsigning:\n  keys: ['{Signer(private).public}']\n")
    step = runner.steps("publish.yml")["build/Build"]
    root = runner.workspace / "build/api/manifest/root.json"
    for key, signatures in ((private, 1), ("", 0)):
        ran = runner.run(step, {"inputs.first": "true", "secrets.REGISTRY_SIGNING_KEY": key})
        assert ran.status == 0, ran.err
        assert len(json.loads(root.read_bytes())["signatures"]) == signatures


def test_a_pull_request_is_checked_with_a_mark_at_each_line(
    here: Callable[..., Workspace],
) -> None:
    runner = here()
    step = runner.steps("check.yml")["check/Check"]
    assert runner.run(step)[:2] == (0, "")
    change(runner.workspace, "year:", "yaer:")
    ran = runner.run(step)
    assert ran.status == 1
    assert ran.out.startswith("::error file=content/projects/example-project.yaml,line=")


@pytest.mark.slow
def test_the_changes_of_a_pull_request_are_reported(here: Callable[..., Workspace]) -> None:
    runner = here()
    does = runner.steps("check.yml")
    assert runner.run(does["check/Build"]).status == 0
    assert (runner.workspace / "build/.nojekyll").is_file()
    ran = runner.run(does["check/Compare"])
    told = (runner.temp / "changes.md").read_text("utf-8")
    assert ran.status == 0, ran.err
    assert told.startswith(MARK) and "example-project" in told and ran.summary == told
    # A break of the contract fails, and is still reported.
    registry = runner.workspace / "content/registry.yaml"
    registry.write_text(registry.read_text("utf-8").replace("health: Health", "sea: Sea"), "utf-8")
    shutil.move(runner.workspace / "content/projects/example-project.yaml",
                runner.workspace / "content/projects/other-project.yaml")  # fmt: skip
    assert runner.run(does["check/Build"]).status == 0
    ran = runner.run(does["check/Compare"])
    told = (runner.temp / "changes.md").read_text("utf-8")
    assert ran.status == 1 and told.startswith(MARK) and "example-project" in told


@pytest.mark.slow
def test_errors_are_also_reported_in_the_comment(here: Callable[..., Workspace]) -> None:
    runner = here()
    change(runner.workspace, "year:", "yaer:")
    does = runner.steps("check.yml")
    assert runner.run(does["check/Build"]).status == 1
    ran = runner.run(does["check/Compare"])
    told = (runner.temp / "changes.md").read_text("utf-8")
    assert ran.status == 0 and told.startswith(MARK) and "cannot be told yet" in told
    assert "`content/projects/example-project.yaml:" in told and 'did you mean "year"?' in told
    assert ran.summary == told


@pytest.mark.slow
def test_a_failed_comparison_fails(here: Callable[..., Workspace]) -> None:
    runner = here()
    (runner.workspace / "build").mkdir()
    ran = runner.run(runner.steps("check.yml")["check/Compare"])
    assert ran.status == 2 and "cannot be told yet" in ran.summary


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "there"),
    [("github-pages", ".nojekyll"), ("netlify", "_redirects"), ("cloudflare", "_worker.js")],
)
def test_the_published_build_is_for_its_host_and_for_today(
    here: Callable[..., Workspace], host: str, there: str
) -> None:
    runner = here(host)
    ran = runner.run(runner.steps("publish.yml")["build/Build"], {"inputs.first": "true"})
    assert (ran.status, ran.err) == (0, "")
    today = datetime.now(UTC).date().isoformat()
    assert (runner.workspace / "build" / there).is_file()
    assert json.loads((runner.workspace / "build/api/build.json").read_bytes())["as_of"] == today


@pytest.mark.slow
def test_the_build_is_compared_with_the_published_registry(
    here: Callable[..., Workspace], tmp_path: Path
) -> None:
    runner, host = here(), tmp_path / "host"
    step, scheduled = runner.steps("publish.yml")["build/Build"], {"inputs.first": ""}
    with published(host) as url:
        runner.moved(url)
        ran = runner.run(step, scheduled)
        assert ran.status == 2 and f"Nothing is published at {url}, so" in ran.err
        assert "start publish.yml by hand with `first`" in ran.err
        assert runner.run(step, {"inputs.first": "true"}).status == 0
        shutil.move(runner.workspace / "build", host)
        shutil.rmtree(runner.workspace / ".registry")
        assert runner.run(step, scheduled)[:3:2] == (0, "")
        shutil.rmtree(runner.workspace / "build")
        shutil.rmtree(runner.workspace / ".registry")
        (runner.workspace / "content/projects/example-project.yaml").unlink()
        ran = runner.run(step, scheduled)
        assert ran.status == 1 and "records-lost" in ran.err
        assert not (runner.workspace / "build").exists()
    # An unreachable host does not count as a first publish, unless an option allows it.
    ran = runner.run(step, scheduled)
    assert ran.status == 2 and "If nothing is published yet, build without --against" in ran.err
    assert runner.run(step, {"inputs.first": "true"}).status == 0


@pytest.mark.slow
def test_breaks_of_the_contract_are_not_published(
    here: Callable[..., Workspace], tmp_path: Path
) -> None:
    runner, host = here(), tmp_path / "host"
    does, scheduled = runner.steps("publish.yml"), {"inputs.first": ""}
    build, compare = does["build/Build"], does["build/Compare"]
    with published(host) as url:
        runner.moved(url)
        assert runner.run(build, {"inputs.first": "true"}).status == 0
        assert runner.run(compare, {"inputs.first": "true"}).status == 0
        ran = runner.run(compare, scheduled)
        assert ran.status == 2 and f"Nothing is published at {url}, so" in ran.err
        shutil.copytree(runner.workspace / "build", host)
        assert runner.run(compare, scheduled).status == 0
        record = runner.workspace / "content/projects/example-project.yaml"
        record.rename(record.with_name("another-project.yaml"))
        assert runner.run(build, scheduled).status == 0
        ran = runner.run(compare, scheduled)
        assert ran.status == 1 and "record-gone" in ran.out
        assert runner.run(compare, {"inputs.first": "true"}).status == 0


@pytest.mark.slow
@pytest.mark.parametrize("host", SECRETS)
def test_the_build_is_deployed_with_the_secrets_of_the_host(
    here: Callable[..., Workspace], host: str
) -> None:
    runner = here(host)
    step = runner.steps("publish.yml")["deploy/Deploy"]
    secrets = {f"secrets.{name}": f"{name} of mine" for name in SECRETS[host]}
    ran = runner.run(step, secrets)
    assert ran.status == 0, ran.err
    (call,) = ran.calls
    assert call.environment == {name: f"{name} of mine" for name in SECRETS[host]}
    tool, version = call.arguments[1].split("@")
    assert (tool, call.arguments[0]) == (
        {"netlify": "netlify-cli", "cloudflare": "wrangler"}[host],
        "--yes",
    )
    assert version.count(".") == 2 and "deploy" in call.arguments
    assert runner.run(step, secrets, FAILS_NPX="1").status == 1
    for name in SECRETS[host]:
        ran = runner.run(step, {**secrets, f"secrets.{name}": ""})
        assert ran.status == 1 and f"::error::The secret {name} is missing" in ran.out
        assert ran.calls == []
    text = (runner.workspace / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in text for name in SECRETS[host])


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
