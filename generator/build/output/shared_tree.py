"""A tree that several machines write into, some of them perhaps the same file."""

from __future__ import annotations

import contextlib
import os
from hashlib import sha256
from pathlib import Path

from generator.build.output.write import PathTaken, Tree, Written
from generator.contract.artifact import Artifact
from generator.disk import safe_paths
from generator.disk.output_state import OutputError


class SharedTree(Tree):
    """A tree to which each file comes in one step, under its name and whole.

    Work that was done on a machine that was lost is done again on another one, so a file may be
    there: with the same bytes it is the one that is meant.
    """

    def __init__(self, root: Path, last: Path | None):
        super().__init__(root, last)
        # Beside the tree, where the next build removes what a lost one has left.
        self.beside = os.open(root.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def write(self, artifact: Artifact) -> Written:
        """Write one file.  Raises OutputError where there is one with other bytes, OSError."""
        path, data = artifact
        name, digest = path[1:], sha256(data).digest()
        try:
            mtime = self._link(name, data) if self.last >= 0 else None
            if mtime is None:
                mtime = self._put(name, data)
        except (PathTaken, FileExistsError):
            mtime = self._same(name, data)
        return path, mtime, len(data), digest

    def _put(self, name: str, data: bytes) -> int:
        part = f"new-{os.urandom(8).hex()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        file = os.open(part, flags, 0o644, dir_fd=self.beside)
        try:
            with open(file, "wb", buffering=0) as opened:
                rest = memoryview(data)
                while rest:
                    rest = rest[opened.write(rest) :]
                mtime = os.fstat(opened.fileno()).st_mtime_ns
            for attempt in (1, 2):
                try:
                    os.link(part, name, src_dir_fd=self.beside, dst_dir_fd=self.directory)
                    break
                except FileNotFoundError:
                    if attempt == 2:
                        raise
                    self._folder(name.rpartition("/")[0])
            return mtime
        finally:
            os.unlink(part, dir_fd=self.beside)

    def _same(self, name: str, data: bytes) -> int:
        """The mtime of a file that is there, which must have these bytes."""
        with open(os.open(name, safe_paths.FILE, dir_fd=self.directory), "rb", buffering=0) as file:
            if file.read() != data:
                raise OutputError(
                    f"/{name} was written twice with different contents, because the content "
                    "changed during the build; nothing was written.\nBuild again."
                )
            return os.fstat(file.fileno()).st_mtime_ns

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            self.close()
            os.close(self.beside)
