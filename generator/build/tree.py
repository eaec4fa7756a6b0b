"""Trees of a build: one of the files that differ from the output, and one that the output is
exchanged with.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping, Set
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from generator.contract.artifact import Artifact
from generator.disk import safe_paths
from generator.disk.output_state import OutputError

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class WrittenFile(NamedTuple):
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
        self.directory = self.last = -1
        self.directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if out:
            self.last = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __del__(self) -> None:
        for folder in (self.directory, self.last):
            if folder >= 0:
                os.close(folder)

    def write(self, artifact: Artifact) -> WrittenFile:
        """Write a file, unless the output has it.  Raises PathTaken if it was written already, and
        OSError.
        """
        path, data = artifact
        mtime = None if self._is_same(path, data) else self._put(path[1:], data)
        return WrittenFile(path, len(data), sha256(data).digest(), mtime)

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

    def take(self, path: str, other: Path) -> None:
        """Hard-link a file of another folder into this tree.  Raises OSError."""
        try:
            self.link_from(None, f"{other}{path}", path[1:])
        except OSError:  # no links on this file system, or too many
            shutil.copy2(f"{other}{path}", f"{self.root}{path}", follow_symlinks=False)

    def keep_only(self, stats: Mapping[str, Stat], below: str = "/") -> set[str]:
        """Remove what is in a folder of this tree, except the very files with these stats, whose
        paths are returned.  Raises OSError.
        """
        kept: set[str] = set()
        with os.scandir(f"{self.root}{below}") as entries:
            for entry in list(entries):
                path = f"{below}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    inside = self.keep_only(stats, f"{path}/")
                    kept |= inside
                    if not inside:
                        os.rmdir(entry)
                elif Stat.of(entry) == stats.get(path):
                    kept.add(path)
                else:
                    os.unlink(entry)
        return kept

    def link_from(self, folder: int | None, source: str, name: str) -> None:
        """Hard-link the file `source`, below an open folder if there is one, as `name`.  Raises
        OSError.
        """
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


class PathTaken(OutputError):
    """Two outputs have the same path."""


class Stat(NamedTuple):
    """The size of a file, its mtime in ns, and its inode: 0 for a file that is new."""

    size: int
    mtime: int
    inode: int = 0

    @classmethod
    def of(cls, entry: os.DirEntry[str]) -> Stat:
        stat = entry.stat(follow_symlinks=False)
        return cls(stat.st_size, stat.st_mtime_ns, stat.st_ino)


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
                    found[f"{below}{entry.name}"] = Stat.of(entry)
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
