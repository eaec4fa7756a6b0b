"""A tree that several machines write into; two of them may write the same file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Set
from pathlib import Path

from generator.build.output.write import Tree
from generator.disk.output_state import OutputError


class SharedTree(Tree):
    """A tree in which each file appears under its name in one step, with all its bytes.

    If a machine is lost, another one does its work again, so a file may already exist.  It is
    accepted if its bytes are the same.
    """

    def __init__(self, root: Path, out: Path | None, before: Set[str]):
        super().__init__(root, out, before)
        # Parts of files are written beside the tree; the next build removes what is left of them.
        self.beside = os.open(root.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _put(self, name: str, data: bytes) -> int:
        part = f"new-{os.urandom(8).hex()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        file = os.open(part, flags, 0o644, dir_fd=self.beside)
        try:
            with open(file, "wb", buffering=0) as opened:
                remaining = memoryview(data)
                while remaining:
                    remaining = remaining[opened.write(remaining) :]
            self._link_from(self.beside, part, name)
        except FileExistsError:
            if self.read(f"/{name}") != data:
                raise OutputError(
                    f"/{name} was written twice with different contents, because the content "
                    "changed during the build; nothing was written.\nBuild again."
                ) from None
        finally:
            os.unlink(part, dir_fd=self.beside)
        return os.stat(name, dir_fd=self.directory, follow_symlinks=False).st_mtime_ns

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            self.close()
            os.close(self.beside)
