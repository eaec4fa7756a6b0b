"""Watch the content: events of the system, followed by a pause without further saves."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from watchfiles import Change, watch

from generator.contract import templates
from generator.feature import files

_QUIET = 50  # milliseconds without a save before a read
_MAX_DELAY = 2.0  # seconds that further saves may delay a read
#: Of more saved files the system may have lost events.
_MANY = 500
_POLLING = bool(os.environ.get("WATCHFILES_FORCE_POLLING"))

#: Path -> what changes when the file is saved.
Stats = Mapping[str, tuple[int, ...]]


class Saves(NamedTuple):
    """What was saved: paths below the content folder, None if they are not known, and whether a
    template or another file of the theme was.
    """

    paths: frozenset[str] | None
    theme: bool


EVERYTHING = Saves(None, True)


def stat_files(*folders: Path) -> Stats:
    """All files of some folders."""
    stats: dict[str, tuple[int, ...]] = {}
    for folder in folders:
        for root, _, names in os.walk(os.path.abspath(folder)):
            for path in (os.path.join(root, name) for name in names):
                try:
                    stat = os.stat(path)
                except OSError:
                    continue
                stats[path] = stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
    return stats


def watch_saves(content: Path, own: Path, before: Stats, stop: threading.Event) -> Iterator[Saves]:
    """Yields after each group of saves.

    The content folder and `own`, the registry's own templates, may disappear and come back.
    `before` are the files of both when they were read first.
    """
    content, own = Path(os.path.abspath(content)), own.resolve()
    known: Stats | None = before
    polling, was_there = None, content.is_dir()
    while not stop.is_set():
        identity, own_identity = _identity(content), _identity(own)
        if identity is None:
            if was_there:
                yield EVERYTHING
            while _identity(content) is None and not stop.wait(0.2):
                pass
            known, was_there = None, True
            continue
        was_there = True
        folders = (templates.template_folder(), *files("templates"), own)
        themes = [folder for folder in folders if folder.is_dir()]
        group = _Group(content, own, known)
        known = None
        try:
            for changes in watch(
                content,
                *themes,
                watch_filter=group.matters,
                debounce=400,
                rust_timeout=_QUIET,
                yield_on_timeout=True,
                stop_event=stop,
                force_polling=polling,
                raise_interrupt=False,
            ):
                group.add(path for _, path in changes)
                if saves := group.take(quiet=not changes, sure=not (polling or _POLLING)):
                    yield saves
                if (_identity(content), _identity(own)) != (identity, own_identity):
                    break
                if (Change.deleted, str(content)) in changes:
                    break
        except Exception:
            # Too many watches (fs.inotify.max_user_watches), or a file system without events.
            if _identity(content) is not None:
                logging.getLogger(__name__).warning(
                    "The system does not report changes in this folder; checking it regularly.",
                    exc_info=polling,
                )
                stop.wait(1.0 if polling else 0.0)
                polling = True


class _Group:
    """Saves since the last read.  `known` are the files at that time, None if files may have
    changed since that nobody noticed.
    """

    def __init__(self, content: Path, own: Path, known: Stats | None):
        self._content, self._own, self._known = content, own, known
        self._paths: set[str] = set()
        self._everything = known is None
        self._began: float | None = None

    def matters(self, _: Change, path: str) -> bool:
        """Whether a path is not hidden (with a leading dot)."""
        file, content = Path(path), self._content
        inner = file.relative_to(content) if file.is_relative_to(content) else Path(file.name)
        return not any(part.startswith(".") for part in inner.parts)

    def add(self, paths: Iterable[str]) -> None:
        """Add saved files; at first also those that changed before they were watched."""
        self._paths.update(paths)
        if self._known is not None:
            now = stat_files(self._content, self._own)
            changed = {path for path, _ in self._known.items() ^ now.items()}
            self._paths |= {p for p in changed if self.matters(Change.modified, p)}
            self._known = None
        if self._began is None and (self._paths or self._everything):
            self._began = time.monotonic()

    def take(self, *, quiet: bool, sure: bool) -> Saves | None:
        """The saves if it is time to read them: at a `quiet` moment, or if they take long.  If the
        system is not `sure` of the paths, they count as unknown.
        """
        if self._began is None or not (quiet or time.monotonic() - self._began > _MAX_DELAY):
            return None
        paths, everything = self._paths, self._everything
        self._paths, self._everything, self._began = set(), False, None
        if everything:
            return EVERYTHING
        inner = [path for path in paths if Path(path).is_relative_to(self._content)]
        theme = len(inner) < len(paths) or any(Path(p).is_relative_to(self._own) for p in paths)
        # A folder with this name may be another one, with other files.
        if not sure or len(inner) > _MANY or any(map(os.path.isdir, inner)):
            return Saves(None, theme)
        return Saves(frozenset(os.path.relpath(p, self._content) for p in inner), theme)


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        stat = folder.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
