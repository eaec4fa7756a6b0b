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
TIMED = """
import json, sys
from pathlib import Path
from generator.build import build
from generator.build.options import BuildOptions
from generator.published.history.provenance import moment
options = BuildOptions(hosts=("netlify",), site=False)
report = build(sys.argv[1], Path(sys.argv[2]), moment(sys.argv[1], None), options)
sizes = report.sizes
print(json.dumps({"seconds": report.seconds, "files": sizes.files, "bytes": sizes.bytes}))
"""

#: Processor time of the main process and of its workers in each stage, by a build with two.
COUNTED = """
import contextlib, json, resource, sys, time
from pathlib import Path
import generator.build
from generator.build.options import BuildOptions
from generator.published.history.provenance import moment

def spent():
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time(), workers.ru_utime + workers.ru_stime

class Counted(generator.build.Clock):
    of = {}
    @contextlib.contextmanager
    def stage(self, name):
        before = spent()
        with super().stage(name):
            yield
        main, workers = self.of.get(name, (0, 0))
        now = spent()
        self.of[name] = main + now[0] - before[0], workers + now[1] - before[1]

generator.build.Clock = Counted
began = time.perf_counter() - time.process_time()
options = BuildOptions(hosts=("netlify",), site=False, jobs=2)
generator.build.build(sys.argv[1], Path(sys.argv[2]), moment(sys.argv[1], None), options)
wall = time.perf_counter() - began
staged = sum(main for main, _ in Counted.of.values())
rest = {"start-up, and between stages": (time.process_time() - staged, 0)}
print(json.dumps({"stages": rest | Counted.of, "wall": wall}))
"""


def counted(content: str, work: str, runs: int) -> dict:
    """What the stages of a whole output take of processors: stage -> (of the main process, of its
    workers) in seconds, medians; and the wall time of a build with two workers.
    """
    found = []
    for _ in range(runs + 1):  # the first is not counted
        with tempfile.TemporaryDirectory(dir=work) as folder:
            _, output = timed([sys.executable, "-c", COUNTED, content, f"{folder}/out"])
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
                "ours, whole output": [sys.executable, "-c", TIMED, content, out[0]],
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
