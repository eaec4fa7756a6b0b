"""Builds of the development server, in a separate process.

A build forks, which is safe only in a process without threads; the server has threads. The build
process is a new interpreter that stays from build to build; if it is killed, the next build starts
another. Only plain data passes between the processes: `Built`, `Failed` and _WAITING.
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
#: Signals that end the process. A terminal sends SIGINT to the server too.
END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 2.0  # seconds for an interrupted build to clean up


class Built(NamedTuple):
    """The result of a build, with or without errors in the content.

    `records` and `previous_records` count the records of this build and of the previous build by
    kind. `files` counts all files of the output. `is_full_build` is False if only changes were
    built.
    """

    problems: list[Diagnostic]
    records: Mapping[str, int]
    previous_records: Mapping[str, int] | None
    files: int
    written: int
    removed: int
    is_full_build: bool
    seconds: float

    @property
    def errors(self) -> list[Diagnostic]:
        return [problem for problem in self.problems if is_error(problem)]


class Failed(NamedTuple):
    """Why there was no build; `output` is True if the output folder is the cause."""

    reason: str
    output: bool = False


class Builder:
    """The process that builds `content` into `out`. It starts with the first build."""

    def __init__(self, content: str, out: Path, options: Mapping[str, Any]):
        self.content, self.out, self.options = content, out, options
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._ended = False

    def build(self, waiting: Callable[[], None]) -> Built | Failed | None:
        """One build; None after `end`. Calls `waiting` if another build is running."""
        try:
            pipe = self._pipe or self._start()
            pipe.send(True)
            while (result := pipe.recv()) == _WAITING:
                waiting()
        except (EOFError, OSError):
            self._stop_process()
            return None if self._ended else Failed(_KILLED)
        assert isinstance(result, Built | Failed)
        return result

    def end(self) -> None:
        """Interrupt a running build and end the process."""
        self._ended = True
        self._stop_process()

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._pipe, child_pipe = context.Pipe()
        arguments = (child_pipe, self.content, self.out, self.options)
        self._process = context.Process(target=_work, args=arguments, name="build", daemon=True)
        # The new process inherits the mask, and unblocks the signals when its handlers are set.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            child_pipe.close()
        return self._pipe

    def _stop_process(self) -> None:
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
    """The main function of the build process: build on request until the pipe closes."""

    def interrupt(_number: int, frame: object) -> NoReturn:
        # A second signal must not interrupt the cleanup. Not SIG_IGN: Python would report a signal
        # that is already pending as ignored.
        for number in END_SIGNALS:
            signal.signal(number, lambda *_: None)
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
        for number in END_SIGNALS:
            signal.signal(number, interrupt)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
        while pipe.recv():
            pipe.send(_build(content, out, options, lambda: pipe.send(_WAITING)))


def _build(
    content: str, out: Path, options: Mapping[str, Any], waiting: Callable[[], None]
) -> Built | Failed:
    from generator.build import build
    from generator.build.options import BuildOptions
    from generator.build.report import FullBuild
    from generator.disk.output_state import OutputError
    from generator.executors import WorkerFailed
    from generator.published.history.provenance import moment

    began = time.perf_counter()
    try:
        build_options = BuildOptions(**options, waiting=waiting, loss="tell")
        report = build(content, out, moment(content, None), build_options)
    except OutputError as error:
        return Failed(str(error), output=True)
    except MemoryError:
        return Failed("There is not enough memory for a build.")
    except OSError as error:
        return Failed(str(error) if os.path.isdir(content) else f"There is no folder {content}.")
    except WorkerFailed as error:
        return Failed(str(error))
    except Exception:
        return Failed(traceback.format_exc())
    finally:
        # Forking workers has frozen all objects that existed then.
        gc.unfreeze()
        gc.collect()
    return Built(
        report.problems,
        report.records,
        report.earlier,
        report.sizes.files,
        len(report.written),
        len(report.removed),
        isinstance(report.outcome, FullBuild),
        time.perf_counter() - began,
    )
