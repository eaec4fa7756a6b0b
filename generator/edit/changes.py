"""Changes to files of a content folder, or of the repository around it.

`apply` writes the new bytes of every file to a temporary file beside it before it changes the first
file, so a full disk or a missing permission changes nothing.  Then it renames the temporary files
over the files.  Removals come last, so a kill loses no text.  The temporary files that a killed
command leaves are the sign of an interrupted edit: the next command removes them, and git shows
what was written.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator import UserError
from generator.dialect.folder import REGISTRY_FILE, name_of_temporary, open_content
from generator.dialect.strays import ENDINGS
from generator.disk import safe_paths
from generator.problems.diagnostic import printable

_MAX_BYTES = 64 << 20  # of a file; the wheel of the generator has some megabytes
#: From this number of files on, one `sync` is faster than an `fsync` of each file.
_SYNC_TOGETHER = 50
_MAX_LISTED = 10  # files of a kind named in a message
#: The folders of a content folder, and of a repository, in which commands write.
_FOLDERS = {"content", ".github", ".vscode", "admin", "wheels"}


class FileChange(NamedTuple):
    """A file below the folder: its bytes before and after, None if it does not exist."""

    path: str
    before: bytes | None
    after: bytes | None


class Refused(UserError):
    """A command cannot be carried out; the message says why, and what to do."""


class Skipped(NamedTuple):
    """What stays as it is, such as a file, and why."""

    name: str
    reason: str


class Plan(NamedTuple):
    """The changes of a command.

    `skipped` has the files that stay as they are.  If a file of `checked` would have an error after
    the changes, none of them is made.
    """

    changes: list[FileChange]
    skipped: list[Skipped]
    checked: tuple[str, ...] = ()


class Stopped(UserError):
    """Not all changes could be made; the message says why, and which were made."""


class _Obstacle(Exception):
    """A file cannot be changed; the message says why, and `hint` what to do about it."""

    def __init__(self, problem: str, hint: str = ""):
        super().__init__(problem)
        self.hint = hint


def difference(changes: Iterable[FileChange]) -> str:
    """All changes as a unified diff; like in git, a binary file only gets a line of its own."""
    lines: list[str] = []
    for path, before, after in changes:
        old = f"a/{path}" if before is not None else "/dev/null"
        new = f"b/{path}" if after is not None else "/dev/null"
        if b"\0" in (before or b"") or b"\0" in (after or b""):
            lines.append(f"Binary files {old} and {new} differ")
        else:
            lines += difflib.unified_diff(_lines(before), _lines(after), old, new)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _lines(raw: bytes | None) -> list[str]:
    text = (raw or b"").decode("utf-8", "replace")
    lines = text.splitlines(keepends=True)
    return ["".join(c if c in "\t\n" else printable(c) for c in line) for line in lines]


def read(folder: str, path: str) -> bytes | None:
    """The bytes of a regular file; None without one, or if it is too large.  Raises OSError."""
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return safe_paths.read_file(root, path.split("/"), _MAX_BYTES)
    finally:
        os.close(root)


def apply(folder: str, changes: Iterable[FileChange]) -> None:
    """Make the changes: registry.yaml first, removals last.

    Raises Stopped if a file is not as it was planned or cannot be written, or if Ctrl-C came after
    the first change, and KeyboardInterrupt if it came before.
    """
    # `registry init` completes a folder that has registry.yaml.
    ordered = sorted(changes, key=lambda c: (c.after is None, not c.path.endswith(REGISTRY_FILE)))
    begun: list[FileChange] = []
    try:
        for change in ordered:
            _check(folder, change)
        with _temporary_files(folder, ordered) as temporary_files:
            for change, temporary in zip(ordered, temporary_files, strict=True):
                _check(folder, change)
                begun.append(change)
                with _obstacles(change.path):
                    _make(folder, change, temporary)
    except (_Obstacle, KeyboardInterrupt) as error:
        made = [change for change in begun if _is_as(folder, change.path, change.after)]
        if made:
            paths = {change.path for change in made}
            left = [change for change in ordered if change.path not in paths]
            raise Stopped(_half_message(error, made, left)) from error
        if isinstance(error, _Obstacle):
            raise Stopped(f"{error}; nothing was changed{error.hint}") from error
        raise


def _check(folder: str, change: FileChange) -> None:
    path, before, _ = change
    if (link := _link_in(folder, path)) is not None:
        problem = "is a link" if link == path else f"is in {link}, which is a link"
        raise _Obstacle(
            f"{path} {problem}, and commands do not change files through links",
            f"\nReplace the link by the {'file' if link == path else 'folder'} itself, or edit the "
            "file by hand.",
        )
    with _obstacles(path):
        if not _is_as(folder, path, before):
            problem = "already exists" if before is None else "was changed in the meantime"
            raise _Obstacle(f"{path} {problem}")
        if before is not None and not os.stat(os.path.join(folder, path)).st_mode & 0o222:
            raise _Obstacle(f"{path} is read-only", "\nMake it writable, and try again.")


def _link_in(folder: str, path: str) -> str | None:
    """The first folder of a path that is a link, or the path itself; None if there is no link."""
    segments = path.split("/")
    inner = ("/".join(segments[:length]) for length in range(1, len(segments) + 1))
    return next((part for part in inner if os.path.islink(os.path.join(folder, part))), None)


def _is_as(folder: str, path: str, data: bytes | None) -> bool:
    """Whether a file has these bytes, or for None does not exist."""
    if data is None:
        return not os.path.lexists(os.path.join(folder, path))
    return read(folder, path) == data


@contextlib.contextmanager
def _obstacles(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = "\nFree some space, and try again." if full else ""
        raise _Obstacle(f"{path}: {error.strerror or error}", hint) from error


@contextlib.contextmanager
def _temporary_files(folder: str, changes: list[FileChange]) -> Iterator[list[str]]:
    """A temporary file beside each file; after an error none is left, and no empty folder."""
    token = secrets.token_hex(4)
    paths: list[str] = []
    together = len(changes) >= _SYNC_TOGETHER
    try:
        for change in changes:
            parent, name = os.path.split(os.path.join(folder, change.path))
            paths.append(os.path.join(parent, f".{name}.registry-{token}"))
            with _obstacles(change.path):
                _write(folder, change, paths[-1], durably=not together)
        if together:
            os.sync()
        yield paths
    except BaseException:
        for change, path in zip(changes, paths, strict=False):
            with contextlib.suppress(OSError):
                os.unlink(path)
            _remove_empty_folders(folder, change.path)
        raise


def _write(folder: str, change: FileChange, temporary: str, *, durably: bool) -> None:
    os.makedirs(os.path.dirname(temporary), exist_ok=True)
    with open(temporary, "xb") as file:
        if change.before is not None:
            shutil.copymode(os.path.join(folder, change.path), temporary)
        file.write(change.after or b"")
        if durably:
            file.flush()
            os.fsync(file.fileno())


def _make(folder: str, change: FileChange, temporary: str) -> None:
    target = os.path.join(folder, change.path)
    if change.after is None:
        os.unlink(target)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        _remove_empty_folders(folder, change.path, keep=1)
        return
    if not os.path.lexists(temporary):  # another command removed it as a leftover
        _write(folder, change, temporary, durably=True)
    os.replace(temporary, target)


def _remove_empty_folders(folder: str, path: str, keep: int = 0) -> None:
    segments = path.split("/")
    with contextlib.suppress(OSError):  # the first folder that is not empty
        for length in range(len(segments) - 1, keep, -1):
            os.rmdir(os.path.join(folder, *segments[:length]))


def _half_message(error: BaseException, made: list[FileChange], left: list[FileChange]) -> str:
    lines = [f"{str(error) or 'Interrupted'}; the command stopped halfway:"]
    for mark, changes in (("", made), ("not ", left)):
        for change in changes[:_MAX_LISTED]:
            what = "removed" if change.after is None else "written"
            lines.append(f"  {mark}{what}  {change.path}")
        if len(changes) > _MAX_LISTED:
            lines.append(f"  and {len(changes) - _MAX_LISTED:,} more {mark}changed")
    lines.append(
        "`git status` and `git diff` show what was changed. To undo it, restore these files with "
        "`git checkout` and remove the new files. Then run the command again."
    )
    return "\n".join(lines) + getattr(error, "hint", "")


def _was_renamed(folder: str, inner: str) -> bool:
    """Whether a folder has the temporary file of a record, so that it was that of a kind."""
    with contextlib.suppress(OSError):
        names = os.listdir(os.path.join(folder, inner)) if inner[0] != "." else ()
        return any((name_of_temporary(name) or "").endswith(ENDINGS) for name in names)
    return False


def remove_leftovers(folder: str) -> list[str]:
    """Remove the temporary files of a killed command; returns the paths that it did not change."""
    paths = []
    for parent, folders, names in os.walk(folder):
        if parent == folder:
            known = {*open_content(folder).kinds, *_FOLDERS}
            folders[:] = [f for f in folders if f in known or _was_renamed(folder, f)]
        for temporary in names:
            if name := name_of_temporary(temporary):
                os.unlink(os.path.join(parent, temporary))
                paths.append(os.path.relpath(os.path.join(parent, name), folder))
    for path in paths:
        _remove_empty_folders(folder, path)
    return sorted(paths)
