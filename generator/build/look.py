"""How the content and an output are, held against what was noted of them.

First it is asked of every folder whether it is as noted, by several processes; then only those that
are not are read.  Imports nothing heavy: a build that finds nothing to do has imported little more
than this.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from generator.build.inventory import (
    INPUT,
    NO_STAT,
    OUTPUT,
    Folder,
    Inventory,
    folder_of,
    packed,
)
from generator.build.settled import STAMP
from generator.records.folder import is_read, walk

#: Names of a bundle, at least: few are looked at again where one of them is another.
_BUNDLE = 2000
#: Files of a folder that is not opened to look at them.
_SMALL = 8
_NONE = Folder(b"", b"")

_noted_of = {
    INPUT: attrgetter("st_mtime_ns", "st_ctime_ns", "st_size"),
    OUTPUT: attrgetter("st_mtime_ns", "st_size"),
}
_stamp_of = attrgetter("st_ctime_ns", "st_ino", "st_dev")


class Side(NamedTuple):
    """A folder, with a slash at its end, what was noted of it, how many numbers of each file, which
    folders lie in which, and the stamps of folders that need not be listed.
    """

    root: bytes
    noted: Inventory
    width: int
    within: Mapping[str, Sequence[str]]
    settled: Mapping[str, bytes]

    @classmethod
    def of(
        cls, root: str, noted: Inventory, width: int, settled: Mapping[str, bytes] | None = None
    ) -> Side:
        return cls(os.fsencode(os.path.join(root, "")), noted, width, _within(noted), settled or {})


#: Some folders of one side, each with the first of its files and the one after the last.
Bundle = tuple[int, list[tuple[str, int, int]]]
#: Of a side: folders that may not be as noted, and the stamps of those that were listed and are.
Seen = tuple[int, list[str], list[tuple[str, bytes]]]


def _within(noted: Inventory) -> dict[str, list[str]]:
    """The folders in each folder, of all that there are."""
    within: dict[str, list[str]] = {"": []}
    for folder in noted:
        inner: list[str] = []
        while folder not in within:
            within[folder], inner = inner, [folder]
            folder = folder.rpartition("/")[0]
        within[folder] += inner
    return within


def bundles(sides: Sequence[Side]) -> Iterator[Bundle]:
    """All folders of some sides, and of those with many files some of these at a time."""
    for number, side in enumerate(sides):
        some: list[tuple[str, int, int]] = []
        weight = 0
        for folder in side.within:
            files = len(side.noted.get(folder, _NONE).stats) // (8 * side.width)
            for first in range(0, files or 1, _BUNDLE):
                some.append((folder, first, min(first + _BUNDLE, files)))
                weight += some[-1][2] - first + 1
                if weight >= _BUNDLE:
                    yield number, some
                    some, weight = [], 0
        yield number, some


def look(chosen: list[Bundle], sides: Sequence[Side]) -> list[Seen]:
    """Hold the folders of some bundles against what was noted of them."""
    return [(number, *_seen(some, sides[number])) for number, some in chosen]


def _seen(
    some: Sequence[tuple[str, int, int]], side: Side
) -> tuple[list[str], list[tuple[str, bytes]]]:
    others, stamped = [], []
    small: list[tuple[str, list[bytes], bytes]] = []
    paths = [side.root + os.fsencode(folder) for folder, _, _ in some]
    for (folder, first, end), path, stamp in zip(some, paths, _stamps(paths, side), strict=True):
        was = side.noted.get(folder, _NONE)
        names = _names(was.names)
        listed = not first and (not stamp or side.settled.get(folder) != stamp)
        if b"/" in was.names:
            same = False
        elif listed and (side.within[folder] or not names):
            same = _holds_as_noted(side, folder, was)
        elif not listed and len(names) <= _SMALL:
            small.append((folder, [path + b"/" + name for name in names], was.stats))
            same = True
        else:
            span = slice(first * side.width * 8, end * side.width * 8)
            count = len(names) if listed else None
            same = _unchanged(path, names[first:end], was.stats[span], side.width, count)
        if not same:
            others.append(folder)
        elif listed:
            stamped.append((folder, stamp))
    if not _all_unchanged(small, side.width):
        others += [one[0] for one in small if not _all_unchanged([one], side.width)]
    return others, stamped


@lru_cache(maxsize=1)
def _names(joined: bytes) -> list[bytes]:
    """Names that are joined by NUL; of a folder that is looked at in parts they are parted once."""
    return joined.split(b"\0") if joined else []


def _stamps(paths: Sequence[bytes], side: Side) -> list[bytes]:
    """What tells each folder from another, and from what it is after a change of its names; nothing
    where there is none.
    """
    look = os.stat if side.width == INPUT else os.lstat
    try:
        whole = packed([*chain.from_iterable(map(_stamp_of, map(look, paths)))])
    except OSError:  # one is gone
        return [_stamps([path], side)[0] for path in paths] if len(paths) > 1 else [b""]
    return [whole[i : i + STAMP] for i in range(0, len(whole), STAMP)]


def _all_unchanged(small: Iterable[tuple[str, list[bytes], bytes]], width: int) -> bool:
    """Whether the files of small folders, of which the names are known to be as noted, are too."""
    look: Callable[[bytes], os.stat_result] = os.stat if width == INPUT else os.lstat
    files = chain.from_iterable(paths for _, paths, _ in small)
    try:
        now = packed([*chain.from_iterable(map(_noted_of[width], map(look, files)))])
    except OSError:  # one is gone
        return False
    return now == b"".join([stats for _, _, stats in small])


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


def inputs(content: str, before: Inventory, others: Collection[str]) -> dict[str, Folder]:
    """The content folder as it is: names of everything a scan looks at, stats of what a build
    reads.

    A folder that is as it was `before` is that very one: each but the `others` is.
    """
    folders: dict[str, Folder] = {}

    def known(here: str) -> bool:
        if here not in before or here in others:
            return False
        folders[here] = before[here]
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


def unlike(side: Side, others: Iterable[str]) -> str | None:
    """One path of an output that is not as it was, or None; all folders but the `others` are."""
    todo = sorted(others)
    for folder in todo:
        path, inner = _look(side.root, folder, side.noted.get(folder, _NONE))
        if path is not None:
            return path
        todo += set(inner).difference(side.within.get(folder, ()))
    return None


def _holds_as_noted(side: Side, folder: str, was: Folder) -> bool:
    """Whether the files in a folder are as noted, and the folders there those that were."""
    with contextlib.suppress(OSError):
        path, inner = _look(side.root, folder, was)
        return path is None and set(inner) == set(side.within[folder])
    return False


def _look(root: bytes, folder: str, was: Folder) -> tuple[str | None, list[str]]:
    """One path in a folder of an output that is not as it was, or None, and the folders in it."""
    inner: list[str] = []
    files: list[tuple[Any, ...]] = []
    try:
        entries = os.scandir(root + os.fsencode(folder))
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
