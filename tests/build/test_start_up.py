"""Commands do not load the modules that are slow to import and that they do not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"generator.site.theme", "subprocess", "yaml"}


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
LOGOS = {"generator.features.logos.logo", "pyexpat"}
DATA = {"generator.features.data_files.formats"}


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


PYDANTIC = {"pydantic", "pydantic_core", "pydantic_core._pydantic_core", "generator.kinds.models"}


def modules_after(code: str) -> set[str]:
    """The modules that are loaded after some code ran."""
    code += "\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


READING = (
    "import generator.reader.client, generator.reader.deployment, generator.features.changes.sync",
    "import generator.engine.context, generator.engine.bundles",
    "import generator.model.kinds, generator.kinds.types",
)


@pytest.mark.parametrize("code", READING)
def test_what_reads_a_published_registry_loads_no_pydantic(code: str) -> None:
    """The fields of records are declared without it."""
    assert modules_after(code) & PYDANTIC == set()


@pytest.mark.parametrize("arguments", [["--help"], ["list", "projects"], ["dashboard"]])
def test_a_reading_command_loads_no_pydantic(arguments: list[str], tmp_path: Path) -> None:
    if "--help" not in arguments:
        content, out = written(tmp_path / "content"), tmp_path / "out"
        loaded(content, out, set())
        arguments = [*arguments, "--from", str(out)]
    run = f"from generator.cli import commands\ncommands.main({arguments!r}, standalone_mode=False)"
    assert modules_after(run) & PYDANTIC == set()


def test_annotations_of_fields_are_types() -> None:
    """Python evaluates a text anew whenever fields are read: see generator.kinds.declare."""
    from generator.kinds import built_in
    from generator.kinds.own import OwnRecord
    from generator.kinds.types import Location

    classes = {
        base
        for model in (*(kind.model for kind in built_in().values()), OwnRecord, Location)
        for base in model.__mro__
        if base.__module__.startswith("generator.kinds.")
    }
    assert len(classes) > 6
    texts = [
        f"{of.__name__}.{name}"
        for of in classes
        for name, annotation in vars(of).get("__annotations__", {}).items()
        if isinstance(annotation, str)
    ]
    assert texts == []
