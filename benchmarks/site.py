"""What the site costs beside the API: `python benchmarks/site.py [--projects N] [--runs N]`.

Builds in pairs, without the site and with it, of one generated registry: the whole, then again with
no change, and with one edit.  CPU is user and system time of all processes; the ratio is taken pair
by pair.  The table goes to docs/site.md.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import measure
import sections

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs" / "site.md"
EPOCH = "1767225600"
CASES = ("everything", "no change", "one edit")


def built(content: Path, out: Path, work: Path, *options: str) -> measure.Run:
    command = [sys.executable, "-m", "generator", "build", "--content", str(content)]
    environment = {"PYTHONPATH": str(HERE.parent), "SOURCE_DATE_EPOCH": EPOCH}
    words = [*command, "--out", str(out), "--jobs", "1", *options]
    return measure.run(words, environment, work, work / "log")


def edit(content: Path, number: int) -> None:
    """Give one project another summary."""
    path = sorted((content / "projects").rglob("*.yaml"))[0]
    lines = [line for line in path.read_text("utf-8").splitlines() if line[:8] != "summary:"]
    path.write_text("\n".join([*lines, f"summary: Edited {number} times."]) + "\n", "utf-8")


def pairs(content: Path, work: Path, runs: int) -> dict[str, list[tuple[float, float]]]:
    """case -> CPU seconds without the site and with it, of each run."""
    found: dict[str, list[tuple[float, float]]] = {case: [] for case in CASES}
    for run in range(runs):
        folders = [work / f"{run}-{n}" for n in range(2)]
        for case in CASES:
            if case == "one edit":
                edit(content, run + 1)
            found[case].append(
                tuple(  # type: ignore[arg-type]  # of two
                    built(content, folder / "out", work, *options).cpu
                    for folder, options in zip(folders, (["--no-site"], []), strict=True)
                    if folder.mkdir(exist_ok=True) is None
                )
            )
    return found


def table(found: dict[str, list[tuple[float, float]]], projects: int, files: list[int]) -> str:
    lines = [
        f"{projects:,} generated projects, one process, CPU; the median of "
        f"{len(found[CASES[0]])} pairs. The API has {files[0]:,} files, both {files[1]:,}.",
        "",
        "| build | API | with the site | the site ÷ the API |",
        "|---|--:|--:|--:|",
    ]
    for case, runs in found.items():
        api, both = (statistics.median(side) for side in zip(*runs, strict=True))
        ratio = statistics.median((b - a) / a for a, b in runs)
        lines.append(f"| {case} | {api:.2f} s | {both:.2f} s | {ratio:.2f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--projects", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--out", type=Path, default=DOCUMENT, help="the document with the table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        work, content = Path(folder), Path(folder, "content")
        words = [HERE / "generate.py", content, "--projects", options.projects]
        subprocess.run([sys.executable, *map(str, words)], check=True, capture_output=True)
        found = pairs(content, work, options.runs)
        counts = [
            sum(len(names) for _, _, names in os.walk(work / f"0-{n}" / "out")) for n in range(2)
        ]
    text = table(found, options.projects, counts)
    print(json.dumps(found), text, sep="\n")
    sections.write(options.out, "cost", text)


if __name__ == "__main__":
    main()
