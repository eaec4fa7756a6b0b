"""changes.json and coverage.json follow commits and records: partial and full builds write the
same.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from support import registries
from support.commands import build, differing, files, run_forked
from support.git import commit, git


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A git repository without commits, with a small registry in its folder `content`."""
    folder = tmp_path / "checkout"
    registries.write(folder / "content")
    git(folder, "init", "-q")
    return folder


def test_two_files_with_one_slug_are_reported_at_the_new_file(checkout: Path) -> None:
    commit(checkout)
    old = min((checkout / "content/projects").rglob("*.yaml"))
    for folder in ("0", "zz"):
        new = old.parent / folder / old.name
        new.parent.mkdir()
        shutil.copy(old, new)
        done = run_forked("check", "--content", checkout / "content")
        (problem,) = re.findall(r"^(.*):1:1: error\[duplicate-slug\]", done.err, re.M)
        assert problem == str(new) and f": {old}\n" in done.err
        shutil.rmtree(new.parent)


@pytest.mark.parametrize("committed", [False, True])
def test_a_copy_is_reported_at_the_new_file_and_merged_into_the_old(
    checkout: Path, committed: bool
) -> None:
    commit(checkout)
    old = min((checkout / "content/projects").rglob("*.yaml"))
    new = old.with_name("000-first-in-the-alphabet.yaml")
    shutil.copy(old, new)
    if committed:
        commit(checkout, GIT_COMMITTER_DATE="2099-01-01T00:00:00Z")
    done = run_forked("check", "--content", checkout / "content")
    assert set(re.findall(r"^(.*):\d+:\d+: warning\[same-record\]", done.err, re.M)) == {str(new)}
    assert f"`registry merge project {new.stem} {old.stem}`" in done.err


def read_api(out: Path, name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((out / "api" / f"{name}.json").read_bytes())
    return document


def assert_whole(folder: Path, out: Path, tmp_path: Path) -> None:
    other = build(folder / "content", tmp_path / "whole")
    assert differing(files(out), files(other)) == []
    shutil.rmtree(tmp_path / "whole")
    shutil.rmtree(tmp_path / ".registry" / "whole")


@pytest.mark.slow
def test_changes_and_coverage_follow_commits_and_records(checkout: Path, tmp_path: Path) -> None:
    out, projects = tmp_path / "out", checkout / "content" / "projects"
    build(checkout / "content", out)
    unknown = read_api(out, "changes")
    assert unknown["history"] == "none"
    assert unknown["notice"] == "This build knows no history, so changes cannot be told."
    assert read_api(out, "coverage")["last_change"] is None
    commit(checkout)
    build(checkout / "content", out)
    changes = read_api(out, "changes")
    assert changes["history"] == "known" and changes["notice"] is None
    assert {c["change"] for c in changes["data"]} == {"added"}
    assert read_api(out, "coverage")["last_change"] == changes["data"][0]["at"]
    assert_whole(checkout, out, tmp_path)

    # Uncommitted records count in coverage.json and do not appear in changes.json.
    before = read_api(out, "coverage")["data"]["projects"]
    (projects / "fresh.yaml").write_text("name: Fresh\nsources: [https://example.org/]\n")
    build(checkout / "content", out)
    after = read_api(out, "coverage")["data"]["projects"]
    assert after["total"] == before["total"] + 1
    assert after["fields"]["sources"]["count"] == before["fields"]["sources"]["count"] + 1
    assert after["fields"]["website"]["count"] == before["fields"]["website"]["count"]
    assert read_api(out, "changes") == changes
    assert_whole(checkout, out, tmp_path)

    (projects / "fresh.yaml").write_text("name: Fresh\n")
    build(checkout / "content", out)
    now = read_api(out, "coverage")["data"]["projects"]["fields"]["sources"]["count"]
    assert now == before["fields"]["sources"]["count"]
    assert_whole(checkout, out, tmp_path)

    commit(checkout)
    build(checkout / "content", out)
    href = "/api/projects/slug/fresh.json"
    assert (
        read_api(out, "changes")["data"][0]["change"],
        read_api(out, "changes")["data"][0]["href"],
    ) == (
        "added",
        href,
    )

    # A change links to the present address of its record, or to nothing if the record is gone.
    (projects / "fresh.yaml").rename(projects / "fresher.yaml")
    (projects / "fresher.yaml").write_text("name: Fresher\naliases: [fresh]\n")
    build(checkout / "content", out)
    assert read_api(out, "changes")["data"][0]["href"] == "/api/projects/slug/fresher.json"
    assert_whole(checkout, out, tmp_path)
    (projects / "fresher.yaml").unlink()
    commit(checkout)
    build(checkout / "content", out)
    first, second = read_api(out, "changes")["data"][:2]
    assert (first["change"], first["name"], first["href"]) == ("removed", "Fresh", None)
    assert (second["change"], second["href"]) == ("added", None)
    assert_whole(checkout, out, tmp_path)


@pytest.mark.slow
def test_a_partial_build_publishes_permanent_removals(checkout: Path, tmp_path: Path) -> None:
    content, out = checkout / "content", tmp_path / "out"
    build(content, out)
    assert read_api(out, "removed")["data"] == []
    removed = content / "removed.yaml"
    removed.write_text("removed:\n  - {kind: project, slug: fresh, date: 2026-05-04}\n")
    build(content, out)
    first = {"date": "2026-05-04", "collection": "projects", "slug": "fresh", "reason": None}
    assert read_api(out, "removed")["data"] == [first]
    assert_whole(checkout, out, tmp_path)
    removed.write_text(
        removed.read_text()
        + "  - {kind: event, slug: day, date: 2026-05-05, reason: Cancelled for good.}\n"
    )
    build(content, out)
    second = {"date": "2026-05-05", "collection": "events", "slug": "day",
              "reason": "Cancelled for good."}  # fmt: skip
    assert read_api(out, "removed")["data"] == [second, first]
    assert_whole(checkout, out, tmp_path)

    # Its slug is not reused, by a partial build either.
    (content / "projects" / "fresh.yaml").write_text("name: Fresh\n")
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 1 and "error[removed-slug]" in done.err
    removed.unlink()
    build(content, out)
    assert read_api(out, "removed")["data"] == []
    assert_whole(checkout, out, tmp_path)


def test_a_shallow_clone_is_reported_until_it_has_all_commits(
    checkout: Path, tmp_path: Path
) -> None:
    commit(checkout)
    git(checkout, "commit", "-q", "--allow-empty", "-m", "more")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{checkout}", "clone")
    clone, out = tmp_path / "clone", tmp_path / "out"
    for _ in range(2):
        build(clone / "content", out)
        changes = read_api(out, "changes")
        assert changes["history"] == "shallow" and changes["data"] == []
        assert changes["notice"] == "This build knows no history, so changes cannot be told."
    git(clone, "fetch", "-q", "--unshallow")
    build(clone / "content", out)
    assert read_api(out, "changes")["history"] == "known"


def test_git_history_is_read_only_for_a_new_commit(checkout: Path, tmp_path: Path) -> None:
    real, calls = shutil.which("git"), tmp_path / "asked"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text(f'#!/bin/sh\necho "$*" >> {calls}\nexec {real} "$@"\n')
    (tmp_path / "bin" / "git").chmod(0o755)

    def histories() -> int:
        calls.write_text("")
        path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
        build(checkout / "content", tmp_path / "out", env={"PATH": path})
        return sum("--raw" in line for line in calls.read_text().splitlines())

    commit(checkout)
    assert histories() == 2  # the last changes, and every change of an event
    assert histories() == 0
    (checkout / "content" / "projects" / "fresh.yaml").write_text("name: Fresh\n")
    assert histories() == 0
    commit(checkout)
    assert histories() == 2


def test_the_home_page_has_the_records_that_were_added_last(checkout: Path, tmp_path: Path) -> None:
    content, out = checkout / "content", tmp_path / "out"

    def newest() -> list[str]:
        build(content, out, site=True)
        page = (out / "index.html").read_text()
        part = page.partition('id="newest"')[2].partition("</section>")[0]
        return [
            re.split("[<]", part[1:])[0],
            *re.findall('class="name" href="/projects/(.*?)/', part),
        ]

    commit(checkout, GIT_COMMITTER_DATE="2026-11-01T10:00:00Z")
    assert newest()[0] == "Newest projects"  # the first import tells nothing
    for day, slug in (("02", "dune"), ("03", "ember")):
        (content / "projects" / f"{slug}.yaml").write_text(f"name: {slug.title()}\n")
        commit(checkout, GIT_COMMITTER_DATE=f"2026-11-{day}T10:00:00Z")
    heading, first, second, *_ = newest()
    assert (heading, first, second) == ("Recently added projects", "ember", "dune")
    whole = build(content, tmp_path / "whole", site=True)
    assert differing(files(out), files(whole)) == []
