"""When the content was saved: the system's word for it, with a pause after which nothing more is to
come.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from watchfiles import Change, watch

from generator.contract import templates

_QUIET = 150  # ms without a save before a build
_MOST = 2.0  # s that saves may go on and put it off


def saves(content: Path, out: Path, own: Path, stop: threading.Event) -> Iterator[None]:
    """Once for each time that files were changed and then left alone; and once when watching
    begins.

    The content folder may go away and come back, and so may `own`, the registry's own templates.
    """
    content, out = Path(os.path.abspath(content)), Path(os.path.abspath(out))

    def matters(change: Change, path: str) -> bool:
        """Not what the build writes, where that lies within the content, and not what begins with a
        dot.
        """
        where = Path(path)
        inside = where.relative_to(content) if where.is_relative_to(content) else Path(where.name)
        return not where.is_relative_to(out) and not any(
            part.startswith(".") for part in inside.parts
        )

    polling: bool | None = None
    while not stop.is_set():
        watched = _identity(content)
        others = {folder for folder in (templates.folder(), own.resolve()) if folder.is_dir()}
        theme = _identity(own)
        if watched is None:
            yield
            while _identity(content) is None and not stop.wait(0.2):
                pass
            continue
        began: float | None = 0.0  # anything may have happened since the last build
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
                if began is not None and (not changes or time.monotonic() - began > _MOST):
                    began = None
                    yield
                if _identity(content) != watched or (Change.deleted, str(content)) in changes:
                    break
                if _identity(own) != theme:
                    break
        except Exception:
            # No more watches to be had (fs.inotify.max_user_watches), or none on this file system.
            if _identity(content) is not None:
                logging.getLogger(__name__).warning(
                    "The system does not tell of changes here; looking for them.", exc_info=polling
                )
                stop.wait(1.0 if polling else 0.0)
                polling = True


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        stat = folder.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
