"""Two commands that change the content at once: neither disturbs the other."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from pathlib import Path

import pytest

from generator.edit import changes
from generator.edit.changes import Change, FileChanged, apply, recover
from support.commands import files


def _new(name: str) -> Change:
    return Change(f"projects/{name}.yaml", None, f"name: {name}\n".encode())


def _waits_or_ends(other: threading.Thread, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a command, and return when it waits for the folder or has ended."""
    asked, flock = threading.Event(), fcntl.flock

    def told(file: int, how: int) -> None:
        asked.set()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", told)
    other.start()
    while other.is_alive() and not asked.wait(0.01):
        pass


@pytest.mark.parametrize("second", ["apply", "settle"])
def test_the_second_of_two_commands_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: str
) -> None:
    (tmp_path / "projects").mkdir()
    folder, write = str(tmp_path), changes._write
    calls = {"apply": lambda: apply(folder, [_new("b")]), "settle": lambda: recover(folder)}
    other = threading.Thread(target=calls[second])

    def written(path: str, data: bytes, *, durably: bool = True) -> None:
        write(path, data, durably=durably)
        if other.ident is None:
            _waits_or_ends(other, monkeypatch)

    monkeypatch.setattr(changes, "_write", written)
    apply(folder, [_new("a")])
    other.join()
    made = ["a", "b"] if second == "apply" else ["a"]
    assert files(tmp_path) == {f"projects/{n}.yaml": f"name: {n}\n".encode() for n in made}


def test_without_locks_no_file_of_another_command_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unable(file: int, how: int) -> None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    def meanwhile(root: int, of: object) -> None:
        (tmp_path / ".edit").mkdir()
        (tmp_path / ".edit/0").write_text("another's")

    monkeypatch.setattr(fcntl, "flock", unable)
    monkeypatch.setattr(changes, "_check", meanwhile)
    with pytest.raises(FileExistsError):
        apply(str(tmp_path), [_new("a")])
    assert files(tmp_path) == {".edit/0": b"another's"}


@pytest.mark.parametrize("before", [b"name: One\n", None])
@pytest.mark.parametrize("what", ["file", "folder", "dangling"])
def test_nothing_is_changed_through_a_link_and_the_message_says_so(
    tmp_path: Path, what: str, before: bytes | None
) -> None:
    content, elsewhere = tmp_path / "content", tmp_path / "elsewhere"
    elsewhere.mkdir()
    record = elsewhere / "one.yaml"
    record.write_bytes(b"name: One\n")
    content.mkdir()
    if what == "folder":
        (content / "projects").symlink_to(elsewhere)
    else:
        (content / "projects").mkdir()
        target = record if what == "file" else tmp_path / "nothing"
        (content / "projects" / "one.yaml").symlink_to(target)
    said = "is in projects, which is a link" if what == "folder" else "one.yaml is a link"
    with pytest.raises(FileChanged, match=said):
        apply(str(content), [Change("projects/one.yaml", before, b"name: Two\n")])
    assert record.read_bytes() == b"name: One\n" and not (tmp_path / "nothing").exists()
    assert not list(content.glob(".*"))
