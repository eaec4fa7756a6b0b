"""One publisher at a time: an object says who publishes, and beats while he lives.

No clocks are compared.  Who publishes writes the object anew every BEAT seconds.  Who finds one
watches it: where it does not change for WATCHED seconds, its owner is gone, and it is taken over.
An owner who was stopped for longer than HELD seconds, which is less, does nothing more: someone
else may publish.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import orjson

from generator.api.artifact import utc
from generator.api.diagnostic import printable
from generator.api.headers import ANEW, TYPES
from generator.api.pointer import LEASE
from generator.stores.said import StoreError
from generator.stores.store import Store, Stored

#: Seconds between two beats; without one that an owner goes on; and that another watches.
BEAT, HELD, WATCHED = 4.0, 12.0, 30.0
_MOST = 1 << 12
_HEADERS = {"Content-Type": TYPES["json"], "Cache-Control": ANEW}


class Busy(StoreError):
    """Somebody else publishes to the store."""


class Lease:
    """A context manager: entering waits until a dead publisher can be told from a living one, and
    calls `waiting` before.  Raises Busy, and StoreError.
    """

    def __init__(self, store: Store, waiting: Callable[[], None] = lambda: None):
        self._store, self._waiting = store, waiting
        self._token = os.urandom(16).hex()
        self._since = utc(datetime.now(UTC).replace(microsecond=0))
        self._number = 0
        self._kept: Stored | None = None
        self._until, self._lost = 0.0, False
        self._one = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Lease:
        self._take()
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._ended.set()
        self._thread.join()
        if self._lost:
            return
        with contextlib.suppress(StoreError):
            if self._is_mine(self._store.get(LEASE, _MOST)):
                self._store.remove(LEASE)

    def check(self) -> None:
        """Raises Busy where somebody else may have taken over."""
        if self._lost or time.clock_gettime(_CLOCK) > self._until:
            raise Busy(
                f"{self._store.shown}: this publish was stopped for so long that another one may "
                "have begun; what was published before is as it was.\nPublish again."
            )

    def renew(self) -> None:
        """Say once more who publishes.  Raises Busy where that is somebody else, once and for all,
        and StoreError.
        """
        with self._one:
            asked = time.clock_gettime(_CLOCK)
            self._number += 1
            if not self._lost:
                done = self._store.replace(LEASE, self._said(), self._kept, _HEADERS)
                kept = self._store.get(LEASE, _MOST) if done else None
                self._lost = not self._is_mine(kept)
                self._kept, self._until = kept, asked + HELD
            self.check()

    def _take(self) -> None:
        asked = time.clock_gettime(_CLOCK)
        if not self._store.create(LEASE, self._said(), _HEADERS):
            self._kept = self._left()
            self.renew()
            return
        self._kept = self._store.get(LEASE, _MOST)
        self._until = asked + HELD

    def _left(self) -> Stored | None:
        """The object of a publisher who is gone; None where he removed it.  Raises Busy where he is
        not.
        """
        first = self._store.get(LEASE, _MOST)
        if first is None:
            return None
        self._waiting()
        until = time.monotonic() + WATCHED
        while time.monotonic() < until:
            time.sleep(min(BEAT / 4, WATCHED / 8))
            now = self._store.get(LEASE, _MOST)
            if now is None:
                return None
            if now != first:
                raise Busy(
                    f"Another publish to {self._store.shown} is under way, {_by(now.data)}; "
                    "nothing was written.\nPublish again when it is done."
                )
        return first

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            with contextlib.suppress(StoreError):  # what fails once is tried at the next beat
                self.renew()

    def _said(self) -> bytes:
        by = f"{socket.gethostname()}, process {os.getpid()}"
        said = {
            "kind": "lease",
            "token": self._token,
            "beat": self._number,
            "by": by,
            "since": self._since,
        }
        return orjson.dumps(said)

    def _is_mine(self, found: Stored | None) -> bool:
        return found is not None and self._token.encode() in found.data


#: A clock that goes on while a machine sleeps.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def _by(data: bytes) -> str:
    """Who publishes, as the object says, which anyone may have written."""
    with contextlib.suppress(ValueError):
        match orjson.loads(data):
            case {"by": str(by), "since": str(since)}:
                return f"since {printable(since[:40])} by {printable(by[:200])}"
    return "by whom is not said"
