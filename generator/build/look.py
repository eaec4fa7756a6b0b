"""How the content and an output are, held against what was noted of them.

Imports nothing heavy: a build that finds nothing to do has imported little more than this.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any

from generator.build.inventory import INPUT, NO_STAT, OUTPUT, Folder, Inventory, folder_of, packed
from generator.records.folder import is_read, walk

_noted_of = {
    INPUT: attrgetter("st_mtime_ns", "st_ctime_ns", "st_size"),
    OUTPUT: attrgetter("st_mtime_ns", "st_size"),
}


def _unchanged(
    path: bytes, names: Sequence[bytes], stats: bytes, width: int, count: int | None = None
) -> bool:
    """Whether files of a folder are as noted, and how many names it holds, where that is asked;
    some at a time, for where all are others.
    """
    some, noted_of = 100, _noted_of[width]
    try:
        place = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    # From an open folder on there is one name to look up, and not all those of a path.
    look = partial(os.stat, dir_fd=place, follow_symlinks=width == INPUT)
    try:
        return all(
            packed([*chain.from_iterable(map(noted_of, map(look, names[i : i + some])))])
            == stats[i * width * 8 : (i + some) * width * 8]
            for i in range(0, len(names), some)
        ) and (count is None or len(os.listdir(place)) == count)
    except OSError:  # one is gone
        return False
    finally:
        os.close(place)


def _as_noted(path: bytes, noted: Folder, width: int, skipped: int = 0) -> bool:
    """Whether a folder holds just the files noted and no folder, all but the first `skipped`
    unchanged.

    To ask for files by their names takes less time than to find out what there is.
    """
    if b"/" in noted.names:
        return False
    names, stats = noted.names.split(b"\0"), noted.stats[skipped * width * 8 :]
    if len(names) == 1 and not skipped and width == OUTPUT:  # a page of the site
        try:
            same = packed(_noted_of[OUTPUT](os.lstat(path + noted.names))) == stats
            return same and len(os.listdir(path)) == 1
        except OSError:
            return False
    return _unchanged(path, names[skipped:], stats, width, len(names))


def inputs(content: str, before: Inventory) -> dict[str, Folder]:
    """The content folder as it is: names of everything a scan looks at, stats of what a build
    reads.

    A folder that is as it was `before` is that very one.
    """
    folders: dict[str, Folder] = {}

    def known(here: str) -> bool:
        noted = before.get(here)
        if noted is None or not _as_noted(
            os.fsencode(os.path.join(content, here, "")), noted, INPUT
        ):
            return False
        folders[here] = noted
        return True

    for here, entries in walk(content, known):
        if isinstance(entries, OSError):
            raise entries
        files: list[tuple[Any, ...]] = []
        for name, entry in entries:
            stat = NO_STAT
            if is_read(f"{here}/{name}" if here else name):
                with contextlib.suppress(OSError):
                    stat = _noted_of[INPUT](entry.stat())
            files.append((os.fsencode(name), *stat))
        folders[here] = folder_of(files)
    return folders


def unlike(root: str, noted: Inventory, share: tuple[str, int]) -> str | None:
    """One path of an output folder that is not as it was, or None; a share of one folder's files is
    left out.

    `share` is a folder and how many of its files, from the first, somebody else looks at: see
    `unlike_share`.
    """
    missing = set(noted)
    todo = [""]
    while todo:
        folder = todo.pop()
        missing.discard(folder)
        was = noted.get(folder)
        if was is None or not _as_noted(
            _place(root, folder), was, OUTPUT, share[1] if folder == share[0] else 0
        ):
            path, inner = _look(root, folder, was or Folder(b"", b""))
            if path is not None:
                return path
            todo += inner
    return min(missing) + "/" if missing else None


def unlike_share(root: str, noted: Inventory, share: tuple[str, int]) -> str | None:
    """The same of the share that `unlike` leaves out."""
    folder, count = share
    if not count:
        return None
    names, stats = (
        noted[folder].names.split(b"\0")[:count],
        noted[folder].stats[: count * OUTPUT * 8],
    )
    if _unchanged(_place(root, folder), names, stats, OUTPUT):
        return None
    return _look(root, folder, noted[folder])[0]


def _place(root: str, folder: str) -> bytes:
    return os.fsencode(f"{root}/{folder}/")


def _look(root: str, folder: str, was: Folder) -> tuple[str | None, list[str]]:
    """One path in a folder that is not as it was, or None, and the folders in it."""
    inner: list[str] = []
    files: list[tuple[Any, ...]] = []
    try:
        entries = os.scandir(_place(root, folder))
    except FileNotFoundError:
        return folder + "/", inner
    with entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                inner.append(
                    f"{folder}/{os.fsdecode(entry.name)}" if folder else os.fsdecode(entry.name)
                )
            else:
                stat = entry.stat(follow_symlinks=False)
                files.append((entry.name, stat.st_mtime_ns, stat.st_size))
    now = folder_of(files)
    if now[:2] == was[:2]:
        return None, inner
    before, after = was.files(OUTPUT), now.files(OUTPUT)
    name = next(n for n in sorted(before.keys() | after.keys()) if before.get(n) != after.get(n))
    return os.path.join(folder, os.fsdecode(name)), inner
