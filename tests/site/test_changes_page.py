"""`/changes/` in a browser: the fields that a commit changed, and folded bulk changes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support import browser as browsers
from support import commands, registries
from support.browser import Visiting

#: Changed files of the small registry: with other values, and with a comment alone.
BLOOM = """
name: Bloom
year: 2025
status: acquired
organizations: [north-college]
tags: {topic: [health, space]}
locations: [{country: "NO", city: Bergen}]
summary: <img src=x onerror=alert(1)>
"""


def git(folder: Path, *words: str, at: str = "2026-11-01T10:00:00Z") -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    env = commands.environment(GIT_COMMITTER_DATE=at, GIT_AUTHOR_DATE=at)
    subprocess.run(["git", *who, *words], cwd=folder, env=env, check=True)


def commit(folder: Path, at: str) -> None:
    git(folder, "add", "content")
    git(folder, "commit", "-qm", "change", at=at)


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A registry of three commits: its records, two changes, and 148 new projects."""
    folder = tmp_path_factory.mktemp("committed")
    content = registries.write(folder / "content")
    git(folder, "init", "-q")
    commit(folder, "2026-11-01T10:00:00Z")
    (content / "projects/bloom.yaml").write_text(BLOOM)
    cairn = content / "projects/cairn.yaml"
    cairn.write_text(f"# checked\n{cairn.read_text()}")
    commit(folder, "2026-11-02T10:00:00Z")
    for number in range(148):
        (content / f"projects/new-{number:03}.yaml").write_text(f"name: New {number}\n")
    shutil.rmtree(content / "events")
    commit(folder, "2026-11-03T10:00:00Z")
    with browsers.served(commands.build(content, folder / "out", site=True)) as origin:
        yield origin


def test_what_changed_last_is_seen_after_one_action_from_home(
    committed: str, visit: Visiting
) -> None:
    page = visit(committed).go("/")
    page.get_by_role("link", name="Latest changes").first.click()
    latest = page.locator("section.part").first
    expect(latest.get_by_role("heading").first).to_have_text("3 November 2026")
    expect(latest).to_be_in_viewport()
    expect(latest).to_contain_text("148 projects")


def test_a_change_says_what_was_and_what_is_now(committed: str, visit: Visiting) -> None:
    page = visit(committed, scripts=False).go("/changes/")
    bloom = page.locator(".entries > li", has=page.get_by_role("link", name="Bloom")).first
    fields = {
        row.locator("dt").inner_text(): (
            row.locator("del bdi").all_inner_texts(),
            row.locator("ins bdi").all_inner_texts(),
        )
        for row in bloom.locator(".differences > div").all()
    }
    assert fields == {
        "Year": (["2024"], ["2025"]),
        "Organizations": (["Harbour Fund"], ["North College"]),
        "Topic": ([], ["Space"]),
        "Location": (["San Francisco, CA, United States"], ["Bergen, Norway"]),
        "Status": ([], ["Acquired"]),
        "Summary": ([], ["<img src=x onerror=alert(1)>"]),
    }
    cairn = page.locator(".entries > li", has=page.get_by_role("link", name="Cairn")).first
    assert "Comments or format only." in cairn.inner_text()


def test_many_changes_of_a_commit_are_folded(committed: str, visit: Visiting) -> None:
    page = visit(committed).go("/changes/")
    folded = page.locator("details.bulk", has_text="148 projects added")
    assert not folded.locator("li").first.is_visible()
    folded.locator("summary").click()
    assert folded.get_by_role("link", name="New 0", exact=True).is_visible()
    assert "not listed" in folded.inner_text()
    # Changes before and beside it are listed.
    assert page.get_by_role("link", name="Bloom").first.is_visible()
    assert page.locator(".entries > li", has_text="Harbour call 2020").first.is_visible()
