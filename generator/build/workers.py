"""Work divided among forked processes, which send back plain data.

A forked process sees everything its parent had at that moment, so nothing is sent to it; what it sends back is
marshalled: bytes, text, numbers and tuples of them, never models.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import marshal
import os
import selectors
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any

#: Fewer items than this are done faster by one process than by two.
WORTH_FORKING = 1500
_LENGTH = struct.Struct("!Q")


class Packs:
    """Plain data in many lists, packed until it is looked at again."""

    def __init__(self) -> None:
        self._lists: list[bytes] = []

    def extend(self, items: list[Any]) -> None:
        self._lists.append(marshal.dumps(items))

    def __iter__(self) -> Iterator[Any]:
        return (item for packed in self._lists for item in marshal.loads(packed))


class WorkerFailed(Exception):
    """A worker ended without finishing; the text is its traceback, or how it ended."""


def processors() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shares(items: list[Any], jobs: int, size: int = 256) -> list[list[list[Any]]]:
    """Chunks of at most `size` items, dealt to `jobs` workers in turn."""
    chunks = [items[i : i + size] for i in range(0, len(items), size)]
    return [chunks[n::jobs] for n in range(jobs)]


def start(jobs: int, items: list[Any], work: Callable[[list[Any]], Any], size: int = 256) -> Iterator[Any]:
    """What `work` returns for each chunk of `items`, in any order.

    With one job the work is done here, while the result is read; with more, in processes that have begun when this
    returns.  Raises WorkerFailed when one of them ends early, and the OSError that one of them met.
    """
    if jobs <= 1 or len(items) <= size:
        return (work(items[i : i + size]) for i in range(0, len(items), size))
    return _collect([_fork(share, work) for share in shares(items, jobs, size) if share])


def _fork(share: Iterable[list[Any]], work: Callable[[list[Any]], Any]) -> tuple[int, int]:
    """A process that works through a share; (its id, the pipe it answers on)."""
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    gc.freeze()  # a collection in the child would touch, and so copy, every page of the parent's objects
    # An interrupt waits until each side knows what to do with it.
    was = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    process = os.fork()
    if process:
        os.close(writing)
        _running[reading] = process
        signal.pthread_sigmask(signal.SIG_SETMASK, was)
        return process, reading
    _running.clear()
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, was)
        os.close(reading)
        with open(writing, "wb", closefd=False) as pipe:
            for chunk in share:
                _send(pipe, (True, work(chunk)))
            _send(pipe, None)
        os._exit(0)
    except BrokenPipeError:  # the parent is gone
        os._exit(1)
    except BaseException as error:
        try:
            if isinstance(error, MemoryError):
                error = OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
            told = (error.errno, error.strerror) if isinstance(error, OSError) else traceback.format_exc()
            with open(writing, "wb", closefd=False) as pipe:
                _send(pipe, (False, told))
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
                selector.register(reading, selectors.EVENT_READ, os.fdopen(reading, "rb", buffering=1 << 16, closefd=False))
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
                        raise WorkerFailed(value) if isinstance(value, str) else OSError(*value)
                    yield value
    finally:
        for reading in ids:
            _end(reading, kill=reading in pending)


#: The pipe that each running worker answers on, and its process.
_running: dict[int, int] = {}


def _end(reading: int, *, kill: bool) -> None:
    """Wait for a worker to end, after killing it where it is to be; one that has been waited for is gone."""
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
        raise WorkerFailed("a worker process was killed, as the system does when memory runs out: --jobs 1 takes less")
    return marshal.loads(data)
