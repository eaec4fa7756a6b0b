"""What each optimisation saves: the same command with it and without it, in pairs.

    python benchmarks/without.py [--projects 1000,10000] [--runs 3]   all; the table in aims.md
    python benchmarks/without.py --only NAME build ...                the command without NAME

CPU is user and system time of one process (`--jobs 1`), the share is the median of the pairs; a
pair must write the same bytes.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import generate
import measure
import sections
import tree

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE / "aims.md"
EPOCH = "1767225600"
#: The columns: words of the command, and which of the sizes.
CASES = {
    "check, small": (["check"], 0),
    "check, large": (["check"], 1),
    "API, small": (["build", "--no-site", "--jobs", "1"], 0),
    "API, large": (["build", "--no-site", "--jobs", "1"], 1),
    "site, small": (["build", "--jobs", "1"], 0),
    "site, large": (["build", "--jobs", "1"], 1),
}


def simple_lane() -> None:
    from generator.dialect import simple

    simple.parse = lambda raw: None


def no_rendering() -> None:
    from generator.published import check
    from generator.published.content.records import read

    check.read = lambda *args, renders, **options: read(*args, renders=True, **options)


def plain_objects() -> None:
    from generator.model import validate

    validate.as_declared = lambda record: record


def no_garbage() -> None:
    gc.disable = gc.freeze = lambda: None
    gc.set_threshold = lambda *thresholds: None


def kept_templates() -> None:
    from generator.published.compiled import _Kept

    _Kept.load_bytecode = _Kept.dump_bytecode = lambda self, bucket: None


def kept_rows() -> None:
    from generator.site.rows import _Cache

    _Cache.__missing__ = lambda self, key: self._make(key)


def jinja_hooks() -> None:
    """Jinja's own environment, with a file of compiled templates of its own."""
    import jinja2

    from generator.published import compiled
    from generator.site import templating

    class PageTemplate(jinja2.Template):
        def parts(self, values):
            return self.root_render_func(self.new_context(dict(values)))

    class Plain(jinja2.Environment):
        template_class = PageTemplate

    folder = Path(tempfile.gettempdir()) / "registry-without-jinja-hooks"
    kept = compiled.kept_in(folder, jinja2.__version__)
    compiled.compiled_templates = lambda: kept
    templating.Plain = Plain


#: Name -> what it is called in the table, how to be without it, the columns it may save in, and
#: the decision.
OPTIMISATIONS: dict[str, tuple[str, Callable[[], None], list[str], str]] = {
    "simple-lane": (
        "simple lane of YAML, `dialect/simple.py`",
        simple_lane,
        ["check, small", "check, large", "API, small", "API, large"],
        "stays",
    ),
    "no-rendering": (
        "check without rendering, `renders` in `published/content/entries.py`",
        no_rendering,
        ["check, small", "check, large"],
        "stays",
    ),
    "plain-objects": (
        "records as plain objects, `as_declared` in `kinds/models.py`",
        plain_objects,
        ["check, small", "check, large", "API, small", "API, large"],
        "for the floor",
    ),
    "no-garbage": (
        "no garbage collection in a build",
        no_garbage,
        ["API, small", "API, large", "site, small"],
        "for the floor",
    ),
    "kept-templates": (
        "compiled templates kept, `published/compiled.py`",
        kept_templates,
        ["site, small"],
        "stays",
    ),
    "kept-rows": (
        "rows of lists made once, `_Cache` in `site/rows.py`",
        kept_rows,
        ["site, small", "site, large"],
        "stays",
    ),
    "jinja-hooks": (
        "hooks into jinja2, `site/templating.py`",
        jinja_hooks,
        ["site, small", "site, large"],
        "stays",
    ),
}


def cpu(name: str, words: list[str], content: Path, work: Path) -> tuple[float, dict[str, bytes]]:
    """CPU seconds of a command without an optimisation, or with all for "", and the digests of its
    files.
    """
    out = work / "built" / "out"
    shutil.rmtree(out.parent, ignore_errors=True)
    out.parent.mkdir()
    command = [sys.executable, str(HERE / "without.py"), "--only", name, *words]
    command += ["--content", str(content)]
    command += ["--out", str(out)] if words[0] == "build" else []
    environment = {"PYTHONPATH": str(HERE.parent), "SOURCE_DATE_EPOCH": EPOCH}
    run = measure.run(command, environment, work, work / "log")
    files = tree.look(str(out)) if words[0] == "build" else {}
    return run.cpu, {path: digest for path, (digest, _) in files.items()}


def share(name: str, case: str, contents: list[Path], work: Path, runs: int) -> float:
    """The share of CPU time that an optimisation saves, in percent: the median of the pairs."""
    words, size = CASES[case]
    found = []
    for run in range(runs + 1):
        with_it, without_it = (
            cpu(left_out, words, contents[size], work) for left_out in ("", name)
        )
        if with_it[1] != without_it[1]:
            raise SystemExit(f"without {name} a build writes other bytes: {case}")
        if run:  # the first run compiles
            found.append(100 * (1 - with_it[0] / without_it[0]))
    return statistics.median(found)


def table(found: dict[str, dict[str, float]], sizes: list[int]) -> str:
    names = (f"{case.partition(',')[0]}, {sizes[size]:,}" for case, (_, size) in CASES.items())
    lines = [
        f"| optimisation | {' | '.join(names)} | decision |",
        f"|---|{'--:|' * len(CASES)}---|",
    ]
    for name, shares in found.items():
        label, _, _, decision = OPTIMISATIONS[name]
        cells = (f"{shares[case]:.0f} %" if case in shares else "–" for case in CASES)
        lines.append(f"| {label} | {' | '.join(cells)} | {decision} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--projects", default="1000,10000", help="two sizes")
    parser.add_argument("--names", default=",".join(OPTIMISATIONS), help="with commas")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--out", type=Path, default=DOCUMENT, help="the document with the table")
    options = parser.parse_args()
    sizes = [int(size) for size in options.projects.split(",")]
    found: dict[str, dict[str, float]] = {name: {} for name in options.names.split(",")}
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        contents = [Path(folder, f"content-{size}") for size in sizes]
        for content, size in zip(contents, sizes, strict=True):
            generate.generate(str(content), size, seed=1)
        for name in found:
            for case in OPTIMISATIONS[name][2]:
                found[name][case] = share(name, case, contents, Path(folder), options.runs)
                print(f"{name}: {case}: {found[name][case]:.1f} %", flush=True)
    sections.write(options.out, "optimisations", table(found, sizes))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--only"]:
        if sys.argv[2]:
            OPTIMISATIONS[sys.argv[2]][1]()
        from generator.cli import main as registry

        sys.argv[:] = ["registry", *sys.argv[3:]]
        os.environ["PYTHONPATH"] = str(HERE.parent)
        sys.exit(registry())
    main()
