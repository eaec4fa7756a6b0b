"""What an author waits for with `registry serve`: the first answer, and answers after a save.

    python benchmarks/serve.py CONTENT [CONTENT ...] [--runs 5] [--work /dev/shm] [--hugo]

Each registry is copied, and its server is started and asked over HTTP.  A save is measured as a
browser sees it: from the change of the file until the page that is told to reload has it, with the
pause in which the server waits for further saves.  Seconds are medians, of the clock and of the
server's processor time; memory is the PSS of the server.  The machine should do nothing else; the
script tells its load.

With `--hugo`, `hugo server` does the same with peers/hugo, which makes the projects and their lists
only, without site and search.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import measure
from tornado.websocket import websocket_connect

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 300.0  # seconds for one answer
PERIOD = 0.01  # seconds between two questions


class Taken(NamedTuple):
    wall: float
    cpu: float


class Server:
    """A running server of a copy of a registry."""

    def __init__(self, content: Path):
        self.content = content
        self.log = content.parent / "log"
        began = time.perf_counter()
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "generator", "serve", "--port", "0", "--content", content],
                cwd=content.parent,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        while (found := re.search(r"127\.0\.0\.1:(\d+)", self.log.read_text())) is None:
            if self.process.poll() is not None or time.perf_counter() - began > PATIENCE:
                raise SystemExit(self.log.read_text())
            time.sleep(PERIOD)
        self.port = int(found[1])
        self.get("/")
        self.first = Taken(time.perf_counter() - began, self.cpu())

    def get(self, target: str) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", target)
            return connection.getresponse().read()
        finally:
            connection.close()

    def cpu(self) -> float:
        """Seconds of user and system time, with those of processes that have ended."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        return measure.pss(self.process.pid) / 1e6

    def after(self, change: Callable[[], object], target: str, wanted: str) -> Taken:
        """What it takes from a change until a page that reloads has a word."""
        return asyncio.run(self._after(change, target, wanted))

    async def _after(self, change: Callable[[], object], target: str, wanted: str) -> Taken:
        socket = await websocket_connect(f"ws://127.0.0.1:{self.port}/livereload")
        await socket.write_message(json.dumps({"command": "hello"}))
        await socket.read_message()
        await socket.write_message(json.dumps({"command": "info", "url": "http://localhost/"}))
        await socket.write_message(json.dumps({"command": "hello"}))
        await socket.read_message()  # the server has read the message before
        began, cpu = time.perf_counter(), self.cpu()
        change()
        while wanted.encode() not in self.get(target):
            await asyncio.wait_for(socket.read_message(), PATIENCE)
        taken = Taken(time.perf_counter() - began, self.cpu() - cpu)
        socket.close()
        return taken

    def settle(self) -> None:
        """Wait until the server does nothing."""
        before = -1.0
        while (now := self.cpu()) != before:
            before = now
            time.sleep(0.5)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def with_line(path: Path, name: str, value: str) -> Callable[[], object]:
    """A function that sets a field of one line in a file of YAML."""
    text = path.read_text("utf-8")
    lines = re.sub(rf"(?m)^{name}:.*\n(?:[ \t].*\n)*", "", text)
    return lambda: path.write_text(f"{name}: {value}\n{lines}", "utf-8")


def file_of(content: Path, collection: str, slug: str) -> Path:
    return next((content / collection).rglob(f"{slug}.y*ml"))


def saves(server: Server) -> Iterable[tuple[str, Callable[[str], Taken]]]:
    """What is measured: its name, and a function that makes a change with a word that is new."""
    content = server.content
    page: dict[str, Any] = json.loads(server.get("/api/projects?mode=page"))
    slug = page["data"][0]["slug"]
    project = file_of(content, "projects", slug)
    program = next(iter(sorted((content / "programs").rglob("*.y*ml"))))

    def save(path: Path, field: str, target: str) -> Callable[[str], Taken]:
        return lambda word: server.after(
            with_line(path, field, f"New {word}"), target.replace("WORD", word), word
        )

    yield "a project saved: its page", save(project, "summary", f"/projects/{slug}/")
    yield "its JSON", save(project, "summary", f"/api/projects/{slug}")
    yield "the first page of the list", save(project, "summary", "/projects/")
    yield "the list's JSON", save(project, "summary", "/api/projects?mode=page")
    yield "a search", save(project, "summary", "/api/projects?mode=page&q=WORD")
    yield "a program renamed: its page", save(program, "name", f"/programs/{program.stem}/")
    yield "registry.yaml's name: the home page", save(content / "registry.yaml", "name", "/")


def measured(content: Path, work: Path, runs: int) -> Iterable[tuple[str, str]]:
    """Rows of the table of a registry."""
    copy = work / "content"
    shutil.copytree(content, copy)
    server = Server(copy)
    try:
        yield "the first answer", shown([server.first])
        server.settle()
        yield "memory then", f"{server.memory():.0f} MB"
        for name, save in saves(server):
            taken = []
            for number in range(runs):
                taken.append(save(f"qz{number}{len(name)}"))
                server.settle()
            yield name, f"{shown(taken):12} {server.memory():.0f} MB"
        yield "memory at the end", f"{server.memory():.0f} MB"
    finally:
        server.end()


def measured_hugo(content: Path, work: Path, runs: int) -> Iterable[tuple[str, str]]:
    """The same of Hugo.  It needs --disableFastRender to show a change of its data."""
    sys.path.insert(0, str(Path(__file__).parent / "peers" / "hugo"))
    import run as hugo

    hugo.setup()
    copy = work / "content"
    shutil.copytree(content, copy)
    words, environment, folder = hugo.command(copy, work / "out")
    words = [words[0], "server", "--port", "1414", "--disableFastRender", *words[1:]]
    project = next(iter(sorted((copy / "projects").rglob("*.y*ml"))))
    target = f"/api/projects/slug/{project.stem}.json"
    began = time.perf_counter()
    process = subprocess.Popen(
        words, env={**os.environ, **environment}, cwd=folder, stdout=subprocess.DEVNULL
    )

    def get() -> bytes:
        try:
            with urllib.request.urlopen(
                f"http://localhost:1414{target}", timeout=PATIENCE
            ) as found:
                return found.read()
        except OSError:
            return b""

    def until(wanted: str) -> float:
        start = time.perf_counter()
        while wanted.encode() not in get():
            if process.poll() is not None or time.perf_counter() - start > PATIENCE:
                raise SystemExit("hugo server gives no answer")
            time.sleep(PERIOD)
        return time.perf_counter() - start

    try:
        until("{")
        yield "hugo server: the first answer", f"{time.perf_counter() - began:.2f}"
        taken = []
        for number in range(runs):
            time.sleep(1)
            with_line(project, "summary", f"New qz{number}")()
            taken.append(until(f"qz{number}"))
        yield "a project saved: its JSON", f"{statistics.median(taken):.2f}"
        yield "memory at the end", f"{measure.pss(process.pid) / 1e6:.0f} MB"
    finally:
        process.terminate()
        process.wait()


def shown(taken: Iterable[Taken]) -> str:
    walls, cpus = zip(*taken, strict=True)
    return f"{statistics.median(walls):.2f} / {statistics.median(cpus):.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("content", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", type=Path, default=None)
    parser.add_argument("--hugo", action="store_true")
    options = parser.parse_args()
    for content in options.content:
        records = sum(1 for path in content.rglob("*.y*ml") if path.parent != content)
        print(f"{content}: {records:,} records; seconds of clock / processor")
        for rows in (measured, measured_hugo)[: 1 + options.hugo]:
            with tempfile.TemporaryDirectory(dir=options.work) as work:
                for name, value in rows(content, Path(work), options.runs):
                    print(f"  {name:40} {value}", flush=True)
        print("  load {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
