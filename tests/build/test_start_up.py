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


def modules_of(*arguments: object) -> set[str]:
    """The modules that are loaded after a command."""
    words = [*map(str, arguments)]
    return modules_after(
        f"from generator.cli import commands\ncommands.main({words!r}, standalone_mode=False)"
    )


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
    assert modules_of(*arguments) & PYDANTIC == set()


# --- commands ---

#: What the modules of commands load only when a command runs: see `test_help_loads_light_modules`.
LATE = {
    "csv", "ctypes", "dataclasses", "email", "hashlib", "http.client", "icalendar", "jinja2",
    "logging", "orjson", "pycountry", "shutil", "ssl", "subprocess", "tempfile", "traceback",
    "yaml", "generator.edit.tables.sheet", "generator.features.matching.names", "generator.kinds",
    "generator.problems.diagnostic", "generator.text.words",
} | PYDANTIC  # fmt: skip

EACH_COMMAND = f"""
import sys, click
from generator.cli import commands
context, known = click.Context(commands), set()
for name in ("", *commands.list_commands(context)):
    if name: commands.get_command(context, name)
    if late := {LATE!r} & sys.modules.keys() - known:
        print("registry", name, *sorted(late))
    known = {{*sys.modules}}
"""


def test_help_loads_light_modules() -> None:
    """`registry --help` loads the modules of all commands: a line names one that loads more."""
    done = subprocess.run(
        [sys.executable, "-c", EACH_COMMAND], stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout.splitlines() == []


COUNT = {
    "csv", "ctypes", "logging", "shutil", "tempfile", "traceback",
    "generator.contract.lock", "generator.kinds", "generator.text.words",
}  # fmt: skip


def test_a_count_loads_no_kinds(tmp_path: Path) -> None:
    """The engine has the table of a registry that was built by the same generator."""
    content, out = written(tmp_path / "content"), tmp_path / "out"
    loaded(content, out, set())
    found = modules_of("count", "projects", "--from", out)
    assert "generator.engine.context" in found and found & COUNT == set()


def test_a_check_loads_no_engine(tmp_path: Path) -> None:
    """Only hosts that limit the size of a script need it."""
    content = written(tmp_path / "content", f"{WITHOUT}hosts: [netlify, cloudflare, r2]\n")
    found = modules_of("check", "--content", content)
    engine = {"generator.engine.context", "generator.engine.scripts", "generator.search.index"}
    assert "generator.hosts.netlify" in found and found & engine == set()


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
