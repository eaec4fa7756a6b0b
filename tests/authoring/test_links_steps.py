"""The steps of links.yml, which opens one issue and keeps it up to date, with a fake GitHub."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.commands import ROOT
from support.workflows import Runner, steps

STEPS = steps((ROOT / ".github/workflows/links.yml").read_bytes())
MARK = "<!-- registry-links -->"


class Reporting:
    """A runner of the last step, with a fake GitHub."""

    def __init__(self, folder: Path, issues: list[Any]):
        (folder / "w").mkdir()
        self.runner, self.github = Runner(folder / "w", folder / "runner"), folder / "github.json"
        self.github.write_text(json.dumps({"issues": issues}))

    def report(self, text: str) -> list[Any]:
        """The issues after the step."""
        (self.runner.temp / "links.txt").write_text(text)
        (self.runner.temp / "stalest.txt").write_text("never       content/projects/a.yaml\n")
        values = {"github.token": "token", "github.repository": "o/r"}
        ran = self.runner.run(STEPS["links/Report"], values, GITHUB=str(self.github))
        assert ran.status == 0, ran.err
        issues: list[Any] = json.loads(self.github.read_bytes())["issues"]
        return issues


def test_one_open_issue_has_the_latest_report(tmp_path: Path) -> None:
    others = [
        {"number": 1, "state": "open", "body": None},
        {"number": 2, "state": "open", "body": f"{MARK} a request", "pull_request": {}},
        {"number": 3, "state": "closed", "body": MARK},
    ]
    at = Reporting(tmp_path, others)
    for text in ("content/a.yaml:1: website is broken\n", "All answered. @ada\n"):
        *same, issue = at.report(text)
        assert same == others and issue["number"] == 103
        assert issue["title"] == "Addresses that no longer answer"
        assert issue["body"].startswith(MARK) and f"~~~~text\n{text}\n~~~~" in issue["body"]
        assert "never       content/projects/a.yaml" in issue["body"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["x" * 200_000, "\U0001f600\n" * 50_000])
def test_a_long_report_is_cut_to_the_size_of_an_issue(tmp_path: Path, text: str) -> None:
    (issue,) = Reporting(tmp_path, []).report(text)
    assert issue["body"].endswith("~~~~\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "report", "status"), [(0, "found", 0), (1, "found", 0), (2, "found", 1), (1, "", 1)]
)
def test_broken_addresses_are_reported_and_errors_stop(
    tmp_path: Path, broken: int, report: str, status: int
) -> None:
    """Also an error that has the status of broken addresses, but no report."""
    (tmp_path / "w").mkdir()
    runner = Runner(tmp_path / "w", tmp_path / "runner")
    (runner.tools / "registry").write_text(
        f'#!/bin/sh\ncase "$*" in *stalest*) echo old;; '
        f'*) printf %s "{report}"; exit {broken};; esac\n'
    )
    ran = runner.run(STEPS["links/Ask"])
    assert ran.status == status
    assert (runner.temp / "links.txt").read_text() == report
    assert (runner.temp / "stalest.txt").exists() == (not status)
    if not status:
        stalest = (runner.temp / "stalest.txt").read_text()
        assert stalest == "old\n\nWhat registry check found:\nfound"


def test_the_generator_is_installed_as_for_checks() -> None:
    check = steps((ROOT / ".github/workflows/check.yml").read_bytes())
    assert STEPS["links/Install"].run == check["check/Install"].run
