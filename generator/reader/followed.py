"""A base URL at which a pointer lies in place of a registry: files are read from the tree that it
names (generator.api.pointer).

Where there is an API, no pointer is asked for.  A pointer is believed for as long as hosts keep
lists; it is read anew with each root of a manifest too, and where nothing is there any more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from generator.api import pointer
from generator.api.paths import MANIFEST_ROOT
from generator.api.pointer import POINTER
from generator.reader.held import ClientError

#: Seconds that a pointer is believed.
_KEPT = 60.0
_Read = Callable[[Sequence[str]], list[bytes | None]]


class Followed:
    """Reads what `read` does, of the tree that a pointer names where there is one.  With `stay`,
    that is one tree from one root of a manifest to the next.
    """

    def __init__(self, read: _Read, *, stay: bool = False):
        self._read, self._stay = read, stay
        self._place, self._until = "", 0.0
        #: Whether files or a pointer were there.
        self._known = False
        self._lock = threading.Lock()

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        """Raises ClientError."""
        with self._lock:
            due = time.monotonic() > self._until and not self._stay
            if self._place and (due or MANIFEST_ROOT in paths):
                self._look()
            place, known = self._place, self._known
        try:
            contents = self._at(place, paths)
        except ClientError:
            # A bucket may refuse to say that something is not there.
            if known or not self._moved(place):
                raise
            return self._at(self._place, paths)
        if any(data is not None for data in contents):
            self._known = True
        elif (place or not known) and self._moved(place):
            return self._at(self._place, paths)
        return contents

    def _at(self, place: str, paths: Sequence[str]) -> list[bytes | None]:
        return self._read([place + path for path in paths])

    def _moved(self, place: str) -> bool:
        """Whether a pointer names another place than this one."""
        with self._lock:
            if self._place == place:
                self._look()
            return self._place != place

    def _look(self) -> None:
        try:
            raw = self._read([POINTER])[0]
        except ClientError:
            return  # what was asked for says what is wrong
        self._known = True
        now = pointer.parse(raw) if raw is not None else None
        if now is not None:
            self._place, self._until = now.place, time.monotonic() + _KEPT
