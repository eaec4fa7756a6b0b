"""Executors: they do work on many items, in this process or in forked processes.  Features may have
others, for other machines.

The work on a chunk of items is a module-level function, `process(chunk, shared) -> result`, whose
only side effects are files.  `shared` is the same for all chunks.  A result is data that `marshal`
can dump (bytes, text, numbers, tuples, lists), never a model.
"""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from generator import UserError
from generator.disk.output_state import OutputError
from generator.feature import describe_failure

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
    ) -> Iterator[Result]:
        """The results of `process` for all chunks of at most `size` items, in any order.

        Raises WorkerFailed, and the OSError or OutputError that `process` raised.
        """
        results = self._results(process, items, shared, size)
        for number, result in enumerate(results, 1):
            yield result
            self.progress(process.__name__, min(number * size, len(items)), len(items))

    @abstractmethod
    def _results(
        self, process: Callable[..., Any], items: Sequence[Any], shared: Any, size: int
    ) -> Iterator[Any]:
        """The results, without progress."""


class InProcess(Executor):
    """The executor that works in this process.  It works on a chunk when its result is read."""

    def _results(
        self, process: Callable[..., Any], items: Sequence[Any], shared: Any, size: int
    ) -> Iterator[Any]:
        return (process(chunk, shared) for chunk in chunks(items, size))


class WorkerFailed(UserError):
    """A worker ended early; the text is its traceback, or how it ended."""


class WorkerRaised(WorkerFailed):
    """A worker ended with an exception."""


#: Chooses an executor by the number of items.  Workers on other machines need the symbols; without
#: these the work stays on this one.
ChooseExecutor = Callable[..., Executor]


def in_process(items: int, symbols: object = None) -> Executor:
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
    from generator.executors.forked import Forked

    return Forked(count)
