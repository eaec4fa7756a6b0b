"""Many problems with one cause are one problem, at the cause."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from support.commands import ROOT, run_forked

RECORD = "name: P\nsummary: A.\n# -\nprograms: [launch-2025]\ntags: {topic: [health, gone]}\n"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry with six records that name one program and one tag that it does not list."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "tests/content/base", "content")
    git("init", "-q")
    for number in range(6):
        (tmp_path / f"content/projects/p{number}.yaml").write_text(
            RECORD.replace("name: P", f"name: P{number}")
        )
    git("add", "-A")
    git("commit", "-qm", "first")
    return tmp_path


def git(*arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b.example", *arguments], check=True
    )


def problems(*options: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(
        run_forked("check", "--format", "json", *options).out
    )["problems"]
    return found


def test_a_tag_that_registry_yaml_lacks_is_one_problem_at_its_family(registry: Path) -> None:
    (one,) = problems()
    assert (one["path"], one["line"], one["code"]) == ("content/registry.yaml", 8, "unknown-tag")
    assert one["message"] == (
        'there is no tag "gone" in the family "topic"; 6 records name it: '
        "content/projects/p0.yaml:5, content/projects/p1.yaml:5, content/projects/p2.yaml:5 "
        "and 3 more"
    )
    assert one["count"] == 6
    assert len(one["also"]) == 6  # type: ignore[arg-type]


def test_four_are_four(registry: Path) -> None:
    for number in range(2):
        (registry / f"content/projects/p{number}.yaml").unlink()
    assert [problem["line"] for problem in problems()] == [5] * 4


def test_a_selected_file_has_its_own_problem(registry: Path) -> None:
    (one,) = problems("content/projects/p0.yaml")
    assert (one["path"], one["line"]) == ("content/projects/p0.yaml", 5)


@pytest.mark.parametrize("commits", [False, True])
def test_a_deleted_record_that_others_name_is_said_to_be_deleted(
    registry: Path, commits: bool
) -> None:
    git("rm", "-q", "content/programs/launch-2025.yaml")
    if commits:
        git("commit", "-qm", "Without the round")
    one, _ = problems()
    how = "is deleted, which is not committed yet; "
    if commits:
        commit = subprocess.check_output(["git", "log", "-1", "--format=%h"], text=True).strip()
        how = f"was deleted in commit {commit} (Without the round); "
    name = "content/programs/launch-2025.yaml"
    assert one["path"] == name
    assert str(one["message"]).startswith(f"{name} {how}7 records name it: ")
    assert f"{'~' if commits else 'HEAD'} -- {name}` brings it back" in str(one["hint"])


@pytest.mark.parametrize("commits", [False, True])
def test_a_record_renamed_by_hand_gets_its_new_slug_and_the_way_there(
    registry: Path, commits: bool
) -> None:
    name, new = "content/programs/launch-2025.yaml", "content/programs/launch-first.yaml"
    git("mv", name, new)
    how = 'is renamed to "launch-first", which is not committed yet'
    if commits:
        git("commit", "-qm", "Renamed")
        commit = subprocess.check_output(["git", "log", "-1", "--format=%h"], text=True).strip()
        how = f'was renamed to "launch-first" in commit {commit} (Renamed)'
    one, _ = problems()
    assert str(one["message"]).startswith(f"{name} {how}; 7 records name it: ")
    assert one["hint"] == (
        f'add "launch-2025" to the aliases in {new}; then `registry fix` corrects the records '
        "that name it. `registry rename` does both"
    )
    with (registry / new).open("a") as file:
        file.write("aliases: [launch-2025]\n")
    run_forked("fix")
    (other,) = problems()
    assert other["code"] == "unknown-tag"


def test_a_record_that_was_renamed_and_then_deleted_is_deleted(registry: Path) -> None:
    git("mv", "content/programs/launch-2025.yaml", "content/programs/launch-first.yaml")
    git("commit", "-qm", "Renamed")
    git("rm", "-q", "content/programs/launch-first.yaml")
    one, _ = problems()
    assert "launch-2025.yaml was deleted in commit" in str(one["message"])


def test_one_record_that_names_a_deleted_one_gets_the_commit(registry: Path) -> None:
    git("rm", "-q", "content/programs/launch-2025.yaml")
    hint = str(problems("content/projects/p0.yaml")[0]["hint"])
    assert hint.startswith("content/programs/launch-2025.yaml is deleted, which is not committed")


def test_statistics_count_what_is_gathered(registry: Path) -> None:
    done = run_forked("check", "--statistics")
    assert (done.out, done.status) == ("6  error    unknown-tag\n", 1)
