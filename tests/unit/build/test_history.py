"""The changes that commits made to records, in repositories built by the tests."""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from generator.contract.artifact import MAX_CHANGES, Change, Details, Difference, History
from generator.kinds import built_in
from generator.published.history.commits import MAX_LISTED, read_history

Commit = Callable[..., None]
#: So that no call finds what another one noted.
_numbers = itertools.count()


def git(folder: Path, *arguments: str, seconds: int = 0) -> None:
    when = f"{1_700_000_000 + seconds} +0000"
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when,
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
    }  # fmt: skip
    command = ["git", "-c", "init.defaultBranch=main", "-C", str(folder), *arguments]
    subprocess.run(command, env=environment, check=True, capture_output=True)


def read_details(folder: str) -> tuple[History, Details]:
    return read_history(folder, f"a commit {next(_numbers)}", built_in())


def write(root: Path, files: Mapping[str, str | bytes | None]) -> None:
    """Write files; None removes a file."""
    for name, text in files.items():
        path = root / os.fsdecode(name)
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "repository")
    return tmp_path / "repository"


@pytest.fixture
def commit(repository: Path) -> Commit:
    """Commit files of the content, `seconds` after the first commit."""

    def commit(seconds: int, files: Mapping[str, str | bytes | None]) -> None:
        write(repository / "content", files)
        git(repository, "add", "-A")
        git(repository, "commit", "-q", "--allow-empty", "-m", "change", seconds=seconds)

    return commit


def changes_of(repository: Path) -> list[tuple[str, str, str, str | None]]:
    """(what, slug, name, former) of each change."""
    seen = read_details(str(repository / "content"))[0]
    assert seen.state == "known"
    return [(c.change, c.slug, c.name, c.former) for c in seen.changes]


def test_additions_changes_and_removals_are_listed(repository: Path, commit: Commit) -> None:
    commit(0, {"registry.yaml": "name: R", "projects/a.yaml": "name: A", "notes.txt": "x"})
    commit(10, {"projects/a.yaml": "name: A & A", "programs/p/b.yml": "name: B"})
    commit(20, {"registry.yaml": "name: S"})
    commit(30, {"projects/a.yaml": None})
    assert read_details(str(repository / "content"))[0] == History(
        "known",
        (
            Change("2023-11-14T22:13:50Z", "removed", "projects", "a", "A & A"),
            Change("2023-11-14T22:13:30Z", "added", "programs", "b", "B"),
            Change("2023-11-14T22:13:30Z", "changed", "projects", "a", "A & A"),
            Change("2023-11-14T22:13:20Z", "added", "projects", "a", "A"),
        ),
    )


def test_a_rename_is_an_alias_or_a_file_with_the_same_text(
    repository: Path, commit: Commit
) -> None:
    commit(0, {f"projects/{slug}.yaml": f"name: {slug}" for slug in "abcd"})
    commit(
        1,
        {
            "projects/a.yaml": None, "projects/aa.yaml": "name: A\naliases: [a]",
            "projects/b.yaml": None, "projects/bb.yaml": "name: b",
            # The same folder in another collection, and a similar record without an alias.
            "projects/c.yaml": None, "programs/cc.yaml": "name: C\naliases: [c]",
            "projects/d.yaml": None, "projects/dd.yaml": "name: d d",
        },
    )  # fmt: skip
    assert changes_of(repository)[:6] == [
        ("added", "cc", "C", None),
        ("renamed", "aa", "A", "a"),
        ("renamed", "bb", "b", "b"),
        ("removed", "c", "c", None),
        ("removed", "d", "d", None),
        ("added", "dd", "d d", None),
    ]


def test_a_file_that_moves_is_the_same_record(repository: Path, commit: Commit) -> None:
    commit(0, {"projects/a.yaml": "name: A", "projects/b.yaml": "name: B"})
    commit(1, {"projects/a.yaml": None, "projects/x/a.yml": "name: A"})
    commit(2, {"projects/b.yaml": None, "projects/y/b.yaml": "name: B, changed"})
    assert changes_of(repository)[:2] == [
        ("changed", "b", "B, changed", None),
        ("added", "a", "A", None),
    ]


def test_a_merge_lists_the_changes_of_its_branch(repository: Path, commit: Commit) -> None:
    commit(0, {"projects/a.yaml": "name: A"})
    git(repository, "switch", "-q", "-c", "proposal")
    commit(1, {"projects/b.yaml": "name: First"})
    commit(2, {"projects/b.yaml": "name: Second"})
    git(repository, "switch", "-q", "main")
    commit(3, {"projects/c.yaml": "name: C"})
    git(repository, "merge", "-q", "--no-ff", "-m", "merge", "proposal", seconds=9)
    seen = read_details(str(repository / "content"))[0].changes
    assert [(c.at[-3:-1], c.change, c.slug, c.name) for c in seen] == [
        ("29", "added", "b", "Second"),
        ("23", "added", "c", "C"),
        ("20", "added", "a", "A"),
    ]


def test_hostile_commits_are_harmless(repository: Path, commit: Commit) -> None:
    write(repository / "content", {"projects/good.yaml": "name: Good"})
    (repository / "content" / "projects" / "link.yaml").symlink_to("good.yaml")
    commit(
        0,
        {
            "projects/new\nline.yaml": "name: x", "projects/:100644 A.yaml": "name: x",
            "projects/@5.yaml": "name: x", "projects/tab\t.yaml": "name: x",
            "projects/\udcff.yaml": "name: x", "projects/UPPER.yaml": "name: x",
            f"projects/{'a' * 101}.yaml": "name: x", "elsewhere/a.yaml": "name: x",
            "projects/broken.yaml": "name: [", "projects/none.yaml": "summary: x",
            "projects/odd.yaml": 'name: "a\\u202eb"', "projects/number.yaml": "name: 5",
            "projects/bytes.yaml": b"name: \xff", "projects/long.yaml": "name: " + "x" * 300_000,
            "projects/anchor.yaml": "name: &x X", "projects/empty.yaml": "",
        },
    )  # fmt: skip
    slugs = ["anchor", "broken", "bytes", "empty", "good", "long", "none", "number", "odd"]
    names = {"anchor": "X", "good": "Good"}
    assert changes_of(repository) == [
        ("added", slug, names.get(slug, slug), None) for slug in slugs
    ]


def test_the_number_of_changes_is_limited(repository: Path, commit: Commit) -> None:
    commit(0, {f"projects/p{number}.yaml": f"name: P{number}" for number in range(150)})
    commit(1, {"projects/last.yaml": "name: Last"})
    assert len(changes_of(repository)) == MAX_CHANGES
    assert changes_of(repository)[0] == ("added", "last", "Last", None)


def test_uncommitted_content_and_shallow_clones_have_no_changes(
    repository: Path, commit: Commit, tmp_path: Path
) -> None:
    commit(0, {"registry.yaml": "name: R"})
    write(repository / "content", {"projects/a.yaml": "name: A"})
    assert read_details(str(repository / "content"))[0] == History("none")
    commit(1, {"projects/b.yaml": "name: B"})
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "clone")
    assert read_details(str(tmp_path / "clone" / "content"))[0] == History("shallow")
    git(tmp_path / "clone", "fetch", "-q", "--unshallow")
    assert changes_of(tmp_path / "clone") == [("added", "a", "A", None), ("added", "b", "B", None)]


def test_settings_of_the_repository_change_nothing(
    repository: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(0, {"projects/a.yaml": "name: A"})
    expected = changes_of(repository)
    for setting in (
        "log.showSignature=true", "diff.renames=copies", "core.quotePath=true", "log.date=raw",
        "diff.orderFile=nowhere", "format.pretty=%x00", "log.follow=true", "diff.external=false",
        "log.showRoot=false",
    ):  # fmt: skip
        git(repository, "config", *setting.split("="))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert changes_of(repository) == expected


def fields_of(details: Details) -> tuple[tuple[Difference, ...] | None, ...]:
    return tuple(fields for _, fields in details.changes)


def details_of(repository: Path) -> tuple[History, Details]:
    return read_details(str(repository / "content"))


def test_the_fields_of_a_change_have_their_values_before_and_after(
    repository: Path, commit: Commit
) -> None:
    commit(0, {"projects/a.yaml": "name: A\nyear: 2019\ntags: {topic: [x, y]}\nremote: true\n"})
    commit(10, {"projects/a.yaml": "name: A  # once B\nyear: 2019\ntags: {topic: [y, z]}\n"
                "locations: [{country: DE, city: Bonn}]\n"})  # fmt: skip
    commit(20, {"projects/a.yaml": "# only a comment\nname: A\nyear: 2019\ntags: {topic: [y, z]}\n"
                "locations: [{country: DE, city: Bonn}]\n"})  # fmt: skip
    history, details = details_of(repository)
    assert [change.change for change in history.changes] == ["changed", "changed", "added"]
    assert fields_of(details) == (
        (),
        (
            Difference("tags.topic", ("x", "y"), ("y", "z")),
            Difference("remote", ("true",), ()),
            Difference("locations", (), ("Bonn, DE",)),
        ),
        None,
    )


def test_a_renamed_record_has_its_other_differences(repository: Path, commit: Commit) -> None:
    commit(0, {"projects/a.yaml": "name: A\n"})
    commit(10, {"projects/a.yaml": None, "projects/b.yaml": "name: B\naliases: [a]\n"})
    details = details_of(repository)[1]
    assert fields_of(details)[0] == (
        Difference("name", ("A",), ("B",)),
        Difference("aliases", (), ("a",)),
    )


def test_the_site_lists_a_few_of_many_changes(repository: Path, commit: Commit) -> None:
    many = {f"projects/p{number}.yaml": f"name: P{number}\n" for number in range(MAX_CHANGES + 48)}
    commit(0, {**many, "programs/a.yaml": "name: A\n"})
    history, details = details_of(repository)
    assert len(history.changes) == MAX_CHANGES
    assert len(details.changes) == MAX_LISTED + 1
    at = history.changes[0].at
    assert set(details.totals) == {
        (at, "added", "projects", MAX_CHANGES + 48),
        (at, "added", "programs", 1),
    }


def test_long_and_unreadable_versions_are_bounded(repository: Path, commit: Commit) -> None:
    commit(0, {"projects/a.yaml": "name: A\n"})
    founders = [f"F{number}" for number in range(99)]
    long = f"name: A\nsummary: {'x' * 5000}\nfounders: [{', '.join(founders)}]\n"
    commit(10, {"projects/a.yaml": long})
    commit(20, {"projects/a.yaml": "- [not a record\n"})
    details = details_of(repository)[1]
    summary, many = fields_of(details)[1] or ()
    assert len(summary.new[0]) == 160
    assert many.new == (*founders[:12], "…")
    assert {difference.field for difference in fields_of(details)[0] or ()} >= {"name", "summary"}
