"""Watch the content: events of the system say when to look, the files say what changed.

Events come only for folders that are watched, and some are lost if there are very many.  A file
that is a link or has another name elsewhere, or whose folder is a link, changes without an event.
So after each event, and every few seconds, all files are compared with what they were.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterable, Iterator, Set
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from watchfiles import Change, watch

from generator.contract import templates
from generator.dialect.folder import open_content, walk
from generator.feature import files

_QUIET = 50  # milliseconds without a save before a read
_MAX_DELAY = 2.0  # seconds that further saves may delay a read
#: With more saved files, everything is read again.
_MANY = 500
#: Seconds between two comparisons without an event; more if one takes longer than a part of it.
_PERIOD, _SHARE = 1.0, 40
#: Seconds from a read to the comparison that finds saves without an event.
_PAUSE = 0.25

#: Path -> what changes when the file is saved.
Stats = dict[str, tuple[int, ...]]


class Saves(NamedTuple):
    """What was saved: paths below the content folder, None if they are not known, and whether a
    template or another file of the theme was.
    """

    paths: frozenset[str] | None
    theme: bool


EVERYTHING = Saves(None, True)


def stat_files(content: Path, *themes: Path) -> Stats:
    """The files of the content folder that a build reads, and all files of some other folders."""
    root = os.path.abspath(content)
    inner = (
        os.path.join(root, folder, name)
        for folder, entries in walk(root, open_content(root).kinds)
        if not isinstance(entries, OSError)
        for name, _ in entries
        if not name.endswith("/")
    )
    outer = (
        os.path.join(folder, name)
        for theme in themes
        for folder, _, names in os.walk(os.path.abspath(theme))
        for name in names
    )
    stats: Stats = {}
    for path in chain(inner, outer):
        _stat(path, stats)
    return stats


def _stat(path: str, stats: Stats) -> None:
    """Put a file into `stats`, or remove it there.  Links are followed."""
    try:
        stat = os.stat(path)
    except (OSError, ValueError):
        stats.pop(path, None)
    else:
        stats[path] = (
            stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns,
        )  # fmt: skip


def watch_saves(content: Path, own: Path, before: Stats, stop: threading.Event) -> Iterator[Saves]:
    """Yields after each group of saves.

    The content folder and `own`, the registry's own templates, may disappear and come back.
    `before` are the files of both when they were read first.
    """
    content, own = Path(os.path.abspath(content)), own.resolve()
    group, places = _Group(content, own, before), _places(content, own)
    was_there, has_events = content.is_dir(), True
    while not stop.is_set():
        if _identity(content) is None:
            if was_there:
                yield EVERYTHING
            while _identity(content) is None and not stop.wait(0.2):
                pass
            was_there = False
            group.forget()
            continue
        last, places, was_there = places, _places(content, own), True
        if last[:2] != places[:2]:
            group.forget()
        try:
            for changes in _events(content, own, stop, group) if has_events else _ticks(stop):
                group.add(path for _, path in changes)
                yield from group.take(quiet=not changes)
                if _places(content, own) != places or (Change.deleted, str(content)) in changes:
                    break
        except Exception:
            # Too many watches (fs.inotify.max_user_watches), or a file system without events.
            if _identity(content) is not None:
                logging.getLogger(__name__).warning(
                    "The system does not report changes in this folder; checking it regularly.",
                    exc_info=not has_events,
                )
                has_events = False


def _events(
    content: Path, own: Path, stop: threading.Event, group: _Group
) -> Iterator[set[tuple[Change, str]]]:
    """What the system reports, and an empty set after each pause."""
    folders = (templates.template_folder(), *files("templates"), own)
    return watch(
        content,
        *(folder for folder in folders if folder.is_dir()),
        watch_filter=group.matters,
        debounce=400,
        rust_timeout=_QUIET,
        yield_on_timeout=True,
        stop_event=stop,
        raise_interrupt=False,
    )


def _ticks(stop: threading.Event) -> Iterator[set[tuple[Change, str]]]:
    while not stop.wait(_PERIOD):
        yield set()


class _Group:
    """Saves since the last read.  `known` are the files at that time."""

    def __init__(self, content: Path, own: Path, known: Stats):
        self._content, self._own, self._known = content, own, known
        self._paths: set[str] = set()
        self._everything = False
        self._began: float | None = None
        self._next_look = 0.0

    def matters(self, _: Change, path: str) -> bool:
        """Whether a path is not hidden (with a leading dot)."""
        file, content = Path(path), self._content
        inner = file.relative_to(content) if file.is_relative_to(content) else Path(file.name)
        return not any(part.startswith(".") for part in inner.parts)

    def forget(self) -> None:
        """Everything is to be read again: the content or the templates are another folder."""
        self._everything = True

    def add(self, paths: Iterable[str]) -> None:
        """Add files that events name."""
        self._paths.update(paths)
        if self._began is None and self._paths:
            self._began = time.monotonic()

    def take(self, *, quiet: bool) -> Iterator[Saves]:
        """The saves if it is time to read them: at a `quiet` moment, or if they take long."""
        if not (quiet or (self._began and time.monotonic() - self._began > _MAX_DELAY)):
            return
        named, everything = self._paths, self._everything
        self._paths, self._everything, self._began = set(), False, None
        if everything:
            self._changed()
            yield EVERYTHING
            return
        if quiet and 0 < len(named) <= _MANY and not any(map(os.path.isdir, named)):
            # Nobody waits for the comparison of all files.
            for path in named:
                if Path(path).is_relative_to(self._content) or Path(path).is_relative_to(self._own):
                    _stat(path, self._known)
            yield self._saves(named)
            self._next_look, named = time.monotonic() + _PAUSE, set()
        if named or time.monotonic() >= self._next_look:
            changed = self._changed() | {path for path in named if not os.path.isdir(path)}
            if changed:
                yield self._saves(changed)

    def _changed(self) -> set[str]:
        """The files that are not as they were when this was called last."""
        began, before = time.monotonic(), self._known
        self._known = stat_files(self._content, self._own)
        ended = time.monotonic()
        self._next_look = ended + max(_PERIOD, _SHARE * (ended - began))
        changed = {path for path, _ in before.items() ^ self._known.items()}
        return {path for path in changed if self.matters(Change.modified, path)}

    def _saves(self, paths: Set[str]) -> Saves:
        inner = [path for path in paths if Path(path).is_relative_to(self._content)]
        theme = len(inner) < len(paths) or any(Path(p).is_relative_to(self._own) for p in paths)
        if len(inner) > _MANY:
            return Saves(None, theme)
        return Saves(frozenset(os.path.relpath(p, self._content) for p in inner), theme)


def _places(content: Path, own: Path) -> list[tuple[int, int] | None]:
    """The folders that are watched: the content, the templates, and collections that are links."""
    links = [
        path for name in open_content(str(content)).kinds if (path := content / name).is_symlink()
    ]
    return [*map(_identity, (content, own, *links))]


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        stat = folder.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
