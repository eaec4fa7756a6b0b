"""Where work on many items is done: in this process, in others, or on other machines, a chunk at a
time.

What is done to a chunk is a function of a module, `process(chunk, shared) -> result`: no closure,
nothing that it changes but files.  `shared` is the same for all chunks.  A result is plain data
(bytes, text, numbers, tuples and lists of them), never a model, so that it can be marshalled.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from generator.disk.output_state import OutputError

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

#: Fewer items than this are done faster by one process than by two.
WORTH_FORKING = 1500
#: Items of a chunk, where nothing else is said.
CHUNK = 256


class Executor(Protocol):
    """Does work on chunks of items."""

    def run(
        self,
        process: Callable[[list[Item], Shared], Result],
        items: Sequence[Item],
        shared: Shared,
        size: int = CHUNK,
    ) -> Iterator[Result]:
        """What `process` returns for each chunk of at most `size` items, in any order.

        Raises WorkerFailed, and the OSError or OutputError that `process` raised.
        """


class WorkerFailed(Exception):
    """A worker ended without finishing; the text is its traceback, or how it ended."""


class WorkerRaised(WorkerFailed):
    """It was an exception that ended it."""


def told(error: BaseException) -> Any:
    """What a worker raised, as plain data."""
    if isinstance(error, MemoryError):
        error = OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
    if isinstance(error, OSError):
        return error.errno, error.strerror
    if isinstance(error, OutputError):
        return None, str(error)
    import traceback

    return "".join(traceback.format_exception(error))


def raised(value: Any) -> Exception:
    """What `told` tells of."""
    if isinstance(value, str):
        return WorkerRaised(value)
    number, text = value
    return OutputError(text) if number is None else OSError(number, text)


def chunks(items: Sequence[Item], size: int) -> Iterable[list[Item]]:
    return (list(items[i : i + size]) for i in range(0, len(items), size))


def processors() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def executor(asked: int | None, items: int) -> Executor:
    """As many processes as `asked`; else this one for few items, and one for each processor for
    many.
    """
    from generator.build.executors.forked import Forked
    from generator.build.executors.here import Here

    jobs = asked or (1 if items < WORTH_FORKING else processors())
    return Forked(jobs) if jobs > 1 else Here()
