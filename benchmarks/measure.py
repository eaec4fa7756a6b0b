"""Runs one command and measures it: wall time, CPU time, and the memory of all its processes
together.

Memory is sampled in a run of its own, because reading it slows the processes that are read.
"""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

PERIOD = 0.01  # seconds between two looks at memory


class Failed(Exception):
    """A measured command did not exit with 0."""


@dataclass
class Run:
    wall: float  # seconds
    cpu: float  # seconds of user and system time, of the command and all its descendants
    memory: int  # highest sum of PSS seen, in bytes; 0 when it was not sampled
    output: str


def children(pid: int) -> list[int]:
    """The process and all its living descendants."""
    found = [pid]
    for parent in found:
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children") as file:
                    found += map(int, file.read().split())
        except OSError:
            pass  # it has just ended
    return found


def available() -> int:
    """Bytes of memory that could be had: what lies in a tmpfs is memory too."""
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("MemAvailable")) * 1024


def pss(pid: int) -> int:
    """The process's proportional set size in bytes: a page that n processes share counts 1/n in
    each; 0 if it ended.
    """
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def run(
    words: list[str], environment: dict[str, str], folder: Path, log: Path, sample: bool = False
) -> Run:
    """Run a command in `folder` to its end, its output into the file `log`.

    What it has written is flushed to the disk after the clock has stopped, so that the next run
    does not pay for it.
    """
    with log.open("w") as file:
        start = time.perf_counter()
        process = subprocess.Popen(
            words,
            # As users have it: modules and templates stay compiled.
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment},
            cwd=folder,
            stdout=file,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        memory, done = 0, 0
        while sample and not done:
            memory = max(memory, sum(map(pss, children(process.pid))))
            time.sleep(PERIOD)
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not sample:
            _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    os.sync()
    output = log.read_text(errors="replace")
    if process.returncode:
        raise Failed(f"exit {process.returncode}: {' '.join(map(str, words))}\n{output[-2000:]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, memory, output)
