"""Where the time of a cold build goes: `python benchmarks/stages.py CONTENT [--runs N]`.

Prints the median time of each stage, files and bytes, beside the naive script (CSafeLoader,
pydantic, json.dumps) making the peers' pages from the same content in the same run; and what the
main process of a build with two workers does by itself, of which follows how long more processors
would take.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import report

HERE = Path(__file__).resolve().parent
#: Projects of the registry that is counted: with fewer, workers are hardly worth it.
WORTH_COUNTING = 10_000
#: Runs a build, and counts the processor time of the main process and of its workers, and the
#: elapsed time, in each of its stages: functions of `generator.build` and methods that it calls.
STAGED = """
import functools, json, resource, sys, time
from pathlib import Path
import generator.build as package
from generator.build.options import BuildOptions
from generator.published.history.provenance import moment
from generator.published.published import Published
from generator.published.content.records import Records

def spent():
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time(), workers.ru_utime + workers.ru_stime, time.perf_counter()

found, inner = {}, []

def stage(owner, function, name):
    real = getattr(owner, function)
    @functools.wraps(real)
    def call(*arguments, **options):
        before = spent()
        inner.append([0, 0, 0])
        result = real(*arguments, **options)
        took = [now - then for now, then in zip(spent(), before)]
        own = [whole - part for whole, part in zip(took, inner.pop())]
        for outer in inner[-1:]:
            outer[:] = [known + more for known, more in zip(outer, took)]
        found[name] = [known + more for known, more in zip(found.get(name, (0, 0, 0)), own)]
        return result
    setattr(owner, function, call)

stage(package, "read", "read")
stage(Records, "check", "check")
stage(Published, "prepare", "tables and indexes")
stage(package, "make", "files")
stage(package, "check_output", "limits of hosts")
stage(package.BuildOutput, "commit", "commit")
began = time.perf_counter() - time.process_time()
options = BuildOptions(hosts=("netlify",), site=False, jobs=int(sys.argv[3]) or None)
report = package.build(sys.argv[1], Path(sys.argv[2]), moment(sys.argv[1], None), options)
wall = time.perf_counter() - began
rest = time.process_time() - sum(main for main, _, _ in found.values())
print(json.dumps({
    "seconds": {name: took[2] for name, took in found.items()},
    "stages": {"start-up, and between stages": (rest, 0)} | {n: t[:2] for n, t in found.items()},
    "wall": wall, "files": report.sizes.files, "bytes": report.sizes.bytes,
}))
"""


def counted(content: str, work: str, runs: int) -> dict:
    """What the stages of a whole output take of processors: stage -> (of the main process, of its
    workers) in seconds, medians; and the wall time of a build with two workers.
    """
    found = []
    for _ in range(runs + 1):  # the first is not counted
        with tempfile.TemporaryDirectory(dir=work) as folder:
            _, output = timed([sys.executable, "-c", STAGED, content, f"{folder}/out", "2"])
        found.append(json.loads(output))
    stages = {
        name: [statistics.median(one["stages"][name][who] for one in found[1:]) for who in (0, 1)]
        for name in found[0]["stages"]
    }
    return {"stages": stages, "wall": statistics.median(one["wall"] for one in found[1:])}


def timed(words: list[str]) -> tuple[float, str]:
    """Wall seconds and output of a command."""
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "SOURCE_DATE_EPOCH": "1767225600"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    return time.perf_counter() - began, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("content", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()))
    options = parser.parse_args()
    walls: dict[str, list[float]] = {
        "ours, whole output": [],
        "ours, the peers' pages": [],
        "naive": [],
    }
    stages: dict[str, list[float]] = {}
    shown = {}
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        content = str(options.content)
        for run in range(options.runs + 1):  # the first is not counted
            out = [f"{work}/{run}-{n}/out" for n in range(3)]
            for folder in out:
                Path(folder).parent.mkdir()
            commands = {
                "ours, whole output": [sys.executable, "-c", STAGED, content, out[0], "0"],
                "ours, the peers' pages": [
                    sys.executable,
                    str(HERE / "ours.py"),
                    "build",
                    "--no-site",
                    "--content",
                    content,
                    "--out",
                    out[1],
                ],
                "naive": [
                    sys.executable,
                    str(HERE / "naive.py"),
                    "--loader",
                    "csafe",
                    content,
                    out[2],
                ],
            }
            for name, command in commands.items():
                wall, output = timed(command)
                if run:
                    walls[name].append(wall)
                if run and name == "ours, whole output":
                    shown = json.loads(output)
                    for stage, seconds in shown["seconds"].items():
                        stages.setdefault(stage, []).append(seconds)
    for stage, seconds in stages.items():
        print(f"{stage:>12} {statistics.median(seconds) * 1000:9.1f} ms")
    print(f"{shown['files']:,} files, {shown['bytes']:,} bytes")
    for name, seconds in walls.items():
        ratios = [
            s / ours for s, ours in zip(seconds, walls["ours, the peers' pages"], strict=True)
        ]
        print(
            f"{name:>24} {statistics.median(seconds):8.3f} s   {statistics.median(ratios):5.2f} x "
            "ours, the peers' pages"
        )
    print("\n".join(report.cores(counted(str(options.content), str(options.work), options.runs))))


if __name__ == "__main__":
    main()
