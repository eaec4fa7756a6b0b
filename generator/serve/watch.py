"""Watch the content: events of the system, followed by a pause without further saves."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from watchfiles import Change, watch

from generator.contract import templates

_QUIET = 150  # milliseconds without a save before a build
_MAX_DELAY = 2.0  # seconds that further saves may delay a build


def watch_saves(content: Path, out: Path, own: Path, stop: threading.Event) -> Iterator[None]:
    """Yields once after each group of saves, and once when watching begins.

    The content folder and `own`, the registry's own templates, may disappear and come back.
    """
    content, out = Path(os.path.abspath(content)), Path(os.path.abspath(out))

    def matters(change: Change, path: str) -> bool:
        """Whether a path is neither in the output folder nor hidden (with a leading dot)."""
        file = Path(path)
        inner = file.relative_to(content) if file.is_relative_to(content) else Path(file.name)
        is_hidden = any(part.startswith(".") for part in inner.parts)
        return not file.is_relative_to(out) and not is_hidden

    polling: bool | None = None
    while not stop.is_set():
        content_identity = _identity(content)
        others = {
            folder for folder in (templates.template_folder(), own.resolve()) if folder.is_dir()
        }
        theme_identity = _identity(own)
        if content_identity is None:
            yield
            while _identity(content) is None and not stop.wait(0.2):
                pass
            continue
        # When the first save of a group came. 0: files may have changed since the last build.
        began: float | None = 0.0
        try:
            for changes in watch(
                content,
                *others,
                watch_filter=matters,
                debounce=400,
                rust_timeout=_QUIET,
                yield_on_timeout=True,
                stop_event=stop,
                force_polling=polling,
                raise_interrupt=False,
            ):
                if changes and began is None:
                    began = time.monotonic()
                if began is not None and (not changes or time.monotonic() - began > _MAX_DELAY):
                    began = None
                    yield
                if _identity(content) != content_identity or _identity(own) != theme_identity:
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


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        stat = folder.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
