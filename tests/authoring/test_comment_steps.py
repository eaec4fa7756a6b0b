"""The shell step of comment.yml, which has write access and gets untrusted data of a pull request,
with a fake GitHub.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.commands import ROOT
from support.workflows import MARK, Ran, Runner, steps

HEAD = "a" * 40


def pull(number: int, branch: str = "patch", owner: str = "fork", sha: str = HEAD) -> Any:
    head = {"ref": branch, "sha": sha, "user": {"login": owner}}
    return {"number": number, "state": "open", "head": head}


def comment(number: int, login: str, body: str) -> Any:
    return {"id": number, "user": {"login": login}, "body": body}


class Commenting:
    """A runner of the step, with a fake GitHub."""

    def __init__(self, folder: Path, pulls: list[Any], comments: dict[str, list[Any]]):
        (folder / "w/changes").mkdir(parents=True)
        self.runner, self.github = Runner(folder / "w", folder / "runner"), folder / "github.json"
        self.github.write_text(json.dumps({"pulls": pulls, "comments": comments}))
        self.step = steps((ROOT / ".github/workflows/comment.yml").read_bytes())["comment/Comment"]

    def run(self, text: str | bytes, branch: str = "patch", owner: str = "fork", **env: str) -> Ran:
        data = text.encode() if isinstance(text, str) else text
        (self.runner.workspace / "changes/changes.md").write_bytes(data)
        event = "github.event.workflow_run"
        values = {
            "github.token": "token", "github.repository": "o/r", f"{event}.head_branch": branch,
            f"{event}.head_repository.owner.login": owner, f"{event}.head_sha": HEAD,
        }  # fmt: skip
        return self.runner.run(self.step, values, GITHUB=str(self.github), **env)

    @property
    def comments(self) -> Any:
        return json.loads(self.github.read_bytes())["comments"]


def test_one_comment_is_kept_up_to_date(tmp_path: Path) -> None:
    others = [comment(1, "ada", f"{MARK}mine"), comment(2, "github-actions[bot]", "Hello")]
    at = Commenting(tmp_path, [pull(6, sha="b" * 40), pull(7)], {"7": others})
    first = at.run(f"{MARK}One project.\n")
    assert first.status == 0, first.err
    assert all(call.environment == {"GH_TOKEN": "token"} for call in first.calls)
    written = comment(1002, "github-actions[bot]", f"{MARK}One project.\n")
    assert at.comments == {"7": [*others, written]}
    assert at.run("Two projects.\n").status == 0
    assert at.comments == {"7": [*others, written | {"body": f"{MARK}Two projects.\n"}]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "pulls",
    [[], [pull(7, sha="b" * 40)], [pull(7, owner="other")], [pull(7) | {"state": "closed"}]],
)
def test_an_outdated_commit_gets_no_comment(tmp_path: Path, pulls: list[Any]) -> None:
    at = Commenting(tmp_path, pulls, {})
    ran = at.run("One project.\n")
    assert ran.status == 0 and "No open pull request" in ran.out and at.comments == {}


def test_the_report_of_a_fork_is_plain_text(tmp_path: Path) -> None:
    branch, owner = '$(touch owned)`touch owned`";touch owned;#', "fork"
    at = Commenting(tmp_path, [pull(7, branch)], {})
    hostile = f"{MARK}@ada $(touch owned) `touch owned`\n{MARK}number=9\n\xff\n".encode("latin-1")
    ran = at.run(hostile, branch, owner)
    assert ran.status == 0, ran.err
    ((written,),) = at.comments.values()
    assert written["body"].startswith(f"{MARK}@\u200bada $(touch owned) `touch owned`\nnumber=9\n")
    assert not list(tmp_path.rglob("owned"))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["x" * 200_000, "@" * 100_000, "\U0001f600" * 50_000])
def test_a_long_text_is_cut_to_the_size_of_a_comment(tmp_path: Path, text: str) -> None:
    at = Commenting(tmp_path, [pull(7)], {})
    assert at.run(text).status == 0
    assert at.comments["7"][0]["body"].startswith(f"{MARK}{text[0]}")


@pytest.mark.slow
def test_a_link_in_the_artifact_is_not_followed(tmp_path: Path) -> None:
    at = Commenting(tmp_path, [pull(7)], {})
    (tmp_path / "secret").write_text("secret")
    (at.runner.workspace / "changes/changes.md").symlink_to(tmp_path / "secret")
    ran = at.run("secret")
    assert ran.status == 1 and "::error::" in ran.out and at.comments == {}


@pytest.mark.slow
def test_a_host_that_does_not_answer_fails(tmp_path: Path) -> None:
    assert Commenting(tmp_path, [pull(7)], {}).run("x", FAILS_GH="1").status == 1
