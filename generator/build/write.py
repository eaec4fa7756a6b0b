"""Putting an output in place: whole or not at all, one build at a time.

    <parent>/<out>/                 what hosts publish
    <parent>/.registry/<out>/       lock, and the tree a build is written into

A build writes into a new tree beside the output; when it is complete the two change places.  Whatever happens before
that moment leaves the output as it was, and what an interrupted build left behind is removed by the next.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

from generator.artifact import Artifact
from generator.query import BUILD


class OutputError(Exception):
    """The output cannot be written; the text says why and what to do."""


class Tree:
    """A folder that files are written into, each path once.

    The folder is held open, so that paths are short and the tree may be moved meanwhile.
    """

    def __init__(self, root: Path):
        self.root = root
        self.directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def write(self, artifact: Artifact) -> int:
        """Write one new file; its size.  Raises PathTaken where there is one, OSError."""
        name = artifact.path[1:]
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        try:
            file = os.open(name, flags, 0o644, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            file = os.open(name, flags, 0o644, dir_fd=self.directory)
        except FileExistsError:
            raise PathTaken(artifact.path) from None
        try:
            data = artifact.data
            done = os.write(file, data)
            while done < len(data):
                done += os.write(file, data[done:])
        finally:
            os.close(file)
        return len(data)

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

    def __enter__(self) -> Workspace:
        with _explained(self.out):
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
            self._sweep()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for tree in self._trees:
            tree.close()
        with contextlib.suppress(OSError):
            self._sweep()
        os.close(self._lock)

    def _sweep(self) -> None:
        """Remove the trees of builds that never finished, and outputs that were replaced."""
        for entry in os.scandir(self.state):
            if entry.name.startswith(("new-", "old-")):
                shutil.rmtree(entry.path)

    def tree(self) -> Tree:
        """A new, empty tree."""
        with _explained(self.out):
            root = self.state / f"new-{os.getpid()}"
            root.mkdir()
            self._trees.append(Tree(root))
        return self._trees[-1]

    def commit(self, tree: Tree) -> None:
        """Put the tree in the output's place."""
        with _explained(self.out):
            if self.out.exists():
                _exchange(tree.root, self.out, self.state / f"old-{os.getpid()}")
            else:
                tree.root.rename(self.out)


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


@contextlib.contextmanager
def _explained(out: Path) -> Iterator[None]:
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
