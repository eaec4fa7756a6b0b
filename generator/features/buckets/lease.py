"""A lease on a store: only one publisher changes it at a time.

The lease is an object that its owner rewrites every BEAT seconds.  Another publisher who finds the
object watches it for WATCHED seconds and takes the lease over if the object did not change.

The owner relies on the lease for HELD seconds, counted from the moment at which it sent the last
rewrite that succeeded.  The clock runs on while a machine sleeps.  After that time the owner
rewrites the object before it changes anything else.  The store refuses the rewrite if somebody
else wrote the object in the meantime, so a slow store delays a publish and does not end it.

WATCHED is longer than HELD by more than a request may take (generator.features.buckets.store), so a
request that an owner sent at the last moment has ended before anybody takes over.
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

from generator.contract.pointer import LEASE
from generator.features.buckets.messages import StoreError
from generator.features.buckets.store import Store, Stored
from generator.grammar.headers import MEDIA_TYPES, REVALIDATE
from generator.problems.diagnostic import printable
from generator.text.words import format_utc

#: Seconds between two rewrites, that an owner relies on one, and that another publisher watches.
BEAT, HELD, WATCHED = 4.0, 20.0, 60.0
#: Rewrites in a row that `check` and `renew` try.
_TRIES = 3
_MAX_BYTES = 1 << 12
_HEADERS = {"Content-Type": MEDIA_TYPES["json"], "Cache-Control": REVALIDATE}


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
        self._beats = 0
        self._until, self._lost = 0.0, False
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._restored = contextlib.ExitStack()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Lease:
        with contextlib.ExitStack() as stack:
            if threading.current_thread() is threading.main_thread():
                before = signal.signal(signal.SIGTERM, signal.default_int_handler)
                stack.callback(signal.signal, signal.SIGTERM, before)
            try:
                self._take()
            except KeyboardInterrupt:
                self._clear()
                raise
            self._thread.start()
            self._restored = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        with self._restored:
            self._ended.set()
            self._thread.join()
            if not self._lost:
                self._clear()

    def _clear(self) -> None:
        """Remove the lease, unless it is another publisher's."""
        with contextlib.suppress(StoreError):
            if self._is_mine(self._store.get(LEASE, _MAX_BYTES)):
                self._store.remove(LEASE)

    def check(self) -> None:
        """Rewrite the lease if its time is over. Raises Busy if it is lost, and StoreError."""
        for _ in range(_TRIES):
            if not self._is_over():
                return
            with self._lock:
                if self._is_over():
                    self._rewrite()
        if self._is_over():
            raise StoreError(
                f"{self._store.shown} answers too slowly: to write one small object took more than "
                f"{HELD:.0f} s, {_TRIES} times. The published registry is unchanged.\n"
                "Publish again when the store answers faster."
            )

    def _is_over(self) -> bool:
        return self._lost or time.clock_gettime(_CLOCK) > self._until

    def renew(self) -> None:
        """Rewrite the lease now. Raises Busy if another publisher has taken it, and StoreError."""
        with self._lock:
            self._rewrite()

    def _rewrite(self) -> None:
        """Requires the lock. Reads the object each time, as an answer may have been lost."""
        for _ in range(_TRIES if not self._lost else 0):
            found = self._store.get(LEASE, _MAX_BYTES)
            if found is None or not self._is_mine(found):
                break
            self._beats += 1
            sent = time.clock_gettime(_CLOCK)
            if self._store.replace(LEASE, self._document(), found, _HEADERS):
                self._until = sent + HELD
                return
        self._lost = True
        raise Busy(
            f"{self._store.shown}: this publish was stopped for so long that another one may "
            "have begun; what was published before is as it was.\nPublish again."
        )

    def _take(self) -> None:
        sent = time.clock_gettime(_CLOCK)
        taken = self._store.create(LEASE, self._document(), _HEADERS)
        if not taken:
            abandoned = self._abandoned()
            sent = time.clock_gettime(_CLOCK)
            taken = self._store.replace(LEASE, self._document(), abandoned, _HEADERS)
        # A store without conditions lets two publishers write: the last writer has the lease.
        found = self._store.get(LEASE, _MAX_BYTES)
        if not taken or not self._is_mine(found):
            raise self._busy(found)
        self._until = sent + HELD

    def _abandoned(self) -> Stored | None:
        """The object of a publisher who is gone, or None if it is removed.  Raises Busy."""
        first = self._store.get(LEASE, _MAX_BYTES)
        if first is None:
            return None
        self._waiting()
        until = time.monotonic() + WATCHED
        while time.monotonic() < until:
            time.sleep(min(BEAT / 4, WATCHED / 8))
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

    def _beat(self) -> None:
        # At once if the requests that took the lease were slow.
        pause = self._until - HELD + BEAT - time.clock_gettime(_CLOCK)
        while not self._ended.wait(max(pause, 0.01)):
            began = time.monotonic()
            with contextlib.suppress(StoreError):  # the next beat, or `check`, tries again
                self.renew()
            pause = BEAT - (time.monotonic() - began)

    def _document(self) -> bytes:
        return orjson.dumps(
            {
                "kind": "lease",
                "token": self._token,
                "beat": self._beats,
                "by": f"{socket.gethostname()}, process {os.getpid()}",
                "since": self._since,
            }
        )

    def _is_mine(self, found: Stored | None) -> bool:
        return found is not None and self._token.encode() in found.data


#: A clock that goes on while a machine sleeps.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def _owner(data: bytes) -> str:
    """The publisher and the time in the lease. The object may have been written by anyone."""
    with contextlib.suppress(ValueError):
        match orjson.loads(data):
            case {"by": str(by), "since": str(since)}:
                return f"since {printable(since[:40])} by {printable(by[:200])}"
    return "by whom is not said"
