"""Work divided among forked processes, which send back plain data.

A forked process sees everything its parent had at that moment, so items and `shared` are not sent
to it; what it sends back is marshalled.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import marshal
import os
import selectors
import signal
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from generator.build.executors import CHUNK, Item, Result, Shared, WorkerFailed, raised, told

_LENGTH = struct.Struct("!Q")
#: Bytes that a worker may be ahead of the parent, which has other work meanwhile.
_ROOM = 1 << 20
#: Bytes that a worker keeps of what it has freed: of one chunk to the next it takes the same again.
_KEPT = 1 << 22


class Forked:
    """Forks `jobs` processes, each of which works through its share of the chunks; they have begun
    when `run` returns.
    """

    def __init__(self, jobs: int):
        self.jobs = jobs

    def run(
        self,
        process: Callable[[list[Item], Shared], Result],
        items: Sequence[Item],
        shared: Shared,
        size: int = CHUNK,
    ) -> Iterator[Result]:
        jobs = min(self.jobs, -(-len(items) // size))
        return _collect(
            [
                _fork(process, items, range(n * size, len(items), jobs * size), size, shared)
                for n in range(jobs)
            ]
        )


def _fork(
    process: Callable[[list[Item], Shared], Any],
    items: Sequence[Item],
    starts: Iterable[int],
    size: int,
    shared: Shared,
) -> tuple[int, int]:
    """A process that works through the chunks that begin at its `starts`; (its id, the pipe it
    answers on).
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    with contextlib.suppress(OSError):  # there is less room, then
        fcntl.fcntl(writing, getattr(fcntl, "F_SETPIPE_SZ", 0), _ROOM)
    # A collection in the child would touch, and so copy, every page of the parent's objects.
    gc.freeze()
    # An interrupt waits until each side knows what to do with it.
    was = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = os.fork()
    if child:
        os.close(writing)
        _running[reading] = child
        signal.pthread_sigmask(signal.SIG_SETMASK, was)
        return child, reading
    for other in _running:  # who reads there is the parent alone
        os.close(other)
    _running.clear()
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, was)
        os.close(reading)
        bytes(_KEPT)  # the allocator keeps twice as much as the largest block that it gave back
        with open(writing, "wb", closefd=False) as pipe:
            for start in starts:
                chunk = list(items[start : start + size])
                _send(pipe, (True, process(chunk, shared)))
            _send(pipe, None)
        os._exit(0)
    except BrokenPipeError:  # the parent is gone
        os._exit(1)
    except BaseException as error:
        try:
            with open(writing, "wb", closefd=False) as pipe:
                _send(pipe, (False, told(error)))
        finally:
            os._exit(1)


def _send(pipe: Any, message: Any) -> None:
    data = marshal.dumps(message)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def _collect(processes: list[tuple[int, int]]) -> Iterator[Any]:
    pending = dict.fromkeys(reading for _, reading in processes)
    ids = {reading: process for process, reading in processes}
    try:
        with selectors.DefaultSelector() as selector:
            for reading in pending:
                selector.register(
                    reading,
                    selectors.EVENT_READ,
                    os.fdopen(reading, "rb", buffering=1 << 16, closefd=False),
                )
            while pending:
                for key, _ in selector.select():
                    message = _receive(key.data)
                    if message is None:
                        selector.unregister(key.fd)
                        del pending[key.fd]
                        key.data.close()
                        continue
                    good, value = message
                    if not good:
                        raise raised(value)
                    yield value
    finally:
        for reading in ids:
            _end(reading, kill=reading in pending)


#: The pipe that each running worker answers on, and its process.
_running: dict[int, int] = {}


def _end(reading: int, *, kill: bool) -> None:
    """Wait for a worker to end, after killing it where it is to be; one that has been waited for is
    gone.
    """
    process = _running.pop(reading, None)
    if process is not None:
        if kill:
            os.kill(process, signal.SIGKILL)
        os.close(reading)
        os.waitpid(process, 0)


@contextlib.contextmanager
def none_left() -> Iterator[None]:
    """However this is left, no worker goes on writing after it."""
    try:
        yield
    finally:
        for reading in list(_running):
            _end(reading, kill=True)


def _receive(pipe: Any) -> Any:
    head = pipe.read(_LENGTH.size)
    data = pipe.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else b""
    if not data:
        raise WorkerFailed(
            "a worker process was killed, as the system does when memory runs out: "
            "--jobs 1 takes less"
        )
    return marshal.loads(data)
