"""Changes of several files: kills, errors and edits of others in the middle lose nothing, and the
messages say what was changed.
"""

from __future__ import annotations

import errno
import functools
import os
import signal
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from generator.edit import changes
from generator.edit.changes import FileChange, Stopped, apply, remove_leftovers
from generator.published.check import check
from support.commands import files, stamps
from support.registries import content, write

CHANGES = [
    FileChange("organizations/old.yaml", b"name: Old\n", None),
    FileChange("organizations/new.yaml", None, b"name: New\n"),
    FileChange("projects/a/one.yaml", b"name: One\n", b"name: First\n"),
]
BEFORE = {path: before for path, before, _ in CHANGES if before is not None}
AFTER = {path: after for path, _, after in CHANGES if after is not None}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, data in BEFORE.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def _at_call(
    patch: pytest.MonkeyPatch, number: int, act: Callable[[], object], *names: str
) -> None:
    """Act before the call `number`, from 0, of these functions of `os`."""
    left = [number]

    def patched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] == -1:
                act()
            return real(*arguments, **options)

        return call

    for name in names:
        patch.setattr(os, name, patched(getattr(os, name)))


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>\n'


@pytest.mark.parametrize(
    "planned",
    [
        {"projects/new.yaml": b"name: Old\nlogo: new.svg\n", "projects/new.svg": SVG},
        {"projects/old.yaml": None, "projects/old.svg": None},
        {"projects/old.yaml": None, "projects/a/old.yaml": b"name: Old\nyear: soon\n"},
        {"projects/old.svg": b"<svg/>", "organizations/one.yaml": b"name: [\n"},
        {"organizations/one.yaml": None},
    ],
)
def test_planned_changes_are_checked_as_if_they_were_made(
    tmp_path: Path, planned: dict[str, bytes | None]
) -> None:
    here = write(tmp_path / "content", content(projects={}, organizations={"one": "name: One\n"}))
    (here / "projects").mkdir(exist_ok=True)
    (here / "projects/old.svg").write_bytes(SVG)
    (here / "projects/old.yaml").write_bytes(b"name: Old\nlogo: old.svg\norganizations: [one]\n")
    day, before = date(2026, 11, 21), files(here)
    report = check(str(here), day, planned=planned)
    assert files(here) == before and report != check(str(here), day)
    apply(str(here), [FileChange(path, before.get(path), after) for path, after in planned.items()])
    assert report == check(str(here), day)


def _raise(error: BaseException) -> Callable[[], None]:
    def act() -> None:
        raise error

    return act


def _killed(folder: Path, number: int) -> bool:
    """Apply the changes in a process that is killed at a step; whether it was killed."""
    process = os.fork()
    if not process:
        kill = functools.partial(os.kill, os.getpid(), signal.SIGKILL)
        try:
            _at_call(pytest.MonkeyPatch(), number, kill, "fsync", "replace", "unlink")
            apply(str(folder), CHANGES)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


def test_a_kill_loses_no_text_and_the_next_command_knows_what_was_left(tmp_path: Path) -> None:
    seen = []
    for number in range(20):
        here = tmp_path / str(number)
        for path, data in BEFORE.items():
            (here / path).parent.mkdir(parents=True)
            (here / path).write_bytes(data)
        if not _killed(here, number):
            break
        left = remove_leftovers(str(here))
        now = files(here)
        assert not [path for path in now if path not in BEFORE.keys() | AFTER.keys()]
        for path, before, after in CHANGES:
            assert now.get(path) in (before, after)
            assert now.get(path) == after or path in left or number < 3
        assert left and remove_leftovers(str(here)) == []
        seen.append([path for path, _, after in CHANGES if now.get(path) == after])
    # Kills while temporary files are written change nothing, and removals come last.
    assert [len(made) for made in seen] == [0, 0, 0, 0, 1, 2, 3]
    assert files(here) == AFTER and remove_leftovers(str(here)) == []


def test_leftovers_are_only_removed_where_commands_write(tmp_path: Path) -> None:
    kept = [".git/.one.registry-00000000", "src/.one.registry-00000000", "projects/.one.yaml.swp"]
    left = [".README.md.registry-0123abcd", "content/events/.one.yaml.registry-0123abcd"]
    for path in kept + left:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert remove_leftovers(str(tmp_path)) == ["README.md", "content/events/one.yaml"]
    assert files(tmp_path).keys() == {*kept} and not (tmp_path / "content").exists()


def test_a_running_command_writes_temporary_files_again_that_another_removed(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "_SYNC_TOGETHER", 1)
        _at_call(patch, 0, lambda: remove_leftovers(str(folder)), "sync")
        apply(str(folder), CHANGES)
    assert files(folder) == AFTER


@pytest.mark.parametrize("number", range(3))
def test_an_edit_of_another_process_is_not_overwritten(folder: Path, number: int) -> None:
    """Each file is edited just before it is changed, when the others before it are."""
    ordered = [CHANGES[1], CHANGES[2], CHANGES[0]]
    path = ordered[number].path

    def edit() -> None:
        (folder / path).write_bytes(b"name: Mine\n")

    real, calls = changes._check, 0

    def checked(where: str, change: FileChange) -> None:
        nonlocal calls
        if (calls := calls + 1) == len(CHANGES) + number + 1:
            edit()
        real(where, change)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped) as stopped:
        patch.setattr(changes, "_check", checked)
        apply(str(folder), CHANGES)
    told = str(stopped.value)
    problem = "already exists" if number == 0 else "was changed in the meantime"
    assert told.startswith(f"{path} {problem}; ")
    made = {one.path: one.after for one in ordered[:number] if one.after is not None}
    assert files(folder) == {**BEFORE, **made, path: b"name: Mine\n"}
    if not number:
        assert told.endswith("; nothing was changed")
        return
    marks = ["written", "written" if number == 2 else "not written", "not removed"]
    assert told.splitlines()[1:-1] == [
        f"  {mark}  {one.path}" for mark, one in zip(marks, ordered, strict=True)
    ]
    assert "git diff" in told and "git checkout" in told


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("number", range(3))
def test_a_full_disk_changes_nothing(folder: Path, number: int) -> None:
    before = files(folder)
    path = [*AFTER, "organizations/old.yaml"][number]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped) as stopped:
        _at_call(patch, number, _raise(FULL), "fsync")
        apply(str(folder), CHANGES)
    told = f"{path}: No space left on device; nothing was changed\nFree some space, and try again."
    assert str(stopped.value) == told
    assert files(folder) == before


def test_new_folders_do_not_stay_without_files(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped, match="nothing was"):
        _at_call(patch, 0, _raise(FULL), "fsync")
        apply(str(tmp_path), [FileChange(".github/workflows/check.yml", None, b"on: push\n")])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), PermissionError(errno.EACCES, "Permission denied")]
)
@pytest.mark.parametrize("number", range(2))
def test_an_error_in_the_middle_says_what_was_written(
    folder: Path, number: int, error: BaseException
) -> None:
    interrupted = isinstance(error, KeyboardInterrupt)
    expected = KeyboardInterrupt if interrupted and not number else Stopped
    with pytest.MonkeyPatch.context() as patch, pytest.raises(expected) as stopped:
        _at_call(patch, number, _raise(error), "replace")
        apply(str(folder), CHANGES)
    made = {"organizations/new.yaml": b"name: New\n"} if number else {}
    assert files(folder) == {**BEFORE, **made}
    if number:
        why = "Interrupted" if interrupted else "projects/a/one.yaml: Permission denied"
        assert str(stopped.value).splitlines()[:-1] == [
            f"{why}; the command stopped halfway:",
            "  written  organizations/new.yaml",
            "  not written  projects/a/one.yaml",
            "  not removed  organizations/old.yaml",
        ]


def test_long_lists_of_files_are_cut(tmp_path: Path) -> None:
    many = [FileChange(f"projects/p{n:02}.yaml", None, b"name: P\n") for n in range(40)]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped) as stopped:
        _at_call(patch, 15, _raise(FULL), "replace")
        apply(str(tmp_path), many)
    lines = str(stopped.value).splitlines()
    assert len(lines) == 25 and len(files(tmp_path)) == 15
    assert lines[11] == "  and 5 more changed" and lines[22] == "  and 15 more not changed"


def test_a_read_only_file_is_not_replaced(folder: Path) -> None:
    (folder / "projects/a/one.yaml").chmod(0o444)
    before = stamps(folder)
    with pytest.raises(Stopped, match=r"one\.yaml is read-only; nothing was changed"):
        apply(str(folder), CHANGES)
    assert stamps(folder) == before


def test_a_changed_file_keeps_its_permissions(folder: Path) -> None:
    (folder / "projects/a/one.yaml").chmod(0o640)
    apply(str(folder), CHANGES)
    assert (folder / "projects/a/one.yaml").stat().st_mode & 0o777 == 0o640
    (folder / "plain").touch()
    plain = (folder / "plain").stat().st_mode
    assert (folder / "organizations/new.yaml").stat().st_mode == plain


def test_an_emptied_folder_is_removed_but_not_that_of_the_collection(folder: Path) -> None:
    apply(str(folder), [FileChange("projects/a/one.yaml", b"name: One\n", None), CHANGES[0]])
    assert sorted(path.name for path in folder.iterdir()) == ["organizations", "projects"]
    assert not list((folder / "projects").iterdir())


@pytest.mark.parametrize("before", [b"name: One\n", None])
@pytest.mark.parametrize("what", ["file", "folder", "dangling"])
def test_nothing_is_changed_through_a_link_and_the_message_says_so(
    tmp_path: Path, what: str, before: bytes | None
) -> None:
    here, elsewhere = tmp_path / "content", tmp_path / "elsewhere"
    elsewhere.mkdir()
    record = elsewhere / "one.yaml"
    record.write_bytes(b"name: One\n")
    here.mkdir()
    if what == "folder":
        (here / "projects").symlink_to(elsewhere)
    else:
        (here / "projects").mkdir()
        target = record if what == "file" else tmp_path / "nothing"
        (here / "projects" / "one.yaml").symlink_to(target)
    said = "is in projects, which is a link" if what == "folder" else "one.yaml is a link"
    with pytest.raises(Stopped, match=said):
        apply(str(here), [FileChange("projects/one.yaml", before, b"name: Two\n")])
    assert record.read_bytes() == b"name: One\n" and not (tmp_path / "nothing").exists()
    assert not list(here.glob("**/.*")) and not list(elsewhere.glob(".*"))
