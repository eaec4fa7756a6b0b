"""Writes the files of a build and commits them to the output: all or none, one build at a time.

    <parent>/<out>/                 the output that hosts publish
    <parent>/.registry/<out>/       see generator.disk.output_state; also the tree of a build

A build writes a tree of the files that differ from the output.  If these are few, it then writes a
journal of the files to move and remove, and applies it; a build that is killed meanwhile is
finished by the next one that opens the workspace.  If they are many, the files that stay are linked
into the tree, which is then exchanged with the output in one step.  If a build is killed earlier,
the output is unchanged, and the next build removes the leftover tree.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from generator.build.output.ownership import check_is_build
from generator.contract.artifact import Artifact
from generator.disk import safe_paths
from generator.disk.output_state import (
    CONTENT,
    JOURNAL,
    OutputError,
    OutputState,
    explain_errors,
    find_content,
    name_of_content,
    remove_entry,
)

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class Written(NamedTuple):
    """A file of a build; `mtime` (ns) is None if the output has it with the same bytes."""

    path: str
    size: int
    sha256: bytes
    mtime: int | None


class Tree:
    """A folder for the files that differ from an output, each path once.

    The folder stays open: paths are relative to it, and it may be moved meanwhile.  `before` has
    the paths of the files of the output `out`; empty and None if there is none to compare with.
    """

    def __init__(self, root: Path, out: Path | None, before: Set[str]):
        self.root, self.out, self.before = root, out, before
        self.directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.last = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if out else -1

    def write(self, artifact: Artifact) -> Written:
        """Write a file, unless the output has it.  Raises PathTaken if it was written already, and
        OSError.
        """
        path, data = artifact
        mtime = None if self._is_same(path, data) else self._put(path[1:], data)
        return Written(path, len(data), sha256(data).digest(), mtime)

    def _is_same(self, path: str, data: bytes) -> bool:
        return path in self.before and _read(path, self.last, len(data) + 1) == data

    def _put(self, name: str, data: bytes) -> int:
        """Write a new file; its mtime in ns."""
        try:
            file = os.open(name, _CREATE, 0o644, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            file = os.open(name, _CREATE, 0o644, dir_fd=self.directory)
        except FileExistsError:
            raise PathTaken(f"/{name}") from None
        try:
            size = os.write(file, data)
            while size < len(data):
                size += os.write(file, data[size:])
            return os.fstat(file).st_mtime_ns
        finally:
            os.close(file)

    def read(self, path: str) -> bytes | None:
        """A file of the tree, or else of the output; None if there is none."""
        data = _read(path, self.directory)
        return _read(path, self.last) if data is None and path in self.before else data

    def link(self, paths: Iterable[str]) -> bool:
        """Hard-link files of the output into this tree; False if one of them cannot be linked."""
        try:
            for path in paths:
                self._link_from(self.last, path[1:], path[1:])
        except OSError:  # no links on this file system, or too many
            return False
        return True

    def _link_from(self, folder: int, source: str, name: str) -> None:
        """Hard-link the file `source` of an open folder as `name`.  Raises OSError."""
        for attempt in (1, 2):
            try:
                os.link(source, name, src_dir_fd=folder, dst_dir_fd=self.directory,
                        follow_symlinks=False)  # fmt: skip
                return
            except FileNotFoundError:
                if attempt == 2:
                    raise
                self._folder(name.rpartition("/")[0])

    def _folder(self, name: str) -> None:
        """Make a folder of the tree, and the folders above it."""
        try:
            os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            with contextlib.suppress(FileExistsError):  # made by another process
                os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileExistsError:
            pass

    def close(self) -> None:
        os.close(self.directory)
        if self.last >= 0:
            os.close(self.last)


class PathTaken(OutputError):
    """Two outputs have the same path."""


class Workspace:
    """The right to write one output folder: a lock, and trees to write into.

    A context manager.  Entering waits for another build of the same output, and calls `waiting`
    before; leaving removes what was not committed.  `whole` says whether the output is that of a
    finished build; if not, only `replace` may be used.  Raises OutputError.
    """

    def __init__(self, out: Path, waiting: Callable[[], None] = lambda: None):
        self._state = OutputState(out, waiting)
        self.out = self._state.out
        self._trees: list[Tree] = []
        self._handler: Any = None

    def __enter__(self) -> Workspace:
        with explain_errors(self.out):
            check_is_build(self.out)
        self._state.__enter__()
        self.whole = self._state.is_complete
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for tree in self._trees:
            tree.close()
        with contextlib.suppress(OSError):
            if not os.path.lexists(self._state.path / JOURNAL):
                self._state.remove_leftovers()
        self._state.close()
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)

    def _hold_interrupts(self) -> None:
        """Ignore Ctrl-C from now on, because the output is about to change."""
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGINT, lambda *_: None)

    @property
    def beside(self) -> Path:
        """The folder for files that a build keeps beside its output."""
        return self._state.path

    def prepare(self, name: str, data: bytes) -> None:
        """Write a small file beside the output; `renew` then puts it in place."""
        with explain_errors(self.out):
            self._state.prepare_file(name, data)

    def renew(self, name: str) -> None:
        """Put a prepared file in place."""
        with explain_errors(self.out):
            self._state.commit_file(name)

    def keep(self, name: str, data: bytes) -> None:
        """Write a small file beside the output, if that works."""
        with contextlib.suppress(OSError):
            self._state.replace_file(name, data)

    def tree(self, before: Set[str]) -> Tree:
        """A new, empty tree.  It compares with the output, whose files are `before`, if that is
        whole.
        """
        known = before if self.whole else frozenset[str]()
        with explain_errors(self.out):
            root = self._state.path / f"new-{os.urandom(8).hex()}"
            root.mkdir(mode=0o755)
            self._trees.append(Tree(root, self.out if known else None, known))
        return self._trees[-1]

    def replace(self, tree: Tree) -> None:
        """Exchange the output for the tree."""
        self._hold_interrupts()
        with explain_errors(self.out):
            if self.out.exists():
                from generator.disk.swap import exchange_folders

                exchange_folders(
                    tree.root, self.out, tree.root.with_name(tree.root.name.replace("new", "old"))
                )
            else:
                tree.root.rename(self.out)
            remove_entry(JOURNAL, self._state.folder)

    def apply(self, tree: Tree, written: Mapping[str, int], removed: Iterable[str]) -> bool:
        """Move files of the tree into the output, and remove files there.

        `written` has the sizes of the files to move; paths begin with a slash.  False, with nothing
        changed, if a file is in the place of a folder or a folder in the place of a file.
        """
        self._hold_interrupts()
        with explain_errors(self.out):
            try:
                self._state.apply_changes(tree.root.name, written, removed)
            except OSError as error:
                if error.errno not in (errno.EISDIR, errno.ENOTDIR, errno.ELOOP):
                    raise
                return False
        return True

    @contextlib.contextmanager
    def built_from(self, content: str) -> Iterator[None]:
        """Note the content of the output, which changes in the block."""
        source = name_of_content(content)
        is_noted = find_content(self.out) == source
        if not is_noted:
            remove_entry(CONTENT, self._state.folder)
        yield
        if not is_noted:
            with contextlib.suppress(OSError):  # the source stays unknown
                self._state.replace_file(CONTENT, os.fsencode(source))


class Stat(NamedTuple):
    """The size of a file, and its mtime in ns."""

    size: int
    mtime: int


def list_files(folder: Path) -> dict[str, Stat]:
    """The files in a folder and below by their paths, which begin with a slash; empty if there is
    no folder.  Does not follow links.  Raises OSError.
    """
    found: dict[str, Stat] = {}
    todo = ["/"] if folder.is_dir() else []
    while todo:
        below = todo.pop()
        with os.scandir(f"{folder}{below}") as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(f"{below}{entry.name}/")
                else:
                    stat = entry.stat(follow_symlinks=False)
                    found[f"{below}{entry.name}"] = Stat(stat.st_size, stat.st_mtime_ns)
    return found


def _read(path: str, folder: int, most: int | None = None) -> bytes | None:
    """A regular file below an open folder, as far as `most` bytes; None if there is none."""
    try:
        file = os.open(path[1:], safe_paths.FILE_FLAGS, dir_fd=folder)
    except OSError:
        return None
    try:
        size = os.fstat(file).st_size + 1 if most is None else most
        with open(file, "rb", buffering=0, closefd=False) as opened:
            return opened.read(size)
    except OSError:  # a folder
        return None
    finally:
        os.close(file)
