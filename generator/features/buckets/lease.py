"""A lease on a store: only one publisher changes it at a time.

The lease is an object that its owner writes again before a change if the last time was more than
HELD seconds ago.  Another publisher who finds the object watches it for WATCHED seconds and takes
the lease over if it did not change.  The store refuses to write it for an owner who lost it.

WATCHED is longer than HELD by more than a change may take (`store.LONGEST`), so a change that an
owner sent at the last moment has ended before anybody takes over.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import orjson

from generator.contract.files import LEASE
from generator.features.buckets.store import Store, Stored, StoreError
from generator.grammar.headers import MEDIA_TYPES, REVALIDATE
from generator.problems.diagnostic import printable
from generator.text.words import format_utc

#: Seconds that an owner relies on the lease, counted from the moment at which it sent it; seconds
#: that another publisher watches it; and between two looks.
HELD, WATCHED, _LOOK = 15.0, 60.0, 1.0
_TRIES = 3
_MAX_BYTES = 1 << 12
_HEADERS = {"Content-Type": MEDIA_TYPES["json"], "Cache-Control": REVALIDATE}
#: A clock that goes on while a machine sleeps.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Busy(StoreError):
    """Somebody else publishes to the store."""


class Lease:
    """A context manager that holds the lease.  Entering calls `waiting` before it watches the lease
    of another publisher.  Raises Busy, and StoreError.

    SIGTERM raises KeyboardInterrupt meanwhile, as Ctrl-C does, so that it clears the lease too.
    """

    def __init__(self, store: Store, waiting: Callable[[], None] = lambda: None):
        self._store, self._waiting = store, waiting
        self._token = os.urandom(16).hex()
        self._since = format_utc(datetime.now(UTC).replace(microsecond=0))
        self._written = 0
        self._until, self._lost = 0.0, False
        self._lock = threading.Lock()
        self._restored = contextlib.ExitStack()

    def __enter__(self) -> Lease:
        with contextlib.ExitStack() as stack:
            if threading.current_thread() is threading.main_thread():
                before = signal.signal(signal.SIGTERM, signal.default_int_handler)
                stack.callback(signal.signal, signal.SIGTERM, before)
            try:
                taken = self._write(None) or self._write(self._abandoned())
                # A store without conditions lets two publishers write: the last one has the lease.
                found = self._store.get(LEASE, _MAX_BYTES)
                if not taken or not self._is_mine(found):
                    raise self._busy(found)
            except KeyboardInterrupt:
                self._clear()
                raise
            self._restored = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        with self._restored:
            if not self._lost:
                self._clear()

    def _clear(self) -> None:
        """Remove the lease, unless it is another publisher's."""
        with contextlib.suppress(StoreError):
            if self._is_mine(self._store.get(LEASE, _MAX_BYTES)):
                self._store.remove(LEASE)

    def check(self) -> None:
        """Write the lease again if its time is over. Raises Busy if it is lost, and StoreError."""
        with self._lock:
            for _ in range(_TRIES):
                if not self._lost and time.clock_gettime(_CLOCK) <= self._until:
                    return
                self._write_again()
        raise StoreError(
            f"{self._store.shown} answers too slowly: to write one small object took more than "
            f"{HELD:.0f} s, {_TRIES} times. The published registry is unchanged.\n"
            "Publish again when the store answers faster."
        )

    def renew(self) -> None:
        """Write the lease again now. Raises Busy if another publisher has taken it, StoreError."""
        self._until = 0.0
        self.check()

    def _write_again(self) -> None:
        found = self._store.get(LEASE, _MAX_BYTES) if not self._lost else None
        if not self._is_mine(found) or not self._write(found):
            self._lost = True
            raise Busy(
                f"{self._store.shown}: this publish was stopped for so long that another one may "
                "have begun; what was published before is as it was.\nPublish again."
            )

    def _write(self, before: Stored | None) -> bool:
        """Write the lease in place of `before`; False if that has changed."""
        self._written += 1
        by = f"{socket.gethostname()}, process {os.getpid()}"
        fields = {"token": self._token, "written": self._written, "by": by, "since": self._since}
        sent = time.clock_gettime(_CLOCK)
        if not self._store.replace(
            LEASE, orjson.dumps({"kind": "lease", **fields}), before, _HEADERS
        ):
            return False
        self._until = sent + HELD
        return True

    def _abandoned(self) -> Stored | None:
        """The object of a publisher who is gone, or None if it is removed.  Raises Busy."""
        first = self._store.get(LEASE, _MAX_BYTES)
        if first is None:
            return None
        self._waiting()
        until = time.monotonic() + WATCHED
        while time.monotonic() < until:
            time.sleep(min(_LOOK, WATCHED / 8))
            current = self._store.get(LEASE, _MAX_BYTES)
            if current is None:
                return None
            if current != first:
                raise self._busy(current)
        return first

    def _busy(self, found: Stored | None) -> Busy:
        return Busy(
            f"Another publish to {self._store.shown} is under way, "
            f"{_owner(found.data if found else b'')}; nothing was written.\n"
            "Publish again when it is done."
        )

    def _is_mine(self, found: Stored | None) -> bool:
        return found is not None and self._token.encode() in found.data


def _owner(data: bytes) -> str:
    """The publisher and the time in the lease. The object may have been written by anyone."""
    with contextlib.suppress(ValueError):
        match orjson.loads(data):
            case {"by": str(by), "since": str(since)}:
                return f"since {printable(since[:40])} by {printable(by[:200])}"
    return "by whom is not said"
