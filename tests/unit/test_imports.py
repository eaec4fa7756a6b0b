"""The import contract of pyproject.toml, and rules that no contract can express; what scripts of
benchmarks/ import.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator.kinds import built_in
from generator.kinds.declare import ROLES
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
            "from generator.model.kinds import kind_for",
            "generator.grammar is not allowed to import generator.model",
        ),
        ("outputs/state.py", "import time", "generator.outputs is not allowed to import time"),
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
    assert core == {"grammar/paths.py", "grammar/grammar.py"}


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


#: What the generator says of itself: the schema lock, `registry features`, a new registry, a
#: sample, the fields that every registry knows; and the two places that make the kinds of a
#: registry, from its content and from what is published.
_BUILT_IN = {
    "cli/edit/schema.py", "cli/publishing/check.py", "dialect/folder.py",
    "dialect/mistakes.py", "dialect/values.py", "edit/starting/init.py", "engine/scripts.py",
    "reader/documents.py",
}  # fmt: skip


def test_kinds_come_from_a_registry_and_not_from_the_process() -> None:
    built_in = re.compile(r"^ *from generator\.kinds import (?!Kinds$|Relation$|record$)", re.M)
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "kinds" and built_in.search(path.read_text("utf-8"))
    }
    assert found == _BUILT_IN


#: Module -> the names of kinds with a role in it that are no questions for a kind, and why.
_NAMED = {
    "agent/protocol.py": "programs",  # the key of a text of tools.mjs
    "cli/ask/_show.py": "organizations programs projects",  # keys of the dashboard
    "cli/ask/read.py": "organization program",  # options of `registry calendar`
    "features/forms/questions.py": "organization",  # a field that comes early
    "features/matching/names.py": "organization",  # the abbreviation of a word
    "model/corrections.py": "program",  # advice about a field of events
    # What people call fields in other languages.
    "model/field_words.py": "event organization organizations program programs",
    "outputs/dashboard.py": "organizations programs projects",  # keys, which the contract fixes
    "site/months.py": "events",  # what a template calls the dates of a month
    "site/records.py": "event",  # a property of schema.org
    "site/years.py": "event",  # a kind of date
}


def named_kinds(code: str) -> list[str]:
    """The texts and the attributes in code that are the name of a kind with a role, or that of its
    collection.  Those are not that are compared with a field `kind`, and the fields of its classes.
    """
    of = [kind for kind in built_in().values() if any(getattr(kind, role) for role in ROLES)]
    names = {name for kind in of for name in (kind.kind, kind.name)}
    nodes = [*ast.walk(ast.parse(code))]
    own = {ast.unparse(node.target) for node in nodes if isinstance(node, ast.AnnAssign)}
    compared = {
        id(part)
        for node in nodes
        if isinstance(node, ast.Compare) and re.search(r"\['kind'\]|\.kind\b", ast.unparse(node))
        for part in ast.walk(node)
    }
    texts = [n.value for n in nodes if isinstance(n, ast.Constant) and id(n) not in compared]
    attributes = [n.attr for n in nodes if isinstance(n, ast.Attribute) and n.attr not in own]
    return [name for name in (*texts, *attributes) if name in names]


def test_kinds_with_a_role_are_declared_and_not_named() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): " ".join(sorted({*names}))
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.parent.name != "kinds" and (names := named_kinds(path.read_text("utf-8")))
    }
    assert found == _NAMED


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ('tables["projects"], grammar.collections.get("event")', ["projects", "event"]),
        ("registry.events", ["events"]),
        ('"The events of one program", "/api/projects/"', []),
        ('if record["kind"] == "event" or program.kind == "program": pass', []),
        ("class Day:\n    events: list[str]\n\nday.events", []),
    ],
)
def test_names_of_kinds_are_found(code: str, names: list[str]) -> None:
    assert named_kinds(code) == names
