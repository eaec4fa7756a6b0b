"""The executor that divides work among forked processes.

A forked process has a copy of its parent's memory, so items and `shared` are not sent to it.  It
sends back its results, marshalled.
"""

from __future__ import annotations

import contextlib
import fcntl
import marshal
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from generator.executors import (
    Executor,
    WorkerFailed,
    pack_error,
    unpack_error,
)

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: Bytes of results that a worker may write before the parent reads them.
_ROOM = 1 << 20
#: Bytes of freed memory that a worker keeps for its next chunk.
_KEPT = 1 << 22


class Forked(Executor):
    """Forks `jobs` processes, each for a share of the chunks."""

    def __init__(self, jobs: int):
        self.jobs = jobs

    def _results(
        self, process: Callable[..., Any], items: Sequence[Any], shared: Any, size: int
    ) -> Iterator[Any]:
        jobs = min(self.jobs, -(-len(items) // size))
        return _collect(
            [
                _fork(process, items, range(n * size, len(items), jobs * size), size, shared)
                for n in range(jobs)
            ]
        )


def _fork(
    process: Callable[..., Any],
    items: Sequence[Any],
    starts: Iterable[int],
    size: int,
    shared: Any,
) -> Connection:
    """Fork a process for the chunks that begin at `starts`; the pipe with its results."""
    from multiprocessing.connection import Pipe

    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = Pipe(duplex=False)
    with contextlib.suppress(OSError):  # the pipe then has its default size
        fcntl.fcntl(writing.fileno(), getattr(fcntl, "F_SETPIPE_SZ", 0), _ROOM)
    # Block interrupts until parent and child can handle them.
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = os.fork()
    if child:
        writing.close()
        del writing  # before the interrupt, which would be lost in its destructor
        _running[reading] = child
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
        return reading
    for other in _running:  # only the parent reads there
        other.close()
    _running.clear()
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
        reading.close()
        bytes(_KEPT)  # makes the allocator keep twice the size of the largest block it freed
        for start in starts:
            chunk = list(items[start : start + size])
            writing.send_bytes(marshal.dumps((True, process(chunk, shared))))
        writing.send_bytes(marshal.dumps(None))
        os._exit(0)
    except BrokenPipeError:  # the parent is gone
        os._exit(1)
    except BaseException as error:
        try:
            writing.send_bytes(marshal.dumps((False, pack_error(error))))
        finally:
            os._exit(1)


def _collect(pipes: Sequence[Connection]) -> Iterator[Any]:
    """The results from the pipes of workers, in any order."""
    from multiprocessing.connection import wait

    pending: list[Any] = list(pipes)
    try:
        while pending:
            for pipe in wait(pending):
                message = _receive(pipe)
                if message is None:
                    pending.remove(pipe)
                    continue
                done, value = message
                if not done:
                    raise unpack_error(value)
                yield value
    finally:
        for pipe in pipes:
            _end(pipe, kill=pipe in pending)


#: Pipe with the results of a running worker -> its process id.
_running: dict[Connection, int] = {}


def _end(reading: Connection, *, kill: bool) -> None:
    """Wait until a worker ends; with `kill`, kill it first."""
    process = _running.pop(reading, None)
    if process is not None:
        if kill:
            os.kill(process, signal.SIGKILL)
        reading.close()
        os.waitpid(process, 0)


@contextlib.contextmanager
def all_workers_stopped() -> Iterator[None]:
    """Kill and wait for all workers that still run at the end of the block."""
    try:
        yield
    finally:
        for reading in list(_running):
            _end(reading, kill=True)


def _receive(pipe: Any) -> Any:
    try:
        return marshal.loads(pipe.recv_bytes())
    except (EOFError, OSError):
        raise WorkerFailed(
            "a worker process was killed, as the system does when memory runs out: "
            "--jobs 1 takes less"
        ) from None
