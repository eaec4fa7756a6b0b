"""The files of one build: changed files are written into a tree beside the output, all files are
counted, and `commit` puts them in place together.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.build.output.write import PathTaken, Tree, Workspace, Written
from generator.build.report import Cause, ChangedInputs, FullBuild, Sizes
from generator.contract.artifact import Artifact
from generator.disk.output_state import OutputError

#: Bytes of the first read of a file, which is nearly always the whole file.
_MOST = 1 << 16
#: If more than one file in ten differs, `commit` replaces the whole output.
_MANY = 10

_NO_CAUSE = ChangedInputs(())
#: mtime in ns, size and SHA-256 of a file of the output.
Noted = tuple[int, int, bytes]


class Files:
    """The files of one build.

    `before` has the files of the output that are as the last build left them.  `others` are the
    paths of all other files there; they are removed unless this build writes them.  `other` is the
    cause of changed files that have no more specific one.  `full_build_cause` is the reason of a
    full build, else None.
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
        self.full_build_cause = other if isinstance(other, FullBuild) else None
        self.others = list(others)
        #: All files of this build, written and kept.
        self.all: dict[str, Noted] = {}
        self.sizes = Sizes()
        #: The cause of each written file.
        self.written: dict[str, Cause] = {}
        self._why_removed: dict[str, Cause] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """For workers on other machines, in a full build: they only write; this process counts."""
        return Files, (self.out, self.tree, {})

    def write(self, artifact: Artifact) -> Sequence[Written]:
        """Write a file unless the output has the same bytes at its path.

        Any process may call this; `account` then counts the file.  Raises PathTaken.
        """
        noted = self.before.get(artifact.path)
        same = noted is not None and noted[1] == len(artifact.data)
        if noted is not None and same and noted[2] == sha256(artifact.data).digest():
            return ((artifact.path, *noted),)
        return (self.tree.write(artifact),)

    def account(
        self, surface: str, files: Sequence[Written], cause: Cause | Mapping[str, Cause]
    ) -> bool:
        """Count written and kept files as parts of a surface; return whether any was written.

        `cause` is the cause of all of them, or has causes by path.  Raises PathTaken.
        """
        any_written = False
        for path, mtime, size, digest in files:
            noted = mtime, size, digest
            if path in self.all:
                raise PathTaken(path)
            self.all[path] = noted
            if self.before.get(path) != noted:
                any_written = True
                why = cause.get(path, self.other) if isinstance(cause, Mapping) else cause
                self.written[path] = self.full_build_cause or why
        self.sizes.add(surface, sum(file[2] for file in files), len(files))
        return any_written

    def put(self, surface: str, artifact: Artifact, cause: Cause | Mapping[str, Cause]) -> bool:
        """`write` and `account` a file; return whether it was written."""
        return self.account(surface, self.write(artifact), cause)

    def has(self, paths: Iterable[str]) -> bool:
        """Whether all of these files are in the output as the last build left them."""
        return all(path in self.before for path in paths)

    def keep(self, surface: str, paths: Iterable[str]) -> None:
        """Count files of the last build that are reused."""
        self.account(surface, [(path, *self.before[path]) for path in paths], {})

    def read(self, path: str) -> bytes:
        """The bytes of a file of this build; empty if there is no such file."""
        with contextlib.suppress(FileNotFoundError):
            return _read(path[1:], self.tree.directory)
        return _read(f"{self.out}{path}") if path in self.all else b""

    def note_removal(self, path: str, cause: Cause) -> None:
        """Note the cause for a file, or for all files of a folder, in case it is removed."""
        self._why_removed.setdefault(path, cause)

    @property
    def removed(self) -> dict[str, Cause]:
        """The cause of each removed file."""
        gone = sorted({*self.before, *self.others} - self.all.keys())
        return {path: self.full_build_cause or self._removal_cause(path) for path in gone}

    def _removal_cause(self, path: str) -> Cause:
        """The cause noted for a path, else for the nearest folder above it."""
        while path:
            if path in self._why_removed:
                return self._why_removed[path]
            path = path.rpartition("/")[0]
        return self.other

    def commit(self, workspace: Workspace, content: str) -> None:
        """Put the files in place, all or none.  `content` is the content folder of the build."""
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


def _read(name: str, folder: int | None = None) -> bytes:
    """The bytes of a file, below an open folder if one is given.  Raises OSError."""
    descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder)
    try:
        data = os.read(descriptor, _MOST)
        return (
            data
            if len(data) < _MOST
            else data + os.read(descriptor, os.fstat(descriptor).st_size - _MOST)
        )
    finally:
        os.close(descriptor)
