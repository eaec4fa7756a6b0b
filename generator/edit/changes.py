"""Atomic changes to files of a content folder, or of the repository around it.

`apply` writes the new files and then a journal to the hidden UNFINISHED_FOLDER, and moves the files
into place.  If a command is killed before the journal exists, the next command deletes the folder;
after that, it finishes the changes.  The journal has the digest of each file before and after its
change: if a file has neither, nothing is finished.  A second command waits for the first.
"""

from __future__ import annotations

import contextlib
import difflib
import fcntl
import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from stat import S_ISLNK
from typing import NamedTuple

from generator.dialect.folder import UNFINISHED_FOLDER, is_content
from generator.disk import safe_paths
from generator.problems.diagnostic import printable

_JOURNAL = "journal.json"
_MAX_BYTES = 64 << 20  # of a file; the wheel of the generator has some megabytes
#: From this number of files on, one `sync` is faster than an `fsync` of each file.
_SYNC_TOGETHER = 50
_MAX_LISTED = 10  # files named in a message

#: What commands may change in a repository beside its content.
_FOLDERS = (".github", ".vscode", "admin")
_FILES = (
    ".generator.json",
    ".gitignore",
    ".gitlab-ci.yml",
    "README.md",
    "extra.txt",
    "netlify.toml",
    "requirements.txt",
    "wrangler.jsonc",
)

_is_wheel = re.compile(r"wheels/registry_generator-[0-9A-Za-z.+!]+-py3-none-any\.whl").fullmatch

#: path below a folder -> whether commands may change the file
Allowed = Callable[[str], bool]


class Change(NamedTuple):
    """A file below the folder: its bytes before and after, None if it does not exist."""

    path: str
    before: bytes | None
    after: bytes | None


class Refused(Exception):
    """A command cannot be carried out; the message says why, and what to do."""


class Skipped(NamedTuple):
    """What stays as it is, such as a file, and why."""

    name: str
    reason: str


class Plan(NamedTuple):
    """The changes of a command.

    `skipped` has the files that stay as they are.  If a file of `checked` has
    an error after the changes, all of them are undone.
    """

    changes: list[Change]
    skipped: list[Skipped]
    checked: tuple[str, ...] = ()


class FileChanged(Exception):
    """A file was edited after the change was planned, or its path has a link; the message says
    which file.
    """


class _Step(NamedTuple):
    """One change of a journal: digests of the file before and after, None if it does not exist.

    `staged` names the file with the new bytes in UNFINISHED_FOLDER, "" if the step removes a file.
    """

    path: str
    before: str | None
    after: str | None
    staged: str


def difference(changes: Iterable[Change]) -> str:
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
    return ["".join(map(_visible, line)) for line in text.splitlines(keepends=True)]


def _visible(character: str) -> str:
    return character if character in "\t\n" else printable(character)


def is_registry_file(path: str) -> bool:
    """Whether commands may change this path of a repository.

    A cloned repository may contain a journal of its author.  So these are the files of a registry,
    and none that git or a shell runs by itself.
    """
    folder, _, inner = path.partition("/")
    return (
        path in _FILES
        or folder in _FOLDERS
        or _is_wheel(path) is not None
        or (folder == "content" and is_content(inner))
    )


def recover(folder: str, allowed: Allowed = is_content) -> None:
    """Finish or delete the changes of a command that was killed.  Raises OSError."""
    with _opened(folder) as root:
        _finish(folder, root, allowed)


def apply(folder: str, changes: Iterable[Change], allowed: Allowed = is_content) -> None:
    """Make all changes, or none.  `allowed` is for a journal that a killed command left.

    Raises Moved, before any change, if a file is not as it was planned, and OSError.
    """
    changes = list(changes)
    with _opened(folder) as root:
        _finish(folder, root, allowed)
        _check(root, changes)
        stage = os.path.join(folder, UNFINISHED_FOLDER)
        os.mkdir(stage)
        try:
            steps = []
            for number, (path, before, after) in enumerate(changes):
                staged = "" if after is None else str(number)
                steps.append(_Step(path, _digest(before), _digest(after), staged))
                if after is not None:
                    _write(
                        os.path.join(stage, staged), after, durably=len(changes) < _SYNC_TOGETHER
                    )
            journal = json.dumps({"steps": steps}).encode()
            if len(changes) >= _SYNC_TOGETHER:
                os.sync()
            _write(os.path.join(stage, f"{_JOURNAL}.new"), journal)
            with _signals_blocked():
                os.replace(os.path.join(stage, f"{_JOURNAL}.new"), os.path.join(stage, _JOURNAL))
                _finish(folder, root, allowed)
        except BaseException:
            if not os.path.exists(os.path.join(stage, _JOURNAL)):
                shutil.rmtree(stage, ignore_errors=True)
            raise


@contextlib.contextmanager
def _opened(folder: str) -> Iterator[int]:
    """The file descriptor of a folder, locked against other commands."""
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # some network file systems cannot lock folders
            fcntl.flock(root, fcntl.LOCK_EX)
        yield root
    finally:
        os.close(root)


def _check(root: int, changes: Iterable[Change]) -> None:
    for path, before, after in changes:
        if (link := _link_in(root, path)) is not None:
            problem = "is a link" if link == path else f"is in {link}, which is a link"
            raise FileChanged(
                f"{path} {problem}, and commands do not change files through links; nothing was "
                f"changed\nReplace the link by the {'file' if link == path else 'folder'} itself, "
                "or edit the file by hand."
            )
        if _state(root, path) != _digest(before):
            problem = "already exists" if before is None else "was changed in the meantime"
            raise FileChanged(f"{path} {problem}; nothing was changed")
        assert before is not None or after is not None


def _link_in(root: int, path: str) -> str | None:
    """The first folder of a path that is a link, or the path itself; None if there is no link."""
    segments = path.split("/")
    for length in range(1, len(segments) + 1):
        inner = "/".join(segments[:length])
        try:
            mode = os.stat(inner, dir_fd=root, follow_symlinks=False).st_mode
        except OSError:  # it does not exist yet
            return None
        if S_ISLNK(mode):
            return inner
    return None


def _write(path: str, data: bytes, *, durably: bool = True) -> None:
    with open(path, "xb") as file:
        file.write(data)
        if durably:
            file.flush()
            os.fsync(file.fileno())


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    """Ctrl-C and other signals of a person wait until the block ends."""
    blocked = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _finish(folder: str, root: int, allowed: Allowed) -> None:
    """Carry out the steps of a journal that are left; without a journal, delete the new files."""
    stage = os.path.join(folder, UNFINISHED_FOLDER)
    if not os.path.lexists(stage):
        return
    if os.path.islink(stage) or not os.path.isdir(stage):
        raise OSError(f"{stage} is not a folder from an interrupted command: remove it")
    journal = safe_paths.read_file(root, [UNFINISHED_FOLDER, _JOURNAL])
    if journal is not None:
        steps = _parse_journal(journal, stage, allowed)
        for step in _pending(root, stage, steps):
            if step.staged:
                _put(root, step)
            else:
                _remove(root, step)
    shutil.rmtree(stage)


def _pending(root: int, stage: str, steps: list[_Step]) -> list[_Step]:
    """The steps that are left to do, removals last.  Raises OSError if a file is neither as it was
    before its step nor as it is after it.
    """
    pending, edited = [], []
    for step in steps:
        current = _state(root, step.path)
        staged = step.staged and _digest(
            safe_paths.read_file(root, [UNFINISHED_FOLDER, step.staged], _MAX_BYTES)
        )
        if staged and staged != step.after:
            raise _foreign(stage)
        if staged or (step.after is None and current is not None):
            pending.append(step)
            if current not in (step.before, step.after):
                edited.append(step.path)
        elif current != step.after:  # this step was done, and the file was edited since
            edited.append(step.path)
    if pending and edited:
        raise OSError(_edited_message(stage, edited, pending))
    return sorted(pending, key=lambda step: not step.staged)


def _edited_message(stage: str, edited: list[str], pending: list[_Step]) -> str:
    """The message for files that were edited after a command was killed."""
    left = "".join(
        f"\n  {'write' if step.staged else 'remove'} {printable(step.path)}"
        for step in pending[:_MAX_LISTED]
    )
    more = len(pending) - _MAX_LISTED
    left += f"\n  and {more:,} more" if more > 0 else ""
    files = ", ".join(map(printable, edited[:_MAX_LISTED]))
    return (
        f"a registry command was stopped halfway, and these files were edited since: {files}. "
        f"Nothing was changed now. The stopped command still has to:{left or ' nothing'}\n"
        f"To keep your edits, remove the folder {printable(stage)}, do what is left by hand, and "
        "run registry check. To finish the stopped command, undo your edits and run it again"
    )


def _foreign(stage: str) -> OSError:
    return OSError(f"{stage} was not left by an interrupted command: look at it, and remove it")


def _put(root: int, step: _Step) -> None:
    segments = step.path.split("/")
    with (
        safe_paths.open_folder(root, [UNFINISHED_FOLDER]) as source,
        safe_paths.open_folder(root, segments[:-1], make=True) as target,
    ):
        os.rename(step.staged, segments[-1], src_dir_fd=source, dst_dir_fd=target)


def _remove(root: int, step: _Step) -> None:
    segments = step.path.split("/")
    with safe_paths.open_folder(root, segments[:-1]) as target:
        os.unlink(segments[-1], dir_fd=target)
    with contextlib.suppress(
        OSError
    ):  # keeps folders that are not empty, and the folder of the collection
        for length in range(len(segments) - 1, 1, -1):
            os.rmdir("/".join(segments[:length]), dir_fd=root)


def _state(root: int, path: str) -> str | None:
    """The digest of a file, None if the path does not exist, "" if it is not a regular file."""
    segments = path.split("/")
    digest = _digest(safe_paths.read_file(root, segments, _MAX_BYTES))
    if digest is not None:
        return digest
    try:
        with safe_paths.open_folder(root, segments[:-1]) as folder:
            os.stat(segments[-1], dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return ""


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


def _parse_journal(journal: bytes, stage: str, allowed: Allowed) -> list[_Step]:
    """The steps of a journal, which anyone may have written.  Raises OSError."""
    try:
        steps = [_Step(*step) for step in json.loads(journal)["steps"]]
        valid = all(
            isinstance(path, str)
            and safe_paths.is_inside(path)
            and allowed(path)
            and isinstance(before, str | None)
            and isinstance(after, str | None)
            and isinstance(staged, str)
            and (staged.isdecimal() and staged.isascii() if after is not None else staged == "")
            and (before is not None or after is not None)
            for path, before, after, staged in steps
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        valid = False
    if not valid:
        raise _foreign(stage)
    return steps
