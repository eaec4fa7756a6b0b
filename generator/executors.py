"""Executors: they do work on many items, in this process or in forked processes.  Features may have
others, for other machines.

The work on a chunk of items is a module-level function, `process(chunk, shared) -> result`, whose
only side effects are files.  `shared` is the same for all chunks.  A result of another process is
data that `marshal` can dump (bytes, text, numbers, tuples, lists), never a model.

A forked process has a copy of its parent's memory, so items and `shared` are not sent to it.  It
sends back its results, marshalled.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import marshal
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from generator import UserError
from generator.disk.output_state import OutputError
from generator.feature import describe_failure

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: Shows progress: (name of the function, items done, items in all).
Progress = Callable[[str, int, int], None]
Item = TypeVar("Item")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

#: Fewer items than this are faster in one process than in two.
WORTH_FORKING = 1500
#: The default number of items in a chunk.
CHUNK = 256


class Executor(ABC):
    """Does work on items, in chunks; `progress` is called as they are done."""

    progress: Progress = staticmethod(lambda name, done, total: None)

    def run(
        self,
        process: Callable[[list[Item], Shared], Result],
        items: Sequence[Item],
        shared: Shared,
        size: int = CHUNK,
        here: Sequence[Item] = (),
    ) -> Iterator[Result]:
        """The results of `process` for all chunks of at most `size` items, in any order; the items
        `here` need all that this machine has in memory.

        Raises WorkerFailed, and the OSError or OutputError that `process` raised.
        """
        total = len(here) + len(items)
        results = self._results(process, items, shared, size, here)
        for number, result in enumerate(results, 1):
            yield result
            self.progress(process.__name__, min(number * size, total), total)

    @abstractmethod
    def _results(
        self,
        process: Callable[..., Any],
        items: Sequence[Any],
        shared: Any,
        size: int,
        here: Sequence[Any],
    ) -> Iterator[Any]:
        """The results, without progress."""


class InProcess(Executor):
    """The executor that works in this process.  It works on a chunk when its result is read."""

    def _results(
        self,
        process: Callable[..., Any],
        items: Sequence[Any],
        shared: Any,
        size: int,
        here: Sequence[Any],
    ) -> Iterator[Any]:
        return (process(chunk, shared) for chunk in chunks([*here, *items], size))


class WorkerFailed(UserError):
    """A worker ended early; the text is its traceback, or how it ended."""


class WorkerRaised(WorkerFailed):
    """A worker ended with an exception."""


#: Chooses an executor by the number of items, and by whether they may go to other machines
#: (`anywhere`).
ChooseExecutor = Callable[..., Executor]


def in_process(items: int, anywhere: bool = False) -> Executor:
    """`ChooseExecutor` of this process."""
    return InProcess()


def pack_error(error: BaseException) -> Any:
    """An exception of a worker as plain data."""
    if isinstance(error, MemoryError):
        error = OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
    if isinstance(error, OSError):
        return error.errno, error.strerror
    if isinstance(error, OutputError):
        return None, str(error)
    of_feature = describe_failure(error)
    if of_feature is not None:
        return None, of_feature
    import traceback

    return "".join(traceback.format_exception(error))


def unpack_error(value: Any) -> Exception:
    """The exception from the data that `pack_error` returned."""
    if isinstance(value, str):
        return WorkerRaised(value)
    number, text = value
    return OutputError(text) if number is None else OSError(number, text)


def chunks(items: Sequence[Item], size: int) -> Iterable[list[Item]]:
    return (list(items[i : i + size]) for i in range(0, len(items), size))


def count_processors() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def choose_executor(jobs: int | None, items: int) -> Executor:
    """An executor with `jobs` processes.  If that is None: this process for few items, and a
    process per processor for many.
    """
    count = jobs or (1 if items < WORTH_FORKING else count_processors())
    if count == 1:
        return InProcess()
    return Forked(count)


#: Bytes of results that a worker may write before the parent reads them.
_ROOM = 1 << 20
#: Bytes of freed memory that a worker keeps for its next chunk.
_KEPT = 1 << 22


class Forked(Executor):
    """Forks `jobs` processes, each for a share of the chunks."""

    def __init__(self, jobs: int):
        self.jobs = jobs

    def _results(
        self,
        process: Callable[..., Any],
        items: Sequence[Any],
        shared: Any,
        size: int,
        here: Sequence[Any],
    ) -> Iterator[Any]:
        items = [*here, *items]
        jobs = min(self.jobs, -(-len(items) // size))
        return _collect(
            [
                _fork(process, items, range(n * size, len(items), jobs * size), size, shared)
                for n in range(jobs)
            ]
        )


def _fork(
    process: Callable[..., Any], items: Sequence[Any], starts: Iterable[int], size: int, shared: Any
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
