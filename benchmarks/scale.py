"""Builds a seeded registry of any size on a cluster that is started for it, a scheduler and workers
on this machine, and prints what each process took.

    python benchmarks/scale.py FOLDER --projects 1000000 [--workers 2] [--limit BYTES] [--site]
        [--compare]

FOLDER takes the content, the output and what lies beside them (some 20 GB for a million projects);
content that is there already is not made again.  With --compare the same is built without a
cluster, and held against it byte for byte.  With --limit the system gives each worker no more
memory of its own than that (RLIMIT_DATA).  Needs Linux and the extra cluster.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import generate
import measure

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {
    "SOURCE_DATE_EPOCH": "1767225600",  # 2026-01-01, unless it is given
    **os.environ,
    "PYTHONPATH": str(ROOT),
    "DASK_LOGGING__DISTRIBUTED": "error",
}
PERIOD = 0.2  # seconds between two looks
PATIENCE = 60  # seconds that a scheduler may take to start


class Process:
    """A process that was started here, with the highest memory and the CPU time that were seen of
    it and of those that it started.
    """

    def __init__(self, name: str, folder: Path, *words: object, pipe: bool = False, limit: int = 0):
        self.name, self.memory, self.cpu = name, dict[int, int](), dict[int, float]()
        with (folder / f"{name}.log").open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(("prlimit", f"--data={limit}") if limit else ()),
                    sys.executable,
                    "-m",
                    *map(str, words),
                ],
                cwd=folder,
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if pipe else log,
                stderr=log,
            )

    def look(self) -> None:
        for pid in measure.children(self.process.pid):
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            peak = re.search(r"VmHWM:\s+(\d+)", status)
            if peak:
                self.memory[pid] = int(peak[1]) * 1024
            self.cpu[pid] = (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def started(folder: Path, workers: int, limit: int = 0) -> tuple[str, list[Process]]:
    """A cluster: the scheduler's address, and its processes."""
    told = folder / "scheduler.json"
    told.unlink(missing_ok=True)
    host = ("--host", "127.0.0.1", "--no-dashboard")
    every = [
        Process("scheduler", folder, "dask", "scheduler", *host, "--port", 0,
                "--scheduler-file", told)
    ]  # fmt: skip
    until = time.monotonic() + PATIENCE
    while not told.exists() or not told.read_text().endswith("}"):
        if every[0].process.poll() is not None or time.monotonic() > until:
            every[0].end()
            sys.exit(f"the scheduler did not start; see {folder / 'scheduler.log'}")
        time.sleep(0.05)
    address = json.loads(told.read_text())["address"]
    for number in range(1, workers + 1):
        every.append(
            Process(f"worker-{number}", folder, "dask", "worker", address, *host, "--nthreads", 1,
                    "--memory-limit", 0, "--local-directory", folder / "dask", limit=limit)
        )  # fmt: skip
    return address, every


def scratch(folder: Path) -> int:
    """The bytes that a build keeps beside its output just now, but for the new output."""
    total = 0
    for path in folder.glob(".registry/build/new-*"):
        try:
            files = [path] if path.is_file() else [p for p in path.iterdir() if p.is_file()]
            if path.is_file() or not (path / "api").is_dir():
                total += sum(file.stat().st_size for file in files)
        except OSError:
            continue
    return total


def same(one: str, other: str) -> bool:
    """Whether two folders hold the same files, byte for byte."""
    names = sorted(os.listdir(one))
    if names != sorted(os.listdir(other)):
        return False
    folders = [name for name in names if os.path.isdir(f"{one}/{name}")]
    files = sorted(set(names) - set(folders))
    _, wrong, unread = filecmp.cmpfiles(one, other, files, shallow=False)
    return not wrong and not unread and all(same(f"{one}/{n}", f"{other}/{n}") for n in folders)


def measured(folder: Path, projects: int, workers: int, *, site: bool, limit: int = 0) -> dict:
    """One cold build on a cluster of this machine, into `folder`/build.

    Gives what the build said, `wall` seconds, the most bytes of `scratch`, and of each process
    its name with the highest memory in bytes and seconds of CPU.

    Raises:
        measure.Failed: the build did not exit with 0.
    """
    out = folder / "build"
    shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(folder / ".registry", ignore_errors=True)
    address, cluster = started(folder, workers, limit)
    try:
        began = time.perf_counter()
        build = Process(
            "build", folder, *words(folder, projects, out, site=site),
            "--executor", "dask", "--scheduler", address,
            pipe=True,
        )  # fmt: skip
        most = 0
        while build.process.poll() is None:
            for process in (build, *cluster):
                process.look()
            most = max(most, scratch(folder))
            time.sleep(PERIOD)
        wall = time.perf_counter() - began
        assert build.process.stdout is not None
        said = build.process.stdout.read().decode()
    finally:
        for process in reversed(cluster):
            process.end()
    if build.process.returncode:
        raise measure.Failed((folder / "build.log").read_text(errors="replace")[-3000:])
    return {
        "said": said.rstrip(),
        "wall": wall,
        "scratch": most,
        "processes": [
            {
                "name": process.name,
                "memory": max(process.memory.values(), default=0),
                "cpu": sum(process.cpu.values()),
            }
            for process in (build, *cluster)
        ],
    }


def words(folder: Path, projects: int, out: Path, *, site: bool) -> list[str]:
    """The words of a build of the content that is in `folder`."""
    content = folder / f"content-{projects}"
    told = ["generator", "build", "--content", str(content), "--out", str(out)]
    return told if site else [*told, "--no-site"]


def content(folder: Path, projects: int) -> None:
    """Make the content, unless it is there."""
    made = folder / f"content-{projects}"
    if not made.exists():
        began = time.perf_counter()
        files, size = generate.generate(str(made), projects)
        took = time.perf_counter() - began
        print(f"content    {files:>9,} files {size / 1e6:>10,.1f} MB, made in {took:,.0f} s")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--projects", type=int, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0, help="bytes of memory of each worker")
    parser.add_argument("--site", action="store_true", help="build the site too")
    parser.add_argument("--compare", action="store_true", help="build without a cluster too")
    options = parser.parse_args()
    folder, projects = options.folder.resolve(), options.projects
    folder.mkdir(parents=True, exist_ok=True)
    content(folder, projects)
    try:
        found = measured(folder, projects, options.workers, site=options.site, limit=options.limit)
    except measure.Failed as error:
        print(error, file=sys.stderr)
        return 1
    took = found["wall"]
    print(found["said"])
    print(f"wall       {took:>9,.1f} s, {took / max(1, projects) * 1e6:,.0f} µs a project")
    print(f"scratch    {found['scratch'] / 1e6:>9,.1f} MB at most")
    for process in found["processes"]:
        memory, cpu = process["memory"] / 1e6, process["cpu"]
        print(f"{process['name']:<10} {memory:>8,.0f} MB {cpu:>9,.1f} s CPU")
    if options.compare:
        alone = folder / "alone"
        shutil.rmtree(alone, ignore_errors=True)
        began = time.perf_counter()
        command = [sys.executable, "-m", *words(folder, projects, alone, site=options.site)]
        subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
        print(f"alone      {time.perf_counter() - began:>9,.1f} s")
        if not same(str(folder / "build"), str(alone)):
            print("The two outputs are not the same.", file=sys.stderr)
            return 1
        print("The same bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
