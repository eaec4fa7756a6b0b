"""The import contract of pyproject.toml, and rules that no contract can express; what scripts of
benchmarks/ import.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import ROOT

PACKAGE = ROOT / "generator"
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
LINT = [
    sys.executable,
    "-c",
    "import sys; from importlinter.cli import lint_imports; "
    "sys.exit(lint_imports(**eval(sys.argv[1])))",
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    options = {"config_filename": str(folder / "pyproject.toml"), "no_cache": True, "no_logo": True}
    return subprocess.run(
        [*LINT, repr(options)], cwd=folder, capture_output=True, text=True, check=False
    )


def test_every_module_imports_only_what_the_contract_allows() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "line", "says"),
    [
        (
            "grammar/grammar.py",
            "from generator.model.kinds import KINDS",
            "generator.grammar is not allowed to import generator.model",
        ),
        ("outputs/site.py", "import time", "generator.outputs is not allowed to import time"),
        ("newcomer.py", "", "generator.newcomer"),
    ],
)
def test_a_breach_of_the_contract_is_found(
    module: str, line: str, says: str, tmp_path: Path
) -> None:
    for path in [ROOT / "pyproject.toml", *PACKAGE.rglob("*.py")]:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    with (tmp_path / "generator" / module).open("a") as file:
        file.write(f"\n{line}\n")
    done = lint(tmp_path)
    assert done.returncode == 1
    assert says in " ".join(done.stdout.split())


def test_rendering_does_not_read_the_clock() -> None:
    """`datetime` is for arithmetic there; the day is a parameter."""
    asks = ("now", "today", "utcnow", "time", "localtime", "getenv")
    names = ("model/tables/facets", "model/tables/table", "grammar/grammar", "contract/ical",
             "outputs/*", "hosts/*", "model/kinds/*")  # fmt: skip
    for path in [path for name in names for path in PACKAGE.glob(f"{name}.py")]:
        called = [
            node.func.attr
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        ]
        assert [name for name in called if name in asks] == [], path.name


def test_api_addresses_are_spelled_only_in_the_grammar_and_in_features() -> None:
    """Texts that begin with /api/ are addresses."""
    spelled = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if '"/api/' in path.read_text("utf-8")
    }
    core = {path for path in spelled if not path.startswith("features/")}
    assert core == {"grammar/paths.py", "grammar/roots.py"}


@pytest.mark.parametrize("script", BENCHMARKS, ids=lambda path: path.stem)
def test_a_script_of_benchmarks_imports_names_that_exist(script: Path) -> None:
    for node in ast.walk(ast.parse(script.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.startswith("generator"):
                    importlib.import_module(name.name)
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("generator"):
            module = importlib.import_module(str(node.module))
            for name in node.names:
                if not hasattr(module, name.name):
                    importlib.import_module(f"{module.__name__}.{name.name}")
