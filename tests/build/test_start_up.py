"""A build of a small registry does not load the modules that are slow to import."""

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


def loaded(content: Path, out: Path, names: set[str]) -> list[str]:
    """Which of the given modules a build loads."""
    code = (
        "import sys\n"
        "from generator.cli import main\n"
        "sys.argv = ['registry', 'build', '--no-site', '--content', sys.argv[1], '--out', "
        "sys.argv[2]]\n"
        "try: main()\n"
        f"finally: print(*sorted({names!r} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, content, out], capture_output=True, text=True, check=True
    )
    return done.stderr.splitlines()[-1].split()


WITHOUT = "name: Small\ndescription: Of one record.\n"
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>'
LOGOS = {"generator.model.images", "pyexpat"}
DATA = {"generator.published.data_files", "generator.contract.data_tables", "csv"}


def written(folder: Path, settings: str = WITHOUT, record: str = "name: Cairn\n") -> Path:
    (folder / "projects").mkdir(parents=True, exist_ok=True)
    (folder / "registry.yaml").write_text(settings)
    (folder / "projects/cairn.yaml").write_text(record)
    if "logo" in record:
        (folder / "projects/cairn.svg").write_text(LOGO)
    return folder


def test_a_build_loads_what_its_content_needs(tmp_path: Path) -> None:
    """Slow modules never, what reads logos and writes tables only for these."""
    content, out = written(tmp_path / "content"), tmp_path / "out"
    assert loaded(content, out, HEAVY | LOGOS | DATA) == []
    written(content, f"{WITHOUT}data: [csv]\n", "name: Cairn\nlogo: cairn.svg\n")
    assert loaded(content, out, LOGOS | DATA | {"pyarrow"}) == sorted(LOGOS | DATA)
