"""The shell steps of submissions.yml, which have write access and can be started by anybody who
opens an issue, with a fake GitHub.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.edit.forms.github import PROMISES, form_questions, forms
from generator.edit.forms.submit import MARK
from generator.edit.forms.workspace import open_registry
from support.commands import ROOT
from support.workflows import Ran, Workspace, steps

pytestmark = pytest.mark.slow

AUTHOR = "-c", "user.name=Ada", "-c", "user.email=ada@a.example", "-c", "commit.gpgsign=false"
STEPS = "submission/Read", "submission/Propose", "submission/Answer"


class Submitting:
    """A repository with its origin, and an issue."""

    def __init__(self, workspace: Workspace, folder: Path):
        self.runner, self.github = workspace, folder / "github.json"
        self.origin = folder / "origin.git"
        self.github.write_text(json.dumps({"pulls": [], "comments": {}}))
        self.git("init", "-q", "--bare", self.origin)
        self.git("remote", "add", "origin", self.origin)
        self.git("push", "-q", "origin", "HEAD:main")
        every = (workspace.workspace / ".github/workflows/submissions.yml").read_bytes()
        self.steps = steps(every)

    def git(self, *arguments: object) -> str:
        return subprocess.run(
            ["git", *AUTHOR, *map(str, arguments)], cwd=self.runner.workspace, capture_output=True,
            text=True, check=True,
        ).stdout  # fmt: skip

    def send(self, body: str, number: int = 12) -> Ran:
        """Run the steps whose condition is true on an issue, in a fresh checkout."""
        self.git("switch", "-q", "--force-create", "work", "origin/main")
        event = self.runner.temp / "event.json"
        event.write_text(json.dumps({"issue": {"number": number, "body": body}}))
        read, propose, answer = (self.steps[name] for name in STEPS)
        ran = self.runner.run(read, {}, GITHUB_EVENT_PATH=str(event))
        assert ran.status == 0, ran.err
        outputs = ran.outputs
        values = {
            "github.token": "token", "github.repository": "o/r", "github.repository_owner": "o",
            "github.event.repository.default_branch": "main",
            "github.event.issue.number": str(number),
            **{f"steps.form.outputs.{name}": value for name, value in outputs.items()},
        }  # fmt: skip
        for step, due in ((propose, ("record",)), (answer, ("record", "report", "refused"))):
            if outputs["outcome"] in due:
                ran = self.runner.run(step, values, GITHUB=str(self.github))
                assert ran.status == 0, ran.err
                assert all(call.environment == {"GH_TOKEN": "token"} for call in ran.calls)
        return ran._replace(outputs=outputs)

    @property
    def said(self) -> Any:
        return json.loads(self.github.read_bytes())


@pytest.fixture
def at(here: Callable[..., Workspace], tmp_path: Path) -> Submitting:
    return Submitting(here(), tmp_path)


def body(folder: Path, **answers: str) -> str:
    ticked = "\n".join(f"- [x] {promise}" for promise in PROMISES)
    form = form_questions("project", open_registry(str(folder / "content")).symbols)
    parts = [(q.label, answers.get(q.path[0], "_No response_")) for q in form]
    return "\n\n".join(f"### {q}\n\n{a}" for q, a in [*parts, ("Before you send it", ticked)])


def test_a_record_is_proposed_and_follows_the_issue(at: Submitting) -> None:
    folder = at.runner.workspace
    at.send(body(folder, name="Boreal Heat"))
    (pull,), ((answer,),) = at.said["pulls"], at.said["comments"].values()
    assert pull["title"] == "Add the project boreal-heat" and pull["base"] == "main"
    assert pull["body"].startswith("Closes #12.") and "**Thank you.**" in answer["body"]
    changed = at.git("diff", "--name-status", "origin/main", "origin/submission-12")
    assert changed == "A\tcontent/projects/boreal-heat.yaml\n"
    at.send(body(folder, name="Boreal Heat Two"))
    (pull,), ((answer,),) = at.said["pulls"], at.said["comments"].values()
    assert pull["title"] == "Add the project boreal-heat-two" and "Heat Two" in answer["body"]
    changed = at.git("diff", "--name-status", "origin/main", "origin/submission-12")
    assert changed == "A\tcontent/projects/boreal-heat-two.yaml\n"


@pytest.mark.parametrize("how", ["commit", "amend", "merge"])
def test_commits_of_others_are_never_replaced(at: Submitting, how: str) -> None:
    folder = at.runner.workspace
    at.send(body(folder, name="Boreal Heat"))
    at.git("switch", "-q", "--detach", "origin/submission-12")
    if how == "merge":
        at.git("commit", "-q", "--allow-empty", "--message", "Meanwhile")
        meanwhile = at.git("rev-parse", "HEAD").strip()
        at.git("switch", "-q", "--detach", "origin/submission-12")
        at.git("merge", "-q", "--no-ff", "--message", "Merge", meanwhile)
    else:
        record = folder / "content/projects/boreal-heat.yaml"
        record.write_text(record.read_text("utf-8") + "year: 2024\n")
        amend = ["--amend"] if how == "amend" else []
        at.git("commit", "-q", "--all", "--message", "Add the year", *amend)
    at.git("push", "-q", "--force", "origin", "HEAD:refs/heads/submission-12")
    theirs, before = at.git("rev-parse", "HEAD"), at.said["pulls"]
    at.send(body(folder, name="Boreal Heat Two"))
    at.git("fetch", "-q", "origin")
    assert at.git("rev-parse", "origin/submission-12") == theirs
    ((answer,),) = at.said["comments"].values()
    assert "Somebody has changed the branch `submission-12` by hand" in answer["body"]
    assert answer["body"].startswith(MARK) and at.said["pulls"] == before


def test_errors_are_answered_and_nothing_is_proposed(at: Submitting) -> None:
    at.send(body(at.runner.workspace, name="Boreal", website="ftp://x.example"))
    ((answer,),) = at.said["comments"].values()
    assert "**Website**" in answer["body"] and at.said["pulls"] == []
    assert at.git("branch", "--remotes").split() == ["origin/main"]


def test_other_issues_are_left_alone(at: Submitting) -> None:
    assert at.send("Hello @ada").outputs["outcome"] == "none"
    assert at.said == {"pulls": [], "comments": {}}


@pytest.mark.parametrize(
    "text",
    ["$(touch owned)`touch owned`\";touch owned;#'", "x\noutcome=record\nbranch=main", "--force",
     "@file", "${{ secrets.TOKEN }}"],
)  # fmt: skip
def test_no_text_of_a_submission_reaches_a_shell(at: Submitting, text: str, tmp_path: Path) -> None:
    folder = at.runner.workspace
    at.send(body(folder, name=text, description=text, slug="boreal", founders=text))
    at.send(body(folder, name="Boreal", slug=text))
    assert not list(tmp_path.rglob("owned"))
    branches = {line.strip() for line in at.git("branch", "--remotes").splitlines()}
    assert branches <= {"origin/main", "origin/submission-12"}
    assert at.git("rev-list", "--count", "origin/main") == "2\n"


def test_a_host_that_does_not_answer_fails(at: Submitting) -> None:
    with pytest.raises(AssertionError, match="gh cannot"):
        at.runner.run = _failing(at.runner.run)  # type: ignore[method-assign]
        at.send(body(at.runner.workspace, name="Boreal"))


def _failing(run: Callable[..., Ran]) -> Callable[..., Ran]:
    return lambda *given, **env: run(*given, **env, FAILS_GH="1")


def test_the_forms_of_this_repository_are_those_of_its_registry(regenerate: bool) -> None:
    for path, data in forms(open_registry(str(ROOT / "content")).symbols).items():
        if regenerate:
            (ROOT / path).parent.mkdir(exist_ok=True)
            (ROOT / path).write_bytes(data)
        assert (ROOT / path).read_bytes() == data, "run: registry forms"
