"""Measures cold and repeated builds of seeded registries, ours beside other tools that write the
same pages.

    python benchmarks/run.py [--sizes 1000,10000,100000] [--runs 5] [--peers
    hugo,eleventy,naive,naive-safe,floor]
                             [--clusters 10000,100000,1000000] [--out docs/performance.md]

Needs Linux, gcc, node 20 with npm, and the packages of the project itself, with the extra cluster
for --clusters; installs the peers below
benchmarks/.cache on first use.  Writes the tables to --out and the chart beside it.  See README.md
for what is measured and how.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import generate
import measure
import report
import scale
import stages
import tree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

# The command that is measured, and the same limited to the pages that the peers write.
#: The API alone: the peers write no pages (see site.py).
OURS = [sys.executable, "-m", "generator", "build", "--no-site"]
OURS_PEER_PAGES = [sys.executable, str(HERE / "ours.py"), "build", "--no-site"]

PEERS = ["hugo", "eleventy", "naive", "naive-safe", "floor"]
LABELS = {
    "ours": "ours, the peers' pages",
    "ours-whole": "ours, whole output",
    "cluster": "ours, on a cluster",
    "hugo": "Hugo",
    "eleventy": "Eleventy",
    "naive": "naive, CSafeLoader",
    "naive-safe": "naive, SafeLoader",
    "floor": "C floor",
    "floor-whole": "C floor, whole output",
}
EPOCH = "1767225600"  # 2026-01-01: the builds do not depend on the day they are measured
SAMPLED_PAGES = 25
SLOW = 60  # microseconds for a new file
METHOD = [
    "The machine is a virtual one, and some hours it is half as fast as in others: ratios hold, "
    "but seconds of two tables may not compare.",
    "Registries are made by `benchmarks/generate.py`, seed 1. All tools read the same files.",
    "The peers' pages: one JSON file for each project, the list of all projects, and the list of "
    "every tag of every family; 50 a page, by name. Our whole output is all of the API; "
    "[site.md](site.md#what-it-costs) has the cost of the site.",
    "Each peer is timed in pairs with ours (ours, peer, ours, peer, …), each run in a new "
    "folder. The table has the median ratio of the pairs, the least and the greatest in brackets.",
    "Input files are in the page cache; output is flushed to the disk after each run.",
    "Each command first runs once untimed. Peak memory is from that run: the highest sum of the "
    "PSS (`/proc/PID/smaps_rollup`) of its processes, every 10 ms. CPU is user and system time of "
    "all processes.",
    "Outputs are kept until the end: ext4 makes new files more slowly after many were deleted.",
    f"{SAMPLED_PAGES} random list pages of every tool are compared with those of the naive "
    "script: the same slugs in the same order.",
    "The C floor reads every input and writes files of the names and sizes of our output "
    "(`benchmarks/floor.c`), and parses nothing. `stat of every input` is a C program that only "
    "looks at every input.",
    "Second builds run one after another on one copy of the registry, each after one change to "
    "one project; the numbers of files are medians too.",
]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# --- what is measured -----------------------------------------------------------------------------


def ours(content: Path, out: Path, whole: bool = True) -> tuple[list[str], dict[str, str]]:
    command = OURS if whole else OURS_PEER_PAGES
    return [*command, "--content", str(content), "--out", str(out)], {
        "PYTHONPATH": str(ROOT),
        "SOURCE_DATE_EPOCH": EPOCH,
    }


def peer_module(name: str):
    """The module peers/<name>/run.py, with its setup(), version() and command()."""
    spec = importlib.util.spec_from_file_location(f"peer_{name}", HERE / "peers" / name / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Bench:
    """One registry: its folders, its runs and what was found."""

    def __init__(self, projects: int, cache: Path, options: argparse.Namespace):
        self.projects, self.cache, self.options = projects, cache, options
        self.home = cache / "registries" / f"{projects}-{options.seed}"
        self.content = self.home / "content"
        self.work, self.count = Path(options.work) / f"{os.getpid()}-{projects}", 0
        self.modules: dict = {}
        self.trees: dict[str, Path] = {}
        self.found: dict = {"registry": {}, "note": "", "builds": {}, "pairs": [], "scenarios": {}}

    def make_registry(self) -> None:
        """Generate the registry unless one of this generator's version is there."""
        mark, source = self.home / "done.json", (HERE / "generate.py").read_bytes()
        version = hashlib.sha256(source).hexdigest()
        if not mark.exists() or json.loads(mark.read_text())["generator"] != version:
            shutil.rmtree(self.home, ignore_errors=True)
            files, size = generate.generate(str(self.content), self.projects, self.options.seed)
            mark.write_text(json.dumps({"generator": version, "files": files, "bytes": size}))
        known = json.loads(mark.read_text())
        self.found["registry"] = {"files": known["files"], "bytes": known["bytes"]}

    def folder(self, name: str) -> Path:
        """A new folder for one run."""
        self.count += 1
        folder = self.work / f"{self.count:03d}-{name}"
        folder.mkdir(parents=True)
        free = min(shutil.disk_usage(folder).free, measure.available())
        if free < 4e9:
            say(
                f"  only {free / 1e9:.1f} GB free: deleting earlier outputs, which makes the next "
                "runs slower"
            )
            kept = {str(path.parent) for path in self.trees.values()}
            for old in self.work.iterdir():
                if (
                    old.is_dir()
                    and old != folder
                    and str(old) not in kept
                    and not old.name.endswith("scenarios")
                ):
                    shutil.rmtree(old)
        return folder

    def build(self, name: str, sample: bool = False) -> measure.Run:
        """One cold build by one contestant into a new folder."""
        folder = place = self.folder(name)
        out, environment = folder / "out", {}
        if name.startswith("ours"):
            for left in self.home.iterdir():  # anything a build has put beside its content
                if left.name not in ("content", "done.json"):
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
            words, environment = ours(self.content, out, whole=name == "ours-whole")
        elif name.startswith("naive"):
            loader = "safe" if name == "naive-safe" else "csafe"
            words = [
                sys.executable,
                str(HERE / "naive.py"),
                str(self.content),
                str(out),
                "--loader",
                loader,
            ]
        elif name.startswith("floor"):
            manifest = self.work / f"{name}.manifest"
            words = [str(self.cache / "floor"), "copy", str(self.content), str(manifest), str(out)]
        else:
            words, environment, place = self.modules[name].command(self.content, out)
        run = measure.run(words, environment, place, folder / "log.txt", sample)
        if name.startswith("floor"):
            run.wall = float(
                run.output.split()[0]
            )  # its own clock, which leaves out reading the manifest
        self.trees[name] = out
        return run

    def warm_up(self, name: str) -> None:
        """The untimed run: peak memory, files and bytes, and for the floor the manifest of what it
        shall write.
        """
        if name.startswith("floor"):
            model = self.trees["ours-whole" if name == "floor-whole" else self.reference]
            lines = sorted(
                (os.path.relpath(file.path, model), file.stat().st_size)
                for file in tree.walk(str(model))
            )
            (self.work / f"{name}.manifest").write_text(
                "".join(f"{size} {path}\n" for path, size in lines)
            )
        run = self.build(name, sample=True)
        files, size = tree.size(str(self.trees[name]))
        self.found["builds"][name] = {
            "wall": [],
            "cpu": [],
            "memory": run.memory,
            "files": files,
            "bytes": size,
        }
        say(f"  {name}: {files} files, {size} bytes, peak {run.memory / 1e6:.0f} MB")

    def timed(self, name: str) -> float:
        run = self.build(name)
        self.found["builds"][name]["wall"].append(run.wall)
        self.found["builds"][name]["cpu"].append(run.cpu)
        return run.wall

    def verify(self, name: str) -> None:
        """Hold random list pages of a tool against those of the naive script; raises where they
        differ.
        """
        first, second = self.trees["naive"], self.trees[name]
        listed = [
            path.relative_to(first) for path in sorted(first.glob("api/projects/page/*.json"))
        ]
        listed += [
            path.relative_to(first)
            for path in sorted(first.glob("api/projects/by/*/*/page/*.json"))
        ]
        for path in random.Random(1).sample(listed, min(SAMPLED_PAGES, len(listed))):
            want, got = (
                [row["slug"] for row in json.loads((root / path).read_bytes())["data"]]
                for root in (first, second)
            )
            if want != got:
                raise SystemExit(
                    f"{name}: {path} does not list the same projects as the naive script's"
                )
        records = [
            sum(1 for _ in (root / "api/projects/slug").glob("*.json")) for root in (first, second)
        ]
        if records[1] < records[0] or (name in ("hugo", "eleventy") and records[1] != records[0]):
            raise SystemExit(f"{name}: {records[1]} project records, not {records[0]}")

    def cold(self, peers: list[str], with_ours: bool) -> None:
        """Cold builds of everything, in pairs with ours where it can run."""
        limited = with_ours
        variants = (["ours"] if limited else []) + (["ours-whole"] if with_ours else [])
        self.reference = variants[0] if variants else "naive"
        if not limited and with_ours:
            self.found["note"] = (
                "The peers are compared with our whole output, which is more than theirs."
            )
        names = [name for name in peers if name != "floor"]
        for name in dict.fromkeys(["naive", *variants, *names]):
            self.warm_up(name)
            if name != "naive":
                self.verify(name)
        floors = []
        if "floor" in peers:
            floors = (["floor"] if limited or not with_ours else []) + (
                ["floor-whole"] if with_ours else []
            )
        for name in floors:
            self.warm_up(name)
        runs = range(self.options.runs)
        for name in [*names, *floors]:
            rival = "ours-whole" if name == "floor-whole" else self.reference if variants else None
            walls = {"ours": [], "peer": []}
            for _ in runs:
                if rival:
                    walls["ours"].append(self.timed(rival))
                walls["peer"].append(self.timed(name))
            if rival:
                self.found["pairs"].append({"name": name, "with": rival, **walls})
            say(
                f"  {name}: {report.seconds(sorted(walls['peer'])[len(runs) // 2])}"
                + (f", {report.times(self.found['pairs'][-1])} ours" if rival else "")
            )
        for name in variants:  # a variant that no peer was paired with
            while len(self.found["builds"][name]["wall"]) < self.options.runs:
                self.timed(name)
        if not self.found["builds"]["naive"]["wall"]:
            del self.found["builds"]["naive"]  # it ran for the comparison of pages only
        ordered = [name for name in LABELS if name in self.found["builds"]]
        self.found["builds"] = {name: self.found["builds"][name] for name in ordered}

    def repeated(self, names: list[str]) -> None:
        """Builds after a change, on one copy of the registry; and a stat of every input as the
        floor.
        """
        folder = self.folder("scenarios")
        content, out = folder / "content", folder / "out"
        shutil.copytree(self.content, content)
        projects = sorted(entry.path for entry in tree.walk(str(content / "projects")))
        words, environment = ours(content, out)
        measure.run(words, environment, folder, folder / "log.txt")
        before = tree.look(str(out))
        for name in names:
            found = {"wall": [], "cpu": [], "memory": 0, "files": {}}
            for number in range(self.options.runs + 1):
                SCENARIOS[name](content, projects, number)
                os.sync()
                run = measure.run(
                    words, environment, folder, folder / "log.txt", sample=number == 0
                )
                after = tree.look(str(out))
                for key, value in tree.difference(before, after).items():
                    found["files"].setdefault(key, []).append(value)
                before = after
                if number == 0:
                    found["memory"] = run.memory
                else:
                    found["wall"].append(run.wall)
                    found["cpu"].append(run.cpu)
            self.found["scenarios"][name] = found
            changed = {
                key: sorted(values)[len(values) // 2] for key, values in found["files"].items()
            }
            say(
                f"  {name}: {report.seconds(sorted(found['wall'])[self.options.runs // 2])}, "
                f"files {changed}"
            )

    def stat(self) -> None:
        """The time of a C program that looks at every input once."""
        folder = self.folder("stat")
        words = [str(self.cache / "floor"), "stat", str(self.content)]
        runs = [
            measure.run(words, {}, folder, folder / "log.txt") for _ in range(self.options.runs)
        ]
        self.found["scenarios"]["stat of every input"] = {
            "wall": [float(run.output.split()[0]) for run in runs],
            "cpu": [run.cpu for run in runs],
            "memory": 0,
            "files": {key: [0] for key in ("added", "removed", "changed", "rewritten")},
        }


# --- second builds --------------------------------------------------------------------------------


def some_project(projects: list[str], number: int, purpose: str) -> Path:
    """A project drawn by number and purpose, one that has no aliases yet."""
    rng = random.Random(f"{purpose}/{number}")
    while True:
        path = Path(rng.choice(projects))
        if path.exists() and "\naliases:" not in path.read_text(encoding="utf-8"):
            return path


def no_change(content: Path, projects: list[str], number: int) -> None:
    """Nothing."""


def new_times(content: Path, projects: list[str], number: int) -> None:
    """Every input gets another modification time, as a fresh checkout gives it."""
    stamp = time.time_ns()
    for entry in tree.walk(str(content)):
        os.utime(entry.path, ns=(stamp, stamp))


def one_edit(content: Path, projects: list[str], number: int) -> None:
    """Another summary for one project."""
    path = some_project(projects, number, "edit")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("summary:"))
    lines[at] = f"summary: Changed by the benchmark, time {number}.\n"
    path.write_text("".join(lines), encoding="utf-8")


def one_add(content: Path, projects: list[str], number: int) -> None:
    """One more project, with a name that sorts at a random place."""
    path = some_project(projects, number, "add")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    name = lines[0].split(":", 1)[1].strip().strip("'")
    lines[0] = f"name: '{name} added {number}'\n"
    path.with_name(f"{path.stem}-added-{number}.yaml").write_text("".join(lines), encoding="utf-8")


def one_rename(content: Path, projects: list[str], number: int) -> None:
    """Another slug for one project, the former one as its alias."""
    path = some_project(projects, number, "rename")
    text = path.read_text(encoding="utf-8") + f"aliases: ['{path.stem}']\n"
    path.with_name(f"{path.stem}-renamed.yaml").write_text(text, encoding="utf-8")
    path.unlink()


SCENARIOS: dict[str, Callable] = {
    "no change": no_change,
    "no change, new file times": new_times,
    "one edit": one_edit,
    "one added": one_add,
    "one renamed": one_rename,
}


# --- the whole ------------------------------------------------------------------------------------


def settle(work: Path) -> float:
    """Microseconds that a new file of 4 KB takes; waits up to three minutes while that is much too
    long.

    ext4 without a journal skips inodes that were freed in the last minute, one by one.
    """
    for attempt in range(13):
        folder = work / f"{os.getpid()}-probe-{attempt}"
        folder.mkdir()
        start = time.perf_counter()
        for number in range(1000):
            handle = os.open(folder / str(number), os.O_WRONLY | os.O_CREAT)
            os.write(handle, b"x" * 4000)
            os.close(handle)
        cost = (time.perf_counter() - start) / 1000 * 1e6
        os.sync()
        if cost < SLOW or attempt == 12:
            return cost
        say(f"a new file takes {cost:.0f} µs here, as after many deletions: waiting 15 s")
        time.sleep(15)
    return cost


def machine(work: Path, versions: dict[str, str]) -> dict[str, str]:
    """What the numbers depend on."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    with open("/proc/self/mounts") as file:
        mounts = [line.split()[1:3] for line in file]
    kind = max((len(place), kind) for place, kind in mounts if work.is_relative_to(place))[1]
    return {
        "CPU": f"{os.cpu_count()} × {models[0] if models else platform.machine()}",
        "memory": f"{memory:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "file system": f"{kind}; a new file of 4 KB takes {settle(work):.0f} µs from Python",
        "Python": platform.python_version(),
        **versions,
    }


def ours_runs(cache: Path, options: argparse.Namespace) -> bool:
    """Whether our command is there and builds a registry of one project."""
    bench = Bench(1, cache, options)
    bench.make_registry()
    try:
        bench.build("ours-whole")
    except measure.Failed as error:
        say(
            "our command does not run yet, so only the peers are measured:\n"
            f"  {str(error).strip().splitlines()[-1]}"
        )
        return False
    return True


def peers_of(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in PEERS:
            raise argparse.ArgumentTypeError(f"no peer {name!r}; there are {', '.join(PEERS)}")
    return names


def sizes_of(text: str) -> list[int]:
    sizes = [int(size) for size in text.split(",") if size]
    if not all(1 <= size <= generate.MAX_PROJECTS for size in sizes):
        raise argparse.ArgumentTypeError(f"sizes are 1 to {generate.MAX_PROJECTS}")
    return sizes


def run(options: argparse.Namespace) -> dict:
    """Measure every size; gives the results, which are also kept in the cache after each size."""
    cache, kept = options.cache, options.cache / "results.json"
    cache.mkdir(parents=True, exist_ok=True)
    Path(options.work).mkdir(parents=True, exist_ok=True)
    subprocess.run(["gcc", "-O2", "-o", cache / "floor", HERE / "floor.c"], check=True)
    modules, versions = {}, {}
    for name in options.peers:
        if (HERE / "peers" / name).is_dir():
            modules[name] = peer_module(name)
            modules[name].setup()
            versions[name.capitalize()] = (
                modules[name].version().removeprefix(f"{name.capitalize()} ")
            )
    results = {
        "machine": machine(Path(options.work), versions),
        "labels": LABELS,
        "method": METHOD,
        "sizes": {},
        "clusters": {},
    }
    if options.merge and kept.exists():
        known = json.loads(kept.read_text())
        results["sizes"], results["clusters"] = known["sizes"], known.get("clusters", {})
    with_ours = ours_runs(cache, options)
    for projects in options.sizes:
        say(f"{projects} projects")
        bench = Bench(projects, cache, options)
        bench.modules = modules
        bench.make_registry()
        bench.cold(options.peers, with_ours)
        if with_ours and options.scenarios:
            bench.repeated(list(SCENARIOS))
        bench.stat()
        results["sizes"][str(projects)] = bench.found
        kept.write_text(json.dumps(results, indent=1))
        if with_ours and projects == stages.WORTH_COUNTING:
            work = str(bench.folder("cores"))
            bench.found["cores"] = stages.counted(str(bench.content), work, options.runs)
        kept.write_text(json.dumps(results, indent=1))
    for projects in options.clusters:
        say(f"{projects} projects on a cluster")
        results["clusters"][str(projects)] = on_a_cluster(cache, projects)
        kept.write_text(json.dumps(results, indent=1))
    return results


def on_a_cluster(cache: Path, projects: int) -> dict:
    """One build of our whole output on a cluster of this machine; what it wrote is deleted."""
    folder = cache / "clusters"
    folder.mkdir(exist_ok=True)
    try:
        scale.content(folder, projects)
        os.sync()
        found = scale.measured(folder, projects, 2, site=False)
        files, size = tree.size(str(folder / "build"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    say(f"  {report.seconds(found['wall'])}, {files} files, {size} bytes")
    return {**found, "files": files, "bytes": size}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sizes", type=sizes_of, default=[1000, 10_000, 100_000], help="projects, with commas"
    )
    parser.add_argument(
        "--clusters",
        type=sizes_of,
        default=[10_000, 100_000, 1_000_000],
        help="projects of builds on a cluster, with commas; an empty text for none",
    )
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each pair")
    parser.add_argument(
        "--peers", type=peers_of, default=PEERS, help="with commas; an empty text for none"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "performance.md")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--cache", type=Path, default=HERE / ".cache", help="registries, peers and results"
    )
    parser.add_argument(
        "--work", type=Path, help="where outputs go while measuring; default: in the cache"
    )
    parser.add_argument("--keep", action="store_true", help="do not delete the outputs at the end")
    parser.add_argument(
        "--merge",
        action="store_true",
        help="keep the last results of sizes that are not measured now",
    )
    parser.add_argument(
        "--render", action="store_true", help="measure nothing, render the last results"
    )
    parser.add_argument(
        "--no-scenarios", dest="scenarios", action="store_false", help="cold builds only"
    )
    options = parser.parse_args()
    options.cache = options.cache.resolve()
    options.work = (options.work or options.cache / "work").resolve()
    if options.render:
        results = json.loads((options.cache / "results.json").read_text())
    else:
        try:
            results = run(options)
        except measure.Failed as error:
            say(str(error))
            return 1
        finally:
            if not options.keep:
                for folder in options.work.glob(f"{os.getpid()}-*"):
                    shutil.rmtree(folder, ignore_errors=True)
    chart = options.out.with_suffix(".svg")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(report.markdown(results, chart.name), encoding="utf-8")
    chart.write_text(report.svg(results), encoding="utf-8")
    say(f"wrote {options.out} and {chart}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
