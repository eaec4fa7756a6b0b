"""The scripts of benchmarks/ that reach into the generator find there what they replace."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import registries
from support.commands import ROOT, environment

BENCHMARKS = ROOT / "benchmarks"
OPTIMISATIONS = re.findall(r'(?m)^    "([a-z-]+)": \($', (BENCHMARKS / "without.py").read_text())
BUILD = "build --content content --out build"
SCRIPTS = {
    f"ours.py {BUILD} --no-site": "Built build: ",
    "parts.py content --work .": "µs  the file written",
    **{f"without.py --only {name} {BUILD}": "Built build: " for name in OPTIMISATIONS},
}


@pytest.mark.slow
@pytest.mark.parametrize("line", SCRIPTS)
def test_a_script_that_reaches_into_the_generator_ends_well(line: str, tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    script, *words = line.split()
    assert SCRIPTS[line] in run(tmp_path, str(BENCHMARKS / script), *words)


@pytest.mark.slow
def test_the_stages_of_a_build_are_timed(tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    staged = run(tmp_path, "-c", "import stages; exec(stages.STAGED)", "content", "build", "1")
    assert {"read", "check", "files", "commit"} <= json.loads(staged)["stages"].keys()


def run(folder: Path, *words: str) -> str:
    env = environment(PYTHONPATH=os.pathsep.join(map(str, (ROOT, BENCHMARKS))))
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_optimisation_is_tried() -> None:
    assert len(OPTIMISATIONS) > 4
