"""Builds of the development server, in a process of their own.

A build forks, and only a process without threads may do so safely; the server has threads.  The
process is a new interpreter that stays from build to build, and is replaced where it was killed.
What crosses is plain data: `Built`, `Failed` and the word that a build waits.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from generator.problems.diagnostic import Diagnostic, is_error

_WAITING = "waiting"
_KILLED = (
    "The process that builds was killed, as the system does when memory runs out; the next build "
    "starts another."
)
#: What ends a process from outside; a terminal sends the first to the server too.
_ENDS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 2.0  # s for an interrupted build to tidy up after itself


class Built(NamedTuple):
    """What came of a build, with errors in the content or without.

    `records` and `earlier` count the records of this build and of the last by kind, `files` the
    whole output; `whole` says that more than what changed was built.
    """

    problems: list[Diagnostic]
    records: Mapping[str, int]
    earlier: Mapping[str, int] | None
    files: int
    written: int
    removed: int
    whole: bool
    seconds: float

    @property
    def errors(self) -> list[Diagnostic]:
        return [problem for problem in self.problems if is_error(problem)]


class Failed(NamedTuple):
    """Why there was no build; `output` says that it is because of the output's folder."""

    why: str
    output: bool = False


class Builder:
    """The process that builds `content` into `out`, with these options of a build; it starts with
    the first build.
    """

    def __init__(self, content: str, out: Path, options: Mapping[str, Any]):
        self.content, self.out, self.options = content, out, options
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._ended = False

    def build(self, waiting: Callable[[], None]) -> Built | Failed | None:
        """One build; None where `end` was called meanwhile.  `waiting` is called where another
        build of the same output has to end first.
        """
        try:
            pipe = self._pipe or self._start()
            pipe.send(True)
            while (told := pipe.recv()) == _WAITING:
                waiting()
        except (EOFError, OSError):
            self._drop()
            return None if self._ended else Failed(_KILLED)
        answer: Built | Failed = told
        return answer

    def end(self) -> None:
        """Interrupt a build that runs, and end the process."""
        self._ended = True
        self._drop()

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_work,
            args=(theirs, self.content, self.out, self.options),
            name="build",
            daemon=True,
        )
        # The new process inherits the mask, and opens it when it knows what an interrupt means.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            theirs.close()
        return self._pipe

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGINT)
            process.join(_PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()


def _work(pipe: Connection, content: str, out: Path, options: Mapping[str, Any]) -> None:
    """Build as often as is asked, until nobody can ask any more."""

    def interrupt(number: int, frame: object) -> NoReturn:
        # Once: what tidies up is not interrupted.  By functions: of a signal that is there already
        # Python would say that it was ignored.
        for end in _ENDS:
            signal.signal(end, lambda *_: None)
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
        for end in _ENDS:
            signal.signal(end, interrupt)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
        while pipe.recv():
            pipe.send(_build(content, out, options, lambda: pipe.send(_WAITING)))


def _build(
    content: str, out: Path, options: Mapping[str, Any], waiting: Callable[[], None]
) -> Built | Failed:
    from generator.build import build
    from generator.build.executors import WorkerFailed
    from generator.build.options import BuildOptions
    from generator.build.provenance import moment
    from generator.build.report import Whole
    from generator.disk.output_state import OutputError

    began = time.perf_counter()
    try:
        report = build(
            content,
            out,
            moment(content, None),
            BuildOptions(**options, waiting=waiting, loss="tell"),
        )
    except OutputError as error:
        return Failed(str(error), output=True)
    except MemoryError:
        return Failed("There is not enough memory for a build.")
    except OSError as error:
        here = os.path.isdir(content)
        return Failed(str(error) if here else f"There is no folder {content}.")
    except WorkerFailed as error:
        return Failed(str(error))
    except Exception:
        return Failed(traceback.format_exc())
    finally:
        # Forking workers freezes all objects that there are then, for good.
        gc.unfreeze()
        gc.collect()
    return Built(
        report.problems,
        report.records,
        report.earlier,
        report.sizes.files,
        len(report.written),
        len(report.removed),
        isinstance(report.outcome, Whole),
        time.perf_counter() - began,
    )
