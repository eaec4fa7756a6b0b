"""Where the time of a cold build goes: `python benchmarks/stages.py CONTENT [--runs N]`.

Prints the median time of each stage, files and bytes, beside the naive script (CSafeLoader,
pydantic, json.dumps) making the peers' pages from the same content in the same run.
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

HERE = Path(__file__).resolve().parent
TIMED = """
import json, sys
from pathlib import Path
from generator.build import build
from generator.build.options import BuildOptions
from generator.build.provenance import moment
options = BuildOptions(hosts=("netlify",), site=False)
report = build(sys.argv[1], Path(sys.argv[2]), moment(sys.argv[1], None), options)
sizes = report.sizes
print(json.dumps({"seconds": report.seconds, "files": sizes.files, "bytes": sizes.bytes}))
"""


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


main()
