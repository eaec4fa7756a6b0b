"""What is noticed of saves, with real files and events."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from generator.serve import watch
from generator.serve.watch import EVERYTHING, Saves, stat_files, watch_saves
from support import registries
from support.serving import SECONDS

Watched = Callable[..., Queue[Saves]]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Watch the folders `content` and `own`; the saves come in a queue."""
    registries.write(tmp_path / "content")
    stop, threads = threading.Event(), list[threading.Thread]()

    def start(between: Callable[[], object] = lambda: None) -> Queue[Saves]:
        content, own, found = tmp_path / "content", tmp_path / "own", Queue[Saves]()
        before = stat_files(content, own)
        between()

        def run() -> None:
            for saves in watch_saves(content, own, before, stop):
                found.put(saves)

        threads.append(threading.Thread(target=run, daemon=True))
        threads[-1].start()
        return found

    yield start
    stop.set()
    for thread in threads:
        thread.join(SECONDS)


def next_of(found: Queue[Saves]) -> Saves:
    return found.get(timeout=SECONDS)


def until(found: Queue[Saves], saves: Saves) -> None:
    """Wait for these saves; the system may report one change of several files in parts."""
    while next_of(found) != saves:
        pass


def saved(*paths: str, theme: bool = False) -> Saves:
    return Saves(frozenset(paths), theme)


def test_saved_added_and_removed_files_are_named(watched: Watched, tmp_path: Path) -> None:
    """The first were there before the system was watched."""
    projects = tmp_path / "content" / "projects"

    def between() -> None:
        (projects / "bloom.yaml").write_text("name: Bloom again\n")
        (projects / ".hidden.yaml").write_text("name: Hidden\n")
        (projects / "cairn.yaml").unlink()

    found = watched(between)
    assert next_of(found) == saved("projects/bloom.yaml", "projects/cairn.yaml")
    (projects / ".hidden.yaml").write_text("name: Hidden still\n")
    (projects / "new.yaml").write_text("name: New\n")
    assert next_of(found) == saved("projects/new.yaml")
    (projects / "new.yaml").unlink()
    assert next_of(found) == saved("projects/new.yaml")
    draft = tmp_path / "draft"
    draft.write_text("name: Bloom at last\n")
    draft.replace(projects / "bloom.yaml")
    assert next_of(found) == saved("projects/bloom.yaml")


@pytest.mark.parametrize("polling", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_in_doubt_everything_was_saved(
    watched: Watched, tmp_path: Path, polling: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if polling:
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
        monkeypatch.setattr(watch, "_POLLING", True)
    unknown, projects = Saves(None, theme=False), tmp_path / "content" / "projects"

    def between() -> None:
        (projects / "first.yaml").write_text("name: First\n")

    found = watched(between)
    assert next_of(found) == (unknown if polling else saved("projects/first.yaml"))
    if polling:
        (projects / "new.yaml").write_text("name: New\n")
        assert next_of(found) == unknown
        return
    projects.rename(tmp_path / "old")
    shutil.copytree(tmp_path / "old", projects)
    until(found, unknown)
    (tmp_path / "many").mkdir()
    for n in range(watch._MANY + 1):
        (tmp_path / "many" / f"{n}.yaml").write_text("name: Many\n")
    for path in (tmp_path / "many").iterdir():
        os.replace(path, projects / path.name)
    until(found, unknown)


def test_a_content_folder_that_comes_back_is_read_whole(watched: Watched, tmp_path: Path) -> None:
    content = tmp_path / "content"
    found = watched(lambda: (content / "projects" / "bloom.yaml").unlink())
    assert next_of(found) == saved("projects/bloom.yaml")
    content.rename(tmp_path / "away")
    until(found, EVERYTHING)
    (tmp_path / "away").rename(content)
    until(found, EVERYTHING)
    (content / "projects" / "new.yaml").write_text("name: New\n")
    until(found, saved("projects/new.yaml"))


def test_own_templates_are_a_theme_that_may_come_and_go(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "own" / "site").mkdir(parents=True)
    template = tmp_path / "own" / "site" / "home.md"
    found = watched(lambda: template.write_text("One\n"))
    assert next_of(found) == saved(theme=True)
    template.write_text("Two\n")
    assert next_of(found) == saved(theme=True)
    shutil.rmtree(tmp_path / "own")
    until(found, EVERYTHING)
