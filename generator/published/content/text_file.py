"""Texts of records in a file, of which only what is read takes memory.

Forked processes read the same file, and so may machines that see it under its path.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path

from generator.model.tables.texts import TextRows


class TextFile(TextRows):
    """Texts in a new file at `path`; without it the file is a temporary one without a name."""

    def __init__(self, path: Path | None = None):
        super().__init__()
        self.path, self._file = path, -1

    @classmethod
    def written(cls, path: Path, width: int, starts: array[int]) -> TextFile:
        """Those in a file of another process.  Raises OSError."""
        texts = cls(path)
        texts.width, texts.starts = width, starts
        texts._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        return texts

    def others(self, name: str) -> TextFile:
        """No texts yet; their file will be beside that of these, with a name that ends so."""
        return TextFile(self.path and self.path.with_name(f"{self.path.name}-{name}"))

    def __del__(self) -> None:
        if self._file >= 0:
            os.close(self._file)

    def _store(self, texts: Sequence[bytes]) -> None:
        if self._file < 0:
            with self.path.open("x+b") if self.path else tempfile.TemporaryFile() as file:
                self._file = os.dup(file.fileno())
        remaining = memoryview(b"".join(texts))
        while remaining:
            remaining = remaining[os.write(self._file, remaining) :]

    def flush(self) -> None:
        """Let other machines see all rows: on a network file system they do when a descriptor is
        closed.
        """
        if self._file >= 0:
            os.close(os.dup(self._file))

    def read(self, text: int) -> bytes:
        start = self.starts[text]
        return os.pread(self._file, self.starts[text + 1] - start, start)
