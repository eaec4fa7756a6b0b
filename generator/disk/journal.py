"""What is to be done to an output: paths to move from a tree into it, and paths to remove from it.

It is written down before the first is done, so that whoever comes after a kill can do the rest.  It
may have come with the content, from anyone: it holds only for the very tree and the very output
that it was written for, every path in it is one that builds write, and none is reached through a
link.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from stat import S_ISDIR, S_ISREG
from typing import Any, NamedTuple

from generator.disk import safe_paths

#: What builds of any version, for any host, have put at the top of an output, and in those folders
#: there that are not theirs alone; what else is there is somebody's.
SHARED = (".well-known", ".netlify", "docs")
is_published = re.compile(
    r"api|\.well-known(/(agent-skills|api-catalog))?|\.netlify(/edge-functions)?"
    r"|projects|programs|organizations|calendar|changes|compare|map|embed|admin|docs(/(api|agents))?|assets"
    r"|((404|index)\.html|favicon\.svg|[a-z]+\.atom|skill\.md|llms\.txt|robots\.txt"
    r"|sitemap(-[0-9]+)?\.xml|_worker\.js)(\.br|\.gz)?"
    r"|_headers|_redirects|_routes\.json|\.assetsignore|\.htaccess|\.nojekyll"
).fullmatch
#: Names of trees, and of files that were to take another's place.
is_passing = re.compile(r"(new|old)-[0-9a-z-]+|[a-z]+\.new").fullmatch


class Journal(NamedTuple):
    """`move` has the size of each file, `places` the device and inode of the tree and of the
    output.
    """

    tree: str
    places: list[list[int]]
    move: Mapping[str, int]
    remove: list[str]

    @classmethod
    def parse(cls, raw: bytes) -> Journal:
        """Raises ValueError where this is none that a build wrote."""
        try:
            said = json.loads(raw)
        except RecursionError:
            said = None
        match said:
            case {
                "tree": str(tree),
                "places": list(places),
                "move": dict(move),
                "remove": list(remove),
            }:
                if (
                    is_passing(tree)
                    and all(type(size) is int for size in move.values())
                    and all(map(_is_path, chain(move, remove)))
                ):
                    return cls(tree, places, move, remove)
        raise ValueError("no journal of a build")

    def encoded(self) -> bytes:
        return json.dumps(self._asdict()).encode()

    def check(self, tree: int, out: int) -> None:
        """Raises OSError where something of this cannot be done, before anything is."""
        device = os.fstat(tree).st_dev
        for segments, names in _by_folder(self.move):
            with contextlib.suppress(FileNotFoundError), safe_paths.folder(out, segments) as target:
                for name in names:
                    _check_no_folder(name, target)
        for segments, _ in _by_folder(chain(self.move, self.remove)):
            _check_writable(out, segments, device)

    def finish(self, tree: int, out: int) -> None:
        """Do what this says to folders that are open, from wherever it was left.

        Raises OSError, and ValueError where it is not for these.
        """
        if [identity(tree), identity(out)] != self.places:
            raise ValueError("a journal of another output")
        for segments, names in _by_folder(self.move):
            with (
                safe_paths.folder(tree, segments) as source,
                safe_paths.folder(out, segments, make=True) as target,
            ):
                for name in names:
                    size = self.move["/".join(["", *segments, name])]
                    try:
                        _check_file(name, source, size)
                    except FileNotFoundError:  # it was moved before
                        _check_file(name, target, size)
                    else:
                        os.rename(name, name, src_dir_fd=source, dst_dir_fd=target)
        for segments, names in _by_folder(self.remove):
            with contextlib.suppress(FileNotFoundError):
                with safe_paths.folder(out, segments) as target:
                    for name in names:
                        with contextlib.suppress(FileNotFoundError):
                            os.unlink(name, dir_fd=target)
                _remove_empty(out, segments)


def identity(folder: int) -> list[int]:
    """What tells an open folder from every other of this machine."""
    stat = os.fstat(folder)
    return [stat.st_dev, stat.st_ino]


def _is_path(path: Any) -> bool:
    """Whether a build may have written this path."""
    if not isinstance(path, str) or not path.startswith("/") or not safe_paths.is_below(path[1:]):
        return False
    os.fsencode(path)
    return is_published(path[1:].partition("/")[0]) is not None


def _by_folder(paths: Iterable[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The segments of each folder, and the names in it."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    for folder, names in folders.items():
        yield folder[1:].split("/") if folder else [], names


def _check_file(name: str, folder: int, size: int) -> None:
    """Raises ValueError where this is no file that a build wrote, and OSError."""
    stat = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not S_ISREG(stat.st_mode) or stat.st_size != size or stat.st_nlink != 1:
        raise ValueError(f"{name} is not what was written")


def _check_no_folder(name: str, folder: int) -> None:
    """Raises IsADirectoryError where no file can be moved to."""
    with contextlib.suppress(FileNotFoundError):
        if S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)


def _check_writable(out: int, segments: list[str], device: int) -> None:
    """Raises OSError where files cannot be moved into a folder, or into the first above it that
    there is.
    """
    for length in range(len(segments), -1, -1):
        try:
            with safe_paths.folder(out, segments[:length]) as folder:
                if os.fstat(folder).st_dev != device:
                    raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
                if not os.access(
                    ".",
                    os.W_OK | os.X_OK,
                    dir_fd=folder,
                    effective_ids=os.access in os.supports_effective_ids,
                ):
                    raise OSError(
                        errno.EACCES,
                        f"{os.strerror(errno.EACCES)} ({'/'.join(segments[:length])}/)",
                    )
                return
        except FileNotFoundError:
            continue


def _remove_empty(out: int, segments: list[str]) -> None:
    """Remove a folder that is empty now, and those above it that are empty then."""
    with contextlib.suppress(OSError):  # the first that is not
        for length in range(len(segments), 0, -1):
            with safe_paths.folder(out, segments[: length - 1]) as parent:
                os.rmdir(segments[length - 1], dir_fd=parent)
