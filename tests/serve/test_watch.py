"""What is noticed of saves, with real files and events."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest
from watchfiles import Change

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
    until(found, saved("projects/new.yaml"))
    (projects / "new.yaml").unlink()
    until(found, saved("projects/new.yaml"))
    draft = tmp_path / "draft"
    draft.write_text("name: Bloom at last\n")
    draft.replace(projects / "bloom.yaml")
    until(found, saved("projects/bloom.yaml"))


@pytest.mark.parametrize("polling", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_folder_in_place_of_another_and_many_files_are_compared(
    watched: Watched, tmp_path: Path, polling: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if polling:
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    projects = tmp_path / "content" / "projects"

    def between() -> None:
        (projects / "first.yaml").write_text("name: First\n")

    found = watched(between)
    assert next_of(found) == saved("projects/first.yaml")
    names = {path.name for path in projects.iterdir()}
    projects.rename(tmp_path / "old")
    shutil.copytree(tmp_path / "old", projects)
    seen: set[str] = set()
    while not seen >= {f"projects/{name}" for name in names}:
        seen |= next_of(found).paths or set()
    (tmp_path / "many").mkdir()
    for n in range(watch._MANY + 1):
        (tmp_path / "many" / f"{n}.yaml").write_text("name: Many\n")
    for path in (tmp_path / "many").iterdir():
        os.replace(path, projects / path.name)
    many, unknown = set[str](), False
    while not unknown and len(many) <= watch._MANY:
        saves = next_of(found)
        many, unknown = many | (saves.paths or set()), saves.paths is None


# --- saves without an event ---


def linked_folder(content: Path, outside: Path) -> Path:
    shutil.copytree(content / "projects", outside / "other")
    (content / "projects").rename(outside / "projects")
    (content / "projects").symlink_to(outside / "projects")
    return content / "projects"


def lead_elsewhere(content: Path, outside: Path) -> Callable[[], object]:
    folder = linked_folder(content, outside)

    def change() -> None:
        (outside / "link").symlink_to(outside / "other")
        (outside / "other" / "bloom.yaml").write_text("name: Bloom elsewhere\n")
        os.replace(outside / "link", folder)

    return change


def behind_a_link(content: Path, outside: Path) -> Callable[[], object]:
    """The folder that a link leads to is another one; the link itself stays."""
    linked_folder(content, outside)

    def change() -> None:
        (outside / "other" / "bloom.yaml").write_text("name: Bloom elsewhere\n")
        (outside / "projects").rename(outside / "gone")
        (outside / "other").rename(outside / "projects")

    return change


def hard_link(content: Path, outside: Path) -> Callable[[], object]:
    os.link(content / "projects" / "bloom.yaml", outside / "same.yaml")
    return lambda: (outside / "same.yaml").write_text("name: Bloom by another name\n")


def target(content: Path, outside: Path) -> Callable[[], object]:
    (content / "projects" / "bloom.yaml").rename(outside / "bloom.yaml")
    (content / "projects" / "bloom.yaml").symlink_to(outside / "bloom.yaml")
    return lambda: (outside / "bloom.yaml").write_text("name: Bloom outside\n")


@pytest.mark.parametrize("prepare", [lead_elsewhere, behind_a_link, hard_link, target])
def test_a_save_without_an_event_is_noticed(
    prepare: Callable[[Path, Path], Callable[[], object]], watched: Watched, tmp_path: Path
) -> None:
    content, outside = tmp_path / "content", tmp_path / "outside"
    outside.mkdir()
    change = prepare(content, outside)
    found = watched()
    time.sleep(0.2)  # it is watched
    change()
    while "projects/bloom.yaml" not in (next_of(found).paths or ()):
        pass
    (content / "projects" / "cairn.yaml").write_text("name: Cairn again\n")
    while "projects/cairn.yaml" not in (next_of(found).paths or ()):
        pass


def test_saves_are_noticed_if_events_were_lost_or_never_come(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an overflowed queue, one event of one file comes for all."""
    projects = tmp_path / "content" / "projects"
    monkeypatch.setattr(watch, "_events", lambda *_: iter([{(Change.modified, f"{projects}/x")}]))
    found = watched()
    (projects / "bloom.yaml").write_text("name: Bloom again\n")
    while "projects/bloom.yaml" not in (next_of(found).paths or ()):
        pass

    def broken(*_: object) -> Iterator[set[tuple[Change, str]]]:
        raise OSError("no space left on device")

    monkeypatch.setattr(watch, "_events", broken)
    (projects / "cairn.yaml").write_text("name: Cairn again\n")
    while "projects/cairn.yaml" not in (next_of(found).paths or ()):
        pass


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
