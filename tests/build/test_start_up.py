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


def test_a_build_loads_no_slow_module_without_need(tmp_path: Path) -> None:
    content, out = tmp_path / "content", tmp_path / "out"
    (content / "projects").mkdir(parents=True)
    (content / "registry.yaml").write_text("name: Small\ndescription: Of one record.\n")
    record = "name: Cairn\nyear: 2024\nsummary: Of stone.\n"
    (content / "projects/cairn.yaml").write_text(record)
    assert loaded(content, out, HEAVY) == []
    # The summary grows by one byte. Templates are loaded for skill.md, which states rounded sizes.
    (content / "projects/cairn.yaml").write_text(record.replace("stone", "stones"))
    assert loaded(content, out, {*HEAVY, "jinja2"}) == []


def test_a_build_without_logos_loads_nothing_that_reads_them(tmp_path: Path) -> None:
    content, out = tmp_path / "content", tmp_path / "out"
    (content / "projects").mkdir(parents=True)
    (content / "registry.yaml").write_text("name: Small\ndescription: Of one record.\n")
    (content / "projects/cairn.yaml").write_text("name: Cairn\n")
    readers = {"generator.model.images", "pyexpat"}
    assert loaded(content, out, readers) == []
    shape = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>'
    (content / "projects/cairn.svg").write_text(shape)
    (content / "projects/cairn.yaml").write_text("name: Cairn\nlogo: cairn.svg\n")
    assert loaded(content, out, readers) == sorted(readers)


def test_a_build_without_data_files_loads_nothing_that_writes_them(tmp_path: Path) -> None:
    content, out = tmp_path / "content", tmp_path / "out"
    (content / "projects").mkdir(parents=True)
    (content / "registry.yaml").write_text("name: Small\ndescription: Of one record.\n")
    (content / "projects/cairn.yaml").write_text("name: Cairn\n")
    writers = {"generator.build.data_files", "generator.contract.data_tables", "csv", "pyarrow"}
    assert loaded(content, out, writers) == []
    (content / "registry.yaml").write_text(
        "name: Small\ndescription: Of one record.\ndata: [csv]\n"
    )
    assert loaded(content, out, writers) == sorted(writers - {"pyarrow"})
