"""What a build of a small registry does not load: what takes as long to import as all to build."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = {
    "pydantic",
    "pydantic_core",
    "generator.site.theme",
    "importlib.metadata",
    "subprocess",
    "yaml",
}


def test_a_first_build_loads_nothing_heavy_that_it_has_no_use_for(tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "projects").mkdir(parents=True)
    (content / "registry.yaml").write_text("name: Small\ndescription: Of one record.\n")
    (content / "projects/cairn.yaml").write_text("name: Cairn\nyear: 2024\n")
    code = (
        "import sys\n"
        "from generator.cli import main\n"
        "sys.argv = ['registry', 'build', '--no-site', '--content', sys.argv[1], '--out', "
        "sys.argv[2]]\n"
        "try: main()\n"
        f"finally: print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, content, tmp_path / "out"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "[]")
