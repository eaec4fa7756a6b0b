"""The files of an output: written where their bytes are other, removed where they have no place,
and counted.

In a whole build nothing was there before; else what is put is held against what lies there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.api.artifact import Artifact
from generator.build import inventory
from generator.build.executors import Packs
from generator.build.plain import LogDamaged
from generator.build.report import Cause, Sizes, Whole
from generator.build.write import Tree, Workspace, Written
from generator.disk.below import is_below

#: Bytes of a file that are asked for before its size is.
_MOST = 1 << 16
#: So many bytes of names are searched through in the time that asking once takes else.
_OFTEN = 1000


class Files:
    """The files to write and to remove, against what the last build left (`before`; None where all
    is built, and then `reason` is why).

    `sizes` are of the output as it is when all this is done.
    """

    def __init__(
        self,
        out: Path,
        tree: Tree,
        before: inventory.Inventory | None,
        sizes: Sizes,
        reason: Whole | None = None,
    ):
        self.out, self.tree, self.before, self.sizes = out, tree, before, sizes
        self.removed: dict[str, Cause] = {}
        self._causes: dict[str, Cause] = {}
        # Of folders that are asked for much: where each name is, and how often it was asked before.
        self._places: dict[str, dict[bytes, int]] = {}
        self._asked: dict[str, int] = {}
        self._files = Packs()  # Written
        self._reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        """What other machines write with, in a build of everything: what it has counted is here."""
        assert self.before is None
        return Files, (self.out, self.tree, None, Sizes())

    def keep_in(self, scratch: str | None) -> None:
        """Before anything is written: what is noted of files is kept in a folder."""
        self._files = Packs(scratch)

    def write(self, artifact: Artifact) -> Sequence[Written]:
        """Write a file unless it is there with these bytes; what was written.  Any process may, and
        `account` takes note of it.  Raises LogDamaged, PathTaken.
        """
        if self.before is not None:
            path, data = artifact
            _check_path(path)
            was = self._was(path)
            if was is not None and was[1] == len(data) and path not in self.removed:
                with contextlib.suppress(OSError):
                    if _bytes(f"{self.out}{path}") == data:
                        return ()
        return (self.tree.write(artifact),)

    def account(
        self, surface: str, written: Sequence[Written], cause: Cause | Mapping[str, Cause]
    ) -> None:
        """Take note of files that were written; `cause` is of all, or has that of each path."""
        files, size = len(written), sum(size for _, _, size, _ in written)
        if self.before is not None:
            for path, *_ in written:
                self._causes[path] = cause[path] if isinstance(cause, Mapping) else cause
                was = self._was(path)
                if was is not None and self.removed.pop(path, None) is None:
                    files, size = files - 1, size - was[1]
        if written:
            self._files.extend(list(written))
            self.sizes.add(surface, size, files)

    def take(self, surface: str, written: Packs, sizes: tuple[int, int]) -> None:
        """Take note of what a build of everything wrote: so many files and bytes."""
        for packed in written.packed():
            self._files.add(packed)
        if sizes[0]:
            self.sizes.add(surface, sizes[1], sizes[0])

    def put(self, surface: str, artifact: Artifact, cause: Cause) -> bool:
        """Write a file unless it is there with these bytes; whether it was written."""
        written = self.write(artifact)
        self.account(surface, written, cause)
        return bool(written)

    def drop(self, surface: str, path: str, cause: Cause) -> None:
        """Remove a file, unless it is written again."""
        _check_path(path)
        was = self._was(path)
        if was is not None and path not in self._causes and path not in self.removed:
            self.sizes.add(surface, -was[1], -1)
            self.removed[path] = cause

    def _was(self, path: str) -> inventory.Stat | None:
        if self.before is None:
            return None
        folder, _, name = path[1:].rpartition("/")
        held = self.before.get(folder)
        if held is None:
            return None
        places = self._places.get(folder)
        if places is None:
            asked = self._asked[folder] = self._asked.get(folder, 0) + 1
            if asked * _OFTEN <= len(held.names):
                return inventory.lookup(self.before, path[1:], inventory.OUTPUT)
            names = held.names.split(b"\0")
            places = self._places[folder] = dict(zip(names, range(len(names)), strict=True))
        return held.numbers(places.get(os.fsencode(name)), inventory.OUTPUT)

    def had(self, path: str) -> bool:
        """Whether a file lay there."""
        return self._was(path) is not None

    def held(self, folder: str) -> list[str]:
        """The names of the files that lay in a folder."""
        held = (self.before or {}).get(folder[1:])
        return held.names.decode().split("\0") if held is not None else []

    def read(self, path: str) -> bytes:
        """A file that lay there.  Raises LogDamaged where there is none."""
        try:
            return _bytes(f"{self.out}{path}")
        except OSError:
            raise LogDamaged from None

    def now(self, path: str) -> bytes:
        """A file as it is when all this is done; nothing where there is none."""
        if path in self.removed:
            return b""
        try:
            return _bytes(path[1:], self.tree.directory)
        except OSError:
            pass
        if self.before is not None:
            with contextlib.suppress(OSError):
                return _bytes(f"{self.out}{path}")
        return b""

    @property
    def new(self) -> Iterator[Written]:
        """Every file that was written."""
        return iter(self._files)

    @property
    def written(self) -> Mapping[str, Cause]:
        """Why each file was written."""
        if self._reason is None:
            return self._causes
        return _Every(self._files, self._reason)

    def commit(self, workspace: Workspace, content: str) -> None:
        """Put the files, which were made from a content folder, in place."""
        if self.before is None:
            workspace.replace(self.tree, content)
        elif self._causes or self.removed:
            sizes = {path: size for path, _, size, _ in self._files}
            workspace.apply(self.tree, sizes, self.removed)

    def inventory(self) -> dict[str, inventory.Folder]:
        """The output as it is when all this is done."""
        if self.before is None:
            return inventory.gathered(written[:3] for written in self._files)
        changes: dict[str, tuple[inventory.Stat, bytes] | None] = {
            path[1:]: ((mtime, size), b"") for path, mtime, size, _ in self._files
        }
        removed = {path[1:]: None for path in self.removed}
        return inventory.patched(self.before, changes | removed, inventory.OUTPUT)


class OfIndex(NamedTuple):
    """The files of an index, which follow from a list."""

    files: Files
    cause: Cause

    def read(self, path: str) -> bytes:
        """A file of the last build.  Raises LogDamaged where there is none."""
        return self.files.read(path)

    def put(self, artifact: Artifact) -> None:
        self.files.put("index", artifact, self.cause)

    def drop(self, path: str) -> None:
        self.files.drop("index", path, self.cause)


def _bytes(name: str, folder: int | None = None) -> bytes:
    """All of a file, in a folder that is open.  Raises OSError."""
    file = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    try:
        data = os.read(file, _MOST)  # most often all of it
        return data if len(data) < _MOST else data + os.read(file, os.fstat(file).st_size - _MOST)
    finally:
        os.close(file)


class _Every(Mapping[str, Cause]):
    """Every file that was written, all for one reason."""

    def __init__(self, files: Packs, reason: Cause):
        self._files, self._reason = files, reason

    def __len__(self) -> int:
        return sum(map(len, self._files.lists()))

    def __iter__(self) -> Iterator[str]:
        return (path for path, *_ in self._files)

    def __getitem__(self, path: str) -> Cause:
        return self._reason

    def items(self) -> Any:
        return ((path, self._reason) for path in self)


def _check_path(path: str) -> None:
    """What a build log says may be part of a path, which then must not lead elsewhere."""
    if path[0] != "/" or not is_below(path[1:]):
        raise LogDamaged
