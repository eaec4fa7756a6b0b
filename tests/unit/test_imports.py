"""The import contract of pyproject.toml, and rules that no contract can express."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.commands import ROOT

PACKAGE = ROOT / "generator"
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
        (
            "outputs/site.py",
            "from generator.outputs import pages",
            "generator.outputs.site is not allowed to import generator.outputs.pages",
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


def calls(tree: ast.AST) -> Iterator[str]:
    """Dotted names of all called functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def test_rendering_does_not_read_the_clock() -> None:
    """`datetime` is for arithmetic there; the day is a parameter."""
    asks = ("now", "today", "utcnow", "time", "localtime", "getenv")
    pure = [
        PACKAGE / f"{name}.py"
        for name in (
            "model/tables/facets",
            "model/tables/table",
            "grammar/grammar",
            "contract/ical",
        )
    ]
    for path in [
        *pure,
        *PACKAGE.glob("outputs/*.py"),
        *PACKAGE.glob("hosts/*.py"),
        *PACKAGE.glob("model/kinds/*.py"),
    ]:
        found = {
            call
            for call in calls(ast.parse(path.read_text("utf-8")))
            if call.rpartition(".")[2] in asks and "." in call
        }
        assert found == set(), path.name


def test_no_module_has_a_catch_all_name() -> None:
    names = {path.stem for path in PACKAGE.rglob("*.py")}
    assert names & {"utils", "util", "helpers", "helper", "common", "misc", "base", "core"} == set()


def test_api_addresses_are_spelled_only_in_the_grammar() -> None:
    """Texts that begin with /api/ are addresses; docstrings may show them."""
    spelled = {}
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        texts = [
            n.value
            for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docstrings
        ]
        if found := [text for text in texts if text.startswith("/api/")]:
            spelled[path.relative_to(PACKAGE).as_posix()] = found
    assert set(spelled) == {f"grammar/{name}.py" for name in ("paths", "roots")}, spelled
