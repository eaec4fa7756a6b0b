"""The shell steps of submissions.yml, which have write access and can be started by anybody who
opens an issue, with a fake GitHub.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.edit.workspace import open_registry
from generator.features.forms.github import PROMISES, form_questions, forms
from support.commands import ROOT, Done
from support.transcripts import Case, transcript
from support.workflows import StepShell

#: The steps after Read, and the outcomes of a form for which they run.
DUE = {"submission/Propose": ("record",), "submission/Answer": ("record", "report", "refused")}


class SubmissionShell(StepShell):
    """`issue 12 '{"name": "X"}'` runs the steps on an issue with a filled-in form, and
    `issue 12 text` on another one, in a fresh checkout of the branch `main` of ORIGIN; `github`
    shows the pull requests and comments.
    """

    def __init__(self, folder: Path, made: Callable[[str, str], Path]):
        super().__init__(folder, made, ORIGIN=folder / "origin.git")
        self.programs |= {"issue": self._issue, "github": self._github}

    def _github(self, _: list[str], __: object) -> Done:
        """The pull requests and the comments, shortened."""
        known = json.loads(self.github.read_bytes())
        pulls = (f"{p['title']} > {p['base']}: {p['body'][:80]}" for p in known["pulls"])
        comments = (c["body"][:160] for each in known["comments"].values() for c in each)
        return Done(0, "".join(f"{text}\n" for text in (*pulls, *comments)), "")

    def _issue(self, arguments: list[str], env: dict[str, str | None]) -> Done:
        number, text = arguments
        self._bash("git fetch -q origin && git switch -q --force-create work origin/main")
        body = self._filled(json.loads(text)) if text.startswith("{") else text
        event = self.runner.temp / "event.json"
        event.write_text(json.dumps({"issue": {"number": int(number), "body": body}}))
        read = self._step(
            ["submissions.yml", "submission/Read", f"GITHUB_EVENT_PATH={event}"], None
        )
        outputs = dict(line.split("=", 1) for line in read.out.splitlines() if "=" in line)
        values = {f"steps.form.outputs.{name}": value for name, value in outputs.items()}
        values |= {"github.event.issue.number": number, **{k: v or "" for k, v in env.items()}}
        done = [read]
        for name, outcomes in DUE.items():
            if outputs.get("outcome") in outcomes:
                given = (f"{key}={value}" for key, value in values.items())
                done.append(self._step(["submissions.yml", name, *given], None))
        calls = [line for each in done for line in each.out.splitlines()]
        shown = "".join(f"{line}\n" for line in calls if line.startswith(("+", "outcome", "title")))
        return Done(max(each.status for each in done), shown, "".join(each.err for each in done))

    def _filled(self, answers: dict[str, str]) -> str:
        ticked = "\n".join(f"- [x] {promise}" for promise in PROMISES)
        form = form_questions("project", open_registry(str(self.folder / "content")).symbols)
        parts = [(q.label, answers.get(q.path[0], "_No response_")) for q in form]
        parts.append(("Before you send it", ticked))
        return "\n\n".join(f"### {label}\n\n{answer}" for label, answer in parts)


@pytest.mark.slow
@transcript(Path(__file__).parent / "transcripts/submissions.txt")
def test_submissions(
    case: Case, made: Callable[[str, str], Path], tmp_path: Path, regenerate: bool
) -> None:
    case.run(SubmissionShell(tmp_path, made), regenerate)


def test_the_forms_of_this_repository_are_those_of_its_registry(regenerate: bool) -> None:
    for path, data in forms(open_registry(str(ROOT / "content")).symbols).items():
        if regenerate:
            (ROOT / path).parent.mkdir(exist_ok=True)
            (ROOT / path).write_bytes(data)
        assert (ROOT / path).read_bytes() == data, "run: registry forms"
