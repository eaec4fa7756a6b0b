"""The examples of `registry init`: never published, and no loss when they are removed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.model.examples import COMMENT, EXAMPLE_PATHS, find_examples
from support.commands import environment, files, run_forked
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


def test_all_records_that_init_writes_are_examples(fresh: Path) -> None:
    content = fresh / "content"
    records = {path for path in files(content) if "/" in path}
    assert records == set(EXAMPLE_PATHS) == find_examples(str(content)).keys()
    listed = run_forked("examples", cwd=fresh)
    assert (listed.status, listed.out) == (
        0,
        "".join(f"content/{path}\n" for path in EXAMPLE_PATHS),
    )
    assert "no records but the examples" in listed.err


def test_an_example_without_its_comment_is_a_real_record(fresh: Path) -> None:
    record = fresh / "content" / EXAMPLE_PATHS[3]
    record.write_text(record.read_text("utf-8").replace(f"{COMMENT}\n", ""), "utf-8")
    listed = run_forked("examples", cwd=fresh)
    assert (listed.status, listed.out) == (
        0,
        "".join(f"content/{path}\n" for path in EXAMPLE_PATHS[:3]),
    )
    assert "are among your records" in listed.err
    (fresh / "content" / EXAMPLE_PATHS[0]).unlink()
    assert run_forked("examples", cwd=fresh).out == "".join(
        f"content/{p}\n" for p in EXAMPLE_PATHS[1:3]
    )


def test_only_examples_are_removed(fresh: Path) -> None:
    add(fresh)
    before = files(fresh)
    tried = run_forked("examples", "--remove", "--dry-run", cwd=fresh)
    assert tried.status == 0 and "-name: Example Project\n" in tried.out and files(fresh) == before
    form = fresh / ".github/ISSUE_TEMPLATE/project.yml"
    form.write_text(form.read_text().replace("Propose", "Tell us of"))  # a person's change stays
    edited, before = form.read_bytes(), files(fresh)
    remove(fresh)
    after = files(fresh)
    gone = {f"content/{path}" for path in EXAMPLE_PATHS}
    changed = {path for path in before.keys() - gone if after[path] != before[path]}
    assert after.keys() == before.keys() - gone and form.read_bytes() == edited
    assert all(path.startswith((".github/ISSUE_TEMPLATE/", ".vscode/schemas/")) for path in changed)
    assert not any(b"example-college" in after[path] for path in changed)
    for command in (("forms",), ("schema", "--editor", ".")):
        run_forked(*command, cwd=fresh)
    assert files(fresh) == after
    again = run_forked("examples", cwd=fresh)
    assert (again.status, again.out, again.err) == (0, "", "")
    assert run_forked("check", "--strict", cwd=fresh).status == 0


def test_no_guard_reports_removed_examples(fresh: Path) -> None:
    assert run_forked("build", "--strict", "--no-site", cwd=fresh).status == 0
    remove(fresh)
    add(fresh)
    for command in (("check", "--strict"), ("build", "--strict", "--no-site")):
        done = run_forked(*command, cwd=fresh)
        assert done.status == 0 and "records-lost" not in done.err and "1 → 0" not in done.out
    # From then on, a removed record is a loss.
    add(fresh, "Sea Wall")
    (fresh / "content/projects/tide-mill.yaml").unlink()
    (fresh / "content/projects/sea-wall.yaml").unlink()
    done = run_forked("build", "--no-site", cwd=fresh)
    assert done.status == 1 and "records-lost" in done.err


def test_an_example_among_real_records_hides_no_loss(fresh: Path) -> None:
    project = (fresh / "content" / EXAMPLE_PATHS[3]).read_bytes()
    remove(fresh)
    add(fresh)
    assert run_forked("build", "--no-site", cwd=fresh).status == 0
    (fresh / "content" / EXAMPLE_PATHS[3]).write_bytes(
        project.replace(b"programs:", b"# programs:")
    )
    assert run_forked("build", "--no-site", cwd=fresh).status == 0
    for record in (fresh / "content/projects").iterdir():
        record.unlink()
    done = run_forked("build", "--no-site", cwd=fresh)
    assert done.status == 1 and "records-lost" in done.err


# --- workflows ------------------------------------------------------------------------------------


def test_publish_yml_runs_no_step_while_there_are_examples(fresh: Path) -> None:
    workflow = load((fresh / ".github/workflows/publish.yml").read_bytes())
    build, deploy = (workflow["jobs"][name] for name in ("build", "deploy"))
    names = [step.get("id") for step in build["steps"]]
    after = build["steps"][names.index("examples") + 1 :]
    assert len(after) == 3 and all(step["if"] == PUBLISHES for step in after)
    assert build["outputs"] == {"publish": "${{ steps.examples.outputs.publish }}"}
    assert (deploy["needs"], deploy["if"]) == ("build", "needs.build.outputs.publish == 'true'")


def test_the_step_tells_whether_to_publish(fresh: Path, tmp_path: Path) -> None:
    runner = Workspace(fresh, tmp_path / "runner")
    step = runner.steps("publish.yml")[LOOK]
    ran = runner.run(step)
    assert (ran.status, ran.outputs) == (0, {"publish": "false"})
    assert "nothing is published yet" in ran.out and ran.summary == ran.out
    add(fresh)
    ran = runner.run(step)
    assert (ran.status, ran.outputs) == (1, {"publish": "false"})
    assert (
        f"content/{EXAMPLE_PATHS[0]}\n" in ran.out and "registry examples --remove" in ran.summary
    )
    remove(fresh)
    ran = runner.run(step)
    assert (ran.status, ran.outputs, ran.out) == (0, {"publish": "true"}, "")


@pytest.mark.slow
@pytest.mark.parametrize(("host", "name"), [("gitlab-pages", "pages"), ("netlify", "build")])
def test_gitlab_publishes_no_examples(tmp_path: Path, host: str, name: str) -> None:
    folder = tmp_path / "r"
    done = run_forked("init", folder, "--host", host, "--repository", GITLAB)
    assert done.status == 0, done.err
    runner = Runner(folder, tmp_path / "runner")
    pipeline = yaml.safe_load((folder / ".gitlab-ci.yml").read_bytes())

    def job(name: str) -> Any:
        extended = pipeline[name]["extends"]
        above = [extended] if isinstance(extended, str) else extended
        does = {key: value for base in above for key, value in pipeline[base].items()}
        return {**does, **pipeline[name]}

    def ran(name: str) -> Any:
        return runner.script("\n".join(job(name)["script"]), FIRST="true")

    jobs = [name] if name == "pages" else ["build", "deploy"]
    for one in jobs:
        assert job(one)["allow_failure"] == {"exit_codes": 3} and job(one)["stage"] == "publish"
        assert job(one)["rules"] == [{"if": "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"}]
        done = ran(one)
        assert done.status == 3 and done.calls == []
    assert not (folder / "public").exists() and not (folder / "build").exists()
    add(folder)
    assert ran(name).status == 1
    remove(folder)
    assert ran(name).status == 0


@pytest.mark.slow
def test_netlify_builds_no_examples(tmp_path: Path) -> None:
    import tomllib

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


@pytest.mark.slow
def test_a_publish_with_an_example_left_fails_and_names_it(
    stranger: tuple[Path, Remote],
) -> None:
    folder, remote = stranger
    add(folder)
    commit(folder, "The first record, beside the examples", "main")
    assert remote.publish() == "failed" and not remote.host.exists()
