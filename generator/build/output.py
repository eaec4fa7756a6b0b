"""The output of a build: whose folder it may be, and its files.  Those that differ from the files
of the folder are in a tree beside it, all are counted, and `commit` puts them in place together.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Mapping, Set
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from generator.contract.artifact import Artifact
from generator.disk import output_state, safe_paths
from generator.grammar.paths import BUILD
from generator.published.report import ListedFile, Listing, OutputDifference

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
        is_same = path in self.before and _read(path, self.last, len(data) + 1) == data
        mtime = None if is_same else self._put(path[1:], data)
        return WrittenFile(path, len(data), sha256(data).digest(), mtime)

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
        try:
            os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            with contextlib.suppress(FileExistsError):  # made by another process
                os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileExistsError:
            pass


class PathTaken(output_state.OutputError):
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


#: Bytes of a build.json that are read at most.
_MOST_BUILD = 1 << 20


class BuildOutput:
    """The files of one build.  `tree` writes them, in any process; `account` then counts them.

    `before` has the files that were there.
    """

    def __init__(self, state: output_state.OutputState):
        self.state, self.before = state, list_files(state.out)
        self.tree = Tree(
            state.new_tree(), state.out if self.before else None, frozenset(self.before)
        )
        self._whole = self.tree.root
        self.listing = Listing()
        #: Path -> size and time of the files that differ.
        self._new: dict[str, Stat] = {}

    def account(self, surface: str, written: WrittenFile) -> None:
        """Count a file as part of a surface.  Raises PathTaken."""
        if written.path in self.listing.files:
            raise PathTaken(written.path)
        self.listing.add(surface, written.path, ListedFile(written.size, written.sha256))
        if written.mtime is not None:
            self._new[written.path] = Stat(written.size, written.mtime)

    def put(self, surface: str, artifact: Artifact) -> None:
        """Write and count a file."""
        self.account(surface, self.tree.write(artifact))

    def is_new(self, path: str) -> bool:
        """Whether a file differs from that of the output."""
        return path in self._new

    @property
    def stats(self) -> dict[str, Stat]:
        """The files of the output after `commit`."""
        return {path: self._new.get(path) or self.before[path] for path in self.listing.files}

    @property
    def difference(self) -> OutputDifference:
        """What differs from the output as it was when the build began."""
        before, now, new = self.before.keys(), self.listing.files.keys(), self._new.keys()
        parts = new - before, new & before, before - now
        return OutputDifference(*(tuple(sorted(part)) for part in parts))

    def complete(self) -> None:
        """Make a whole tree, if a file differs.  Raises OSError.

        It is the output of the build before the last, which the last exchange left beside this one:
        nearly all its files are files of the output already.
        """
        if any(self.difference) and self.before:
            whole, stats = Tree(self.state.subfolder("tree"), None, frozenset()), self.stats
            for path in stats.keys() - whole.keep_only(stats):
                whole.take(path, self.tree.root if path in self._new else self.state.out)
            self._whole = whole.root

    def commit(self) -> None:
        """Put the files in place, all or none.  Raises OSError."""
        if any(self.difference):
            self.state.put_in_place(self._whole)


def check_is_ours(out: Path) -> None:
    """Raise OutputError if a build may not replace a folder: it is neither empty nor a build that
    was made in this place, or it is a mount point.
    """
    out = Path(os.path.realpath(out))
    if not os.path.lexists(out):
        return
    if not out.is_dir():
        raise output_state.OutputError(_not_ours(f"{out} is a file"))
    if out.is_mount():
        raise output_state.OutputError(
            f"{out} cannot be replaced; nothing was written.\n{output_state.MOUNT_HINT}"
        )
    if not os.listdir(out):
        return
    if not _is_build_file(safe_paths.read_below(out, BUILD[1:], _MOST_BUILD)):
        raise output_state.OutputError(_not_ours(f"{out} contains other files, not a build"))
    if not output_state.is_locked_here(out):
        raise output_state.OutputError(
            f"{out} is a build, but none that was made here: .registry/{out.name}/ is not beside "
            "it; nothing was written.\nRemove the folder, or choose another with --out."
        )
    if others := output_state.foreign_names(out):
        from generator.problems.diagnostic import printable

        names = (os.fsencode(name).decode("utf-8", "backslashreplace") for name in others[:5])
        raise output_state.OutputError(
            f"{out} contains {', '.join(map(printable, names))}{' and more' * (len(others) > 5)}. "
            "No build wrote that, and a build would remove it; nothing was written.\n"
            "Move your files elsewhere, or choose another folder with --out."
        )


def _not_ours(problem: str) -> str:
    return f"{problem}; nothing was written.\nChoose another folder with --out, or empty this one."


def _is_build_file(raw: bytes | None) -> bool:
    """Whether `raw` is a build.json that this generator wrote, in any version."""
    try:
        document = json.loads(raw or b"")
    except (ValueError, RecursionError):
        return False
    match document:
        case {
            "kind": "build",
            "links": {"self": str(url)},
            "generator": {"name": "registry-generator"},
        }:
            return url.endswith(BUILD)
    return False


def check_separate(content: Path, out: Path) -> None:
    """Raise OutputError if one folder is inside the other, or if the output is a link to the output
    of other content.
    """
    inner, outer = Path(os.path.realpath(content)), Path(os.path.realpath(out))
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise output_state.OutputError(
            f"The output folder {out} and the content folder {content} must be separate; "
            "nothing was written.\nChoose a folder outside the content folder with --out."
        )
    # The link may have come with the content, which is not trusted.
    if out.is_symlink() and output_state.find_content(out) not in (
        None,
        output_state.name_of_content(str(content)),
    ):
        raise output_state.OutputError(
            f"{out} is a link to {outer}, which was built from another content folder; "
            "nothing was written.\n"
            "To build there, give the folder itself with --out; if not, choose another."
        )
