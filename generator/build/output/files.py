"""The files of an output: written beside it where their bytes differ from what is there, counted,
and put in place together.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.build.output.write import PathTaken, Tree, Workspace, Written
from generator.build.report import Cause, Sizes, Values, Whole
from generator.contract.artifact import Artifact
from generator.disk.output_state import OutputError

#: Bytes of a file that are read before its size is asked for.
_MOST = 1 << 16
#: If more than one file in so many differs, the whole output is exchanged for another.
_MANY = 10

_NO_CAUSE = Values(())
#: mtime in ns, size and SHA-256 of a file of the output.
Noted = tuple[int, int, bytes]


class Files:
    """The files of one build.

    `before` has the files that lie in the output just as the last build left them, `others` the
    paths of all other files there, which go.  `other` is why files differ of which no nearer cause
    is known; `everything` is why all was built, if it was.
    """

    def __init__(
        self,
        out: Path,
        tree: Tree,
        before: Mapping[str, Noted],
        others: Iterable[str] = (),
        other: Cause = _NO_CAUSE,
    ):
        self.out, self.tree, self.before, self.other = out, tree, before, other
        self.everything = other if isinstance(other, Whole) else None
        self.others = list(others)
        #: Every file of this build, written or kept.
        self.all: dict[str, Noted] = {}
        self.sizes = Sizes()
        #: Why each file was written.
        self.written: dict[str, Cause] = {}
        self._why_removed: dict[str, Cause] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """What other machines write with, in a build of everything: the files are counted here."""
        return Files, (self.out, self.tree, {})

    def write(self, artifact: Artifact) -> Sequence[Written]:
        """Write a file unless it is there with these bytes; any process may, and `account` counts
        it.  Raises PathTaken.
        """
        noted = self.before.get(artifact.path)
        same = noted is not None and noted[1] == len(artifact.data)
        if noted is not None and same and noted[2] == sha256(artifact.data).digest():
            return ((artifact.path, *noted),)
        return (self.tree.write(artifact),)

    def account(
        self, surface: str, files: Sequence[Written], cause: Cause | Mapping[str, Cause]
    ) -> bool:
        """Count files that were written or kept, as parts of a surface; whether any was written.

        `cause` is why, or says why by path.  Raises PathTaken.
        """
        wrote = False
        for path, mtime, size, digest in files:
            noted = mtime, size, digest
            if path in self.all:
                raise PathTaken(path)
            self.all[path] = noted
            if self.before.get(path) != noted:
                wrote = True
                why = cause[path] if isinstance(cause, Mapping) else cause
                self.written[path] = self.everything or why
        self.sizes.add(surface, sum(file[2] for file in files), len(files))
        return wrote

    def put(self, surface: str, artifact: Artifact, cause: Cause) -> bool:
        """Write a file unless it is there with these bytes, and count it; whether it was."""
        return self.account(surface, self.write(artifact), cause)

    def has(self, paths: Iterable[str]) -> bool:
        """Whether all of these files are there as the last build left them."""
        return all(path in self.before for path in paths)

    def keep(self, surface: str, paths: Iterable[str]) -> None:
        """Count files that are there as the last build left them."""
        self.account(surface, [(path, *self.before[path]) for path in paths], {})

    def read(self, path: str) -> bytes:
        """A file of this build; nothing if there is none."""
        with contextlib.suppress(FileNotFoundError):
            return _bytes(path[1:], self.tree.directory)
        return _bytes(f"{self.out}{path}") if path in self.all else b""

    def goes(self, path: str, cause: Cause) -> None:
        """Say why a file, or what is in a folder, may be removed."""
        self._why_removed.setdefault(path, cause)

    @property
    def removed(self) -> dict[str, Cause]:
        """Why each file that lies in the output is removed."""
        gone = [path for path in (*self.before, *self.others) if path not in self.all]
        return {path: self.everything or self._why(path) for path in gone}

    def _why(self, path: str) -> Cause:
        """Why a file is removed, or else what is in a folder that it is in."""
        while path:
            if path in self._why_removed:
                return self._why_removed[path]
            path = path.rpartition("/")[0]
        return self.other

    def commit(self, workspace: Workspace, content: str) -> None:
        """Put the files, which were made from a content folder, in place, all or none."""
        removed = self.removed
        if not self.written and not removed:
            return
        few = (len(self.written) + len(removed)) * _MANY < len(self.all)
        sizes = {path: self.all[path][1] for path in self.written}
        if self.before and few and workspace.apply(self.tree, sizes, removed):
            return
        kept = [path for path in self.all if path not in self.written]
        if not self.before or self.tree.link(kept, self.out):
            workspace.replace(self.tree, content)
        elif few or not workspace.apply(self.tree, sizes, removed):
            raise OutputError(
                f"{self.out} has a folder or a link where a build writes a file, or a file where "
                "it makes a folder; nothing was written.\nRemove it, and build again."
            )


def _bytes(name: str, folder: int | None = None) -> bytes:
    """All of a file, in a folder that is open.  Raises OSError."""
    file = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder)
    try:
        data = os.read(file, _MOST)  # most often all of it
        return data if len(data) < _MOST else data + os.read(file, os.fstat(file).st_size - _MOST)
    finally:
        os.close(file)
