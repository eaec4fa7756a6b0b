"""A tree that several machines write into; two of them may write the same file."""

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
    """A tree in which each file appears under its name in one step, with all its bytes.

    If a machine is lost, another one does its work again, so a file may already exist.  It is
    accepted if its bytes are the same.
    """

    def __init__(self, root: Path, last: Path | None):
        super().__init__(root, last)
        # Parts of files are written beside the tree; the next build removes what is left of them.
        self.beside = os.open(root.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def write(self, artifact: Artifact) -> Written:
        """Write one file.  Raises OutputError if it exists with different bytes, and OSError."""
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
                remaining = memoryview(data)
                while remaining:
                    remaining = remaining[opened.write(remaining) :]
                mtime = os.fstat(opened.fileno()).st_mtime_ns
            self._link_from(self.beside, part, name)
            return mtime
        finally:
            os.unlink(part, dir_fd=self.beside)

    def _same(self, name: str, data: bytes) -> int:
        """The mtime of an existing file.  Raises OutputError if its bytes differ from `data`."""
        with open(
            os.open(name, safe_paths.FILE_FLAGS, dir_fd=self.directory), "rb", buffering=0
        ) as file:
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
