"""Changes to files of the content, or of the folder that has it, done whole or not at all.

What is to be written lies in the hidden folder UNFINISHED of that folder first, with a journal that
says where it goes.  Before the journal is there nothing has changed, and what lies there is thrown
away; from then on all of it is done, by this process or, where that was killed, by the next command
that changes the folder.  The journal has the digest of each file before and after, and nothing is
finished where a file has neither.  Of two commands at once the second waits for the first.
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

from generator.dialect.folder import UNFINISHED, is_content
from generator.disk import safe_paths
from generator.problems.diagnostic import printable

_JOURNAL = "journal.json"
#: The largest file that is changed: the wheel of the generator has some megabytes.
_MAX_BYTES = 64 << 20
#: So many files are written to disk sooner together than each for itself.
_MANY = 50
_MOST = 10  # files named in a message

_FOLDERS = (".github", ".vscode", "admin")
_BESIDE = (
    ".generator.json",
    ".gitignore",
    ".gitlab-ci.yml",
    "README.md",
    "netlify.toml",
    "requirements.txt",
    "wrangler.jsonc",
)

_is_wheel = re.compile(r"wheels/registry_generator-[0-9A-Za-z.+!]+-py3-none-any\.whl").fullmatch

#: Whether a path below a folder is one that commands may change there.
Allowed = Callable[[str], bool]


class Change(NamedTuple):
    """A file below the folder: its bytes before and after, None where it is not there."""

    path: str
    before: bytes | None
    after: bytes | None


class Refused(Exception):
    """What was asked cannot be done; the text says why, and what to do."""


class Plan(NamedTuple):
    """What is to be changed; files that are left alone, each with the reason; and the files that
    must have no error once it is done: all is undone if one of them has.
    """

    changes: list[Change]
    left: list[tuple[str, str]]
    checked: tuple[str, ...] = ()


class Moved(Exception):
    """A file is not what the change was worked out from, or is reached by a link; the text says
    which and how.
    """


class _Step(NamedTuple):
    """One change of a journal: digests of the file before and after, None if it does not exist.

    `staged` names the file with the new bytes in UNFINISHED, "" if the step removes a file.
    """

    path: str
    before: str | None
    after: str | None
    staged: str


def difference(changes: Iterable[Change]) -> str:
    """All changes as a unified diff; of a binary file only that it differs, as git shows it."""
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
    return ["".join(map(_seen, line)) for line in text.splitlines(keepends=True)]


def _seen(character: str) -> str:
    return character if character in "\t\n" else printable(character)


def is_beside(path: str) -> bool:
    """What a journal may change in the folder that has `content/`, for it may have come with that,
    from anyone: what a registry consists of, and nothing that git or a shell runs by itself.
    """
    folder, _, inner = path.partition("/")
    return (
        path in _BESIDE
        or folder in _FOLDERS
        or _is_wheel(path) is not None
        or (folder == "content" and is_content(inner))
    )


def settle(folder: str, allowed: Allowed = is_content) -> None:
    """Finish or throw away what a command that was killed left.  Raises OSError."""
    with _opened(folder) as root:
        _finish(folder, root, allowed)


def apply(folder: str, changes: Iterable[Change], allowed: Allowed = is_content) -> None:
    """Make the changes, of files that are `allowed`.  Raises Moved where a file is another than it
    was, before anything is changed, and OSError.
    """
    changes = list(changes)
    with _opened(folder) as root:
        _finish(folder, root, allowed)
        _check(root, changes)
        stage = os.path.join(folder, UNFINISHED)
        os.mkdir(stage)  # what is there already is another's, and stays
        try:
            steps = []
            for number, (path, before, after) in enumerate(changes):
                staged = "" if after is None else str(number)
                steps.append(_Step(path, _digest(before), _digest(after), staged))
                if after is not None:
                    _write(os.path.join(stage, staged), after, durably=len(changes) < _MANY)
            journal = json.dumps({"steps": steps}).encode()
            if len(changes) >= _MANY:
                os.sync()  # all of them at once
            _write(os.path.join(stage, f"{_JOURNAL}.new"), journal)
            with _undisturbed():
                os.replace(os.path.join(stage, f"{_JOURNAL}.new"), os.path.join(stage, _JOURNAL))
                _finish(folder, root, allowed)
        except BaseException:
            if not os.path.exists(os.path.join(stage, _JOURNAL)):
                shutil.rmtree(stage, ignore_errors=True)
            raise


@contextlib.contextmanager
def _opened(folder: str) -> Iterator[int]:
    """A folder that no other command changes meanwhile: one that does so already is waited for."""
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # some file systems of a network lock no folder
            fcntl.flock(root, fcntl.LOCK_EX)
        yield root
    finally:
        os.close(root)


def _check(root: int, changes: Iterable[Change]) -> None:
    for path, before, after in changes:
        if (link := _link_in(root, path)) is not None:
            what = "is a link" if link == path else f"is in {link}, which is a link"
            raise Moved(
                f"{path} {what}, and commands do not change files through links; nothing was "
                f"changed\nReplace the link by the {'file' if link == path else 'folder'} itself, "
                "or edit the file by hand."
            )
        if _state(root, path) != _digest(before):
            how = "already exists" if before is None else "was changed in the meantime"
            raise Moved(f"{path} {how}; nothing was changed")
        assert before is not None or after is not None


def _link_in(root: int, path: str) -> str | None:
    """The path itself, or the first folder in it, that is a link; None if there is no link."""
    segments = path.split("/")
    for length in range(1, len(segments) + 1):
        inner = "/".join(segments[:length])
        try:
            mode = os.stat(inner, dir_fd=root, follow_symlinks=False).st_mode
        except OSError:  # there is nothing yet
            return None
        if S_ISLNK(mode):
            return inner
    return None


def _bytes(root: int, path: str) -> bytes | None:
    return safe_paths.read(root, path.split("/"), _MAX_BYTES)


def _write(path: str, data: bytes, *, durably: bool = True) -> None:
    with open(path, "xb") as file:
        file.write(data)
        if durably:
            file.flush()
            os.fsync(file.fileno())


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Nothing that a person sends stops what is done here."""
    blocked = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _finish(folder: str, root: int, allowed: Allowed) -> None:
    """Do what a journal says, from wherever it was left; without one, throw away what was begun."""
    stage = os.path.join(folder, UNFINISHED)
    if not os.path.lexists(stage):
        return
    if os.path.islink(stage) or not os.path.isdir(stage):
        raise OSError(f"{stage} is not a folder from an interrupted command: remove it")
    said = safe_paths.read(root, [UNFINISHED, _JOURNAL])
    if said is not None:
        steps = _parsed(said, stage, allowed)
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
        here = _state(root, step.path)
        staged = step.staged and _digest(
            safe_paths.read(root, [UNFINISHED, step.staged], _MAX_BYTES)
        )
        if staged and staged != step.after:
            raise _foreign(stage)
        if staged or (step.after is None and here is not None):
            pending.append(step)
            if here not in (step.before, step.after):
                edited.append(step.path)
        elif here != step.after:  # written before, and edited since
            edited.append(step.path)
    if pending and edited:
        raise OSError(_interrupted(stage, edited, pending))
    return sorted(pending, key=lambda step: not step.staged)


def _interrupted(stage: str, edited: list[str], pending: list[_Step]) -> str:
    """The message for files that were edited after a command was killed."""
    left = "".join(
        f"\n  {'write' if step.staged else 'remove'} {printable(step.path)}"
        for step in pending[:_MOST]
    )
    more = len(pending) - _MOST
    left += f"\n  and {more:,} more" if more > 0 else ""
    files = ", ".join(map(printable, edited[:_MOST]))
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
        safe_paths.folder(root, [UNFINISHED]) as source,
        safe_paths.folder(root, segments[:-1], make=True) as target,
    ):
        os.rename(step.staged, segments[-1], src_dir_fd=source, dst_dir_fd=target)


def _remove(root: int, step: _Step) -> None:
    segments = step.path.split("/")
    with safe_paths.folder(root, segments[:-1]) as target:
        os.unlink(segments[-1], dir_fd=target)
    with contextlib.suppress(OSError):  # a folder that is not empty, or a collection's
        for length in range(len(segments) - 1, 1, -1):
            os.rmdir("/".join(segments[:length]), dir_fd=root)


def _state(root: int, path: str) -> str | None:
    """The digest of a file, None if nothing has its name, "" if that is no record's file."""
    digest = _digest(_bytes(root, path))
    if digest is not None:
        return digest
    segments = path.split("/")
    try:
        with safe_paths.folder(root, segments[:-1]) as folder:
            os.stat(segments[-1], dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return ""


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


def _parsed(said: bytes, stage: str, allowed: Allowed) -> list[_Step]:
    """The steps of a journal, whoever wrote it.  Raises OSError."""
    try:
        steps = [_Step(*step) for step in json.loads(said)["steps"]]
        good = all(
            isinstance(path, str)
            and safe_paths.is_below(path)
            and allowed(path)
            and isinstance(before, str | None)
            and isinstance(after, str | None)
            and isinstance(staged, str)
            and (staged.isdecimal() and staged.isascii() if after is not None else staged == "")
            and (before is not None or after is not None)
            for path, before, after, staged in steps
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        good = False
    if not good:
        raise _foreign(stage)
    return steps
