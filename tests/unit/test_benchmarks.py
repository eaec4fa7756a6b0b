"""The build that is held against those of peers makes their pages and no index of words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.commands import ROOT, environment, files


def test_the_pages_of_the_peers_can_be_built(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "benchmarks" / "ours.py", "build", "--no-site"]
    asked = [*command, "--content", ROOT / "tests/golden/content", "--out", tmp_path / "out"]
    done = subprocess.run(asked, env=environment(), capture_output=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    made = files(tmp_path / "out" / "api")
    projects = [path for path in made if path.startswith("projects/")]
    assert {path.split("/")[1] for path in projects} == {"slug", "page", "by"}
    assert all("tag_" in path for path in projects if path.startswith("projects/by/"))
    assert [path for path in made if path.startswith("index/") and "manifest" not in path] == []
