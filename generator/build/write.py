"""Putting an output in place: whole or not at all, one build at a time.

    <parent>/<out>/                 what hosts publish
    <parent>/.registry/<out>/       lock, build log, and the tree a build is written into

A whole build is written into a new tree, which then changes places with the output in one step; files that are the same
in both are linked and not written.  A build of a few changes is written into a tree of just those, then a journal says
what is to be moved and removed, and then it is: whoever opens the workspace next finishes what a journal says.
Whatever happens before that leaves the output as it was, and litter is removed by the next build.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from generator.artifact import Artifact
from generator.query import BUILD


class OutputError(Exception):
    """The output cannot be written; the text says why and what to do."""


#: A file that was written: its path, its mtime in ns and its size.
Written = tuple[str, int, int]

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class Tree:
    """A folder that files are written into, each path once.

    Folders are held open, so that paths are short and the tree may be moved meanwhile.  `last` is an earlier output;
    a file that is the same there is linked.
    """

    def __init__(self, root: Path, last: Path | None = None):
        self.root = root
        self.directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.last = os.open(last, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if last else -1

    def write(self, artifact: Artifact) -> Written:
        """Write one new file.  Raises PathTaken where there is one, OSError."""
        path, data = artifact
        name = path[1:]
        if self.last >= 0:
            linked = self._link(name, data)
            if linked is not None:
                return path, linked, len(data)
        try:
            file = os.open(name, _CREATE, 0o644, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            file = os.open(name, _CREATE, 0o644, dir_fd=self.directory)
        except FileExistsError:
            raise PathTaken(path) from None
        try:
            done = os.write(file, data)
            while done < len(data):
                done += os.write(file, data[done:])
            return path, os.fstat(file).st_mtime_ns, done
        finally:
            os.close(file)

    def _link(self, name: str, data: bytes) -> int | None:
        """Link the earlier output's file when it has these bytes; its mtime."""
        try:
            file = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=self.last)
        except OSError:
            return None
        try:
            stat = os.fstat(file)
            if stat.st_size != len(data) or os.read(file, len(data) + 1) != data:
                return None
        except OSError:
            return None
        finally:
            os.close(file)
        for attempt in (1, 2):
            try:
                os.link(name, name, src_dir_fd=self.last, dst_dir_fd=self.directory, follow_symlinks=False)
                return stat.st_mtime_ns
            except FileNotFoundError:
                if attempt == 1:
                    self._folder(name.rpartition("/")[0])
            except FileExistsError:
                raise PathTaken("/" + name) from None
            except OSError:  # no links on this file system, or too many
                break
        return None

    def _folder(self, name: str) -> None:
        try:
            os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            with contextlib.suppress(FileExistsError):  # another process may have been faster
                os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileExistsError:
            pass

    def close(self) -> None:
        os.close(self.directory)
        if self.last >= 0:
            os.close(self.last)


class PathTaken(Exception):
    """Two outputs have the same path."""


class Workspace:
    """The right to write one output folder: a lock, and a tree to write into.

    A context manager: entering waits for another build of the same output, calling `waiting` first; leaving removes
    what was not committed.  Raises OutputError.
    """

    def __init__(self, out: Path, waiting: Callable[[], None] = lambda: None):
        self.out = Path(os.path.realpath(out))
        self.state = self.out.parent / ".registry" / self.out.name
        self.waiting = waiting
        self._lock = -1
        self._trees: list[Tree] = []
        self._handler: Any = None

    def __enter__(self) -> Workspace:
        with explained(self.out):
            if (self.out / ".git").exists():
                raise OutputError(
                    f"{self.out} has a .git: it is a checkout, which a build would replace; nothing was written.\n"
                    "Build into another folder with --out, and copy it here."
                )
            if self.out.exists() and not is_ours(self.out):
                raise OutputError(
                    f"{self.out} holds other files and no build; nothing was written.\n"
                    "Choose another folder with --out, or empty this one."
                )
            self.state.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.state / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.waiting()
                fcntl.flock(self._lock, fcntl.LOCK_EX)
            self._finish()
            self._sweep()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for tree in self._trees:
            tree.close()
        with contextlib.suppress(OSError):
            if not (self.state / _JOURNAL).exists():
                self._sweep()
        os.close(self._lock)
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)

    def _hold_interrupts(self) -> None:
        """From here on a Ctrl-C comes too late: the output is changed, and is to be left whole."""
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _sweep(self) -> None:
        """Remove the trees of builds that never finished, and outputs that were replaced."""
        for entry in os.scandir(self.state):
            if entry.name.startswith(("new-", "old-")):
                shutil.rmtree(entry.path)

    @property
    def log(self) -> Path:
        """The folder of the build log."""
        return self.state / "log"

    def tree(self, *, whole: bool = True) -> Tree:
        """A new, empty tree, for a whole output or for a few files of it."""
        with explained(self.out):
            root = self.state / f"new-{os.getpid()}-{len(self._trees)}"
            root.mkdir(mode=0o755)
            self._trees.append(Tree(root, self.out if whole and self.out.exists() else None))
        return self._trees[-1]

    def replace(self, tree: Tree) -> None:
        """Put the tree in the output's place."""
        self._hold_interrupts()
        with explained(self.out):
            if self.out.exists():
                _exchange(tree.root, self.out, self.state / f"old-{os.getpid()}")
            else:
                tree.root.rename(self.out)

    def apply(self, tree: Tree, written: Iterable[str], removed: Iterable[str]) -> None:
        """Move what the tree holds into the output, and remove files from it.  Paths begin with a slash."""
        self._hold_interrupts()
        journal = json.dumps({"tree": tree.root.name, "move": list(written), "remove": list(removed)})
        with explained(self.out):
            new = self.state / "journal.new"
            new.write_text(journal, "utf-8")
            new.replace(self.state / _JOURNAL)
            self._finish()

    def _finish(self) -> None:
        """Do what a journal says, from wherever it was left."""
        try:
            journal = json.loads((self.state / _JOURNAL).read_text("utf-8"))
        except FileNotFoundError:
            return
        tree = self.state / journal["tree"]
        for path in journal["move"]:
            source, target = tree / path[1:], self.out / path[1:]
            try:
                os.rename(source, target)
            except FileNotFoundError:
                if source.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.rename(source, target)
        for path in journal["remove"]:
            target = self.out / path[1:]
            with contextlib.suppress(FileNotFoundError):
                target.unlink()
            with contextlib.suppress(OSError):  # the first folder that is not empty
                for folder in target.parents:
                    if folder == self.out:
                        break
                    folder.rmdir()
        (self.state / _JOURNAL).unlink()


_JOURNAL = "journal"


def is_ours(folder: Path) -> bool:
    """Whether a folder is empty or holds a build, so that replacing it loses nothing of anyone's."""
    if not folder.is_dir():
        return False
    return (folder / BUILD[1:]).is_file() or not any(folder.iterdir())


_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def _exchange(new: Path, out: Path, old: Path) -> None:
    """Let two folders change places in one step where the system can (Linux, renameat2), else in two."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        failed = libc.renameat2(_AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(out), _RENAME_EXCHANGE)
        number = ctypes.get_errno() if failed else 0
    except AttributeError:
        number = errno.ENOSYS
    if number in (errno.ENOSYS, errno.EINVAL):
        out.rename(old)
        new.rename(out)
    elif number:
        raise OSError(number, os.strerror(number), str(out))


def check_apart(content: Path, out: Path) -> None:
    """Raises OutputError where one folder lies in the other: a build would replace, or read, what it must not."""
    inner, outer = Path(os.path.realpath(content)), Path(os.path.realpath(out))
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise OutputError(
            f"the output {out} and the content {content} lie one in the other; nothing was written.\n"
            "Choose a folder beside the content with --out."
        )


@contextlib.contextmanager
def explained(out: Path) -> Iterator[None]:
    """Turns errors of the system into OutputError, with what to do."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}\n" + _hint(error)) from error


def _hint(error: OSError) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "The disk is full; the last output is as it was. Free some space and build again."
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return "Choose a folder that you may write to with --out; the build needs its parent folder too."
        case errno.EBUSY | errno.EXDEV:
            return "The folder is a mount point; choose a folder inside of it with --out."
    return "The last output is as it was."
