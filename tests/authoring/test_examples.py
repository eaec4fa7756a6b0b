"""The examples of `registry init`: never published, and no loss when they are removed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from generator.model.examples import EXAMPLE_PATHS, find_examples
from support.commands import files, run_forked
from support.transcripts import Case, Shell, transcript
from support.workflows import Runner, load

PUBLISHES = "steps.examples.outputs.publish == 'true'"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    folder = tmp_path / "r"
    assert run_forked("init", folder, "--repository", "https://github.com/o/r").status == 0
    return folder


@transcript(Path(__file__).parent / "transcripts/examples.txt")
def test_examples(case: Case, fresh: Path, regenerate: bool) -> None:
    case.run(Shell(fresh), regenerate)


def test_all_records_that_init_writes_are_examples(fresh: Path) -> None:
    records = {path for path in files(fresh / "content") if "/" in path}
    assert records == set(EXAMPLE_PATHS) == find_examples(str(fresh / "content")).keys()


# --- workflows ------------------------------------------------------------------------------------


def test_publish_yml_runs_no_step_while_there_are_examples(fresh: Path) -> None:
    workflow = load((fresh / ".github/workflows/publish.yml").read_bytes())
    build, deploy = (workflow["jobs"][name] for name in ("build", "deploy"))
    names = [step.get("id") for step in build["steps"]]
    after = build["steps"][names.index("examples") + 1 :]
    assert len(after) == 3 and all(step["if"] == PUBLISHES for step in after)
    assert build["outputs"] == {"publish": "${{ steps.examples.outputs.publish }}"}
    assert (deploy["needs"], deploy["if"]) == ("build", "needs.build.outputs.publish == 'true'")


@pytest.mark.slow
def test_netlify_builds_no_examples(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    assert run_forked("init", folder, "--host", "netlify").status == 0
    runner = Runner(folder, tmp_path / "runner")
    command = tomllib.loads((folder / "netlify.toml").read_text("utf-8"))["build"]["command"]
    ran = runner.script(command)
    assert ran.status == 1 and "nothing is published yet" in ran.err
    assert not (folder / "build").exists()
    assert run_forked("examples", "--remove", cwd=folder).status == 0
    (folder / "content/projects/tide-mill.yaml").write_text("name: Tide Mill\n")
    assert runner.script(command).status == 0 and (folder / "build/_redirects").is_file()
