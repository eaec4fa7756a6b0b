"""The journal of changes to an output: paths to move into it from a tree, and paths to remove.

A build writes the journal before it changes the output.  If it is killed, the next command finishes
the changes.  A journal may have come with the content, from anyone.  So it is valid only for the
tree and the output that it was written for and for paths that builds write, and no path is followed
through a link.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from stat import S_ISDIR, S_ISREG
from typing import Any, NamedTuple

from generator.disk import safe_paths
from generator.feature import Hook
from generator.kinds import KINDS

#: Folders at the top of an output in which other programs write too.
SHARED_FOLDERS = (".well-known", ".netlify", "docs")
_is_own_name = re.compile(
    r"api|\.well-known(/(agent-skills|api-catalog))?|\.netlify(/edge-functions)?"
    r"|changes|compare|map|landscape|embed|admin"
    r"|docs(/(api|agents|cite|data))?|assets|media|data"
    r"|((404|index)\.html|favicon\.svg|[a-z]+\.atom|skill\.md|llms\.txt|robots\.txt"
    r"|sitemap(-[0-9]+)?\.xml|_worker\.js)(\.br|\.gz)?"
    r"|_headers|_redirects|_routes\.json|\.assetsignore|\.htaccess|\.nojekyll"
).fullmatch
#: Matches the names of trees, and of files that were to replace another file.
is_temporary_name = re.compile(r"(new|old)-[0-9a-z-]+|[a-z]+\.new").fullmatch


@cache
def _addresses_of_features() -> tuple[str, ...]:
    return tuple(chain(*Hook("outputs", "ADDRESSES"), *Hook("views", "ADDRESSES")))


def is_output_name(name: str) -> bool:
    """Whether a build with the kinds and features that are installed, of any version and for any
    host, can write this name at the top of an output or in SHARED_FOLDERS.  Of other files there,
    those that the last build listed are its own, and the rest belongs to somebody else.
    """
    if _is_own_name(name) or any(name == kind.pages for kind in KINDS.values()):
        return True
    path = f"/{name}"
    return any(
        address.startswith(f"{path}/") or path.startswith(address)
        for address in _addresses_of_features()
    )


class Journal(NamedTuple):
    """`move` maps paths to sizes; `places` has the identities of the tree and of the output."""

    tree: str
    places: list[list[int]]
    move: Mapping[str, int]
    remove: list[str]

    @classmethod
    def parse(cls, raw: bytes) -> Journal:
        """Raises ValueError if these bytes are not a journal that a build can write."""
        try:
            data = json.loads(raw)
        except RecursionError:
            data = None
        match data:
            case {
                "tree": str(tree),
                "places": list(places),
                "move": dict(move),
                "remove": list(remove),
            } if (
                is_temporary_name(tree)
                and all(type(size) is int for size in move.values())
                and all(map(_is_path, chain(move, remove)))
            ):
                return cls(tree, places, move, remove)
        raise ValueError("no journal of a build")

    def encoded(self) -> bytes:
        return json.dumps(self._asdict()).encode()

    def check(self, tree: int, out: int) -> None:
        """Raises OSError if one of the changes is impossible.  It changes nothing."""
        device = os.fstat(tree).st_dev
        for segments, names in _by_folder(self.move):
            with (
                contextlib.suppress(FileNotFoundError),
                safe_paths.open_folder(out, segments) as target,
            ):
                for name in names:
                    _check_no_folder(name, target)
        for segments, _ in _by_folder(chain(self.move, self.remove)):
            _check_writable(out, segments, device)

    def finish(self, tree: int, out: int) -> None:
        """Make those changes to the open folders that were not made yet.

        Raises OSError, and ValueError if the journal was written for other folders or files.
        """
        if [folder_identity(tree), folder_identity(out)] != self.places:
            raise ValueError("a journal of another output")
        for segments, names in _by_folder(self.move):
            with (
                safe_paths.open_folder(tree, segments) as source,
                safe_paths.open_folder(out, segments, make=True) as target,
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
                with safe_paths.open_folder(out, segments) as target:
                    for name in names:
                        with contextlib.suppress(FileNotFoundError):
                            os.unlink(name, dir_fd=target)
                _remove_empty(out, segments)


def folder_identity(folder: int) -> list[int]:
    """The device and inode of an open folder."""
    stat = os.fstat(folder)
    return [stat.st_dev, stat.st_ino]


def _is_path(path: Any) -> bool:
    """Whether a build can have written this path."""
    if not isinstance(path, str) or not path.startswith("/") or not safe_paths.is_inside(path[1:]):
        return False
    os.fsencode(path)
    return is_output_name(path[1:].partition("/")[0])


def _by_folder(paths: Iterable[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The segments of each folder, and the names of the paths in it."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    for folder, names in folders.items():
        yield folder[1:].split("/") if folder else [], names


def _check_file(name: str, folder: int, size: int) -> None:
    """Raises ValueError if this is not the file that the build wrote, and OSError."""
    stat = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not S_ISREG(stat.st_mode) or stat.st_size != size or stat.st_nlink != 1:
        raise ValueError(f"{name} is not what was written")


def _check_no_folder(name: str, folder: int) -> None:
    """Raises IsADirectoryError if a folder is in the place of a file."""
    with contextlib.suppress(FileNotFoundError):
        if S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)


def _check_writable(out: int, segments: list[str], device: int) -> None:
    """Raises OSError if files cannot be moved into a folder.  If it does not exist, its first
    existing parent folder is checked.
    """
    for length in range(len(segments), -1, -1):
        try:
            with safe_paths.open_folder(out, segments[:length]) as folder:
                if os.fstat(folder).st_dev != device:
                    raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
                effective = os.access in os.supports_effective_ids
                if not os.access(".", os.W_OK | os.X_OK, dir_fd=folder, effective_ids=effective):
                    path = "/".join(segments[:length])
                    raise OSError(errno.EACCES, f"{os.strerror(errno.EACCES)} ({path}/)")
                return
        except FileNotFoundError:
            continue


def _remove_empty(out: int, segments: list[str]) -> None:
    """Remove a folder if it is empty, and then its parent folders that become empty."""
    with contextlib.suppress(OSError):  # the first folder with other files
        for length in range(len(segments), 0, -1):
            with safe_paths.open_folder(out, segments[: length - 1]) as parent:
                os.rmdir(segments[length - 1], dir_fd=parent)
