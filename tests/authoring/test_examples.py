"""The examples of `registry init`: never published, and no loss when they are removed."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.model.examples import EXAMPLE_PATHS, find_examples
from support.commands import environment, files, run_forked
from support.transcripts import Case, Shell, transcript
from support.workflows import Runner, Workspace, load, published

GITHUB, GITLAB = "https://github.com/o/r", "https://gitlab.com/o/r"
LOOK = "build/Look for examples"
PUBLISHES = "steps.examples.outputs.publish == 'true'"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    folder = tmp_path / "r"
    assert run_forked("init", folder, "--repository", GITHUB).status == 0
    return folder


def add(folder: Path, name: str = "Tide Mill") -> Path:
    """A real record, without a reference to an example."""
    record = folder / "content/projects" / f"{name.lower().replace(' ', '-')}.yaml"
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text(f"name: {name}\nwebsite: https://{record.stem}.example/\n", "utf-8")
    return record


def remove(folder: Path) -> None:
    done = run_forked("examples", "--remove", cwd=folder)
    assert done.status == 0 and all(f"removed  {path}\n" in done.out for path in EXAMPLE_PATHS)


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
    remove(folder)
    add(folder)
    assert runner.script(command).status == 0 and (folder / "build/_redirects").is_file()


# --- the whole way --------------------------------------------------------------------------------


class Remote:
    """A bare repository that runs its workflows at each push and pull request."""

    def __init__(self, folder: Path, host: Path):
        self.folder, self.host, self.runs = folder, host, 0
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder / "bare"], check=True)

    def _runner(self, branch: str) -> Workspace:
        self.runs += 1
        clone = self.folder / f"clone{self.runs}"
        asked = ["git", "clone", "-q", "-b", branch, self.folder / "bare", clone]
        subprocess.run(asked, env=environment(), check=True)
        return Workspace(clone, self.folder / f"runner{self.runs}")

    def publish(self, *, first: bool = False) -> str:
        """The outcome of the steps of publish.yml."""
        runner = self._runner("main")
        steps = runner.steps("publish.yml")
        ran = runner.run(steps[LOOK])
        if ran.status or ran.outputs["publish"] != "true":
            return "failed" if ran.status else "skipped"
        values = {"inputs.first": "true" if first else ""}
        for name in ("build/Build", "build/Compare"):
            ran = runner.run(steps[name], values)
            if ran.status:
                return ran.out + ran.err
        shutil.rmtree(self.host, ignore_errors=True)
        shutil.copytree(runner.workspace / "build", self.host)
        return "published"

    def check(self, branch: str) -> str:
        """The error of check.yml in a pull request of one commit, "" if there is none."""
        runner = self._runner(branch)
        for name, step in runner.steps("check.yml").items():
            if not name.endswith("Install"):
                ran = runner.run(step)
                if ran.status:
                    return f"{name}: {ran.out}{ran.err}"
        return ""


def commit(folder: Path, message: str, branch: str) -> None:
    who = ["-c", "user.name=E", "-c", "user.email=e@e.example", "-c", "commit.gpgsign=false"]
    for asked in (["add", "-A"], [*who, "commit", "-q", "-m", message],
                  ["push", "-q", "origin", f"HEAD:{branch}"]):  # fmt: skip
        subprocess.run(["git", *asked], cwd=folder, env=environment(), check=True)


@pytest.fixture
def stranger(fresh: Path, tmp_path: Path) -> Iterator[tuple[Path, Remote]]:
    """A new registry, pushed after `init` into a bare repository with its own host."""
    remote = Remote(tmp_path, tmp_path / "host")
    with published(remote.host) as url:
        Workspace(fresh, tmp_path / "own").moved(url)
        for asked in (["init", "-q", "-b", "main"], ["remote", "add", "origin", "../bare"]):
            subprocess.run(["git", *asked], cwd=fresh, env=environment(), check=True)
        commit(fresh, "A new registry", "main")
        yield fresh, remote


@pytest.mark.slow
def test_from_init_to_the_second_publish_nothing_is_lost(stranger: tuple[Path, Remote]) -> None:
    folder, remote = stranger
    assert remote.publish() == "skipped" and not remote.host.exists()
    # Real records, with other terms than the first registry.yaml.
    assert run_forked("build", cwd=folder).status == 0
    remove(folder)
    add(folder)
    settings = folder / "content/registry.yaml"
    text = settings.read_text("utf-8")
    assert "      climate: Climate\n" in text and "  technology:\n    label: Technology\n" in text
    text = text.replace("      climate: Climate\n", "      energy: Energy\n")
    settings.write_text(text.replace("  technology:\n    label: Technology\n", ""), "utf-8")
    assert run_forked("check", "--strict", cwd=folder).status == 0
    assert run_forked("build", "--strict", cwd=folder).status == 0
    commit(folder, "The first records", "first")
    assert remote.check("first") == ""
    commit_all = ["git", "push", "-q", "origin", "HEAD:main"]
    subprocess.run(commit_all, cwd=folder, env=environment(), check=True)
    assert remote.publish(first=True) == "published"
    page = json.loads((remote.host / "api/projects/page/1.json").read_bytes())
    assert [row["slug"] for row in page["data"]] == ["tide-mill"]
    assert not any(b"Example Project" in data for data in files(remote.host).values())
    # The second publish is compared with the first.
    add(folder, "Sea Wall")
    commit(folder, "One more", "main")
    assert remote.publish() == "published"
    for record in (folder / "content/projects").iterdir():
        record.unlink()
    add(folder, "Other")
    commit(folder, "Others", "main")
    assert "record-gone" in remote.publish()
