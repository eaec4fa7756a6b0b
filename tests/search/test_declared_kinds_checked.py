"""An independent check confirms builds and answers of registries that declare kinds: two with some
hundred records that a program writes, one beside the first four kinds and one without them, and one
of recipes.  It shares no code with this package and is outside of its repository.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import commands, independent
from support.answers import as_in_browsers, differing, javascript, served


@pytest.fixture(scope="module")
def check(shared: Path) -> Path:
    found = shared / "check" / "kinds.py"
    if not found.is_file():
        pytest.skip(f"there is no {found}")
    return found


def run(*arguments: object) -> str:
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def content(name: str, check: Path, folder: Path) -> Path:
    kinds = check.parent.parent / "kinds"
    if name == "recipes":
        shutil.copytree(kinds / "recipes", folder)
    else:
        run(kinds / "make.py", folder, *(["--without-the-four"] if name == "tools" else []))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["investors", "tools", "recipes"])
def test_an_independent_check_confirms_kinds(name: str, check: Path, tmp_path: Path) -> None:
    written = content(name, check, tmp_path / "content")
    out = commands.build(written, tmp_path / "out", "--as-of", commands.TODAY)
    assert "comparisons, 0 faults" in run(check, "build", written, out)
    cases = json.loads(run(check, "queries", written, "--seed", "7", "--count", "300"))
    targets = [case["url"] for case in cases]
    answers = served(out, *targets)
    for case, (status, body) in zip(cases, answers, strict=True):
        independent.assert_right(case, status, json.loads(body))
    in_node = [(answer.status, answer.body) for answer in javascript(out, *targets)]
    assert differing(targets, in_node, as_in_browsers(answers)) == []
