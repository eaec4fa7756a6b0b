"""A dask cluster as people start it: a scheduler and workers, each in its own process."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from support.commands import environment

#: Seconds that a process may take to start on a busy machine.
_PATIENCE = 60


class Cluster:
    """A scheduler and its workers, killed at the end."""

    def __init__(self, folder: Path, python: str = sys.executable, **changed: str | None):
        self.folder, self.python = folder, python
        self.workers: list[subprocess.Popen[bytes]] = []
        self._schedule(0, **changed)

    def restart(self) -> None:
        """Kill the scheduler and start another at the same address."""
        self.scheduler.kill()
        self.scheduler.wait()
        (self.folder / "scheduler.json").unlink()
        self._schedule(int(self.address.rpartition(":")[2]))

    def _schedule(self, port: int, **changed: str | None) -> None:
        told = self.folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard",
            "--scheduler-file", told, **changed,
        )  # fmt: skip
        until = time.monotonic() + _PATIENCE
        while not told.exists() or not told.read_text("utf-8").endswith("}"):
            assert self.scheduler.poll() is None and time.monotonic() < until, self.said()
            time.sleep(0.02)
        self.address: str = json.loads(told.read_text("utf-8"))["address"]

    def add(self, **changed: str | None) -> subprocess.Popen[bytes]:
        """Add a worker, with changes to its environment."""
        worker = self._start(
            "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--memory-limit", "0", "--local-directory", self.folder,
            "--name", f"number-{len(self.workers)}", **changed,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def said(self) -> str:
        return (self.folder / "log").read_text("utf-8")

    def _start(self, *words: object, **changed: str | None) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self.python, "-m", "dask", *map(str, words)],
                env=environment(**changed),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()


@contextlib.contextmanager
def cluster(folder: Path, workers: int, **changed: str | None) -> Iterator[Cluster]:
    """A cluster, with changes to the scheduler's environment."""
    folder.mkdir(parents=True)
    started = Cluster(folder, **changed)
    try:
        for _ in range(workers):
            started.add()
        yield started
    finally:
        started.end()
